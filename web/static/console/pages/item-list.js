// @ts-check
import { seconds } from "../format.js";
import { classes, html, useState } from "../html.js";
import { Icon } from "../icons.js";
import { inTongue, t } from "../words.js";
import { moved } from "./rundown-fields.js";

/** @param {any} item @param {any[]} products */
export const titleOf = (item, products) => inTongue(products.find(({ id }) => id === item.product)?.name) || item.product || t(`kind.${item.kind}`);

/**
 * Items in order; they are moved by dragging, or with their buttons.
 *
 * @param {{ items: any[], products: any[], problems: any[], chosen: string, onChoose: (id: string) => void, onAdd: () => void, onItems: (items: any[]) => void }} props
 */
export function ItemList({ items, products, problems, chosen, onChoose, onAdd, onItems }) {
  const [dragged, setDragged] = useState(-1);
  const [over, setOver] = useState(-1);
  const [told, setTold] = useState("");
  const move = (/** @type {number} */ from, /** @type {number} */ at) => {
    if (at < 0 || at >= items.length || from === at) return;
    onItems(moved(items, from, at));
    setTold(t("editor.moved", { title: titleOf(items[from], products), n: at + 1 }));
  };
  const remove = (/** @type {any} */ item) => {
    const left = items.filter((one) => one !== item);
    onItems(left);
    if (item.id === chosen) onChoose(left[0]?.id ?? "");
  };
  return html`
    <section class="panel item-list" aria-labelledby="items-title">
      <header class="panel-head"><h2 id="items-title">${t("editor.items")}</h2><button type="button" class="button small" onClick=${onAdd}><${Icon} name="plus" size=${15} />${t("editor.addItem")}</button></header>
      <p class="unseen" role="status">${told}</p>
      <ol class="items">
        ${items.map((item, at) => {
          const title = titleOf(item, products);
          const wrong = problems.filter((problem) => problem.item === item.id).length;
          return html`
            <li key=${item.id} class=${classes("item", item.id === chosen && "here", over === at && dragged !== at && "drop-here")} draggable
              onDragStart=${() => setDragged(at)} onDragEnd=${() => { setDragged(-1); setOver(-1); }}
              onDragOver=${(/** @type {DragEvent} */ event) => { event.preventDefault(); setOver(at); }} onDrop=${(/** @type {DragEvent} */ event) => { event.preventDefault(); move(dragged, at); }}>
              <span class="grip" title=${t("editor.drag")}><${Icon} name="grip" size=${16} /></span>
              <button type="button" class="item-choice" aria-current=${item.id === chosen ? "true" : null} onClick=${() => onChoose(item.id)}>
                <span class="item-number figure">${at + 1}</span>
                <span class="item-words"><b class="clip">${title}</b><small class="soft">${t(`kind.${item.kind}`)} · ${item.duration ? seconds(Number(item.duration), 0) : t("rundown.free")}</small></span>
                ${wrong > 0 && html`<span class="mark" data-kind="bad">${t("editor.problems", { n: wrong })}</span>`}
              </button>
              <button type="button" class="icon-button small" disabled=${at === 0} aria-label=${t("editor.up", { title })} onClick=${() => move(at, at - 1)}><${Icon} name="up" size=${16} /></button>
              <button type="button" class="icon-button small" disabled=${at === items.length - 1} aria-label=${t("editor.down", { title })} onClick=${() => move(at, at + 1)}><${Icon} name="down" size=${16} /></button>
              <button type="button" class="icon-button small danger" disabled=${items.length === 1} aria-label=${t("editor.remove", { title })} onClick=${() => remove(item)}><${Icon} name="close" size=${15} /></button>
            </li>`;
        })}
      </ol>
    </section>`;
}
