// @ts-check
import { clock, number, seconds } from "../format.js";
import { classes, html, useState } from "../html.js";
import { Icon } from "../icons.js";
import { useTakingTurns } from "../ui/taking-turns.js";
import { t } from "../words.js";
import { tell } from "./command.js";
import { useRoom } from "./use-room.js";

/** @type {Record<string, string>} */
const KINDS = { waiting: "wait", answering: "wait", spoken: "good", written: "good", merged: "", refused: "bad", unanswered: "bad" };

/** What an operator can still do something about; an answer that is being written stays. */
const OPEN = ["waiting", "unanswered", "refused"];

/**
 * One thing a viewer did. Whatever viewers write is a text node, never markup.
 *
 * @param {import("./command.js").RoomProps & { entry: any }} props
 */
export function ChatEntry({ room, feed, entry }) {
  const [text, setText] = useState(/** @type {string | null} */ (null));
  const asked = entry.status !== "none";
  const name = entry.name || t("chat.anonymous");
  if (!entry.text) return html`<li class="chat-did"><${Deed} feed=${feed} entry=${entry} name=${name} /></li>`;
  return html`
    <li class=${classes("chat-entry", asked && "asked")} data-status=${entry.status}>
      <div class="row">
        <b class="clip chat-name">${name}</b>
        <time class="soft">${clock(entry.at)}</time>
        <span class="grow" />
        ${asked && html`<span class="mark" data-kind=${KINDS[entry.status] ?? ""}>${t(`chatStatus.${entry.status}`)}</span>`}
      </div>
      <p class="chat-text" dir="auto">${entry.text}</p>
      ${entry.answer && html`<p class="chat-answer" dir="auto">${entry.answer}</p>`}
      <${Footnote} entry=${entry} />
      ${(text !== null || OPEN.includes(entry.status)) && html`<${Steps} room=${room} entry=${entry} text=${text} setText=${setText} />`}
    </li>`;
}

/** @param {{ entry: any }} props */
function Footnote({ entry }) {
  const notes = [
    entry.waited_s !== null && entry.waited_s !== undefined && t("chat.waited", { time: seconds(entry.waited_s) }),
    entry.merged_with && t("chat.mergedInto"),
  ].filter(Boolean);
  return notes.length ? html`<small class="soft">${notes.join(" · ")}</small>` : null;
}

/** @param {{ feed: import("../room-feed.js").RoomFeed, entry: any, name: string }} props */
function Deed({ feed, entry, name }) {
  const products = useRoom(feed, (state) => state.products);
  const product = products.find((/** @type {any} */ one) => one.id === entry.product)?.name ?? entry.product ?? "";
  const n = number(entry.amount);
  /** @type {Record<string, string>} */
  const deeds = {
    join: t("chat.joined"), leave: t("chat.left"), follow: t("chat.followed"), like: t("chat.liked", { n }),
    gift: t("chat.gave", { gift: entry.gift }), click: t("chat.clicked", { product }), order: t("chat.ordered", { n, product }),
  };
  return html`<span class=${classes("clip", entry.kind === "order" && "ordered")}><b>${name}</b> ${deeds[entry.kind] ?? ""}</span><time class="soft">${clock(entry.at)}</time>`;
}

/**
 * What an operator may do about a question.
 *
 * @param {{ room: string, entry: any, text: string | null, setText: (text: string | null) => void }} props
 *   `text`: of an answer that is being written, null for none
 */
function Steps({ room, entry, text, setText }) {
  const { button, field } = useTakingTurns(text !== null);
  const { id } = entry;
  if (text === null) {
    return html`
      <div class="row chat-steps">
        <button type="button" class="button small" ref=${button} onClick=${() => setText("")}>${t("chat.answer")}</button>
        ${entry.status === "waiting" && html`<button type="button" class="button small quiet" onClick=${() => tell(room, { type: "answer", event: id })}>${t("chat.hosts")}</button>`}
        ${entry.status === "waiting" && html`<button type="button" class="button small quiet" onClick=${() => tell(room, { type: "dismiss", event: id })}>${t("chat.dismiss")}</button>`}
      </div>`;
  }
  const send = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const words = text.trim();
    if (words && (await tell(room, { type: "answer", event: id, text: words }))) setText(null);
  };
  return html`
    <form class="row chat-steps" onSubmit=${send}>
      <input class="input" ref=${field} aria-label=${t("chat.answerIn")} placeholder=${t("chat.answerIn")} maxlength="2000" value=${text}
        onInput=${(/** @type {any} */ event) => setText(event.currentTarget.value)} onKeyDown=${(/** @type {KeyboardEvent} */ event) => event.key === "Escape" && setText(null)} />
      <button type="submit" class="button small primary">${t("chat.send")}</button>
      <button type="button" class="icon-button small" aria-label=${t("cancel")} onClick=${() => setText(null)}><${Icon} name="close" size=${16} /></button>
    </form>`;
}
