// @ts-check
import { api } from "../api.js";
import { html, useState } from "../html.js";
import { Icon } from "../icons.js";
import { Text } from "../ui/fields.js";
import { Conflict } from "../ui/conflict.js";
import { attempt, complaint, toast } from "../ui/toasts.js";
import { t, tOr } from "../words.js";

/**
 * What holds for all products of a shop, and what is never said in it.
 *
 * @param {{ shop: any, etag: string | null, onSaved: () => void }} props
 */
export function ShopRules({ shop, etag, onSaved }) {
  const [policies, setPolicies] = useState(() => Object.entries(shop.policies ?? {}).map(([name, words]) => ({ name, en: "", zh: "", .../** @type {object} */ (words) })));
  const [banned, setBanned] = useState((shop.banned ?? []).join("\n"));
  const [name, setName] = useState({ en: "", zh: "", ...shop.name });
  const [conflict, setConflict] = useState(false);
  const save = async (/** @type {string | null} */ tag) => {
    const document = tag ? shop : await api.get(`v1/shops/${shop.id}`);
    const whole = { ...document, name: filled(name), policies: Object.fromEntries(policies.filter((policy) => policy.name.trim()).map(({ name: key, en, zh }) => [key.trim(), filled({ en, zh })])), banned: lines(banned) };
    try {
      await api.change("PUT", `v1/shops/${shop.id}`, whole, { etag: tag });
      toast(t("product.saved"));
      onSaved();
    } catch (error) {
      if (/** @type {any} */ (error).status === 412) setConflict(true);
      else toast(complaint(error), "wrong");
    }
  };
  const change = (/** @type {number} */ at, /** @type {object} */ fields) => setPolicies(policies.map((policy, number) => (number === at ? { ...policy, ...fields } : policy)));
  return html`
    <form class="stack tab-body" onSubmit=${(/** @type {Event} */ event) => { event.preventDefault(); void save(etag); }}>
      <section class="panel panel-pad stack">
        <div class="fields">
          <${Text} label=${t("shops.nameEn")} value=${name.en} onInput=${(/** @type {string} */ en) => setName({ ...name, en })} />
          <${Text} label=${t("shops.nameZh")} value=${name.zh} onInput=${(/** @type {string} */ zh) => setName({ ...name, zh })} />
        </div>
      </section>
      <section class="panel panel-pad stack">
        <div><h2>${t("policies.policies")}</h2><p class="soft">${t("policies.lead")}</p></div>
        ${policies.map((policy, at) => html`
          <div key=${at} class="triple">
            <${Text} label=${t("policies.name")} value=${policy.name} onInput=${(/** @type {string} */ value) => change(at, { name: value })} />
            <${Text} label=${t("product.valueEn")} rows=${2} value=${policy.en} onInput=${(/** @type {string} */ en) => change(at, { en })} />
            <${Text} label=${t("product.valueZh")} rows=${2} value=${policy.zh} onInput=${(/** @type {string} */ zh) => change(at, { zh })} />
            <button type="button" class="icon-button danger" aria-label=${t("policies.remove", { name: tOr(`attribute.${policy.name}`, policy.name) })} onClick=${() => setPolicies(policies.filter((_, number) => number !== at))}><${Icon} name="close" /></button>
          </div>`)}
        <div><button type="button" class="button small" onClick=${() => setPolicies([...policies, { name: "", en: "", zh: "" }])}><${Icon} name="plus" size=${15} />${t("policies.add")}</button></div>
      </section>
      <section class="panel panel-pad"><${Text} label=${t("policies.banned")} hint=${t("policies.bannedHint")} rows=${5} value=${banned} onInput=${setBanned} /></section>
      <div class="row"><button type="submit" class="button primary">${t("save")}</button></div>
      ${conflict && html`<${Conflict} onClose=${() => setConflict(false)} onReload=${onSaved} onOverwrite=${() => attempt(() => save(null))} />`}
    </form>`;
}

/** @param {Record<string, string>} words */
export function filled(words) {
  return Object.fromEntries(Object.entries(words).map(([language, text]) => [language, text.trim()]).filter(([, text]) => text));
}

/** @param {string} text */
export const lines = (text) => text.split("\n").map((line) => line.trim()).filter(Boolean);
