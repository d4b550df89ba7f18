// @ts-check
/** @type {import("../words.js").Words} */
export const looks = { en: {}, zh: {} };
