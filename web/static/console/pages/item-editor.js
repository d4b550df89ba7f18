// @ts-check
import { html } from "../html.js";
import { Icon } from "../icons.js";
import { Choice, Switch, Text } from "../ui/fields.js";
import { preferences } from "../preferences.js";
import { inTongue, t } from "../words.js";
import { gestures } from "../words/gestures.js";
import { moved, newSentence } from "./rundown-fields.js";
import { titleOf } from "./item-list.js";

const GESTURES = Object.keys(gestures.en).map((key) => key.slice(key.indexOf(".") + 1));
const KINDS = ["opening", "product", "offer", "questions", "closing"];

/**
 * One item: what it is there for, what it shows, what is said.
 *
 * @param {{ item: any, products: any[], problems: any[], onChange: (change: object) => void }} props
 */
export function ItemEditor({ item, products, problems, onChange }) {
  const text = (/** @type {string} */ name, /** @type {string} */ label, more = {}) => html`<${Text} label=${t(label)} value=${item[name]} onInput=${(/** @type {string} */ value) => onChange({ [name]: value })} ...${more} />`;
  const known = products.map((product) => [product.id, inTongue(product.name)]);
  if (item.product && !known.some(([id]) => id === item.product)) known.unshift([item.product, item.product]);
  const general = problems.filter((problem) => problem.sentence === null || problem.sentence === undefined);
  return html`
    <section class="panel panel-pad stack item-editor" aria-label=${titleOf(item, products)}>
      ${general.map((problem, at) => html`<div key=${at} class="notice" data-kind="error"><p>${problem.message}</p></div>`)}
      <div class="fields four">
        <${Choice} label=${t("editor.kind")} value=${item.kind} onChange=${(/** @type {string} */ kind) => onChange({ kind })} options=${KINDS.map((kind) => [kind, t(`kind.${kind}`)])} />
        <${Choice} label=${t("editor.product")} value=${item.product} onChange=${(/** @type {string} */ product) => onChange({ product })} options=${[["", t("editor.noProduct")], ...known]} />
        ${text("duration", "editor.duration", { hint: t("editor.durationHint"), type: "number", min: 5, max: 3600, step: "any" })}
      </div>
      <div class="fields two">
        ${text("hook", "editor.hook", { hint: t("editor.hookHint"), maxlength: 80 })}
        <${Choice} label=${t("editor.action")} hint=${t("editor.actionHint")} value=${item.action} onChange=${(/** @type {string} */ action) => onChange({ action })} options=${gesturesWith(item.action)} />
        <div class="whole">${text("brief", "editor.brief", { hint: t("editor.briefHint"), rows: 2 })}</div>
      </div>
      <${Script} script=${item.script} problems=${problems} onScript=${(/** @type {any[]} */ script) => onChange({ script })} />
    </section>`;
}

/** What hosts can do, by their words; one that is not known stays until another is chosen. @param {string} chosen @returns {[string, string][]} */
function gesturesWith(chosen) {
  const named = GESTURES.map((name) => /** @type {[string, string]} */ ([name, t(`gesture.${name}`)]));
  const sorted = named.sort(([, one], [, other]) => one.localeCompare(other, preferences.value.tongue));
  const strange = chosen && !named.some(([name]) => name === chosen);
  return [["", t("editor.noAction")], ...(strange ? [/** @type {[string, string]} */ ([chosen, chosen])] : []), ...sorted];
}

/** @param {{ script: any[], problems: any[], onScript: (script: any[]) => void }} props */
function Script({ script, problems, onScript }) {
  const change = (/** @type {number} */ at, /** @type {object} */ more) => onScript(script.map((sentence, number) => (number === at ? { ...sentence, ...more } : sentence)));
  return html`
    <div class="stack">
      <div><h3>${t("editor.script")}</h3><p class="field-hint">${t("editor.scriptHint", { open: "{", close: "}" })}</p></div>
      <ol class="stack">
        ${script.map((sentence, at) => {
          const n = at + 1;
          const wrong = problems.filter((problem) => problem.sentence === at).map((problem) => problem.message).join(" ");
          return html`
            <li key=${sentence.key} class="sentence">
              <${Text} label=${t("editor.wordings", { n })} rows=${Math.min(6, Math.max(2, sentence.text.split("\n").length))} value=${sentence.text} wrong=${wrong} hint=${at === 0 ? t("editor.wordingsHint") : ""} onInput=${(/** @type {string} */ text) => change(at, { text })} />
              <div class="row sentence-tools">
                <${Switch} label=${t("editor.fixed")} hint=${at === 0 ? t("editor.fixedHint") : ""} checked=${sentence.fixed} onChange=${(/** @type {boolean} */ fixed) => change(at, { fixed })} />
                <span class="grow" />
                <button type="button" class="icon-button small" disabled=${at === 0} aria-label=${t("editor.sentenceUp", { n })} onClick=${() => onScript(moved(script, at, at - 1))}><${Icon} name="up" size=${16} /></button>
                <button type="button" class="icon-button small" disabled=${at === script.length - 1} aria-label=${t("editor.sentenceDown", { n })} onClick=${() => onScript(moved(script, at, at + 1))}><${Icon} name="down" size=${16} /></button>
                <button type="button" class="icon-button small danger" aria-label=${t("editor.removeSentence", { n })} onClick=${() => onScript(script.filter((one) => one !== sentence))}><${Icon} name="trash" size=${16} /></button>
              </div>
            </li>`;
        })}
      </ol>
      <div><button type="button" class="button small" onClick=${() => onScript([...script, newSentence()])}><${Icon} name="plus" size=${15} />${t("editor.addSentence")}</button></div>
    </div>`;
}
