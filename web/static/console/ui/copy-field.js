// @ts-check
import { html, useId, useRef } from "../html.js";
import { Icon } from "../icons.js";
import { t } from "../words.js";
import { toast } from "./toasts.js";

/** Something to copy. @param {{ label: string, value: string, hint?: string }} props */
export function CopyField({ label, value, hint }) {
  const id = useId();
  const field = useRef(/** @type {HTMLInputElement | null} */ (null));
  const copy = async () => {
    field.current?.select();
    if (navigator.clipboard) await navigator.clipboard.writeText(value).catch(() => undefined);
    else document.execCommand("copy"); // a page that is not served over https has no clipboard
    toast(t("copied"));
  };
  return html`
    <div class="field">
      <label for=${id}>${label}</label>
      <div class="row">
        <input id=${id} ref=${field} class="input mono" readonly value=${value} aria-describedby=${hint ? `${id}-hint` : null} onFocus=${(/** @type {any} */ event) => event.currentTarget.select()} />
        <button type="button" class="icon-button" aria-label="${t("copy")}: ${label}" title=${t("copy")} onClick=${copy}><${Icon} name="copy" /></button>
      </div>
      ${hint && html`<p class="field-hint" id="${id}-hint">${hint}</p>`}
    </div>`;
}
