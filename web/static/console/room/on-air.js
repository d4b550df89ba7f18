// @ts-check
import { html, useEffect, useMemo, useState } from "../html.js";
import { RoomFeed } from "../room-feed.js";
import { to } from "../router.js";
import { useStore } from "../store.js";
import { useMedia } from "../ui/media.js";
import { Tabs } from "../ui/tabs.js";
import { t } from "../words.js";
import { Alerts } from "./alerts.js";
import { ChatPanel } from "./chat-panel.js";
import { Controls } from "./controls.js";
import { DecisionsPanel } from "./decisions-panel.js";
import { Emergency } from "./emergency.js";
import { FiguresPanel } from "./figures-panel.js";
import { RoomHead } from "./head.js";
import { Monitor } from "./monitor.js";
import { ProductsPanel } from "./products-panel.js";
import { RundownPanel } from "./rundown-panel.js";
import { SayBox } from "./say-box.js";
import { TakeOver } from "./take-over.js";
import { useRoom } from "./use-room.js";

const WIDE = "(min-width: 1440px)";
/** One column: what is written and spoken stands behind a tab, so that the chat is near. */
const NARROW = "(max-width: 859.98px)";

/** A room: what is on the air and what comes next, who says what, and all that steers it. @param {{ here: import("../router.js").Place }} props */
export default function OnAir({ here }) {
  const [room] = here.parts;
  const feed = useMemo(() => new RoomFeed(room), [room]);
  useEffect(() => {
    void feed.follow();
    return () => feed.close();
  }, [feed]);
  const there = useStore(feed, ({ state }) => state !== null);
  const link = useStore(feed, (fed) => fed.link);
  if (link === "missing") return html`<div class="page"><div class="empty panel"><p>${t("room.missing")}</p><a class="button" href=${to("rooms")}>${t("room.all")}</a></div></div>`;
  if (!there) return html`<div class="page"><p class="empty" role="status">${t(link === "lost" ? "room.lost" : "room.connecting")}</p></div>`;
  return html`<${Desk} room=${room} feed=${feed} link=${link} />`;
}

/** @param {import("./command.js").RoomProps & { link: string }} props */
function Desk({ room, feed, link }) {
  const wide = useMedia(WIDE);
  const narrow = useMedia(NARROW);
  const parts = { room, feed };
  return html`
    <div class="room">
      <${RoomHead} ...${parts} />
      ${link === "lost" && html`<div class="notice link-lost" data-kind="warning" role="status"><span class="spinner" aria-hidden="true" /><p>${t("room.lost")}</p></div>`}
      <${Alerts} ...${parts} />
      <div class="desk">
        <div class="desk-picture">
          <${Monitor} ...${parts} />
          <${Controls} ...${parts} />
          <${Emergency} ...${parts} />
          ${!narrow && html`<${Speaking} ...${parts} />`}
        </div>
        ${wide ? html`<${WideParts} ...${parts} />` : html`<${TabbedParts} ...${parts} narrow=${narrow} />`}
      </div>
    </div>`;
}

/** @param {import("./command.js").RoomProps} parts */
function WideParts(parts) {
  return html`
    <div class="desk-middle"><${RundownPanel} ...${parts} /><${ProductsPanel} ...${parts} /></div>
    <div class="desk-side"><${ChatPanel} ...${parts} /><${DecisionsPanel} ...${parts} /></div>
    <div class="desk-figures"><${FiguresPanel} ...${parts} /></div>`;
}

/** @param {import("./command.js").RoomProps} parts */
function Speaking(parts) {
  return html`<div class="speaking"><${SayBox} ...${parts} /><${TakeOver} ...${parts} /></div>`;
}

/** @param {import("./command.js").RoomProps & { narrow: boolean }} props */
function TabbedParts({ narrow, ...parts }) {
  const [tab, setTab] = useState("chat");
  const waiting = useRoom(parts.feed, (state) => state.waiting);
  /** @type {Record<string, any>} */
  const views = { chat: ChatPanel, ...(narrow && { speaking: Speaking }), rundown: RundownPanel, products: ProductsPanel, decisions: DecisionsPanel, figures: FiguresPanel };
  return html`
    <div class="desk-tabs">
      <${Tabs} label=${t("room.tabs")} value=${tab} onChange=${setTab}
        tabs=${Object.keys(views).map((key) => [key, t(`tab.${key}`), key === "chat" ? waiting : 0])}>
        <${views[tab] ?? ChatPanel} ...${parts} />
      <//>
    </div>`;
}
