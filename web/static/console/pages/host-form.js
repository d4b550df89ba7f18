// @ts-check
import { api } from "../api.js";
import { html, useId, useState } from "../html.js";
import { Dialog } from "../ui/dialog.js";
import { Choice, Text } from "../ui/fields.js";
import { slug } from "../ui/slug.js";
import { complaint, toast } from "../ui/toasts.js";
import { t } from "../words.js";

/** A busy machine needs minutes for a figure; beside rooms on the air it works on it now and then. */
const slow = { seconds: 600 };

/**
 * A host out of a sentence, or one changed by an instruction.
 *
 * @param {{ looks: import("../choices.js").Looks, host?: any, ready: string[], onClose: () => void, onSaved: () => void }} props
 */
export function HostForm({ looks, host, ready, onClose, onSaved }) {
  const form = useId();
  const taken = looks.avatars.map((avatar) => avatar.name);
  const fixed = host && ready.includes(host.name);
  const [name, setName] = useState(fixed ? slug(host.name, taken, "host") : "");
  const [text, setText] = useState("");
  const [base, setBase] = useState(looks.default.avatar ?? taken[0]);
  const [busy, setBusy] = useState(false);
  const [wrong, setWrong] = useState("");
  const send = () => {
    const own = name.trim() ? slug(name, taken.filter((other) => other !== host?.name), "host") : null;
    if (!host) return api.change("POST", "v1/avatars", { name: own ?? slug("", taken, "host"), sentence: text.trim(), base }, slow);
    return api.change("POST", `v1/avatars/${host.name}/edit`, { instruction: text.trim(), save_as: own ?? host.name }, slow);
  };
  const submit = async (/** @type {Event} */ event) => {
    event.preventDefault();
    setBusy(true);
    setWrong("");
    try {
      const report = await send();
      if (report?.refused) return setWrong(`${t("looks.refused")} ${report.why}`);
      toast(report?.ready === false ? t("looks.going") : t(host ? "looks.changed" : "looks.made"));
      onSaved();
      onClose();
    } catch (error) {
      setWrong(complaint(error));
    } finally {
      setBusy(false);
    }
    return undefined;
  };
  return html`
    <${Dialog} title=${host ? t("looks.editHost", { name: host.title }) : t("looks.newHost")} onClose=${onClose} footer=${html`
      <button type="button" class="button" onClick=${onClose}>${t("cancel")}</button>
      <button type="submit" class="button primary" form=${form} disabled=${busy || !text.trim()}>${t(host ? "save" : "create")}</button>`}>
      <form id=${form} class="stack" onSubmit=${submit}>
        ${wrong && html`<div class="notice" data-kind="error" role="alert"><p>${wrong}</p></div>`}
        ${busy && html`<div class="notice" role="status"><span class="spinner" aria-hidden="true" /><p>${t("looks.making")}</p></div>`}
        <${Text} label=${t(host ? "looks.instruction" : "looks.sentence")} hint=${t(host ? "looks.instructionHint" : "looks.sentenceHint")} rows=${3} maxlength="500" value=${text} onInput=${setText} required />
        <${Text} label=${t(host ? "looks.saveAs" : "looks.name")} hint=${fixed ? t("looks.ownOnly") : host ? t("looks.saveAsHint") : ""} value=${name} maxlength="34" required=${fixed || !host} onInput=${setName} />
        ${!host && html`<${Choice} label=${t("looks.base")} value=${base} onChange=${setBase} options=${looks.avatars.map((avatar) => [avatar.name, avatar.title])} />`}
      </form>
    <//>`;
}
