// @ts-check
import { html, useId, useRef, useState } from "../html.js";
import { useKeys } from "../keys.js";
import { t } from "../words.js";
import { tell } from "./command.js";
import { useRoom } from "./use-room.js";

/** Words for the host to say. @param {import("./command.js").RoomProps} props */
export function SayBox({ room, feed }) {
  const id = useId();
  const live = useRoom(feed, (state) => state.status === "on_air");
  const field = useRef(/** @type {HTMLTextAreaElement | null} */ (null));
  const [text, setText] = useState("");
  useKeys({ s: () => field.current?.focus() });
  const say = async (/** @type {boolean} */ now) => {
    const words = text.trim();
    if (!words || !live) return;
    if (await tell(room, { type: "say", text: words, now }, t("say.told"))) setText("");
  };
  const send = (/** @type {KeyboardEvent} */ event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    void say(event.ctrlKey || event.metaKey);
  };
  return html`
    <form class="say-box" onSubmit=${(/** @type {Event} */ event) => { event.preventDefault(); void say(false); }}>
      <label class="label" for=${id}>${t("say.label")} <span class="soft">${t("say.hint")}</span></label>
      <textarea id=${id} ref=${field} class="input" rows="2" maxlength="2000" value=${text} disabled=${!live} onKeyDown=${send} aria-keyshortcuts="s"
        onInput=${(/** @type {any} */ event) => setText(event.currentTarget.value)} />
      <div class="row">
        <button type="submit" class="button grow" disabled=${!live || !text.trim()}>${t("say.after")}</button>
        <button type="button" class="button" disabled=${!live || !text.trim()} onClick=${() => say(true)}>${t("say.now")}</button>
      </div>
    </form>`;
}
