// @ts-check
/** @type {import("../words.js").Words} */
export const rundowns = { en: {}, zh: {} };
