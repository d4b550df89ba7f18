// @ts-check
import { api } from "../api.js";
import { html, useId, useState } from "../html.js";
import { Icon } from "../icons.js";
import { Conflict } from "../ui/conflict.js";
import { Dialog } from "../ui/dialog.js";
import { Choice, Switch, Text } from "../ui/fields.js";
import { Loading, useLoaded } from "../ui/load.js";
import { Picture } from "../ui/picture.js";
import { slug } from "../ui/slug.js";
import { complaint, toast } from "../ui/toasts.js";
import { t, tOr } from "../words.js";
import { fromFields, toFields } from "./product-fields.js";

const CURRENCIES = ["USD", "EUR", "GBP", "CNY", "HKD", "TWD", "JPY", "KRW", "SGD", "MYR", "THB", "AUD", "CAD"];
const NAMED = ["colour", "size", "material", "weight", "warranty", "shipping", "returns", "origin", "care", "contents"];

/**
 * A product, all of it; what is saved is on the air at once.
 *
 * @param {{ shop: any, product?: any, onClose: () => void, onSaved: () => void }} props
 */
export function ProductForm({ shop, product, onClose, onSaved }) {
  const title = t(product ? "product.edit" : "product.new");
  const loaded = useLoaded(async () => (product ? api.tagged(`v1/shops/${shop.id}/products/${product.id}`) : { document: null, etag: null }), [product?.id]);
  if (!loaded.value) return html`<${Dialog} title=${title} onClose=${onClose} wide><${Loading} of=${loaded} /><//>`;
  return html`<${Form} key=${loaded.value.etag} title=${title} shop=${shop} old=${loaded.value.document} etag=${loaded.value.etag} onReload=${loaded.reload} onClose=${onClose} onSaved=${onSaved} />`;
}

/** @param {any} props */
function Form({ title, shop, old, etag, onReload, onClose, onSaved }) {
  const form = useId();
  const [fields, setFields] = useState(() => toFields(old ?? { currency: shop.products?.[0]?.currency ?? "USD" }));
  const [picture, setPicture] = useState(/** @type {File | null} */ (null));
  const [wrong, setWrong] = useState("");
  const [conflict, setConflict] = useState(false);
  const set = (/** @type {object} */ change) => setFields((/** @type {any} */ before) => ({ ...before, ...change }));
  const save = async (/** @type {string | null} */ tag) => {
    const known = (shop.products ?? []).map((/** @type {any} */ one) => one.id);
    const id = old?.id ?? (fields.id.trim() || slug(fields.name.en, known, "product"));
    const path = `v1/shops/${shop.id}/products/${id}`;
    try {
      await api.change("PUT", path, { ...fromFields(fields, old), id }, { etag: tag });
      if (picture) await api.change("PUT", `${path}/picture`, picture);
      toast(t("product.saved"));
      onSaved();
      onClose();
    } catch (error) {
      if (/** @type {any} */ (error).status === 412) setConflict(true);
      else setWrong(complaint(error));
    }
  };
  return html`
    <${Dialog} title=${title} onClose=${onClose} wide footer=${html`
      <button type="button" class="button" onClick=${onClose}>${t("cancel")}</button>
      <button type="submit" class="button primary" form=${form}>${t("save")}</button>`}>
      <form id=${form} class="stack loose" onSubmit=${(/** @type {Event} */ event) => { event.preventDefault(); void save(etag); }}>
        ${wrong && html`<div class="notice" data-kind="error" role="alert"><p>${wrong}</p></div>`}
        <${Names} fields=${fields} set=${set} old=${old} />
        <${Sale} fields=${fields} set=${set} />
        <${PictureField} shop=${shop.id} old=${old} picture=${picture} onPicture=${setPicture} />
        <${Telling} fields=${fields} set=${set} />
        <${Attributes} fields=${fields} set=${set} />
        <${Questions} fields=${fields} set=${set} />
      </form>
      ${conflict && html`<${Conflict} onClose=${() => setConflict(false)} onReload=${onReload} onOverwrite=${() => save(null)} />`}
    <//>`;
}

