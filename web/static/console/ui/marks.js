// @ts-check
import { html } from "../html.js";
import { t } from "../words.js";

/** @type {Record<string, string>} */
const KINDS = { on_air: "live", starting: "wait", stopping: "wait", failed: "bad", off: "" };

/** Whether a room is on the air. @param {{ status: string }} props */
export function StatusMark({ status }) {
  return html`<span class="mark" data-kind=${KINDS[status] ?? ""}>${t(`status.${status}`)}</span>`;
}
