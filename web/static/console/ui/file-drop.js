// @ts-check
import { classes, html, useId, useState } from "../html.js";
import { Icon } from "../icons.js";
import { t } from "../words.js";

/**
 * A place to drop a file on, or to choose one.
 *
 * @param {{ label: string, accept: string, onFile: (file: File) => void, busy?: string }} props
 */
export function FileDrop({ label, accept, onFile, busy = "" }) {
  const id = useId();
  const [over, setOver] = useState(false);
  const take = (/** @type {FileList | null | undefined} */ files) => files?.[0] && onFile(files[0]);
  const drop = (/** @type {DragEvent} */ event) => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer?.files);
  };
  return html`
    <div class=${classes("drop", over && "over")} aria-busy=${busy ? "true" : null}
      onDragOver=${(/** @type {DragEvent} */ event) => { event.preventDefault(); setOver(true); }} onDragLeave=${() => setOver(false)} onDrop=${drop}>
      <${Icon} name="upload" size=${24} />
      <p>${busy || label}</p>
      <input id=${id} class="unseen" type="file" accept=${accept} disabled=${Boolean(busy)} onChange=${(/** @type {any} */ event) => { take(event.currentTarget.files); event.currentTarget.value = ""; }} />
      <label class="button" for=${id}>${t("import.choose")}</label>
    </div>`;
}
