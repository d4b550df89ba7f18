// @ts-check
import { api } from "../api.js";
import { span } from "../format.js";
import { html, useState } from "../html.js";
import { Icon } from "../icons.js";
import { go, to } from "../router.js";
import { RoomForm } from "../pages/room-form.js";
import { Confirm, Dialog } from "../ui/dialog.js";
import { StatusMark } from "../ui/marks.js";
import { useTicking } from "../ui/ticking.js";
import { attempt } from "../ui/toasts.js";
import { t } from "../words.js";
import { tell } from "./command.js";
import { Links } from "./links.js";
import { useRoom } from "./use-room.js";

/** The room's name and standing, and what begins and ends it. @param {import("./command.js").RoomProps} props */
export function RoomHead({ room, feed }) {
  const spec = useRoom(feed, (state) => state.room);
  const status = useRoom(feed, (state) => state.status);
  const [open, setOpen] = useState("");
  const close = () => setOpen("");
  return html`
    <header class="room-head">
      <a class="icon-button" href=${to("rooms")} aria-label=${t("room.all")} title=${t("room.all")}><${Icon} name="back" /></a>
      <h1 class="clip">${spec.title}</h1>
      <${StatusMark} status=${status} />
      <${Standing} feed=${feed} />
      <span class="grow" />
      <div class="row room-tools">
        <button type="button" class="icon-button" aria-label=${t("room.links")} title=${t("room.links")} onClick=${() => setOpen("links")}><${Icon} name="link" /></button>
        <button type="button" class="icon-button" aria-label=${t("room.settings")} title=${t("room.settings")} onClick=${() => setOpen("settings")}><${Icon} name="settings" /></button>
        ${status === "on_air" && html`<${Record} room=${room} feed=${feed} />`}
        <${OnOff} room=${room} status=${status} onStop=${() => setOpen("stop")} />
      </div>
      ${open === "links" && html`<${Links} room=${room} feed=${feed} onClose=${close} />`}
      ${open === "settings" && html`<${RoomForm} spec=${spec} onClose=${close} onSaved=${() => undefined} onDelete=${status === "off" ? () => setOpen("delete") : null} />`}
      ${open === "stop" && html`<${StopDialog} room=${room} onClose=${close} />`}
      ${open === "delete" && html`<${Confirm} title=${t("spec.delete")} text=${t("spec.deleteSure")} action=${t("delete")} onClose=${close}
        onConfirm=${() => attempt(() => api.change("DELETE", `v1/rooms/${room}`), t("spec.deleted")).then((done) => void (done && go("rooms")))} />`}
    </header>`;
}

/** @param {{ feed: import("../room-feed.js").RoomFeed }} props */
function Standing({ feed }) {
  const since = useRoom(feed, (state) => state.since);
  const viewers = useRoom(feed, (state) => state.viewers);
  const waiting = useRoom(feed, (state) => state.waiting);
  useTicking(since !== null);
  if (since === null || since === undefined) return null;
  return html`
    <p class="standing">
      <span title=${t("room.onAirFor", { time: "" }).trim()} class="figure">${span(Date.now() / 1000 - since)}</span>
      <span title=${t("room.viewers")}><${Icon} name="eye" size=${15} /><span class="unseen">${t("room.viewers")}</span><b class="figure">${viewers}</b></span>
      <span title=${t("room.waiting")}><${Icon} name="say" size=${15} /><span class="unseen">${t("room.waiting")}</span><b class="figure">${waiting}</b></span>
    </p>`;
}

/** @param {import("./command.js").RoomProps} props */
function Record({ room, feed }) {
  const recording = useRoom(feed, (state) => state.recording);
  const change = () => attempt(() => api.change("POST", `v1/rooms/${room}/recording`, { on: !recording }));
  return html`
    <button type="button" class="button record" aria-pressed=${recording ? "true" : "false"} onClick=${change}>
      <${Icon} name="record" /><span>${t(recording ? "room.recording" : "room.record")}</span>
    </button>`;
}

/** @param {{ room: string, status: string, onStop: () => void }} props */
function OnOff({ room, status, onStop }) {
  const [asked, setAsked] = useState(false);
  const start = async (/** @type {boolean} */ afresh) => {
    setAsked(true);
    await tell(room, { type: "start", afresh });
    setAsked(false);
  };
  if (status === "on_air" || status === "stopping") {
    return html`<button type="button" class="button" disabled=${status === "stopping"} onClick=${onStop}><${Icon} name="stop" />${t("room.stop")}</button>`;
  }
  const busy = asked || status === "starting";
  return html`
    <button type="button" class="button quiet afresh" disabled=${busy} onClick=${() => start(true)}>${t("room.afresh")}</button>
    <button type="button" class="button primary" disabled=${busy} aria-busy=${busy ? "true" : null} onClick=${() => start(false)}><${Icon} name="play" />${t(busy ? "room.starting" : "room.goOnAir")}</button>`;
}

/** @param {{ room: string, onClose: () => void }} props */
function StopDialog({ room, onClose }) {
  const stop = (/** @type {boolean} */ now) => () => {
    void tell(room, { type: "stop", now });
    onClose();
  };
  return html`
    <${Dialog} title=${t("room.stopTitle")} kind="narrow" onClose=${onClose} footer=${html`
      <button type="button" class="button" onClick=${onClose}>${t("cancel")}</button>
      <button type="button" class="button" onClick=${stop(true)}>${t("room.stopNow")}</button>
      <button type="button" class="button primary" autofocus onClick=${stop(false)}>${t("room.stopAfter")}</button>`}>
      <p class="prose">${t("room.stopText")}</p>
    <//>`;
}
