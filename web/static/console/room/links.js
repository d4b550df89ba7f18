// @ts-check
import { api } from "../api.js";
import { html, useState } from "../html.js";
import { Icon } from "../icons.js";
import { Confirm, Dialog } from "../ui/dialog.js";
import { CopyField } from "../ui/copy-field.js";
import { save } from "../ui/save-file.js";
import { attempt } from "../ui/toasts.js";
import { t } from "../words.js";
import { useRoom } from "./use-room.js";

const KINDS = ["lines", "chat", "decisions", "orders", "metrics"];

/** Where viewers watch, where platforms post, and what has happened to take along. @param {import("./command.js").RoomProps & { onClose: () => void }} props */
export function Links({ room, feed, onClose }) {
  const stream = useRoom(feed, (state) => state.stream) || room;
  const chat = api.at(`v1/rooms/${room}/chat`);
  const example = [`curl -X POST ${chat} \\`, `  -H "Authorization: Bearer $VIVANT_KEY" \\`, `  -H "Content-Type: application/json" \\`, `  -d '{"id": "1", "kind": "chat", "viewer": "v1", "name": "Mei", "text": "How much is it?"}'`].join("\n");
  return html`
    <${Dialog} title=${t("links.title")} onClose=${onClose}>
      <div class="stack">
        <div class="row bottom"><div class="grow"><${CopyField} label=${t("links.watch")} hint=${t("links.watchHint")} value=${api.at(`watch/${stream}`)} /></div></div>
        <${CopyField} label=${t("links.whep")} value=${api.at(`v1/whep/${stream}`)} />
        <${CopyField} label=${t("links.chat")} hint=${t("links.chatHint")} value=${chat} />
        <${Secret} room=${room} />
        <div class="field"><span class="label">${t("links.example")}</span><pre tabindex="0">${example}</pre></div>
        <div class="field">
          <span class="label">${t("history.title")}</span>
          <div class="row wrap">
            ${KINDS.map((kind) => html`<button key=${kind} type="button" class="button small" onClick=${() => download(room, kind)}><${Icon} name="download" size=${15} />${t(`history.${kind}`)}</button>`)}
          </div>
          <p class="field-hint">${t("history.hint")}</p>
        </div>
      </div>
    <//>`;
}

/** @param {string} room @param {string} kind */
function download(room, kind) {
  return attempt(async () => {
    const response = await api.send("GET", `v1/rooms/${room}/history?kind=${kind}&limit=1000&format=jsonl`);
    save(await response.blob(), `${room}-${kind}.jsonl`);
  });
}

/** @param {{ room: string }} props */
function Secret({ room }) {
  const [secret, setSecret] = useState("");
  const [asking, setAsking] = useState(false);
  const renew = () => attempt(async () => setSecret((await api.change("POST", `v1/rooms/${room}/chat/secret`)).secret));
  return html`
    ${secret
      ? html`<${CopyField} label=${t("links.secret")} hint=${t("links.secretHint")} value=${secret} />`
      : html`<div class="field"><span class="label">${t("links.secret")}</span><div class="row"><button type="button" class="button" onClick=${() => setAsking(true)}><${Icon} name="key" />${t("links.newSecret")}</button></div><p class="field-hint">${t("links.secretHint")}</p></div>`}
    ${asking && html`<${Confirm} title=${t("links.newSecret")} text=${t("links.newSecretSure")} action=${t("links.newSecret")} danger=${false} onConfirm=${async () => void (await renew())} onClose=${() => setAsking(false)} />`}`;
}
