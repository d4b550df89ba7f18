// @ts-check
/** @type {import("../words.js").Words} */
export const editors = { en: {}, zh: {} };
