// @ts-check
import { useEffect, useState } from "../html.js";

/**
 * What was chosen, until the server tells of it: a choice that others and the server change too.
 * One that is refused falls back to what holds.
 *
 * @param {string} value what holds
 * @param {(wanted: string) => Promise<boolean>} tell resolves to whether it was taken
 * @returns {[string, (wanted: string) => Promise<void>]} what to show, and what chooses
 */
export function useWanted(value, tell) {
  const [wanted, want] = useState(/** @type {string | null} */ (null));
  useEffect(() => want(null), [value]);
  const choose = async (/** @type {string} */ next) => {
    want(next);
    if (!(await tell(next)) || next === value) want(null);
  };
  return [wanted ?? value, choose];
}
