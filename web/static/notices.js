// @ts-check
import { say } from "./words.js";

/**
 * The page's one message: what is wrong, and a way on.
 *
 * @typedef {{ word: string, run: () => void, after?: number }} Action a button; `after` seconds
 */
export class Notices {
  /** @param {(id: string) => HTMLElement} find */
  constructor(find) {
    this.box = find("message");
    this.text = find("message-text");
    this.button = find("message-action");
    this.key = "";
    this.detail = "";
    /** @type {Action | null} */
    this.action = null;
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this.ticking = undefined;
    this.button.addEventListener("click", () => {
      const run = this.action?.run;
      this.clear();
      run?.();
    });
    find("message-close").addEventListener("click", () => this.clear());
  }

  /**
   * Show a message.
   *
   * @param {string} key
   * @param {string} [detail] what the server said
   * @param {Action | null} [action]
   */
  show(key, detail = "", action = null) {
    clearInterval(this.ticking);
    this.key = key;
    this.detail = detail;
    this.action = action;
    this.retell();
    this.box.hidden = false;
    this.box.scrollIntoView({ block: "nearest" });
    this.button.hidden = !action;
    if (action) this.#count(action, action.after ?? 0);
  }

  /** Say it in the language the page has now. */
  retell() {
    if (!this.key) return;
    this.text.textContent = this.detail ? `${say(this.key)} ${this.detail}` : say(this.key);
    if (this.action && !this.button.hasAttribute("disabled")) this.button.textContent = say(this.action.word);
  }

  /** Take the message away. */
  clear() {
    clearInterval(this.ticking);
    this.box.hidden = true;
    this.text.textContent = this.key = "";
    this.action = null;
  }

  /**
   * Count down on the button, which serves only at zero: earlier the server would refuse again.
   *
   * @param {Action} action
   * @param {number} seconds
   */
  #count(action, seconds) {
    const until = performance.now() + seconds * 1000;
    const tick = () => {
      const left = Math.ceil((until - performance.now()) / 1000);
      const word = left > 0 ? say("againIn", { seconds: left }) : say(action.word);
      if (this.button.textContent !== word) this.button.textContent = word;
      this.button.toggleAttribute("disabled", left > 0);
      if (left <= 0) clearInterval(this.ticking);
    };
    this.ticking = setInterval(tick, 250);
    tick();
  }
}
