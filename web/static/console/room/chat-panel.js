// @ts-check
import { html, useEffect, useLayoutEffect, useRef, useState } from "../html.js";
import { Segments } from "../ui/fields.js";
import { t } from "../words.js";
import { ChatEntry } from "./chat-entry.js";
import { useRoom } from "./use-room.js";

const NEAR = 48; // pixels from the end that still count as the end

/** @type {Record<string, (entry: any) => boolean>} */
const FILTERS = {
  questions: (entry) => entry.status !== "none",
  talk: (entry) => entry.text !== "",
  all: () => true,
};

/** What viewers write and do, and what came of it. @param {import("./command.js").RoomProps} props */
export function ChatPanel({ room, feed }) {
  const chat = useRoom(feed, (state) => state.chat);
  const waiting = useRoom(feed, (state) => state.waiting);
  const [filter, setFilter] = useState("all");
  const shown = chat.filter(FILTERS[filter]);
  const options = ["all", "questions", "talk"].map((key) => [key, t(`chat.${key}`)]);
  return html`
    <section class="panel room-panel chat" aria-labelledby="chat-title">
      <header class="panel-head">
        <h2 id="chat-title">${t("tab.chat")}</h2>
        ${waiting > 0 && html`<span class="mark" data-kind="wait">${t("chatStatus.waiting")} <b class="figure">${waiting}</b></span>`}
        <${Segments} small label=${t("chat.filter")} value=${filter} onChange=${setFilter} options=${options} />
      </header>
      ${shown.length ? html`<${Stream} key=${filter} room=${room} feed=${feed} entries=${shown} />` : html`<p class="empty">${t("chat.none")}</p>`}
    </section>`;
}

/**
 * A list that stays at its end while one is there, and stays where one has scrolled to.
 *
 * @param {import("./command.js").RoomProps & { entries: any[] }} props
 */
function Stream({ room, feed, entries }) {
  const scroller = useRef(/** @type {HTMLElement | null} */ (null));
  const atEnd = useRef(true);
  const [seen, setSeen] = useState(entries.at(-1)?.id);
  const last = entries.at(-1)?.id;
  const toEnd = () => {
    const { current } = scroller;
    current?.scrollTo({ top: current.scrollHeight });
  };
  useLayoutEffect(() => {
    if (!atEnd.current) return;
    toEnd();
    setSeen(last);
  }, [entries]);
  useEffect(toEnd, []);
  const scrolled = () => {
    const { scrollTop, scrollHeight, clientHeight } = /** @type {HTMLElement} */ (scroller.current);
    atEnd.current = scrollHeight - scrollTop - clientHeight < NEAR;
    if (atEnd.current) setSeen(last);
  };
  const newer = entries.length - 1 - entries.findIndex((entry) => entry.id === seen);
  return html`
    <div class="panel-scroll" ref=${scroller} onScroll=${scrolled} tabindex="0" role="log" aria-live="off" aria-labelledby="chat-title">
      <ol class="chat-list">${entries.map((entry) => html`<${ChatEntry} key=${entry.id} room=${room} feed=${feed} entry=${entry} />`)}</ol>
    </div>
    ${!atEnd.current && newer > 0 && html`<button type="button" class="button small chat-newer" onClick=${() => { atEnd.current = true; toEnd(); }}>${t("chat.newer", { n: newer })}</button>`}`;
}
