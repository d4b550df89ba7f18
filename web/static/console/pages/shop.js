// @ts-check
import { api } from "../api.js";
import { money, number } from "../format.js";
import { html, useRef, useState } from "../html.js";
import { Icon } from "../icons.js";
import { useKeys } from "../keys.js";
import { go, to } from "../router.js";
import { Confirm } from "../ui/dialog.js";
import { Loading, useLoaded } from "../ui/load.js";
import { Picture } from "../ui/picture.js";
import { Tabs } from "../ui/tabs.js";
import { attempt } from "../ui/toasts.js";
import { inTongue, t } from "../words.js";
import { ImportDialog } from "./import-dialog.js";
import { ProductForm } from "./product-form.js";
import { ShopRules } from "./shop-rules.js";

/** One shop: its products, and what holds for all of them. @param {{ id: string }} props */
export function ShopPage({ id }) {
  const shop = useLoaded(() => api.tagged(`v1/shops/${id}`), [id]);
  const [tab, setTab] = useState("products");
  const [open, setOpen] = useState(/** @type {{ kind: string, product?: any } | null} */ (null));
  const close = () => setOpen(null);
  if (!shop.value) return html`<div class="page"><${Loading} of=${shop} /></div>`;
  const { document, etag } = shop.value;
  return html`
    <div class="page">
      <header class="page-head">
        <div class="page-title"><a class="crumb" href=${to("shops")}><${Icon} name="back" size=${15} />${t("place.shops")}</a><h1>${inTongue(document.name)}</h1></div>
        <button type="button" class="icon-button danger" aria-label=${t("shops.delete")} title=${t("shops.delete")} onClick=${() => setOpen({ kind: "delete" })}><${Icon} name="trash" /></button>
        <button type="button" class="button" onClick=${() => setOpen({ kind: "import" })}><${Icon} name="upload" />${t("shop.import")}</button>
        <button type="button" class="button primary" onClick=${() => setOpen({ kind: "product" })}><${Icon} name="plus" />${t("shop.addProduct")}</button>
      </header>
      <${Tabs} label=${t("shop.tabs")} value=${tab} onChange=${setTab} tabs=${[["products", t("shop.products"), document.products?.length], ["rules", t("shop.policies")]]}>
        ${tab === "products" ? html`<${Products} shop=${document} onOpen=${setOpen} />` : html`<${ShopRules} key=${etag} shop=${document} etag=${etag} onSaved=${shop.reload} />`}
      <//>
      ${open?.kind === "import" && html`<${ImportDialog} shop=${id} onClose=${close} onDone=${shop.reload} />`}
      ${open?.kind === "product" && html`<${ProductForm} shop=${document} product=${open.product} onClose=${close} onSaved=${shop.reload} />`}
      ${open?.kind === "remove" && html`<${Confirm} title=${t("shop.deleteProduct", { name: inTongue(open.product.name) })} text=${t("shop.deleteProductSure")} action=${t("delete")} onClose=${close}
        onConfirm=${async () => void (await attempt(() => api.change("DELETE", `v1/shops/${id}/products/${open.product.id}`), t("shop.productDeleted")), await shop.reload())} />`}
      ${open?.kind === "delete" && html`<${Confirm} title=${t("shops.delete")} text=${t("shops.deleteSure")} action=${t("delete")} onClose=${close}
        onConfirm=${async () => void ((await attempt(() => api.change("DELETE", `v1/shops/${id}`), t("shops.deleted"))) && go("shops"))} />`}
    </div>`;
}

/** @param {{ shop: any, onOpen: (what: any) => void }} props */
function Products({ shop, onOpen }) {
  const [query, setQuery] = useState("");
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));
  useKeys({ "/": () => field.current?.focus() });
  const products = shop.products ?? [];
  const wanted = query.trim().toLowerCase();
  const found = products.filter((/** @type {any} */ product) => !wanted || [product.id, product.category, ...Object.values(product.name)].some((text) => text?.toLowerCase().includes(wanted)));
  if (!products.length) return html`<div class="empty"><p>${t("shop.noProducts")}</p></div>`;
  return html`
    <div class="stack tab-body">
      <div class="with-icon search-field"><${Icon} name="search" /><input class="input" type="search" ref=${field} aria-label=${t("shop.searchProducts")} placeholder=${t("shop.searchProducts")} value=${query} onInput=${(/** @type {any} */ event) => setQuery(event.currentTarget.value)} /></div>
      ${found.length ? html`
        <div class="panel table-box" tabindex="0" role="region" aria-label=${t("shop.products")}>
          <table class="goods catalogue">
            <thead><tr><th scope="col">${t("products.product")}</th><th scope="col" class="few">${t("shop.category")}</th><th scope="col" class="right">${t("products.price")}</th><th scope="col" class="right">${t("products.offer")}</th><th scope="col" class="right">${t("products.stock")}</th><th scope="col"><span class="unseen">${t("products.actions")}</span></th></tr></thead>
            <tbody>${found.map((/** @type {any} */ product) => html`<${Row} key=${product.id} shop=${shop.id} product=${product} onOpen=${onOpen} />`)}</tbody>
          </table>
        </div>` : html`<p class="empty">${t("shop.noMatch")}</p>`}
    </div>`;
}

/** @param {{ shop: string, product: any, onOpen: (what: any) => void }} props */
function Row({ shop, product, onOpen }) {
  const { id, currency = "USD", offer, stock } = product;
  const name = inTongue(product.name);
  return html`
    <tr>
      <th scope="row"><div class="goods-name">
        <span class="goods-face"><${Picture} path=${product.picture ? `v1/shops/${shop}/products/${id}/picture` : null} version=${product.picture} icon="catalogue" /></span>
        <span class="stack tight"><button type="button" class="as-link clip" onClick=${() => onOpen({ kind: "product", product })}>${name}</button><small class="soft clip">${id}</small></span>
      </div></th>
      <td class="few soft">${product.category}</td>
      <td class="right figure">${money(product.price, currency)}${product.list_price && html` <s class="soft">${money(product.list_price, currency)}</s>`}</td>
      <td class="right figure">${offer ? html`<span class="offer-price">${money(offer.price, currency)}</span>` : html`<span class="soft">–</span>`}</td>
      <td class="right figure">${stock === 0 ? html`<span class="mark" data-kind="bad">${t("products.soldOut")}</span>` : stock === undefined ? html`<span class="soft">–</span>` : number(stock)}</td>
      <td><div class="row goods-actions">
        <button type="button" class="icon-button small" aria-label=${t("shop.editProduct", { name })} title=${t("edit")} onClick=${() => onOpen({ kind: "product", product })}><${Icon} name="edit" size=${16} /></button>
        <button type="button" class="icon-button small danger" aria-label=${t("shop.deleteProduct", { name })} title=${t("delete")} onClick=${() => onOpen({ kind: "remove", product })}><${Icon} name="trash" size=${16} /></button>
      </div></td>
    </tr>`;
}
