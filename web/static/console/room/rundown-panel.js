// @ts-check
import { api } from "../api.js";
import { seconds, span } from "../format.js";
import { classes, html, useEffect, useRef } from "../html.js";
import { Icon } from "../icons.js";
import { to } from "../router.js";
import { useLoaded } from "../ui/load.js";
import { t } from "../words.js";
import { tell } from "./command.js";
import { itemTitle } from "./item-title.js";
import { useRoom } from "./use-room.js";

/** The running order, and where the host is in it. @param {import("./command.js").RoomProps} props */
export function RundownPanel({ room, feed }) {
  const id = useRoom(feed, (state) => state.room.rundown);
  const loop = useRoom(feed, (state) => state.loop);
  const held = useRoom(feed, (state) => state.held);
  const current = useRoom(feed, (state) => state.current);
  const rundown = useLoaded(() => api.get(`v1/rundowns/${id}`), [id, loop]);
  return html`
    <section class="panel room-panel" aria-labelledby="rundown-title">
      <header class="panel-head">
        <h2 id="rundown-title">${t("tab.rundown")}</h2>
        ${held && html`<span class="mark" data-kind="wait">${t("rundown.held")}</span>`}
        ${loop > 0 && html`<span class="soft">${t("rundown.loop", { n: loop })}</span>`}
        <a class="icon-button small" href=${to("rundowns", id)} aria-label=${t("rundown.edit")} title=${t("rundown.edit")}><${Icon} name="edit" size=${16} /></a>
      </header>
      ${current && html`<${Current} feed=${feed} current=${current} />`}
      <div class="panel-scroll" tabindex="0" role="region" aria-labelledby="rundown-title">
        <${Items} room=${room} feed=${feed} items=${rundown.value?.items ?? []} current=${current} />
      </div>
    </section>`;
}

/** @param {{ feed: import("../room-feed.js").RoomFeed, current: any }} props */
function Current({ feed, current }) {
  const products = useRoom(feed, (state) => state.products);
  const share = current.lasts ? current.seconds / current.lasts : current.sentences ? (current.sentence + 1) / current.sentences : 0;
  return html`
    <div class="now">
      <div class="row">
        <span class="now-mark">${t("rundown.now")}</span>
        <b class="grow clip">${itemTitle(current, products)}</b>
        <span class="soft figure">${current.lasts ? `${span(current.seconds)} / ${span(current.lasts)}` : span(current.seconds)}</span>
      </div>
      <progress class="progress" max="1" value=${Math.min(1, share)} aria-label=${t("rundown.now")} />
      ${current.sentences > 0 && html`<small class="soft">${t("rundown.sentence", { n: Math.min(current.sentence + 1, current.sentences), of: current.sentences })}</small>`}
    </div>`;
}

/** @param {import("./command.js").RoomProps & { items: any[], current: any }} props */
function Items({ room, feed, items, current }) {
  const products = useRoom(feed, (state) => state.products);
  const next = useRoom(feed, (state) => state.next?.id);
  const live = useRoom(feed, (state) => state.status === "on_air");
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    const row = /** @type {HTMLElement | null} */ (list.current?.querySelector("[aria-current]"));
    const scroller = list.current?.parentElement;
    if (!row || !scroller || scroller.matches(":hover, :focus-within")) return;
    scroller.scrollTo({ top: row.offsetTop - scroller.clientHeight / 3, behavior: "smooth" });
  }, [current?.id, items.length]);
  if (!items.length) return html`<p class="empty">${t("rundown.none")}</p>`;
  return html`
    <ol class="items" ref=${list}>
      ${items.map((item, at) => {
        const title = itemTitle(item, products);
        const here = item.id === current?.id;
        return html`
          <li key=${item.id} class=${classes("item", here && "here")} aria-current=${here ? "step" : null}>
            <span class="item-number figure">${at + 1}</span>
            <span class="item-words"><b class="clip">${title}</b><small class="soft">${t(`kind.${item.kind}`)} · ${item.duration ? seconds(item.duration, 0) : t("rundown.free")}</small></span>
            ${item.id === next && html`<span class="mark">${t("rundown.next")}</span>`}
            ${!here && html`<button type="button" class="icon-button small" disabled=${!live} aria-label=${t("rundown.jump", { title })} title=${t("rundown.jump", { title })}
              onClick=${() => tell(room, { type: "jump", item: item.id })}><${Icon} name="jump" size=${16} /></button>`}
          </li>`;
      })}
    </ol>`;
}
