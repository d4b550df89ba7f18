// @ts-check
import { Backoff } from "../../backoff.js";
import { api, ApiError } from "../api.js";
import { html, useEffect, useState } from "../html.js";
import { Icon } from "../icons.js";
import { t } from "../words.js";
import { Picture } from "./picture.js";

/** Each takes the server seconds, and a browser has six connections to it, for all its pages. */
const AT_ONCE = 2;
const WAITS = { first: 2, least: 4, most: 30 };
/** @type {(() => void)[]} */
const queue = [];
let busy = 0;

/**
 * A picture that the server draws when it is asked for. While it does, what was there before stays,
 * or what stands in for it.
 *
 * @param {{ path: string, version?: unknown, alt?: string, stand?: string | null, icon?: string }} props
 *   `version`: another one is drawn anew; `stand`: path of a picture for the time until the first
 */
export function DrawnPicture({ path, version, alt = "", stand = null, icon = "image" }) {
  const [shown, show] = useState(/** @type {string | null} */ (null));
  const [state, setState] = useState("drawing");
  useEffect(() => {
    const leaving = new AbortController();
    setState("drawing");
    void drawn(path, leaving.signal).then((address) => {
      if (address) show(address);
      setState(address ? "drawn" : "none");
    }, () => undefined); // one leaves, or wants another
    return () => leaving.abort();
  }, [path, version]);
  useEffect(() => () => void (shown && URL.revokeObjectURL(shown)), [shown]);
  return html`
    <span class="drawn" aria-busy=${state === "drawing" ? "true" : null}>
      ${shown ? html`<img class="picture" src=${shown} alt=${alt} />` : html`<${Picture} path=${stand} alt=${alt} icon=${icon} eager />`}
      ${state === "drawing" && html`<span class="drawing"><span class="spinner" aria-hidden="true" />${t("drawing")}</span>`}
      ${state === "none" && html`<span class="drawing"><${Icon} name="warning" size=${14} />${t("notDrawn")}</span>`}
    </span>`;
}

/**
 * Return an address of the picture, null where the server will not draw it. What fails otherwise is
 * tried again.
 *
 * @param {string} path
 * @param {AbortSignal} signal rejects
 * @returns {Promise<string | null>}
 */
async function drawn(path, signal) {
  const backoff = new Backoff(WAITS, signal);
  for (;;) {
    const release = await turn(signal);
    try {
      const response = await api.open(path, signal, "image/*");
      return URL.createObjectURL(await response.blob());
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ApiError && error.status < 500) return null;
    } finally {
      release();
    }
    await backoff.wait();
  }
}

/** Wait until one may ask; returns what lets the next one. @param {AbortSignal} signal @returns {Promise<() => void>} */
async function turn(signal) {
  while (busy >= AT_ONCE) {
    await new Promise((resolve) => queue.push(() => resolve(null)));
    if (signal.aborted) queue.shift()?.(); // one's turn goes to the next
    signal.throwIfAborted();
  }
  signal.throwIfAborted();
  busy += 1;
  return () => {
    busy -= 1;
    queue.shift()?.();
  };
}
