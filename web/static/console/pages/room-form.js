// @ts-check
import { api } from "../api.js";
import { askChoices, hostPicture, sceneTitle, styleTitle, voiceTitle } from "../choices.js";
import { html, useId, useState } from "../html.js";
import { inTongue, t } from "../words.js";
import { Dialog } from "../ui/dialog.js";
import { Choice, Segments, Switch, Text } from "../ui/fields.js";
import { Loading, useLoaded } from "../ui/load.js";
import { Picture } from "../ui/picture.js";
import { ID, slug } from "../ui/slug.js";
import { complaint, toast } from "../ui/toasts.js";

const SIZES = ["540x960", "720x1280", "960x540", "1280x720"];
const DRAFT = "\u0000draft";

/**
 * Make a room, or change what one is set to be.
 *
 * @param {{ onClose: () => void, onSaved: (spec: any) => void, taken?: string[], spec?: any, onDelete?: (() => void) | null }} props
 *   `onDelete`: asks whether to delete it; null where it cannot be now
 */
export function RoomForm({ onClose, onSaved, taken = [], spec, onDelete = null }) {
  const choices = useLoaded(askChoices, []);
  const title = t(spec ? "spec.edit" : "spec.new");
  if (!choices.value) return html`<${Dialog} title=${title} onClose=${onClose}><${Loading} of=${choices} /><//>`;
  return html`<${Form} title=${title} choices=${choices.value} onClose=${onClose} onSaved=${onSaved} taken=${taken} old=${spec} onDelete=${onDelete} />`;
}

/** @param {import("../choices.js").Choices} choices */
function fresh({ shops, rundowns }) {
  return { id: "", title: "", shop: shops[0]?.id ?? "", rundown: rundowns[0]?.id ?? DRAFT, language: rundowns[0]?.language ?? "en", avatar: null, scene: null, style: null, voice: null };
}

/** @param {any} props */
function Form({ title, choices, onClose, onSaved, taken, old, onDelete }) {
  const form = useId();
  const [spec, setSpec] = useState(() => old ?? fresh(choices));
  const [wrong, setWrong] = useState(/** @type {{ param: string | null, message: string } | null} */ (null));
  const [busy, setBusy] = useState(false);
  const set = (/** @type {object} */ change) => setSpec((/** @type {any} */ before) => ({ ...before, ...change }));
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    setBusy(true);
    try {
      onSaved(await save(spec, old, taken));
      toast(t(old ? "saved" : "spec.created"));
      onClose();
    } catch (error) {
      setWrong({ param: /** @type {any} */ (error).param ?? null, message: complaint(error) });
    } finally {
      setBusy(false);
    }
  };
  return html`
    <${Dialog} title=${title} onClose=${onClose} wide footer=${html`
      ${onDelete && html`<button type="button" class="button quiet first" onClick=${onDelete}>${t("spec.delete")}</button>`}
      <button type="button" class="button" onClick=${onClose}>${t("cancel")}</button>
      <button type="submit" class="button primary" form=${form} disabled=${busy}>${t(old ? "save" : "create")}</button>`}>
      <form id=${form} class="stack" onSubmit=${submit}>
        ${wrong && html`<div class="notice" data-kind="error" role="alert"><p>${wrong.message}</p></div>`}
        <${Basics} spec=${spec} set=${set} choices=${choices} old=${old} />
        <${Hosts} spec=${spec} set=${set} looks=${choices.looks} />
        <${Appearance} spec=${spec} set=${set} choices=${choices} />
        ${old && html`<${Rules} spec=${spec} set=${set} />`}
      </form>
    <//>`;
}

/** @param {any} props */
function Basics({ spec, set, choices, old }) {
  const rundowns = choices.rundowns.map((/** @type {any} */ one) => [one.id, one.title]);
  return html`
    <div class="fields two">
      <div class="whole"><${Text} label=${t("spec.title")} hint=${t("spec.titleHint")} value=${spec.title} required maxlength="80" autofocus onInput=${(/** @type {string} */ title) => set({ title })} /></div>
      <${Choice} label=${t("spec.shop")} value=${spec.shop} required onChange=${(/** @type {string} */ shop) => set({ shop })}
        options=${choices.shops.map((/** @type {any} */ shop) => [shop.id, inTongue(shop.name) || shop.id])} />
      <${Choice} label=${t("spec.rundown")} value=${spec.rundown} required onChange=${(/** @type {string} */ rundown) => set({ rundown })}
        options=${old ? rundowns : [...rundowns, [DRAFT, t("spec.draft")]]} />
      <div class="field"><span class="label">${t("spec.language")}</span>
        <${Segments} label=${t("spec.language")} value=${spec.language} onChange=${(/** @type {string} */ language) => set({ language })} options=${[["en", t("english")], ["zh", t("mandarin")]]} />
      </div>
    </div>`;
}