/** @typedef {{ fields: any, set: (change: object) => void }} Part */

/** A field of each language. @param {Part & { of: string, label: string, hint?: string, rows?: number }} props */
function Both({ fields, set, of, label, hint, rows }) {
  const field = (/** @type {string} */ language, /** @type {string} */ suffix) => html`
    <${Text} label=${t(`${label}${suffix}`)} hint=${hint} rows=${rows} lang=${language} value=${fields[of][language]} onInput=${(/** @type {string} */ text) => set({ [of]: { ...fields[of], [language]: text } })} />`;
  return html`${field("en", "En")}${field("zh", "Zh")}`;
}

/** @param {Part & { old: any }} props */
function Names({ fields, set, old }) {
  return html`
    <div class="fields">
      <${Both} fields=${fields} set=${set} of="name" label="product.name" />
      ${!old && html`<${Text} label=${t("product.id")} hint=${t("id.hint")} value=${fields.id} pattern="[a-z0-9][a-z0-9_\\-]{0,39}" onInput=${(/** @type {string} */ id) => set({ id })} />`}
      <${Text} label=${t("shop.category")} value=${fields.category} onInput=${(/** @type {string} */ category) => set({ category })} />
    </div>`;
}

/** @param {Part} props */
function Sale({ fields, set }) {
  const amount = (/** @type {string} */ name, /** @type {string} */ label, more = {}) => html`<${Text} label=${t(label)} inputmode="decimal" value=${fields[name]} onInput=${(/** @type {string} */ value) => set({ [name]: value })} ...${more} />`;
  const currencies = CURRENCIES.includes(fields.currency) ? CURRENCIES : [fields.currency, ...CURRENCIES];
  return html`
    <section class="stack">
      <h3>${t("product.sale")}</h3>
      <div class="fields four">
        ${amount("price", "product.price")}
        ${amount("list_price", "product.listPrice")}
        <${Choice} label=${t("product.currency")} value=${fields.currency} onChange=${(/** @type {string} */ currency) => set({ currency })} options=${currencies.map((code) => [code, code])} />
        <${Text} label=${t("product.stock")} hint=${t("product.stockHint")} inputmode="numeric" pattern="[0-9]*" value=${fields.stock} onInput=${(/** @type {string} */ stock) => set({ stock })} />
      </div>
      <${Switch} label=${t("product.hasOffer")} checked=${fields.hasOffer} onChange=${(/** @type {boolean} */ hasOffer) => set({ hasOffer })} />
      ${fields.hasOffer && html`
        <div class="fields four">
          ${amount("offer_price", "product.offerPrice", { required: true })}
          <${Text} type="datetime-local" label=${t("product.offerUntil")} value=${fields.offer_until} onInput=${(/** @type {string} */ value) => set({ offer_until: value })} />
          ${amount("offer_stock", "product.offerStock")}
        </div>
        <div class="fields"><${Both} fields=${fields} set=${set} of="condition" label="product.condition" /></div>`}
    </section>`;
}

/** @param {{ shop: string, old: any, picture: File | null, onPicture: (file: File | null) => void }} props */
function PictureField({ shop, old, picture, onPicture }) {
  const id = useId();
  return html`
    <div class="row picture-field">
      <span class="goods-face large">${picture ? html`<img class="picture" src=${URL.createObjectURL(picture)} alt="" />` : html`<${Picture} path=${old?.picture ? `v1/shops/${shop}/products/${old.id}/picture` : null} version=${old?.picture} />`}</span>
      <div class="stack tight">
        <span class="label">${t("product.picture")}</span>
        <input id=${id} class="unseen" type="file" accept="image/jpeg,image/png,image/webp" onChange=${(/** @type {any} */ event) => onPicture(event.currentTarget.files[0] ?? null)} />
        <span class="row"><label class="button small" for=${id}><${Icon} name="image" size=${15} />${t("product.choosePicture")}</label><small class="soft">${picture?.name ?? t("product.pictureHint")}</small></span>
      </div>
    </div>`;
}

