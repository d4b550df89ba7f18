// @ts-check
/** Figures, money and times, as the operator's language writes them. */
import { preferences } from "./preferences.js";

const LOCALES = { en: "en-GB", zh: "zh-CN" };
/** @type {Map<string, any>} */
const made = new Map();

/**
 * Formatters are slow to make, and the room's page needs them many times a second.
 *
 * @template T
 * @param {string} name
 * @param {(locale: string) => T} make
 * @returns {T}
 */
function formatter(name, make) {
  const locale = LOCALES[preferences.value.tongue];
  const key = `${locale} ${name}`;
  if (!made.has(key)) made.set(key, make(locale));
  return made.get(key);
}

/** @param {number} value @param {number} [digits] */
export function number(value, digits = 0) {
  const options = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return formatter(`number ${digits}`, (locale) => new Intl.NumberFormat(locale, options)).format(value);
}

/** As many decimals as it has, two at most. @param {number} value */
export function short(value) {
  return formatter("short", (locale) => new Intl.NumberFormat(locale, { maximumFractionDigits: 2 })).format(value);
}

/** @param {number} share 0 to 1 */
export function percent(share) {
  const options = /** @type {const} */ ({ style: "percent", maximumFractionDigits: 1 });
  return formatter("percent", (locale) => new Intl.NumberFormat(locale, options)).format(share);
}

/**
 * Money; an amount that is a decimal text stays exact.
 *
 * @param {string | number | null | undefined} amount
 * @param {string} currency ISO 4217
 */
export function money(amount, currency) {
  if (amount === null || amount === undefined || amount === "") return "–";
  const options = /** @type {const} */ ({ style: "currency", currency, currencyDisplay: "narrowSymbol" });
  try {
    const format = formatter(`money ${currency}`, (locale) => new Intl.NumberFormat(locale, options));
    return format.format(/** @type {any} */ (amount));
  } catch {
    return `${amount} ${currency}`; // a currency of nobody's, or half typed
  }
}

/** A time of day. @param {number} at seconds since the epoch */
export function clock(at) {
  const options = /** @type {const} */ ({ hour: "2-digit", minute: "2-digit", second: "2-digit", hourCycle: "h23" });
  return formatter("clock", (locale) => new Intl.DateTimeFormat(locale, options)).format(at * 1000);
}

/** A day and a time. @param {number | string} at seconds since the epoch, or ISO 8601 */
export function moment(at) {
  const time = typeof at === "number" ? at * 1000 : Date.parse(at);
  if (Number.isNaN(time)) return "–";
  const options = /** @type {const} */ ({ dateStyle: "medium", timeStyle: "short" });
  return formatter("moment", (locale) => new Intl.DateTimeFormat(locale, options)).format(time);
}

/** A length of time as "1:05" or "2:03:04". @param {number} seconds */
export function span(seconds) {
  const whole = Math.max(0, Math.floor(seconds));
  const parts = [Math.floor(whole / 60) % 60, whole % 60].map((part) => String(part).padStart(2, "0"));
  const hours = Math.floor(whole / 3600);
  return hours ? `${hours}:${parts.join(":")}` : `${Number(parts[0])}:${parts[1]}`;
}

/** @param {number} seconds @param {number} [digits] */
export function seconds(seconds, digits = 1) {
  const options = /** @type {const} */ ({ style: "unit", unit: "second", unitDisplay: "narrow", minimumFractionDigits: digits, maximumFractionDigits: digits });
  return formatter(`seconds ${digits}`, (locale) => new Intl.NumberFormat(locale, options)).format(seconds);
}

/** @param {number} count bytes */
export function bytes(count) {
  const units = /** @type {const} */ (["byte", "kilobyte", "megabyte", "gigabyte"]);
  const step = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(1, count)) / 3));
  const options = /** @type {const} */ ({ style: "unit", unit: units[step], unitDisplay: "short", maximumFractionDigits: step ? 1 : 0 });
  return formatter(`bytes ${step}`, (locale) => new Intl.NumberFormat(locale, options)).format(count / 1000 ** step);
}

/** A language's own name in the operator's. @param {string} language */
export function languageName(language) {
  return formatter("language", (locale) => new Intl.DisplayNames(locale, { type: "language" })).of(language) ?? language;
}
