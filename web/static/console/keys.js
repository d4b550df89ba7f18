// @ts-check
/** Keyboard shortcuts: single letters where the operator wants them, and some that always work. */
import { useEffect, useRef } from "./html.js";
import { preferences } from "./preferences.js";

/** @typedef {Record<string, (event: KeyboardEvent) => void>} Shortcuts by `KeyboardEvent.key`, small */

/** Where letters are typed. @param {EventTarget | null} target */
function isTyping(target) {
  if (!(target instanceof HTMLElement)) return false;
  return target.isContentEditable || target.matches("textarea, select, input:not([type=checkbox], [type=radio], [type=range])");
}

/**
 * Hear keys while a component is shown. Function keys work everywhere, also while typing and over
 * a dialog; letters do not.
 *
 * @param {Shortcuts} shortcuts
 * @param {"keydown" | "keyup"} [when]
 */
export function useKeys(shortcuts, when = "keydown") {
  const current = useRef(shortcuts);
  current.current = shortcuts;
  useEffect(() => {
    const hear = (/** @type {KeyboardEvent} */ event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
      const { key } = event;
      const run = current.current[key.length === 1 ? key.toLowerCase() : key];
      if (!run || (event.repeat && when === "keydown")) return;
      const always = /^F\d+$/.test(key);
      if (!always) {
        const modal = document.querySelector("dialog[open]");
        if (isTyping(event.target) || modal) return;
        if (key !== "?" && !preferences.value.keys) return;
      }
      event.preventDefault();
      run(event);
    };
    window.addEventListener(when, hear);
    return () => window.removeEventListener(when, hear);
  }, [when]);
}
