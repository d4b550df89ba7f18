// @ts-check
/** The access token of this page: from its address, or typed. */

const KEY = "vivant.token";
const NAME = "token";

/**
 * Asks for the token where the server wants one. Dispatches `given` when one has been typed.
 * The token comes in the fragment (`#token=…`), which browsers send to nobody, and is kept for as
 * long as the tab is open.
 */
export class Access extends EventTarget {
  /** @param {(id: string) => any} find */
  constructor(find) {
    super();
    this.form = find("access");
    this.input = find("access-token");
    this.text = find("access-text");
    this.form.addEventListener("submit", (/** @type {SubmitEvent} */ event) => {
      event.preventDefault();
      this.#keep(this.input.value.trim());
    });
    this.#read();
    window.addEventListener("hashchange", () => this.#read() && this.#given());
  }

  /** @returns {string | null} */
  get token() {
    return sessionStorage.getItem(KEY);
  }

  /** Ask for a token. @param {(key: string) => string} say */
  ask(say) {
    const word = this.token ? "access.wrong" : "access.needed";
    this.text.dataset.word = word;
    this.text.textContent = say(word);
    this.form.hidden = false;
    this.input.value = "";
    this.input.focus();
  }

  /** @param {string} token */
  #keep(token) {
    if (!token) return;
    sessionStorage.setItem(KEY, token);
    this.#given();
  }

  #given() {
    this.form.hidden = true;
    this.dispatchEvent(new Event("given"));
  }

  /** Take the token out of the address bar, so that nobody reads or shares it by mistake. */
  #read() {
    const fragment = new URLSearchParams(location.hash.slice(1));
    const token = fragment.get(NAME);
    if (!token) return false;
    sessionStorage.setItem(KEY, token);
    fragment.delete(NAME);
    const rest = String(fragment);
    history.replaceState(null, "", location.pathname + location.search + (rest && `#${rest}`));
    return true;
  }
}
