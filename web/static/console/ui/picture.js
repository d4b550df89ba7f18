// @ts-check
import { api } from "../api.js";
import { html, useEffect, useState } from "../html.js";
import { Icon } from "../icons.js";

/**
 * Return an address that `img` and `video` can show; null until there is one. They send no header,
 * so with a key it is fetched first.
 *
 * @param {string | null | undefined} path below the server's address
 * @param {unknown} [version] another one is fetched anew
 */
export function useFetched(path, version) {
  const keyed = Boolean(api.token());
  const [address, setAddress] = useState(/** @type {string | null} */ (null));
  useEffect(() => {
    if (!path || !keyed) return undefined;
    let made = "";
    let gone = false;
    const fetched = async () => {
      const response = await api.send("GET", path).catch(() => null);
      if (!response || gone) return;
      made = URL.createObjectURL(await response.blob());
      if (!gone) setAddress(made);
    };
    void fetched();
    return () => {
      gone = true;
      if (made) URL.revokeObjectURL(made);
    };
  }, [path, version, keyed]);
  if (!path) return null;
  if (keyed) return address;
  const mark = version === undefined ? "" : `${path.includes("?") ? "&" : "?"}v=${version}`;
  return api.at(path + mark);
}

/**
 * A picture of the server's, with something in its place while there is none.
 *
 * @param {{ path?: string | null, alt?: string, version?: unknown, icon?: string, eager?: boolean }} props
 */
export function Picture({ path, alt = "", version, icon = "image", eager = false }) {
  const source = useFetched(path, version);
  const [broken, setBroken] = useState(/** @type {string | null} */ (null));
  if (!source || broken === source) return html`<span class="picture none" role=${alt ? "img" : null} aria-label=${alt || null}><${Icon} name=${icon} size=${22} /></span>`;
  return html`<img class="picture" src=${source} alt=${alt} loading=${eager ? "eager" : "lazy"} decoding="async" onError=${() => setBroken(source)} />`;
}
