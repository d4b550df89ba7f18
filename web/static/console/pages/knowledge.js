// @ts-check
import { api } from "../api.js";
import { languageName } from "../format.js";
import { html, useEffect, useId, useRef, useState } from "../html.js";
import { Icon } from "../icons.js";
import { useKeys } from "../keys.js";
import { Confirm, Dialog } from "../ui/dialog.js";
import { Choice, Segments, Text } from "../ui/fields.js";
import { Loading, useLoaded } from "../ui/load.js";
import { slug } from "../ui/slug.js";
import { attempt } from "../ui/toasts.js";
import { t } from "../words.js";

const COLLECTIONS = ["products", "styling", "craft", "cases"];
const PAGE = 30;
const SEARCH_AFTER_MS = 300;

/** The four collections: searched by words and meaning, each find with what it cites. */
export default function Knowledge() {
  const [collection, setCollection] = useState("products");
  const [typed, setTyped] = useState("");
  const [query, setQuery] = useState("");
  const [limit, setLimit] = useState(PAGE);
  const [open, setOpen] = useState(/** @type {{ kind: string, document?: any } | null} */ (null));
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));
  useKeys({ "/": () => field.current?.focus() });
  useEffect(() => {
    const timer = setTimeout(() => setQuery(typed.trim()), SEARCH_AFTER_MS);
    return () => clearTimeout(timer);
  }, [typed]);
  const path = `v1/knowledge/${collection}`;
  const found = useLoaded(() => api.list(`${path}?limit=${limit}&query=${encodeURIComponent(query)}`), [collection, query, limit]);
  const bring = (/** @type {File} */ file) => {
    const form = new FormData();
    form.set("file", file);
    let told = "";
    return attempt(async () => void (told = outcome(await api.change("POST", `${path}/import`, form)))).then((done) => { if (done) void attempt(async () => found.reload(), told); });
  };
  return html`
    <div class="page">
      <header class="page-head">
        <div class="page-title"><h1>${t("place.knowledge")}</h1><p>${t("knowledge.lead")}</p></div>
        <${ImportButton} onFile=${bring} />
        <button type="button" class="button primary" onClick=${() => setOpen({ kind: "edit" })}><${Icon} name="plus" />${t("knowledge.add")}</button>
      </header>
      <div class="row wrap">
        <${Segments} label=${t("knowledge.collection")} value=${collection} onChange=${setCollection} options=${COLLECTIONS.map((name) => [name, t(`collection.${name}`)])} />
        <div class="with-icon search-field"><${Icon} name="search" /><input class="input" type="search" ref=${field} aria-label=${t("knowledge.search")} placeholder=${t("knowledge.search")} value=${typed} onInput=${(/** @type {any} */ event) => setTyped(event.currentTarget.value)} /></div>
      </div>
      ${!found.value ? html`<${Loading} of=${found} />` : found.value.length === 0 ? html`<div class="empty panel"><p>${t(query ? "knowledge.noMatch" : "knowledge.none")}</p></div>` : html`
        <ul class="panel lines">${found.value.map((document) => html`<${Found} key=${document.id} document=${document} onOpen=${setOpen} />`)}</ul>
        ${found.value.length >= limit && !query && html`<div class="row"><button type="button" class="button" onClick=${() => setLimit(limit + PAGE)}>${t("knowledge.more")}</button></div>`}`}
      ${open?.kind === "edit" && html`<${DocumentForm} collection=${collection} old=${open.document} onClose=${() => setOpen(null)} onSaved=${found.reload} />`}
      ${open?.kind === "delete" && html`<${Confirm} title=${open.document.title} text=${t("knowledge.deleteSure")} action=${t("delete")} onClose=${() => setOpen(null)}
        onConfirm=${async () => void ((await attempt(() => api.change("DELETE", `${path}/${open.document.id}`), t("knowledge.deleted"))) && (await found.reload()))} />`}
    </div>`;
}

