// @ts-check
import { api } from "../api.js";
import { html, useState } from "../html.js";
import { Dialog } from "../ui/dialog.js";
import { FileDrop } from "../ui/file-drop.js";
import { complaint, toast } from "../ui/toasts.js";
import { t } from "../words.js";

const KINDS = ".csv,.tsv,.txt,.xlsx,.md,.markdown,.pdf";

/**
 * A merchant's file, tried before anything is changed.
 *
 * @param {{ shop: string, onClose: () => void, onDone: () => void }} props
 */
export function ImportDialog({ shop, onClose, onDone }) {
  const [file, setFile] = useState(/** @type {File | null} */ (null));
  const [tried, setTried] = useState(/** @type {any} */ (null));
  const [wrong, setWrong] = useState("");
  const send = async (/** @type {File} */ chosen, /** @type {boolean} */ dry) => {
    const form = new FormData();
    form.set("file", chosen);
    setFile(chosen);
    setWrong("");
    try {
      return await api.change("POST", `v1/shops/${shop}/import?dry_run=${dry}`, form);
    } catch (error) {
      setWrong(complaint(error));
      setFile(null);
      return null;
    }
  };
  const attemptDry = async (/** @type {File} */ chosen) => setTried(await send(chosen, true));
  const bring = async () => {
    const done = await send(/** @type {File} */ (file), false);
    if (!done) return;
    toast(t("import.done", { n: done.imported + done.changed }));
    onDone();
    onClose();
  };
  const count = tried ? tried.imported + tried.changed : 0;
  return html`
    <${Dialog} title=${t("import.title")} onClose=${onClose} wide footer=${tried && html`
      <button type="button" class="button first" onClick=${() => { setTried(null); setFile(null); }}>${t("import.other")}</button>
      <button type="button" class="button" onClick=${onClose}>${t("cancel")}</button>
      <button type="button" class="button primary" disabled=${!count && !tried.policies?.length} onClick=${bring}>${t("import.go", { n: count })}</button>`}>
      <div class="stack">
        ${wrong && html`<div class="notice" data-kind="error" role="alert"><p>${wrong}</p></div>`}
        ${tried ? html`<${Outcome} tried=${tried} name=${file?.name ?? ""} />` : html`<${FileDrop} label=${t("import.drop")} accept=${KINDS} onFile=${attemptDry} busy=${file ? t("import.reading", { name: file.name }) : ""} />`}
      </div>
    <//>`;
}

/** @param {{ tried: any, name: string }} props */
function Outcome({ tried, name }) {
  const { imported, changed, problems } = tried;
  return html`
    <p role="status">${t("import.tried", { name })}</p>
    <div class="row wrap">
      <span class="mark" data-kind="good">${t("import.new", { n: imported })}</span>
      <span class="mark" data-kind="good">${t("import.changed", { n: changed })}</span>
      <span class="mark" data-kind=${problems.length ? "bad" : ""}>${problems.length ? t("import.problems", { n: problems.length }) : t("import.clean")}</span>
    </div>
    ${problems.length > 0 && html`
      <p class="soft">${t(imported + changed ? "import.rest" : "import.nothing")}</p>
      <div class="table-box bordered" tabindex="0" role="region" aria-label=${t("import.problems", { n: problems.length })}>
        <table class="plain">
          <thead><tr><th scope="col" class="right">${t("import.row")}</th><th scope="col">${t("import.column")}</th><th scope="col">${t("import.value")}</th><th scope="col">${t("import.message")}</th></tr></thead>
          <tbody>${problems.map((/** @type {any} */ problem, /** @type {number} */ at) => html`
            <tr key=${at}><td class="right figure">${problem.row}</td><td>${problem.column || "–"}</td><td class="mono problem-value">${problem.value || "–"}</td><td>${problem.message}</td></tr>`)}
          </tbody>
        </table>
      </div>`}`;
}
