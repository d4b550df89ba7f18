// @ts-check
import { api } from "../api.js";
import { askLooks, hostPicture, hostTitle } from "../choices.js";
import { html, useEffect, useState } from "../html.js";
import { Icon } from "../icons.js";
import { go, to } from "../router.js";
import { Loading, useLoaded } from "../ui/load.js";
import { Picture } from "../ui/picture.js";
import { inTongue, t } from "../words.js";
import { RoomForm } from "./room-form.js";
import { StatusMark } from "../ui/marks.js";

const REFRESH_MS = 5000;

/** The rooms, each a card. */
export default function Rooms() {
  const rooms = useLoaded(async () => {
    const [list, looks, shops] = await Promise.all([api.list("v1/rooms"), askLooks(), api.list("v1/shops")]);
    return { list, looks, shops };
  }, []);
  const [creating, setCreating] = useState(false);
  useEffect(() => {
    const timer = setInterval(() => document.hidden || void rooms.reload(), REFRESH_MS);
    return () => clearInterval(timer);
  }, [rooms.reload]);
  return html`
    <div class="page">
      <header class="page-head">
        <div class="page-title"><h1>${t("place.rooms")}</h1><p>${t("rooms.lead")}</p></div>
        <button type="button" class="button primary" onClick=${() => setCreating(true)}><${Icon} name="plus" />${t("rooms.new")}</button>
      </header>
      ${rooms.value ? html`<${Cards} ...${rooms.value} onNew=${() => setCreating(true)} />` : html`<${Loading} of=${rooms} />`}
      ${creating && html`<${RoomForm} onClose=${() => setCreating(false)} taken=${rooms.value?.list.map((/** @type {any} */ room) => room.id) ?? []} onSaved=${(/** @type {any} */ spec) => go("rooms", spec.id)} />`}
    </div>`;
}

/** @param {{ list: any[], looks: import("../choices.js").Looks, shops: any[], onNew: () => void }} props */
function Cards({ list, looks, shops, onNew }) {
  if (!list.length) {
    return html`
      <div class="empty panel">
        <p>${t("rooms.none")}</p>
        <button type="button" class="button primary" onClick=${onNew}><${Icon} name="plus" />${t("rooms.new")}</button>
      </div>`;
  }
  return html`<ul class="room-cards">${list.map((room) => html`<${Card} key=${room.id} room=${room} looks=${looks} shop=${inTongue(shops.find(({ id }) => id === room.shop)?.name) || room.shop} />`)}</ul>`;
}

/** @param {{ room: any, looks: import("../choices.js").Looks, shop: string }} props */
function Card({ room, looks, shop }) {
  return html`
    <li class="room-card">
      <div class="room-face"><${Picture} path=${hostPicture(looks, room.avatar)} icon="looks" /></div>
      <div class="room-card-words">
        <div class="row"><h2 class="grow clip"><a href=${to("rooms", room.id)}>${room.title}</a></h2><${StatusMark} status=${room.status} /></div>
        <p class="soft clip">${hostTitle(looks, room.avatar)} · ${shop}</p>
        <p class="soft">${room.status === "on_air" ? t("rooms.viewers", { n: room.viewers ?? 0 }) : t(room.language === "zh" ? "mandarin" : "english")}</p>
      </div>
    </li>`;
}
