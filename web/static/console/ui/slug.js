// @ts-check
/** Names that stand in addresses. */

export const ID = /^[a-z0-9][a-z0-9_-]{0,39}$/;

/**
 * Return a name for addresses out of a title, unlike those that are taken.
 *
 * @param {string} title
 * @param {string[]} taken
 * @param {string} otherwise where the title has no letter that may stand in one
 */
export function slug(title, taken, otherwise) {
  const letters = title.normalize("NFKD").toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 34);
  const base = letters || otherwise;
  let made = base;
  for (let count = 2; taken.includes(made); count++) made = `${base}-${count}`;
  return made;
}
