// @ts-check
/**
 * Live captions of both sides, kept from Realtime events.
 *
 * @typedef {import("./vivant.js").RealtimeEvent} RealtimeEvent
 * @typedef {{ role: "user" | "host", stable: string, item: HTMLElement, words: HTMLElement }} Caption
 */

const KEPT = 200;

/** One caption an item of the conversation, in the order the items began. */
export class Captions {
  /**
   * @param {HTMLElement} list
   * @param {(key: string) => string} say words of the interface
   */
  constructor(list, say) {
    this.list = list;
    this.say = say;
    /** @type {Map<string, Caption>} */
    this.captions = new Map();
  }

  /** Forget everything. */
  clear() {
    this.captions.clear();
    this.list.replaceChildren();
  }

  /** Take an event of the server; those without text change nothing. @param {RealtimeEvent} event */
  handle(event) {
    const stays = this.#atEnd();
    if (!Object.hasOwn(CHANGES, event.type)) return;
    CHANGES[event.type](this, event);
    for (const id of this.captions.keys()) {
      if (this.captions.size <= KEPT) break;
      this.remove(id);
    }
    if (stays) this.list.scrollTop = this.list.scrollHeight;
  }

  /**
   * @param {string} id
   * @param {"user" | "host"} role
   * @returns {Caption}
   */
  open(id, role) {
    const known = this.captions.get(id);
    if (known) return known;
    const item = document.createElement("li");
    item.className = `caption ${role}`;
    const name = document.createElement("span");
    name.className = "speaker";
    name.dataset.word = role;
    name.textContent = this.say(role);
    const words = document.createElement("p");
    words.className = "words";
    item.append(name, words);
    this.list.append(item);
    const caption = { role, stable: "", item, words };
    this.captions.set(id, caption);
    return caption;
  }

  /**
   * Show text that stands, and behind it what may still change.
   *
   * @param {Caption} caption
   * @param {string} stable
   * @param {string} [provisional]
   */
  show(caption, stable, provisional = "") {
    caption.stable = stable;
    caption.words.replaceChildren(stable);
    caption.item.classList.toggle("open", !stable);
    if (!provisional) return;
    const tail = document.createElement("span");
    tail.className = "provisional";
    tail.textContent = provisional;
    caption.words.append(tail);
  }

  /** @param {string} id */
  remove(id) {
    this.captions.get(id)?.item.remove();
    this.captions.delete(id);
  }

  /** The reply ended here for the listener. @param {Caption} caption */
  cut(caption) {
    caption.item.classList.add("cut");
    const mark = document.createElement("span");
    mark.className = "cut-mark";
    mark.dataset.word = "interrupted";
    mark.textContent = this.say("interrupted");
    caption.item.querySelector(".cut-mark")?.remove();
    caption.item.append(mark);
  }

  #atEnd() {
    const { scrollTop, clientHeight, scrollHeight } = this.list;
    return scrollTop + clientHeight > scrollHeight - 40;
  }
}

/** @type {Record<string, (captions: Captions, event: RealtimeEvent) => void>} */
const CHANGES = {
  "input_audio_buffer.speech_started": (captions, event) => {
    const caption = captions.open(event.item_id, "user");
    captions.show(caption, caption.stable);
  },
  "conversation.item.input_audio_transcription.delta": (captions, event) => {
    const caption = captions.open(event.item_id, "user");
    const text = (caption.words.textContent ?? "") + event.delta;
    captions.show(caption, "", text);
    caption.item.classList.remove("open");
  },
  "conversation.item.input_audio_transcription.completed": (captions, event) => {
    if (event.transcript) captions.show(captions.open(event.item_id, "user"), event.transcript);
    else captions.remove(event.item_id);
  },
  "conversation.item.input_audio_transcription.failed": (captions, event) => {
    captions.remove(event.item_id);
  },
  // What seemed to be speech was none.
  "input_audio_buffer.cleared": (captions) => {
    for (const [id, { item }] of captions.captions) {
      if (item.classList.contains("open")) captions.remove(id);
    }
  },
  "conversation.item.deleted": (captions, event) => captions.remove(event.item_id),
  "conversation.item.added": (captions, event) => {
    const { id, role, content } = event.item;
    const text = (content ?? []).map((/** @type {any} */ part) => part.text ?? "").join("");
    if (role === "user" && text) captions.show(captions.open(id, "user"), text);
  },
  "response.output_audio_transcript.delta": (captions, event) => {
    const caption = captions.open(event.item_id, "host");
    captions.show(caption, caption.stable + event.delta);
  },
  "conversation.item.truncated": (captions, event) => {
    const caption = captions.captions.get(event.item_id);
    if (!caption) return;
    if (typeof event.transcript === "string") captions.show(caption, event.transcript);
    captions.cut(caption);
  },
};
