// @ts-check
/** An EventTarget whose listeners may also be plain functions of an event's `detail`. */
export class Emitter extends EventTarget {
  /**
   * Call `listener` with the detail of every event of a type; returns what ends it.
   *
   * @param {string} type
   * @param {(detail: any) => void} listener
   */
  on(type, listener) {
    const heard = (/** @type {Event} */ event) => listener(/** @type {CustomEvent} */ (event).detail);
    this.addEventListener(type, heard);
    return () => this.removeEventListener(type, heard);
  }
}

/**
 * @param {EventTarget} target
 * @param {string} type
 * @param {unknown} [detail]
 */
export function tell(target, type, detail) {
  target.dispatchEvent(new CustomEvent(type, { detail }));
}
