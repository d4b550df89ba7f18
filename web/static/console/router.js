// @ts-check
/** Which page is shown: what stands after "#" in the address, so that no server needs to know. */
import { Store } from "./store.js";

/** @typedef {{ page: string, parts: string[], query: URLSearchParams, path: string }} Place */

/** @returns {Place} */
function read() {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const parts = path.split("/").filter(Boolean).map(decodeURIComponent);
  return { page: parts[0] ?? "rooms", parts: parts.slice(1), query: new URLSearchParams(query), path };
}

export const place = new Store(read());

/** Asked before a page is left; false keeps it. @type {{ leave: (() => boolean) | null }} */
export const guard = { leave: null };

let here = location.hash;
window.addEventListener("hashchange", () => {
  if (location.hash === here) return;
  if (guard.leave && !guard.leave()) {
    history.replaceState(null, "", here || location.pathname);
    return;
  }
  guard.leave = null;
  here = location.hash;
  place.set(read());
});

/** The address of a page. @param {...string} parts */
export const to = (...parts) => `#/${parts.map(encodeURIComponent).join("/")}`;

/** Go to a page. @param {...string} parts */
export function go(...parts) {
  location.hash = to(...parts);
}
