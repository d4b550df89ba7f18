// @ts-check
import { t } from "../words.js";

/**
 * What an item is called: by its own title, its product, or its kind.
 *
 * @param {{ id: string, title?: string, kind: string, product?: string | null }} item
 * @param {{ id: string, name: string }[]} products
 */
export function itemTitle(item, products) {
  const product = products.find(({ id }) => id === item.product)?.name;
  const own = [item.product, item.id].includes(item.title) ? "" : item.title;
  return own || product || item.product || t(`kind.${item.kind}`);
}
