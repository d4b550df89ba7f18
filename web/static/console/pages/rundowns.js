// @ts-check
import { api } from "../api.js";
import { languageName } from "../format.js";
import { html, useId, useState } from "../html.js";
import { Icon } from "../icons.js";
import { go, to } from "../router.js";
import { Dialog } from "../ui/dialog.js";
import { Choice, Segments, Text } from "../ui/fields.js";
import { Loading, useLoaded } from "../ui/load.js";
import { slug } from "../ui/slug.js";
import { attempt } from "../ui/toasts.js";
import { inTongue, t } from "../words.js";
import { RundownEditor } from "./rundown-editor.js";

/** The rundowns; with a name in the address, that one. @param {{ here: import("../router.js").Place }} props */
export default function Rundowns({ here }) {
  const [rundown] = here.parts;
  return rundown ? html`<${RundownEditor} id=${rundown} />` : html`<${RundownList} />`;
}

function RundownList() {
  const loaded = useLoaded(() => Promise.all([api.list("v1/rundowns"), api.list("v1/shops")]), []);
  const [open, setOpen] = useState("");
  const [rundowns, shops] = loaded.value ?? [[], []];
  return html`
    <div class="page">
      <header class="page-head">
        <div class="page-title"><h1>${t("place.rundowns")}</h1><p>${t("rundowns.lead")}</p></div>
        <button type="button" class="button" onClick=${() => setOpen("new")}><${Icon} name="plus" />${t("rundowns.new")}</button>
        <button type="button" class="button primary" disabled=${!shops.length} onClick=${() => setOpen("draft")}><${Icon} name="wand" />${t("rundowns.draft")}</button>
      </header>
      ${!loaded.value ? html`<${Loading} of=${loaded} />` : rundowns.length === 0 ? html`<div class="empty panel"><p>${t("rundowns.none")}</p></div>` : html`
        <ul class="panel lines">
          ${rundowns.map((rundown) => html`
            <li key=${rundown.id}><a class="line" href=${to("rundowns", rundown.id)}>
              <span class="line-mark"><${Icon} name="rundown" /></span>
              <span class="grow"><b>${rundown.title}</b><small class="soft">${languageName(rundown.language)}</small></span>
              <span class="soft">${t("rundowns.count", { n: rundown.items })}</span><${Icon} name="forward" />
            </a></li>`)}
        </ul>`}
      ${open && html`<${NewRundown} kind=${open} shops=${shops} taken=${rundowns.map((one) => one.id)} onClose=${() => setOpen("")} />`}
    </div>`;
}

/** @param {{ kind: string, shops: any[], taken: string[], onClose: () => void }} props */
function NewRundown({ kind, shops, taken, onClose }) {
  const form = useId();
  const [fields, setFields] = useState({ title: "", shop: shops[0]?.id ?? "", language: "en" });
  const [busy, setBusy] = useState(false);
  const make = async () => {
    const title = fields.title.trim() || t("rundowns.new");
    if (kind === "draft") return api.change("POST", "v1/rundowns/draft", { ...fields, title });
    const item = { id: "opening", kind: "opening", brief: t("kind.opening") };
    return api.change("POST", "v1/rundowns", { id: slug(title, taken, "rundown"), title, language: fields.language, loops: true, items: [item] });
  };
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    setBusy(true);
    await attempt(async () => go("rundowns", (await make()).id), kind === "draft" ? t("rundowns.drafted") : undefined);
    setBusy(false);
  };
  return html`
    <${Dialog} title=${t(kind === "draft" ? "rundowns.draft" : "rundowns.new")} onClose=${onClose} footer=${html`
      <button type="button" class="button" onClick=${onClose}>${t("cancel")}</button>
      <button type="submit" class="button primary" form=${form} disabled=${busy}>${t("create")}</button>`}>
      <form id=${form} class="stack" onSubmit=${submit}>
        <${Text} label=${t("rundowns.title")} value=${fields.title} maxlength="80" onInput=${(/** @type {string} */ title) => setFields({ ...fields, title })} />
        ${kind === "draft" && html`<${Choice} label=${t("rundowns.shop")} value=${fields.shop} onChange=${(/** @type {string} */ shop) => setFields({ ...fields, shop })} options=${shops.map((shop) => [shop.id, inTongue(shop.name)])} />`}
        <div class="field"><span class="label">${t("rundowns.language")}</span><${Segments} label=${t("rundowns.language")} value=${fields.language} onChange=${(/** @type {string} */ language) => setFields({ ...fields, language })} options=${[["en", t("english")], ["zh", t("mandarin")]]} /></div>
      </form>
    <//>`;
}
