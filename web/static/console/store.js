// @ts-check
import { useEffect, useState } from "./html.js";

/**
 * A value that many show. Listeners are called after it has changed.
 *
 * @template T
 */
export class Store {
  /** @param {T} value */
  constructor(value) {
    this.value = value;
    /** @type {Set<() => void>} */
    this.listeners = new Set();
  }

  /** @param {T} value */
  set(value) {
    if (Object.is(value, this.value)) return;
    this.value = value;
    for (const listener of [...this.listeners]) listener();
  }

  /** Returns what ends it. @param {() => void} listener */
  subscribe(listener) {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }
}

/**
 * Draw again when what is selected of the value is another; compared by identity, so select what
 * the value holds and make nothing new.
 *
 * @template T, S
 * @param {Store<T>} store
 * @param {(value: T) => S} select
 * @returns {S}
 */
export function useStore(store, select) {
  const selected = select(store.value);
  const [, draw] = useState(0);
  useEffect(() => {
    let last = selected;
    const check = () => {
      const now = select(store.value);
      if (Object.is(now, last)) return;
      last = now;
      draw((count) => count + 1);
    };
    check(); // it may have changed between the drawing and now
    return store.subscribe(check);
  }, [store]);
  return selected;
}
