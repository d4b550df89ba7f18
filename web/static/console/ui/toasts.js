// @ts-check
import { html } from "../html.js";
import { Icon } from "../icons.js";
import { Store, useStore } from "../store.js";
import { t } from "../words.js";

/** @typedef {{ id: number, text: string, kind: "done" | "wrong" }} Toast */

const SHOWN_MS = { done: 3500, wrong: 9000 };
/** @type {Store<Toast[]>} */
const toasts = new Store(/** @type {Toast[]} */ ([]));
let count = 0;

/** Say something in passing. @param {string} text @param {Toast["kind"]} [kind] */
export function toast(text, kind = "done") {
  const id = ++count;
  toasts.set([...toasts.value.filter((other) => other.text !== text).slice(-3), { id, text, kind }]);
  setTimeout(() => drop(id), SHOWN_MS[kind]);
}

/** @param {number} id */
const drop = (id) => toasts.set(toasts.value.filter((other) => other.id !== id));

/** What the server would not do, in words. @param {unknown} error @returns {string} */
export function complaint(error) {
  const { status, message, code } = /** @type {any} */ (error);
  if (status === 0 && code === "timeout") return t("error.late");
  if (status === 0) return t("error.unreachable");
  if (status === 401) return t("error.unauthorized");
  if (status === 403) return t("error.forbidden");
  return message || String(error);
}

/**
 * Do something and say what came of it; resolves to whether it was done.
 *
 * @param {() => Promise<unknown>} act
 * @param {string} [done] what is said then
 */
export async function attempt(act, done) {
  try {
    await act();
    if (done) toast(done);
    return true;
  } catch (error) {
    toast(complaint(error), "wrong");
    return false;
  }
}

/** The place where they are shown; screen readers are told of them there. */
export function Toasts() {
  const shown = useStore(toasts, (value) => value);
  return html`
    <div class="toasts" role="status">
      ${shown.map(({ id, text, kind }) => html`
        <div key=${id} class="toast" data-kind=${kind}>
          <${Icon} name=${kind === "done" ? "check" : "warning"} />
          <p>${text}</p>
          <button type="button" class="icon-button small" aria-label=${t("close")} onClick=${() => drop(id)}><${Icon} name="close" size=${14} /></button>
        </div>`)}
    </div>`;
}