/** What an import brought, and the first thing it did not take. @param {{ imported: number, problems: { row: number, message: string }[] }} result */
function outcome({ imported, problems: [first, ...others] }) {
  const taken = t("knowledge.imported", { n: imported });
  return first ? `${taken} · ${t("import.problems", { n: 1 + others.length })}: ${t("knowledge.row", { n: first.row })}, ${first.message}` : taken;
}

/** @param {{ onFile: (file: File) => void }} props */
function ImportButton({ onFile }) {
  const id = useId();
  return html`
    <span class="file-button">
      <input id=${id} class="unseen" type="file" accept=".md,.markdown,.txt,.pdf,.csv,.tsv,.xlsx" onChange=${(/** @type {any} */ event) => { const [file] = event.currentTarget.files; event.currentTarget.value = ""; if (file) onFile(file); }} />
      <label class="button" for=${id} title=${t("knowledge.importHint")}><${Icon} name="upload" />${t("knowledge.import")}</label>
    </span>`;
}

/** @param {{ document: any, onOpen: (what: any) => void }} props */
function Found({ document, onOpen }) {
  const { title, text, passage, citation, language, source } = document;
  const how = citation ? t(document.by_words ? "knowledge.byWords" : "knowledge.byMeaning") : "";
  return html`
    <li class="line top">
      <div class="grow">
        <button type="button" class="as-link" onClick=${() => onOpen({ kind: "edit", document })}>${title}</button>
        <p class="passage" dir="auto">${passage ?? text}</p>
        <small class="soft">${[languageName(language), citation?.text ?? source, how].filter(Boolean).join(" · ")}</small>
      </div>
      <button type="button" class="icon-button small" aria-label="${t("edit")}: ${title}" title=${t("edit")} onClick=${() => onOpen({ kind: "edit", document })}><${Icon} name="edit" size=${16} /></button>
      <button type="button" class="icon-button small danger" aria-label="${t("delete")}: ${title}" title=${t("delete")} onClick=${() => onOpen({ kind: "delete", document })}><${Icon} name="trash" size=${16} /></button>
    </li>`;
}

/** @param {{ collection: string, old?: any, onClose: () => void, onSaved: () => void }} props */
function DocumentForm({ collection, old, onClose, onSaved }) {
  const form = useId();
  const [fields, setFields] = useState({ title: old?.title ?? "", text: old?.text ?? "", language: old?.language ?? "en", source: old?.source ?? "" });
  const set = (/** @type {object} */ change) => setFields({ ...fields, ...change });
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const id = old?.id ?? `${slug(fields.title, [], "document")}-${Date.now().toString(36)}`;
    const { passage, score, by_words, citation, ...rest } = old ?? {};
    const done = await attempt(() => api.change("PUT", `v1/knowledge/${collection}/${id}`, { ...rest, id, ...fields }), t("saved"));
    if (!done) return;
    onSaved();
    onClose();
  };
  return html`
    <${Dialog} title=${t(old ? "knowledge.edit" : "knowledge.new")} onClose=${onClose} footer=${html`
      <button type="button" class="button" onClick=${onClose}>${t("cancel")}</button>
      <button type="submit" class="button primary" form=${form}>${t("save")}</button>`}>
      <form id=${form} class="stack" onSubmit=${submit}>
        <${Text} label=${t("knowledge.title")} value=${fields.title} required maxlength="200" onInput=${(/** @type {string} */ title) => set({ title })} />
        <${Text} label=${t("knowledge.text")} rows=${9} value=${fields.text} required onInput=${(/** @type {string} */ text) => set({ text })} />
        <div class="fields">
          <${Choice} label=${t("knowledge.language")} value=${fields.language} onChange=${(/** @type {string} */ language) => set({ language })} options=${[["en", t("english")], ["zh", t("mandarin")]]} />
          <${Text} label=${t("knowledge.source")} value=${fields.source} maxlength="200" onInput=${(/** @type {string} */ source) => set({ source })} />
        </div>
      </form>
    <//>`;
}
