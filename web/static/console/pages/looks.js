// @ts-check
import { api } from "../api.js";
import { askLooks, hostPicture, sceneTitle } from "../choices.js";
import { html, useEffect, useState } from "../html.js";
import { Icon } from "../icons.js";
import { Confirm } from "../ui/dialog.js";
import { Loading, useLoaded } from "../ui/load.js";
import { DrawnPicture } from "../ui/drawn-picture.js";
import { Picture } from "../ui/picture.js";
import { Tabs } from "../ui/tabs.js";
import { attempt } from "../ui/toasts.js";
import { t } from "../words.js";
import { HostForm } from "./host-form.js";
import { SceneForm } from "./scene-form.js";

/** What comes with the program, and is not deleted. */
const HOSTS = ["mia", "leo", "grace", "kofi", "lin", "rosa"];
const SCENES = ["studio", "shop", "kitchen", "evening", "boutique", "spotlight", "plain_white", "green_screen"];

/** While a host is being built. */
const REFRESH_MS = 5000;

/** Hosts and scenes, with their pictures. */
export default function LooksPage() {
  const looks = useLoaded(askLooks, []);
  const [tab, setTab] = useState("hosts");
  const [version, setVersion] = useState(0);
  const [open, setOpen] = useState(/** @type {{ kind: string, entry?: any } | null} */ (null));
  const close = () => setOpen(null);
  const changed = async () => {
    await looks.reload();
    setVersion((before) => before + 1);
  };
  const building = Boolean(looks.value?.avatars.some((avatar) => !avatar.ready));
  useEffect(() => {
    if (!building) return undefined;
    const timer = setInterval(() => document.hidden || void looks.reload(), REFRESH_MS);
    return () => clearInterval(timer);
  }, [building, looks.reload]);
  if (!looks.value) return html`<div class="page"><${Loading} of=${looks} /></div>`;
  const { avatars, scenes } = looks.value;
  const forget = (/** @type {string} */ path) => async () => void ((await attempt(() => api.change("DELETE", path), t("looks.deleted"))) && (await changed()));
  return html`
    <div class="page">
      <header class="page-head">
        <div class="page-title"><h1>${t("place.looks")}</h1><p>${t("looks.lead")}</p></div>
        <button type="button" class="button primary" onClick=${() => setOpen({ kind: tab === "hosts" ? "host" : "scene" })}><${Icon} name=${tab === "hosts" ? "wand" : "plus"} />${t(tab === "hosts" ? "looks.newHost" : "looks.newScene")}</button>
      </header>
      <${Tabs} label=${t("place.looks")} value=${tab} onChange=${setTab} tabs=${[["hosts", t("looks.hosts"), avatars.length], ["scenes", t("looks.scenes"), scenes.length]]}>
        <ul class="look-cards">
          ${tab === "hosts" ? avatars.map((entry) => html`
            <${Card} key=${entry.name} title=${entry.title} note=${t(entry.ready ? "looks.ready" : "looks.notReady")} path=${hostPicture(looks.value, entry.name)} version=${version} icon="looks"
              editWords=${t("looks.editHost", { name: entry.title })} onEdit=${() => setOpen({ kind: "host", entry })}
              deleteWords=${t("looks.deleteHost", { name: entry.title })} onDelete=${HOSTS.includes(entry.name) ? null : () => setOpen({ kind: "forget-host", entry })} />`)
          : scenes.map((name) => html`
            <${Card} key=${name} title=${sceneTitle(name)} note="" path="v1/scenes/${name}/picture" drawn version=${version} icon="scene"
              editWords=${t("scenes.edit", { name: sceneTitle(name) })} onEdit=${() => setOpen({ kind: "scene", entry: name })}
              deleteWords=${t("scenes.delete", { name: sceneTitle(name) })} onDelete=${SCENES.includes(name) ? null : () => setOpen({ kind: "forget-scene", entry: name })} />`)}
        </ul>
      <//>
      ${open?.kind === "host" && html`<${HostForm} looks=${looks.value} host=${open.entry} ready=${HOSTS} onClose=${close} onSaved=${changed} />`}
      ${open?.kind === "scene" && html`<${SceneForm} scenes=${scenes} scene=${open.entry} ready=${SCENES} onClose=${close} onSaved=${changed} />`}
      ${open?.kind === "forget-host" && html`<${Confirm} title=${t("looks.deleteHost", { name: open.entry.title })} text=${t("looks.deleteHostSure")} action=${t("delete")} onClose=${close} onConfirm=${forget(`v1/avatars/${open.entry.name}`)} />`}
      ${open?.kind === "forget-scene" && html`<${Confirm} title=${t("scenes.delete", { name: sceneTitle(open.entry) })} text=${t("scenes.deleteSure")} action=${t("delete")} onClose=${close} onConfirm=${forget(`v1/scenes/${open.entry}`)} />`}
    </div>`;
}

/** @param {{ title: string, note: string, path: string | null, drawn?: boolean, version: number, icon: string, editWords: string, onEdit: () => void, deleteWords: string, onDelete: (() => void) | null }} props */
function Card({ title, note, path, drawn = false, version, icon, editWords, onEdit, deleteWords, onDelete }) {
  return html`
    <li class="look-card panel">
      <div class="look-face">${drawn ? html`<${DrawnPicture} path=${path} version=${version} alt=${title} icon=${icon} />` : html`<${Picture} path=${path} version=${version} alt=${title} icon=${icon} />`}</div>
      <div class="look-words">
        <span class="grow"><b class="clip">${title}</b>${note && html`<small class="soft">${note}</small>`}</span>
        <button type="button" class="icon-button small" aria-label=${editWords} title=${t("edit")} onClick=${onEdit}><${Icon} name="edit" size=${16} /></button>
        ${onDelete && html`<button type="button" class="icon-button small danger" aria-label=${deleteWords} title=${t("delete")} onClick=${onDelete}><${Icon} name="trash" size=${16} /></button>`}
      </div>
    </li>`;
}
