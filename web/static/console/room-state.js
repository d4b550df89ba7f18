// @ts-check
/** How a room stands, kept by its changes. Pure: nothing here asks or draws. */

/**
 * @typedef {Record<string, any>} RoomState as `pipeline/rooms/state.py` has it
 * @typedef {{ number: number, field: string, key?: string | null, value: any }} RoomChange
 */

/** How many of a list are kept, as the server keeps them. @type {Record<string, number>} */
const KEPT = { chat: 200, lines: 200, decisions: 200, alerts: 200, metrics: 720 };

/**
 * Return the state after a change. What did not change stays the same object, so that only what
 * shows it is drawn again.
 *
 * @param {RoomState} state
 * @param {RoomChange} change
 * @returns {RoomState}
 */
export function changed(state, { field, key = null, value }) {
  const isEntry = key !== null || (Array.isArray(state[field]) && !Array.isArray(value));
  return { ...state, [field]: isEntry ? entered(state[field] ?? [], field, key, value) : value };
}

/**
 * @param {any[]} list
 * @param {string} field
 * @param {string | null} key a point of `metrics` has none
 * @param {any} value
 */
function entered(list, field, key, value) {
  const at = field === "metrics" ? -1 : list.findLastIndex((entry) => entry.id === key);
  if (value === null) return list.filter((entry) => entry.id !== key);
  if (at >= 0) return list.with(at, value);
  return [...list, value].slice(-(KEPT[field] ?? Infinity));
}
