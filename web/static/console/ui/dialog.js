// @ts-check
import { classes, html, useEffect, useId, useRef, useState } from "../html.js";
import { Icon } from "../icons.js";
import { t } from "../words.js";

/**
 * A dialog over the page. The browser keeps the focus in it and gives it back when it closes.
 *
 * @param {{ title: string, onClose: () => void, children?: any, footer?: any, wide?: boolean, kind?: string }} props
 */
export function Dialog({ title, onClose, children, footer, wide = false, kind = "" }) {
  const dialog = useRef(/** @type {HTMLDialogElement | null} */ (null));
  const heading = useId();
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => void (before instanceof HTMLElement && before.isConnected && before.focus());
  }, []);
  return html`
    <dialog ref=${dialog} class=${classes("dialog", wide && "wide", kind)} aria-labelledby=${heading}
      onCancel=${(/** @type {Event} */ event) => { event.preventDefault(); onClose(); }}
      onClick=${(/** @type {MouseEvent} */ event) => event.target === dialog.current && onClose()}>
      <div class="dialog-body">
        <header class="dialog-head">
          <h2 id=${heading}>${title}</h2>
          <button type="button" class="icon-button" aria-label=${t("close")} onClick=${onClose}><${Icon} name="close" /></button>
        </header>
        <div class="dialog-content">${children}</div>
        ${footer && html`<footer class="dialog-foot">${footer}</footer>`}
      </div>
    </dialog>`;
}

/**
 * A question before what cannot be undone.
 *
 * @param {{ title: string, text: string, action: string, onConfirm: () => Promise<void> | void, onClose: () => void, danger?: boolean }} props
 */
export function Confirm({ title, text, action, onConfirm, onClose, danger = true }) {
  const [busy, setBusy] = useState(false);
  const confirm = async () => {
    setBusy(true);
    try {
      await onConfirm();
    } finally {
      onClose();
    }
  };
  return html`
    <${Dialog} title=${title} onClose=${onClose} kind="narrow" footer=${html`
      <button type="button" class="button" onClick=${onClose}>${t("cancel")}</button>
      <button type="button" class=${classes("button", danger ? "danger" : "primary")} disabled=${busy} onClick=${confirm}>${action}</button>`}>
      <p class="prose">${text}</p>
    <//>`;
}
