// @ts-check
import { api } from "../api.js";
import { sceneTitle } from "../choices.js";
import { html, useId, useState } from "../html.js";
import { Dialog } from "../ui/dialog.js";
import { Choice, Field, Text } from "../ui/fields.js";
import { Loading, useLoaded } from "../ui/load.js";
import { DrawnPicture } from "../ui/drawn-picture.js";
import { slug } from "../ui/slug.js";
import { complaint, toast } from "../ui/toasts.js";
import { t } from "../words.js";

/** What a background begins with. @type {Record<string, any>} */
const BACKGROUNDS = { picture: { type: "picture" }, colour: { type: "colour", colour: "#ffffff" }, gradient: { type: "gradient", top: "#ded6d2", bottom: "#c4b8b4" }, stage: { type: "stage", room: "shop" } };

/**
 * A scene: over another one, what is behind the host, the light and the camera.
 *
 * @param {{ scenes: string[], scene?: string, ready: string[], onClose: () => void, onSaved: () => void }} props
 */
export function SceneForm({ scenes, scene, ready, onClose, onSaved }) {
  const [base, setBase] = useState(scene ?? scenes[0]);
  const loaded = useLoaded(() => api.tagged(`v1/scenes/${base}`), [base]);
  const title = scene ? t("scenes.edit", { name: sceneTitle(scene) }) : t("looks.newScene");
  if (!loaded.value) return html`<${Dialog} title=${title} onClose=${onClose} wide><${Loading} of=${loaded} /><//>`;
  const own = Boolean(scene && !ready.includes(scene));
  return html`<${Form} key=${base} title=${title} old=${loaded.value.document} etag=${own ? loaded.value.etag : null} base=${base} setBase=${scene ? null : setBase} own=${own} scenes=${scenes} onClose=${onClose} onSaved=${onSaved} />`;
}

/** @param {any} props */
function Form({ title, old, etag, base, setBase, own, scenes, onClose, onSaved }) {
  const form = useId();
  const [name, setName] = useState(own ? old.name : slug(base, scenes, "scene"));
  const [spec, setSpec] = useState({ background: old.background, light: old.light, framing: old.framing, move: old.move, caption: old.caption });
  const [file, setFile] = useState(/** @type {File | null} */ (null));
  const [wrong, setWrong] = useState("");
  const set = (/** @type {object} */ change) => setSpec({ ...spec, ...change });
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    try {
      const id = own ? old.name : slug(name, scenes, "scene");
      // A picture that is new follows when there is a scene to put it in.
      const { background, ...others } = spec;
      const fields = background.type === "picture" && !background.source ? others : spec;
      await api.change(own ? "PUT" : "POST", `v1/scenes/${id}`, own ? fields : { base, ...fields }, { etag });
      if (file && background.type === "picture") await api.change("PUT", `v1/scenes/${id}/picture`, file);
      toast(t("scenes.saved"));
      onSaved();
      onClose();
    } catch (error) {
      setWrong(complaint(error));
    }
  };
  const choice = (/** @type {"framing" | "move"} */ field, /** @type {string} */ label, /** @type {[string, string][]} */ options) => html`
    <${Choice} label=${t(label)} value=${spec[field]} onChange=${(/** @type {string} */ value) => set({ [field]: value })} options=${options} />`;
  return html`
    <${Dialog} title=${title} onClose=${onClose} wide footer=${html`
      <button type="button" class="button" onClick=${onClose}>${t("cancel")}</button>
      <button type="submit" class="button primary" form=${form}>${t("save")}</button>`}>
      <form id=${form} class="scene-form" onSubmit=${submit}>
        <div class="look-face"><${DrawnPicture} path="v1/scenes/${base}/picture" alt=${sceneTitle(base)} icon="scene" /></div>
        <div class="stack">
          ${wrong && html`<div class="notice" data-kind="error" role="alert"><p>${wrong}</p></div>`}
          ${setBase && html`<${Choice} label=${t("scenes.over")} value=${base} onChange=${setBase} options=${scenes.map((/** @type {string} */ one) => [one, sceneTitle(one)])} />`}
          ${!own && html`<${Text} label=${t("looks.name")} value=${name} required maxlength="34" onInput=${setName} />`}
          <${BackgroundFields} background=${spec.background} file=${file} onFile=${setFile} onChange=${(/** @type {any} */ background) => set({ background })} />
          <div class="fields">
            <${Choice} label=${t("scenes.light")} value=${spec.light.preset} onChange=${(/** @type {string} */ preset) => set({ light: { ...spec.light, preset } })} options=${["neutral", "warm", "cool", "dramatic"].map((value) => [value, t(`light.${value}`)])} />
            ${choice("framing", "scenes.framing", ["head", "half", "full"].map((value) => [value, t(`framing.${value}`)]))}
            ${choice("move", "scenes.move", ["still", "push_in", "pull_out", "drift", "orbit"].map((value) => [value, t(`move.${value}`)]))}
          </div>
          <${Text} label=${t("scenes.caption")} hint=${t("scenes.captionHint")} value=${spec.caption} maxlength="400" onInput=${(/** @type {string} */ caption) => set({ caption })} />
        </div>
      </form>
    <//>`;
}

/** @param {{ background: any, file: File | null, onFile: (file: File) => void, onChange: (background: any) => void }} props */
function BackgroundFields({ background, file, onFile, onChange }) {
  const { type } = background;
  const kinds = BACKGROUNDS[type] ? Object.keys(BACKGROUNDS) : [type, ...Object.keys(BACKGROUNDS)];
  const colour = (/** @type {string} */ field, /** @type {string} */ label) => html`<${Text} type="color" label=${t(label)} value=${background[field]} onInput=${(/** @type {string} */ value) => onChange({ ...background, [field]: value })} />`;
  return html`
    <div class="fields">
      <${Choice} label=${t("scenes.background")} value=${type} onChange=${(/** @type {string} */ kind) => onChange(BACKGROUNDS[kind])} options=${kinds.map((kind) => [kind, t(`background.${kind}`)])} />
      ${type === "picture" && html`<${BackgroundPicture} required=${!background.source} file=${file} onFile=${onFile} />`}
      ${type === "colour" && colour("colour", "scenes.colour")}
      ${type === "gradient" && html`${colour("top", "scenes.top")}${colour("bottom", "scenes.bottom")}`}
      ${type === "stage" && html`<${Choice} label=${t("scenes.room")} value=${background.room} onChange=${(/** @type {string} */ room) => onChange({ ...background, room })} options=${["shop", "kitchen", "lounge"].map((room) => [room, t(`stage.${room}`)])} />`}
    </div>`;
}

/** @param {{ required: boolean, file: File | null, onFile: (file: File) => void }} props */
function BackgroundPicture({ required, file, onFile }) {
  return html`
    <${Field} label=${t("scenes.picture")} hint=${file ? file.name : t("product.pictureHint")}>
      ${(/** @type {string} */ id, /** @type {string | null} */ told) => html`
        <input id=${id} class="input" type="file" accept="image/jpeg,image/png,image/webp" required=${required && !file} aria-describedby=${told}
          onChange=${(/** @type {any} */ event) => event.currentTarget.files?.[0] && onFile(event.currentTarget.files[0])} />`}
    <//>`;
}
