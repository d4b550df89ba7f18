// @ts-check
import { api } from "../api.js";
import { money } from "../format.js";
import { classes, html, useRef, useState } from "../html.js";
import { Icon } from "../icons.js";
import { to } from "../router.js";
import { Picture } from "../ui/picture.js";
import { useTakingTurns } from "../ui/taking-turns.js";
import { attempt } from "../ui/toasts.js";
import { t } from "../words.js";
import { tell } from "./command.js";
import { useRoom } from "./use-room.js";

/** What is sold, with what may be changed while it is spoken of. @param {import("./command.js").RoomProps} props */
export function ProductsPanel({ room, feed }) {
  const shop = useRoom(feed, (state) => state.room.shop);
  const products = useRoom(feed, (state) => state.products);
  const pinned = useRoom(feed, (state) => state.pinned);
  const live = useRoom(feed, (state) => state.status === "on_air");
  return html`
    <section class="panel room-panel" aria-labelledby="products-title">
      <header class="panel-head">
        <h2 id="products-title">${t("tab.products")}</h2>
        <a class="icon-button small" href=${to("shops", shop)} aria-label=${t("products.edit")} title=${t("products.edit")}><${Icon} name="edit" size=${16} /></a>
      </header>
      <div class="panel-scroll" tabindex="0" role="region" aria-labelledby="products-title">
        ${products.length ? html`<${Table} room=${room} shop=${shop} products=${products} pinned=${pinned} live=${live} />` : html`<p class="empty">${t("products.none")}</p>`}
      </div>
    </section>`;
}

/** @param {{ room: string, shop: string, products: any[], pinned: string | null, live: boolean }} props */
function Table({ room, shop, products, pinned, live }) {
  return html`
    <table class="goods">
      <thead><tr>
        <th scope="col">${t("products.product")}</th>
        <th scope="col" class="right">${t("products.price")}</th>
        <th scope="col" class="right">${t("products.offer")}</th>
        <th scope="col" class="right">${t("products.stock")}</th>
        <th scope="col" class="right few"><abbr title=${t("products.clicks")}>${t("products.clicks")}</abbr></th>
        <th scope="col" class="right">${t("products.orders")}</th>
        <th scope="col"><span class="unseen">${t("products.actions")}</span></th>
      </tr></thead>
      <tbody>${products.map((product) => html`<${Row} key=${product.id} room=${room} shop=${shop} product=${product} pinned=${product.id === pinned} live=${live} />`)}</tbody>
    </table>`;
}

/** @param {{ room: string, shop: string, product: any, pinned: boolean, live: boolean }} props */
function Row({ room, shop, product, pinned, live }) {
  const { id, name, currency } = product;
  const path = `v1/shops/${shop}/products/${id}`;
  const patch = (/** @type {object} */ fields) => attempt(() => api.change("PATCH", path, fields), t("products.changed"));
  return html`
    <tr class=${classes(product.on_air && "here")}>
      <th scope="row">
        <div class="goods-name">
          <span class="goods-face"><${Picture} path=${product.picture ? `${path}/picture` : null} icon="catalogue" /></span>
          <span class="stack tight"><b class="clip" title=${name}>${name}</b>
            <span class="row">${product.on_air && html`<span class="mark" data-kind="good">${t("products.onAir")}</span>`}${pinned && html`<span class="mark">${t("products.pinned")}</span>`}${product.stock === 0 && html`<span class="mark" data-kind="bad">${t("products.soldOut")}</span>`}</span>
          </span>
        </div>
      </th>
      <td class="right"><${Inline} label=${t("products.priceOf", { name })} value=${product.price ?? ""} shown=${money(product.price, currency)} onSave=${(/** @type {string} */ price) => patch({ price: price || null })} /></td>
      <td class="right">${product.offer_price ? html`<span class="figure offer-price">${money(product.offer_price, currency)}</span>` : html`<span class="soft">–</span>`}</td>
      <td class="right"><${Inline} label=${t("products.stockOf", { name })} value=${product.stock === null ? "" : String(product.stock)} shown=${product.stock === null ? "–" : String(product.stock)} whole
        onSave=${(/** @type {string} */ stock) => patch({ stock: stock === "" ? null : Number(stock) })} /></td>
      <td class="right figure few">${product.clicks}</td>
      <td class="right figure">${product.orders}</td>
      <td><div class="row goods-actions">
        <button type="button" class="icon-button small" disabled=${!live || !product.offer_price} aria-label=${t("products.announce", { name })} title=${t("products.announce", { name })}
          onClick=${() => tell(room, { type: "offer", product: id })}><${Icon} name="offer" size=${16} /></button>
        <button type="button" class="icon-button small" disabled=${!live} aria-pressed=${pinned ? "true" : "false"} aria-label=${t(pinned ? "products.unpin" : "products.pin", { name })} title=${t(pinned ? "products.unpin" : "products.pin", { name })}
          onClick=${() => tell(room, pinned ? { type: "unpin" } : { type: "pin", product: id })}><${Icon} name="pin" size=${16} /></button>
      </div></td>
    </tr>`;
}

/**
 * A figure that becomes a field when it is pressed; Enter or leaving it saves, Escape does not.
 *
 * @param {{ label: string, value: string, shown: string, onSave: (value: string) => void, whole?: boolean }} props
 */
function Inline({ label, value, shown, onSave, whole = false }) {
  const [draft, setDraft] = useState(/** @type {string | null} */ (null));
  const { button, field } = useTakingTurns(draft !== null);
  const left = useRef(false);
  const open = () => {
    left.current = false;
    setDraft(value);
  };
  if (draft === null) {
    return html`<button type="button" class="inline-figure figure" aria-label="${label}: ${shown}" ref=${button} onClick=${open}>${shown}</button>`;
  }
  const save = () => {
    if (left.current) return; // the field that goes loses the focus too
    left.current = true;
    setDraft(null);
    if (draft.trim() !== value) onSave(draft.trim());
  };
  const key = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === "Enter") save();
    if (event.key === "Escape") {
      left.current = true;
      setDraft(null);
    }
  };
  return html`<input class="input figure inline-input" aria-label=${label} inputmode=${whole ? "numeric" : "decimal"} pattern=${whole ? "[0-9]*" : "[0-9.]*"} value=${draft} ref=${field}
    onInput=${(/** @type {any} */ event) => setDraft(event.currentTarget.value)} onBlur=${save} onKeyDown=${key} />`;
}
