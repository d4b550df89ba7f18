// @ts-check
/** A product as a form has it, every field a text; and back to the JSON form of shops. Pure. */
import { filled, lines } from "./shop-rules.js";

/** @param {any} product */
export function toFields(product) {
  const { offer } = product;
  const both = (/** @type {any} */ words) => ({ en: "", zh: "", ...words });
  const joined = (/** @type {any} */ lists, /** @type {string} */ by) => ({ en: (lists?.en ?? []).join(by), zh: (lists?.zh ?? []).join(by) });
  return {
    id: product.id ?? "",
    name: both(product.name),
    category: product.category ?? "",
    price: product.price ?? "",
    list_price: product.list_price ?? "",
    currency: product.currency ?? "USD",
    stock: product.stock === undefined || product.stock === null ? "" : String(product.stock),
    hasOffer: Boolean(offer),
    offer_price: offer?.price ?? "",
    offer_until: offer?.until ? localTime(offer.until) : "",
    offer_stock: offer?.stock === undefined || offer?.stock === null ? "" : String(offer.stock),
    condition: both(offer?.condition),
    points: joined(product.points, "\n"),
    description: both(product.description),
    aliases: joined(product.aliases, ", "),
    link: product.link ?? "",
    attributes: Object.entries(product.attributes ?? {}).map(([name, words]) => ({ name, en: "", zh: "", .../** @type {object} */ (words) })),
    questions: (product.questions ?? []).map((/** @type {any} */ one) => ({
      question_en: one.question?.en ?? "", answer_en: one.answer?.en ?? "", question_zh: one.question?.zh ?? "", answer_zh: one.answer?.zh ?? "",
    })),
  };
}

/**
 * @param {any} fields
 * @param {any} old what it was; what the form does not show stays
 */
export function fromFields(fields, old) {
  const listed = (/** @type {Record<string, string>} */ texts, /** @type {(text: string) => string[]} */ split) =>
    Object.fromEntries(Object.entries(texts).map(([language, text]) => [language, split(text)]).filter(([, list]) => list.length));
  const commas = (/** @type {string} */ text) => lines(text.replace(/[,，、]/g, "\n"));
  return {
    ...(old?.picture && { picture: old.picture }),
    name: filled(fields.name),
    category: fields.category.trim(),
    price: fields.price.trim() || null,
    list_price: fields.list_price.trim() || null,
    currency: fields.currency,
    stock: whole(fields.stock),
    aliases: listed(fields.aliases, commas),
    attributes: Object.fromEntries(fields.attributes.filter((/** @type {any} */ one) => one.name.trim()).map((/** @type {any} */ one) => [one.name.trim(), filled({ en: one.en, zh: one.zh })])),
    points: listed(fields.points, lines),
    description: filled(fields.description),
    questions: fields.questions.map((/** @type {any} */ one) => ({ question: filled({ en: one.question_en, zh: one.question_zh }), answer: filled({ en: one.answer_en, zh: one.answer_zh }) }))
      .filter((/** @type {any} */ one) => Object.keys(one.question).length),
    offer: fields.hasOffer ? { price: fields.offer_price.trim(), condition: filled(fields.condition), until: fields.offer_until ? new Date(fields.offer_until).toISOString() : null, stock: whole(fields.offer_stock) } : null,
    link: fields.link.trim(),
  };
}

/** @param {string} text */
const whole = (text) => (text.trim() === "" ? null : Number(text));

/** A moment as `datetime-local` has it. @param {string} iso */
function localTime(iso) {
  const at = new Date(iso);
  if (Number.isNaN(at.getTime())) return "";
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}
