// @ts-check
/**
 * What the host is saying, over the picture: the clauses of a reply arrive seconds before they
 * sound, so each waits for its moment.
 *
 * @typedef {{ text: string, start: number, since: number }} Line `start`: milliseconds after the
 *   reply's first sound; `since`: when it came
 */
export class Subtitles {
  /** @param {HTMLElement} element */
  constructor(element) {
    this.element = element;
    /** @type {Line[]} */
    this.lines = [];
    /** @type {number | null} */
    this.began = null;
    /** @type {number | null} */
    this.held = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  /**
   * Take a clause.
   *
   * @param {string} text
   * @param {number} [start] milliseconds after the reply's first sound
   */
  add(text, start = 0) {
    this.lines.push({ text: text.trim(), start, since: performance.now() });
    this.#show();
  }

  /** The reply sounds from now on. */
  begin() {
    this.began = performance.now();
    this.#show();
  }

  /** The host has fallen silent, and may go on. */
  hold() {
    if (this.began !== null) this.held ??= performance.now();
    this.#show();
  }

  /** The host goes on: what waited comes later by as long as the silence lasted. */
  resume() {
    const { held } = this;
    if (held === null) return;
    const now = performance.now();
    for (const line of this.lines) line.start += now - Math.max(held, line.since);
    this.held = null;
    this.#show();
  }

  /** The reply is over, or cut off. */
  clear() {
    clearTimeout(this.timer);
    this.lines = [];
    this.began = this.held = null;
    this.element.textContent = "";
  }

  /** Show the newest line that is due, and come back for the next. */
  #show() {
    clearTimeout(this.timer);
    if (this.began === null || this.held !== null) return;
    const now = performance.now() - this.began;
    let due = "";
    while (this.lines[0] && this.lines[0].start <= now) due = this.lines.shift()?.text || due;
    if (due) this.element.textContent = due;
    const [next] = this.lines;
    if (next) this.timer = setTimeout(() => this.#show(), next.start - now);
  }
}
