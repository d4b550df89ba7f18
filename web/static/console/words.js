// @ts-check
/** The words of the console, in both languages; a file of `words` for each part of it. */
import { preferences } from "./preferences.js";
import { common } from "./words/common.js";
import { editors } from "./words/editors.js";
import { figures } from "./words/figures.js";
import { gestures } from "./words/gestures.js";
import { looks } from "./words/looks.js";
import { room } from "./words/room.js";
import { rooms } from "./words/rooms.js";
import { rundowns } from "./words/rundowns.js";
import { settings } from "./words/settings.js";

/** @typedef {Record<"en" | "zh", Record<string, string>>} Words */

const PARTS = [common, editors, figures, gestures, looks, room, rooms, rundowns, settings];
/** @type {Words} */
export const WORDS = {
  en: Object.assign({}, ...PARTS.map((part) => part.en)),
  zh: Object.assign({}, ...PARTS.map((part) => part.zh)),
};

/**
 * Return a word in the operator's language. "{name}" takes a value; "{n|one|many}" takes the first
 * word where n is 1 and the second elsewhere, with n for "#".
 *
 * @param {string} key
 * @param {Record<string, string | number>} [values]
 */
export function t(key, values = {}) {
  const text = WORDS[preferences.value.tongue][key] ?? key;
  return text.replace(/\{(\w+)(?:\|([^|}]*)\|([^}]*))?\}/g, (_, name, one, many) => {
    const value = values[name] ?? "";
    if (one === undefined) return String(value);
    return (Number(value) === 1 ? one : many).replace("#", String(value));
  });
}

/** Return a word where there is one, and otherwise what stands in for it. @param {string} key @param {string} other */
export function tOr(key, other) {
  return WORDS[preferences.value.tongue][key] ?? other;
}

/**
 * Of what is written in several languages, the operator's, or whichever there is.
 *
 * @param {Partial<Record<string, string>> | undefined | null} texts
 */
export function inTongue(texts) {
  if (!texts) return "";
  return texts[preferences.value.tongue] || Object.values(texts).find(Boolean) || "";
}
