// @ts-check
/** @type {import("../words.js").Words} */
export const settings = { en: {}, zh: {} };
