// @ts-check
import { html } from "../html.js";
import { t } from "../words.js";
import { Dialog } from "./dialog.js";

/**
 * What to do when somebody else has changed the same thing.
 *
 * @param {{ onReload: () => void, onOverwrite: () => void, onClose: () => void }} props
 */
export function Conflict({ onReload, onOverwrite, onClose }) {
  const then = (/** @type {() => void} */ act) => () => {
    onClose();
    act();
  };
  return html`
    <${Dialog} title=${t("conflict.title")} kind="narrow" onClose=${onClose} footer=${html`
      <button type="button" class="button" onClick=${then(onReload)}>${t("conflict.reload")}</button>
      <button type="button" class="button primary" onClick=${then(onOverwrite)}>${t("conflict.overwrite")}</button>`}>
      <p class="prose">${t("conflict.text")}</p>
    <//>`;
}
