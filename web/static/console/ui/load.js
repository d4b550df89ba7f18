// @ts-check
import { html, useCallback, useEffect, useRef, useState } from "../html.js";
import { t } from "../words.js";
import { complaint } from "./toasts.js";

/**
 * @template T
 * @typedef {{ value: T | null, error: unknown, reload: () => Promise<void>, set: (value: T) => void }} Loaded
 */

/**
 * Load something when it is first shown, and when `keys` are others; what comes too late is dropped.
 *
 * @template T
 * @param {() => Promise<T>} load
 * @param {any[]} keys
 * @returns {Loaded<T>}
 */
export function useLoaded(load, keys) {
  const [shown, show] = useState(/** @type {{ value: T | null, error: unknown }} */ ({ value: null, error: null }));
  const turn = useRef(0);
  const reload = useCallback(async () => {
    const mine = ++turn.current;
    try {
      const value = await load();
      if (mine === turn.current) show({ value, error: null });
    } catch (error) {
      if (mine === turn.current) show((before) => ({ ...before, error }));
    }
  }, keys);
  useEffect(() => {
    show({ value: null, error: null });
    void reload();
    return () => void ++turn.current;
  }, keys);
  const set = useCallback((/** @type {T} */ value) => {
    ++turn.current;
    show({ value, error: null });
  }, keys);
  return { ...shown, reload, set };
}

/** What stands where something is still loading, or could not be. @param {{ of: Loaded<any> }} props */
export function Loading({ of }) {
  if (!of.error) return html`<div class="loading" aria-busy="true"><span class="skeleton" /><span class="skeleton" /><span class="skeleton" /></div>`;
  return html`
    <div class="empty" role="alert">
      <p>${complaint(of.error)}</p>
      <button type="button" class="button" onClick=${of.reload}>${t("again")}</button>
    </div>`;
}
