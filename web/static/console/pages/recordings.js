// @ts-check
import { api } from "../api.js";
import { bytes, moment, span } from "../format.js";
import { html, useState } from "../html.js";
import { Icon } from "../icons.js";
import { Confirm, Dialog } from "../ui/dialog.js";
import { Loading, useLoaded } from "../ui/load.js";
import { attempt } from "../ui/toasts.js";
import { t } from "../words.js";

/** Films of rooms: to play, to take along, to delete. */
export default function Recordings() {
  const films = useLoaded(() => api.list("v1/recordings").catch((error) => (error.status === 404 ? [] : Promise.reject(error))), []);
  const [open, setOpen] = useState(/** @type {{ kind: string, film: any, url?: string } | null} */ (null));
  const play = (/** @type {any} */ film) => attempt(async () => setOpen({ kind: "play", film, url: await link(film) }));
  const download = (/** @type {any} */ film) => attempt(async () => {
    const anchor = Object.assign(document.createElement("a"), { href: await link(film), download: `${film.name}.mp4` });
    anchor.click();
  });
  return html`
    <div class="page">
      <header class="page-head"><div class="page-title"><h1>${t("place.recordings")}</h1><p>${t("recordings.lead")}</p></div></header>
      ${!films.value ? html`<${Loading} of=${films} />` : films.value.length === 0 ? html`<div class="empty panel"><p>${t("recordings.none")}</p></div>` : html`
        <ul class="panel lines">
          ${films.value.map((film) => html`
            <li key=${film.name} class="line">
              <button type="button" class="line-mark as-button" aria-label=${t("recordings.play", { name: film.name })} onClick=${() => play(film)}><${Icon} name="play" /></button>
              <span class="grow"><b class="clip" title=${film.name}>${roomOf(film.name)}</b><small class="soft">${moment(film.made)}</small></span>
              <span class="soft figure">${film.seconds === null ? "–" : span(film.seconds)}</span><span class="soft figure film-size">${bytes(film.size)}</span>
              <span class="row goods-actions">
                <button type="button" class="icon-button" aria-label=${t("recordings.download", { name: film.name })} title=${t("download")} onClick=${() => download(film)}><${Icon} name="download" /></button>
                <button type="button" class="icon-button danger" aria-label=${t("recordings.delete", { name: film.name })} title=${t("delete")} onClick=${() => setOpen({ kind: "delete", film })}><${Icon} name="trash" /></button>
              </span>
            </li>`)}
        </ul>`}
      ${open?.kind === "play" && html`<${Dialog} title=${open.film.name} onClose=${() => setOpen(null)}><video class="film" src=${open.url} controls autoplay playsinline aria-label=${t("recordings.play", { name: open.film.name })} /><//>`}
      ${open?.kind === "delete" && html`<${Confirm} title=${t("recordings.delete", { name: open.film.name })} text=${t("recordings.deleteSure")} action=${t("delete")} onClose=${() => setOpen(null)}
        onConfirm=${async () => void ((await attempt(() => api.change("DELETE", `v1/recordings/${open.film.name}`), t("recordings.deleted"))) && (await films.reload()))} />`}
    </div>`;
}

/** The room a film is of: its name without the time it was begun at. @param {string} name */
const roomOf = (name) => name.replace(/-\d{8}-\d{6}(?:-\d+)?$/, "") || name;

/** An address that a player may ask without a key. @param {any} film */
async function link(film) {
  return api.at((await api.change("POST", `v1/recordings/${film.name}/link`)).url);
}