/** @param {Part} props */
function Telling({ fields, set }) {
  return html`
    <section class="stack">
      <h3>${t("product.both")}</h3>
      <div class="fields two">
        <${Both} fields=${fields} set=${set} of="points" label="product.points" hint=${t("product.pointsHint")} rows=${4} />
        <${Both} fields=${fields} set=${set} of="description" label="product.description" rows=${3} />
        <${Both} fields=${fields} set=${set} of="aliases" label="product.aliases" hint=${t("product.aliasesHint")} />
        <div class="whole"><${Text} label=${t("product.link")} type="url" value=${fields.link} onInput=${(/** @type {string} */ link) => set({ link })} /></div>
      </div>
    </section>`;
}

/** @param {Part} props */
function Attributes({ fields, set }) {
  const id = useId();
  const change = (/** @type {number} */ at, /** @type {object} */ more) => set({ attributes: fields.attributes.map((/** @type {any} */ one, /** @type {number} */ number) => (number === at ? { ...one, ...more } : one)) });
  return html`
    <section class="stack">
      <h3>${t("product.attributes")}</h3>
      <datalist id=${id}>${NAMED.map((name) => html`<option key=${name} value=${name}>${t(`attribute.${name}`)}</option>`)}</datalist>
      ${fields.attributes.map((/** @type {any} */ one, /** @type {number} */ at) => html`
        <div key=${at} class="triple">
          <${Text} label=${t("product.attribute")} list=${id} value=${one.name} onInput=${(/** @type {string} */ name) => change(at, { name })} />
          <${Text} label=${t("product.valueEn")} value=${one.en} onInput=${(/** @type {string} */ en) => change(at, { en })} />
          <${Text} label=${t("product.valueZh")} value=${one.zh} onInput=${(/** @type {string} */ zh) => change(at, { zh })} />
          <button type="button" class="icon-button danger" aria-label=${t("product.removeAttribute", { name: tOr(`attribute.${one.name}`, one.name) })} onClick=${() => set({ attributes: fields.attributes.filter((/** @type {any} */ _, /** @type {number} */ number) => number !== at) })}><${Icon} name="close" /></button>
        </div>`)}
      <div><button type="button" class="button small" onClick=${() => set({ attributes: [...fields.attributes, { name: "", en: "", zh: "" }] })}><${Icon} name="plus" size=${15} />${t("product.addAttribute")}</button></div>
    </section>`;
}

/** @param {Part} props */
function Questions({ fields, set }) {
  const change = (/** @type {number} */ at, /** @type {object} */ more) => set({ questions: fields.questions.map((/** @type {any} */ one, /** @type {number} */ number) => (number === at ? { ...one, ...more } : one)) });
  const parts = [["questionEn", "question_en"], ["answerEn", "answer_en"], ["questionZh", "question_zh"], ["answerZh", "answer_zh"]];
  return html`
    <section class="stack">
      <h3>${t("product.questions")}</h3>
      ${fields.questions.map((/** @type {any} */ one, /** @type {number} */ at) => html`
        <div key=${at} class="question-fields">
          <div class="fields">${parts.map(([label, name]) => html`<${Text} key=${name} label=${t(`product.${label}`)} value=${one[name]} onInput=${(/** @type {string} */ text) => change(at, { [name]: text })} />`)}</div>
          <button type="button" class="icon-button danger" aria-label=${t("product.removeQuestion", { n: at + 1 })} onClick=${() => set({ questions: fields.questions.filter((/** @type {any} */ _, /** @type {number} */ number) => number !== at) })}><${Icon} name="close" /></button>
        </div>`)}
      <div><button type="button" class="button small" onClick=${() => set({ questions: [...fields.questions, { question_en: "", answer_en: "", question_zh: "", answer_zh: "" }] })}><${Icon} name="plus" size=${15} />${t("product.addQuestion")}</button></div>
    </section>`;
}
