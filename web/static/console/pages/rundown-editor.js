// @ts-check
import { api } from "../api.js";
import { html, useEffect, useMemo, useState } from "../html.js";
import { Icon } from "../icons.js";
import { go, guard, to } from "../router.js";
import { Conflict } from "../ui/conflict.js";
import { Confirm } from "../ui/dialog.js";
import { Choice, Switch, Text } from "../ui/fields.js";
import { Loading, useLoaded } from "../ui/load.js";
import { attempt, complaint, toast } from "../ui/toasts.js";
import { inTongue, t } from "../words.js";
import { ItemEditor } from "./item-editor.js";
import { ItemList } from "./item-list.js";
import { fromFields, newItem, toFields } from "./rundown-fields.js";

const CHECK_AFTER_MS = 500;
const ONE_COLUMN = "(max-width: 859.98px)";

/** A rundown: its items at the left, the chosen one at the right. @param {{ id: string }} props */
export function RundownEditor({ id }) {
  const loaded = useLoaded(() => Promise.all([api.tagged(`v1/rundowns/${id}`), api.list("v1/shops")]), [id]);
  if (!loaded.value) return html`<div class="page"><${Loading} of=${loaded} /></div>`;
  const [{ document, etag }, shops] = loaded.value;
  return html`<${Editor} key=${etag} id=${id} old=${document} etag=${etag} shops=${shops} onReload=${loaded.reload} />`;
}

/** @param {{ id: string, old: any, etag: string | null, shops: any[], onReload: () => Promise<void> }} props */
function Editor({ id, old, etag, shops, onReload }) {
  const before = useMemo(() => toFields(old), []);
  const [fields, setFields] = useState(before);
  const [tag, setTag] = useState(etag);
  const [kept, setKept] = useState(before);
  const [chosen, setChosen] = useState(before.items[0]?.id ?? "");
  const [ask, setAsk] = useState("");
  const dirty = fields !== kept;
  const problems = useChecked(fields);
  const { shop, setShop, products } = useProducts(fields, shops);
  useGuard(dirty);
  const set = (/** @type {object} */ change) => setFields((/** @type {any} */ now) => ({ ...now, ...change }));
  const setItem = (/** @type {object} */ change) => set({ items: fields.items.map((/** @type {any} */ item) => (item.id === chosen ? { ...item, ...change } : item)) });
  const save = async (/** @type {string | null} */ under) => {
    try {
      const response = await api.send("PUT", `v1/rundowns/${id}`, { body: JSON.stringify(fromFields(fields)), headers: { "Content-Type": "application/json", ...(under && { "If-Match": under }) } });
      setTag(response.headers.get("ETag"));
      setKept(fields);
      toast(t("rundowns.saved"));
    } catch (error) {
      if (/** @type {any} */ (error).status === 412) setAsk("conflict");
      else toast(complaint(error), "wrong");
    }
  };
  const choose = (/** @type {string} */ item) => {
    setChosen(item);
    // In one column the item is far below the list.
    if (matchMedia(ONE_COLUMN).matches) requestAnimationFrame(() => document.querySelector(".item-editor")?.scrollIntoView({ block: "start" }));
  };
  const add = () => {
    const item = newItem(fields.items);
    set({ items: [...fields.items, item] });
    choose(item.id);
  };
  const item = fields.items.find((/** @type {any} */ one) => one.id === chosen);
  return html`
    <form class="page editor" onSubmit=${(/** @type {Event} */ event) => { event.preventDefault(); void save(tag); }}>
      <header class="page-head">
        <div class="page-title"><a class="crumb" href=${to("rundowns")}><${Icon} name="back" size=${15} />${t("place.rundowns")}</a><h1>${fields.title || old.title}</h1></div>
        <${Checked} problems=${problems} dirty=${dirty} />
        <button type="button" class="icon-button danger" aria-label=${t("rundowns.delete")} title=${t("rundowns.delete")} onClick=${() => setAsk("delete")}><${Icon} name="trash" /></button>
        <button type="submit" class="button primary" disabled=${!dirty}>${t("save")}</button>
      </header>
      <section class="panel panel-pad fields editor-head">
        <${Text} label=${t("rundowns.title")} value=${fields.title} required maxlength="80" onInput=${(/** @type {string} */ title) => set({ title })} />
        <${Choice} label=${t("rundowns.language")} value=${fields.language} onChange=${(/** @type {string} */ language) => set({ language })} options=${[["en", t("english")], ["zh", t("mandarin")]]} />
        <${Choice} label=${t("editor.shop")} value=${shop} onChange=${setShop} options=${shops.map((one) => [one.id, inTongue(one.name)])} />
        <div class="field switch-field"><${Switch} label=${t("rundowns.loops")} checked=${fields.loops} onChange=${(/** @type {boolean} */ loops) => set({ loops })} /></div>
      </section>
      <div class="editor-parts">
        <${ItemList} items=${fields.items} products=${products} problems=${problems ?? []} chosen=${chosen} onChoose=${choose} onAdd=${add} onItems=${(/** @type {any[]} */ items) => set({ items })} />
        ${item ? html`<${ItemEditor} key=${chosen} item=${item} products=${products} problems=${(problems ?? []).filter((problem) => problem.item === chosen)} onChange=${setItem} />` : html`<div class="panel empty" />`}
      </div>
      ${ask === "conflict" && html`<${Conflict} onClose=${() => setAsk("")} onReload=${onReload} onOverwrite=${() => save(null)} />`}
      ${ask === "delete" && html`<${Confirm} title=${t("rundowns.delete")} text=${t("rundowns.deleteSure")} action=${t("delete")} onClose=${() => setAsk("")}
        onConfirm=${async () => { if (await attempt(() => api.change("DELETE", `v1/rundowns/${id}`), t("rundowns.deleted"))) { guard.leave = null; go("rundowns"); } }} />`}
    </form>`;
}

