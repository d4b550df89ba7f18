// @ts-check
import { api } from "../api.js";
import { html, useId, useState } from "../html.js";
import { Icon } from "../icons.js";
import { go, to } from "../router.js";
import { Dialog } from "../ui/dialog.js";
import { Text } from "../ui/fields.js";
import { Loading, useLoaded } from "../ui/load.js";
import { slug } from "../ui/slug.js";
import { attempt } from "../ui/toasts.js";
import { inTongue, t } from "../words.js";
import { ShopPage } from "./shop.js";

/** The shops; with a name in the address, that one. @param {{ here: import("../router.js").Place }} props */
export default function Shops({ here }) {
  const [shop] = here.parts;
  return shop ? html`<${ShopPage} id=${shop} />` : html`<${ShopList} />`;
}

function ShopList() {
  const shops = useLoaded(() => api.list("v1/shops"), []);
  const [creating, setCreating] = useState(false);
  return html`
    <div class="page">
      <header class="page-head">
        <div class="page-title"><h1>${t("place.shops")}</h1><p>${t("shops.lead")}</p></div>
        <button type="button" class="button primary" onClick=${() => setCreating(true)}><${Icon} name="plus" />${t("shops.new")}</button>
      </header>
      ${!shops.value ? html`<${Loading} of=${shops} />` : shops.value.length === 0 ? html`<div class="empty panel"><p>${t("shops.none")}</p></div>` : html`
        <ul class="panel lines">
          ${shops.value.map((shop) => html`
            <li key=${shop.id}><a class="line" href=${to("shops", shop.id)}>
              <span class="line-mark"><${Icon} name="catalogue" /></span>
              <span class="grow"><b>${inTongue(shop.name)}</b><small class="soft">${shop.id}</small></span>
              <span class="soft">${t("shops.count", { n: shop.products })}</span><${Icon} name="forward" />
            </a></li>`)}
        </ul>`}
      ${creating && html`<${NewShop} taken=${(shops.value ?? []).map((shop) => shop.id)} onClose=${() => setCreating(false)} />`}
    </div>`;
}

/** @param {{ taken: string[], onClose: () => void }} props */
function NewShop({ taken, onClose }) {
  const form = useId();
  const [name, setName] = useState({ en: "", zh: "" });
  const [wrong, setWrong] = useState("");
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const given = Object.fromEntries(Object.entries(name).map(([key, text]) => [key, text.trim()]).filter(([, text]) => text));
    if (!Object.keys(given).length) return setWrong(t("shops.nameWrong"));
    const id = slug(name.en, taken, "shop");
    if (await attempt(() => api.change("POST", "v1/shops", { id, name: given }), t("shops.created"))) go("shops", id);
    return undefined;
  };
  return html`
    <${Dialog} title=${t("shops.new")} onClose=${onClose} footer=${html`
      <button type="button" class="button" onClick=${onClose}>${t("cancel")}</button>
      <button type="submit" class="button primary" form=${form}>${t("create")}</button>`}>
      <form id=${form} class="stack" onSubmit=${submit}>
        <${Text} label=${t("shops.nameEn")} value=${name.en} wrong=${wrong} maxlength="80" onInput=${(/** @type {string} */ en) => setName({ ...name, en })} />
        <${Text} label=${t("shops.nameZh")} value=${name.zh} maxlength="80" onInput=${(/** @type {string} */ zh) => setName({ ...name, zh })} />
      </form>
    <//>`;
}