/** @param {any} props */
function Hosts({ spec, set, looks }) {
  const name = useId();
  if (!looks.avatars.length) return null;
  const chosen = spec.avatar ?? looks.default.avatar;
  return html`
    <fieldset class="host-choice">
      <legend class="label">${t("spec.host")}</legend>
      <div class="host-row">
        ${looks.avatars.map((/** @type {any} */ host) => html`
          <label key=${host.name} class="host-option">
            <input type="radio" name=${name} value=${host.name} checked=${host.name === chosen} onChange=${() => set({ avatar: host.name })} />
            <span class="host-face"><${Picture} path=${hostPicture(looks, host.name)} icon="looks" /></span>
            <span class="clip">${host.title}</span>
          </label>`)}
      </div>
    </fieldset>`;
}

/** @param {any} props */
function Appearance({ spec, set, choices }) {
  const { looks, voices } = choices;
  const speaking = voices.filter((/** @type {any} */ voice) => voice.languages.includes(spec.language));
  const select = (/** @type {string} */ field) => (/** @type {string} */ value) => set({ [field]: value || null });
  const named = (/** @type {string[]} */ names, /** @type {(name: string) => string} */ words, /** @type {string} */ first) =>
    [["", t(first)], ...names.map((name) => [name, words(name)])];
  return html`
    <div class="fields">
      <${Choice} label=${t("spec.scene")} value=${spec.scene ?? ""} onChange=${select("scene")} options=${named(looks.scenes, sceneTitle, "spec.server")} />
      <${Choice} label=${t("spec.style")} value=${spec.style ?? ""} onChange=${select("style")} options=${named(looks.styles, styleTitle, "spec.server")} />
      <${Choice} label=${t("spec.voice")} value=${spec.voice ?? ""} onChange=${select("voice")} options=${named(speaking.map((/** @type {any} */ voice) => voice.name), voiceTitle, "spec.hosts")} />
      <${Choice} label=${t("spec.size")} value=${spec.size ?? ""} onChange=${select("size")} options=${named(SIZES, (size) => size.replace("x", " × "), "spec.server")} />
    </div>`;
}

/** What a room that exists keeps to. @param {any} props */
function Rules({ spec, set }) {
  const limits = spec.limits ?? {};
  const limit = (/** @type {string} */ field) => (/** @type {string} */ value) => set({ limits: { ...limits, [field]: Number(value) } });
  return html`
    <div class="stack">
      <div class="fields">
        <${Text} label=${t("spec.holding")} hint=${t("spec.holdingHint")} value=${spec.holding ?? ""} maxlength="120" onInput=${(/** @type {string} */ holding) => set({ holding })} />
        <${Text} label=${t("spec.banned")} hint=${t("spec.bannedHint")} value=${(spec.banned ?? []).join(", ")}
          onInput=${(/** @type {string} */ words) => set({ banned: words.split(/[,，、]/).map((word) => word.trimStart()) })} />
      </div>
      <${Switch} label=${t("spec.greets")} checked=${spec.greets ?? true} onChange=${(/** @type {boolean} */ greets) => set({ greets })} />
      <${Switch} label=${t("spec.writes")} checked=${spec.writes ?? true} onChange=${(/** @type {boolean} */ writes) => set({ writes })} />
      <h3>${t("spec.limits")}</h3>
      <div class="fields">
        <${Text} type="number" min="0" max="60" label=${t("spec.offers")} value=${limits.offers_per_hour} onInput=${limit("offers_per_hour")} />
        <${Text} type="number" min="0" max="100" step="any" label=${t("spec.discount")} value=${limits.most_discount_percent} onInput=${limit("most_discount_percent")} />
        <${Text} type="number" min="0" max="3600" step="any" label=${t("spec.item")} value=${limits.least_item_s} onInput=${limit("least_item_s")} />
        <${Text} type="number" min="1" max="60" label=${t("spec.questions")} value=${limits.questions_per_minute} onInput=${limit("questions_per_minute")} />
      </div>
    </div>`;
}

/**
 * @param {any} spec
 * @param {any} old
 * @param {string[]} taken
 */
async function save(spec, old, taken) {
  const banned = (spec.banned ?? []).map((/** @type {string} */ word) => word.trim()).filter(Boolean);
  if (old) return api.change("PUT", `v1/rooms/${old.id}`, { ...spec, banned });
  const id = ID.test(spec.id) ? spec.id : slug(spec.title, taken, "room");
  const rundown = spec.rundown === DRAFT ? await drafted(spec) : spec.rundown;
  return api.change("POST", "v1/rooms", { ...spec, id, rundown });
}

/** The server keeps what it drafts. @param {any} spec */
async function drafted(spec) {
  return (await api.change("POST", "v1/rundowns/draft", { shop: spec.shop, language: spec.language, title: spec.title })).id;
}
