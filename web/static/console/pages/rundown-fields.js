// @ts-check
/** A rundown as the editor has it, and back to its JSON form. Pure. */

let count = 0;

/** @param {any} rundown */
export function toFields(rundown) {
  return {
    id: rundown.id, title: rundown.title, language: rundown.language, loops: rundown.loops ?? true,
    items: rundown.items.map((/** @type {any} */ item) => ({
      id: item.id, kind: item.kind, product: item.product ?? "", action: item.action ?? "", brief: item.brief ?? "", hook: item.hook ?? "",
      duration: item.duration === undefined || item.duration === null ? "" : String(item.duration),
      script: (item.script ?? []).map(sentenceFields),
    })),
  };
}

/** @param {string | { wordings: string[], fixed?: boolean }} sentence */
function sentenceFields(sentence) {
  const { wordings, fixed = false } = typeof sentence === "string" ? { wordings: [sentence] } : sentence;
  return { key: ++count, text: wordings.join("\n"), fixed };
}

/** An empty sentence. */
export const newSentence = () => ({ key: ++count, text: "", fixed: false });

/** An item unlike the others. @param {any[]} items */
export function newItem(items) {
  const taken = items.map((item) => item.id);
  let number = items.length + 1;
  while (taken.includes(`item-${number}`)) number += 1;
  return { id: `item-${number}`, kind: "questions", product: "", action: "", brief: "", hook: "", duration: "", script: [newSentence()] };
}

/** @param {any} fields */
export function fromFields(fields) {
  return {
    id: fields.id, title: fields.title.trim(), language: fields.language, loops: fields.loops,
    items: fields.items.map((/** @type {any} */ item) => ({
      id: item.id, kind: item.kind, brief: item.brief.trim(), product: item.product || null, action: item.action, hook: item.hook.trim(),
      duration: item.duration === "" ? null : Number(item.duration),
      script: item.script.map(sentenceOf).filter((/** @type {any} */ sentence) => sentence.wordings.length),
    })),
  };
}

/** @param {{ text: string, fixed: boolean }} sentence */
function sentenceOf({ text, fixed }) {
  return { wordings: text.split("\n").map((line) => line.trim()).filter(Boolean), fixed };
}

/** A list with an entry at another place. @template T @param {T[]} list @param {number} from @param {number} at @returns {T[]} */
export function moved(list, from, at) {
  if (at < 0 || at >= list.length) return list;
  const rest = list.toSpliced(from, 1);
  return rest.toSpliced(at, 0, list[from]);
}