/** @param {{ problems: any[] | null, dirty: boolean }} props */
function Checked({ problems, dirty }) {
  const kind = problems?.length ? "bad" : problems ? "good" : "";
  const words = !problems ? t("editor.checking") : problems.length ? t("editor.problems", { n: problems.length }) : t("editor.clean");
  return html`<span class="row" role="status">${dirty && html`<span class="mark" data-kind="wait">${t("editor.unsaved")}</span>`}<span class="mark" data-kind=${kind}>${words}</span></span>`;
}

/** What the server finds wrong, a moment after the last key; null while it is being asked. @param {any} fields */
function useChecked(fields) {
  const [problems, setProblems] = useState(/** @type {any[] | null} */ (null));
  useEffect(() => {
    let gone = false;
    setProblems((before) => before);
    const timer = setTimeout(async () => {
      const found = await api.change("POST", "v1/rundowns/check", fromFields(fields)).then((answer) => answer.problems)
        .catch((error) => (error.status === 404 || error.status === 405 ? [] : [{ item: null, sentence: null, message: complaint(error) }]));
      if (!gone) setProblems(found);
    }, CHECK_AFTER_MS);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [fields]);
  return problems;
}

/** The products that items may show: of the shop that has those they show already. @param {any} fields @param {any[]} shops */
function useProducts(fields, shops) {
  const [shop, setShop] = useState(shops[0]?.id ?? "");
  const used = fields.items.map((/** @type {any} */ item) => item.product).filter(Boolean);
  const all = useLoaded(async () => Object.fromEntries(await Promise.all(shops.map(async (one) => [one.id, await api.list(`v1/shops/${one.id}/products`)]))), []);
  useEffect(() => {
    const holds = (/** @type {string} */ id) => used.filter((/** @type {string} */ product) => all.value?.[id].some((/** @type {any} */ one) => one.id === product)).length;
    if (all.value) setShop([...shops].sort((one, other) => holds(other.id) - holds(one.id))[0]?.id ?? "");
  }, [all.value]);
  return { shop, setShop, products: all.value?.[shop] ?? [] };
}

/** What is not saved is not lost by a stray click. @param {boolean} dirty */
function useGuard(dirty) {
  useEffect(() => {
    guard.leave = dirty ? () => confirm(t("leave")) : null;
    const stay = (/** @type {BeforeUnloadEvent} */ event) => dirty && event.preventDefault();
    window.addEventListener("beforeunload", stay);
    return () => window.removeEventListener("beforeunload", stay);
  }, [dirty]);
}
