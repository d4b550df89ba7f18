// @ts-check
import { useEffect, useRef } from "../html.js";

/**
 * A button that becomes a field, and comes back: the field is given the focus when it opens, and the
 * button when it closes, unless the focus is elsewhere by then.
 *
 * @param {boolean} open whether the field is shown
 * @returns {{ button: { current: HTMLButtonElement | null }, field: { current: HTMLInputElement | null } }}
 */
export function useTakingTurns(open) {
  const button = useRef(/** @type {HTMLButtonElement | null} */ (null));
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));
  const before = useRef(open);
  useEffect(() => {
    if (open) field.current?.focus();
    else if (before.current && document.activeElement === document.body) button.current?.focus();
    before.current = open;
  }, [open]);
  return { button, field };
}
