// @ts-check
/** What an operator prefers on this browser: language, theme, keys. */
import { Store } from "./store.js";

/**
 * @typedef {"en" | "zh"} Tongue
 * @typedef {"system" | "light" | "dark"} Theme
 * @typedef {{ tongue: Tongue, theme: Theme, keys: boolean }} Preferences `keys`: whether single
 *   letters are shortcuts
 */

const NAMES = { tongue: "vivant.tongue", theme: "vivant.theme", keys: "vivant.keys" };

/** @returns {Preferences} */
function kept() {
  const browser = navigator.language.toLowerCase().startsWith("zh") ? "zh" : "en";
  const tongue = localStorage.getItem(NAMES.tongue);
  const theme = localStorage.getItem(NAMES.theme);
  return {
    tongue: tongue === "en" || tongue === "zh" ? tongue : browser,
    theme: theme === "light" || theme === "dark" ? theme : "system",
    keys: localStorage.getItem(NAMES.keys) !== "off",
  };
}

export const preferences = new Store(kept());

/** Change some of it, and keep that. @param {Partial<Preferences>} change */
export function prefer(change) {
  const now = { ...preferences.value, ...change };
  localStorage.setItem(NAMES.tongue, now.tongue);
  localStorage.setItem(NAMES.theme, now.theme);
  localStorage.setItem(NAMES.keys, now.keys ? "on" : "off");
  preferences.set(now);
  apply();
}

/** Tell the document which language and theme it has. */
export function apply() {
  const { tongue, theme } = preferences.value;
  const root = document.documentElement;
  root.lang = tongue === "zh" ? "zh-CN" : "en";
  if (theme === "system") delete root.dataset.theme;
  else root.dataset.theme = theme;
}
