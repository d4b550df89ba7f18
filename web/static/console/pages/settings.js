// @ts-check
import { api } from "../api.js";
import { moment, number, short } from "../format.js";
import { html } from "../html.js";
import { prefer, preferences } from "../preferences.js";
import { useStore } from "../store.js";
import { Segments, Switch } from "../ui/fields.js";
import { Loading, useLoaded } from "../ui/load.js";
import { attempt } from "../ui/toasts.js";
import { t, tOr } from "../words.js";

/** This browser, this server, and who may decide. */
export default function Settings() {
  return html`
    <div class="page settings">
      <header class="page-head"><div class="page-title"><h1>${t("place.settings")}</h1><p>${t("settings.lead")}</p></div></header>
      <${Browser} /><${Policies} /><${Server} /><${ChatIn} />
    </div>`;
}

function Browser() {
  const { tongue, theme, keys } = useStore(preferences, (value) => value);
  return html`
    <section class="panel panel-pad stack">
      <h2>${t("settings.browser")}</h2>
      <div class="fields">
        <div class="field"><span class="label">${t("language")}</span><${Segments} label=${t("language")} value=${tongue} onChange=${(/** @type {any} */ value) => prefer({ tongue: value })} options=${[["en", "English"], ["zh", "中文"]]} /></div>
        <div class="field"><span class="label">${t("theme")}</span><${Segments} label=${t("theme")} value=${theme} onChange=${(/** @type {any} */ value) => prefer({ theme: value })} options=${["system", "light", "dark"].map((value) => [value, t(`theme.${value}`)])} /></div>
      </div>
      <${Switch} label=${t("keys.single")} hint=${t("keys.singleHint")} checked=${keys} onChange=${(/** @type {boolean} */ on) => prefer({ keys: on })} />
    </section>`;
}

function Policies() {
  const policies = useLoaded(() => api.list("v1/settings/policy"), []);
  const set = (/** @type {any} */ policy, /** @type {boolean} */ live) => attempt(() => api.change("POST", "v1/settings/policy", { name: policy.name, live }), t("settings.switched")).then(policies.reload);
  return html`
    <section class="panel panel-pad stack">
      <div><h2>${t("settings.policies")}</h2><p class="soft">${t("settings.policiesLead")}</p></div>
      ${!policies.value ? html`<${Loading} of=${policies} />` : policies.value.length === 0 ? html`<p class="soft">${t("settings.noPolicies")}</p>` : html`
        <div class="table-box" tabindex="0" role="region" aria-label=${t("settings.policies")}>
          <table class="plain">
            <thead><tr><th scope="col">${t("settings.policy")}</th><th scope="col" class="right">${t("settings.decisions")}</th><th scope="col" class="right">${t("settings.estimate")}</th><th scope="col" class="right">${t("settings.rules")}</th><th scope="col">${t("settings.learntAt")}</th><th scope="col"><span class="unseen">${t("settings.live")}</span></th></tr></thead>
            <tbody>${policies.value.map((policy) => html`
              <tr key=${policy.name}>
                <td><b>${policy.name}</b><br /><small class="soft">${t(`by.${policy.kind}`)}${policy.kind === "learnt" && ` · ${t(policy.passed ? "settings.passed" : "settings.notPassed")}`}</small></td>
                <td class="right figure">${number(policy.decisions)}</td>
                <td class="right figure">${policy.estimate === null ? "–" : html`${short(policy.estimate)} <span class="soft">${short(policy.low)}–${short(policy.high)}</span>`}</td>
                <td class="right figure">${policy.rules === null ? "–" : short(policy.rules)}</td>
                <td>${policy.at === null ? "–" : moment(policy.at)}</td>
                <td><${Switch} label=${t("settings.live")} checked=${policy.live} disabled=${policy.kind === "learnt" && !policy.passed && !policy.live} onChange=${(/** @type {boolean} */ live) => set(policy, live)} /></td>
              </tr>`)}</tbody>
          </table>
        </div>`}
    </section>`;
}

const FACTS = ["version", "model", "recognizer", "voice", "voices", "renderer", "size", "codec", "gestures", "sessions", "viewers", "database", "keep", "retention_days", "troubles", "key"];

function Server() {
  const facts = useLoaded(() => api.get("v1/settings"), []);
  return html`
    <section class="panel panel-pad stack">
      <h2>${t("settings.server")}</h2>
      ${facts.value ? html`<dl class="facts">${FACTS.filter((name) => facts.value[name] !== undefined && facts.value[name] !== null).map((name) => html`<div key=${name}><dt>${t(`fact.${name}`)}</dt><dd>${told(facts.value[name])}</dd></div>`)}</dl>` : html`<${Loading} of=${facts} />`}
    </section>`;
}

/** @param {any} fact */
function told(fact) {
  if (Array.isArray(fact)) return fact.join(", ") || t("fact.nothing");
  if (fact && typeof fact === "object") return Object.values(fact).map((value) => number(Number(value))).join(" / ");
  return tOr(`told.${fact}`, String(fact)) || t("fact.nothing");
}

function ChatIn() {
  const example = [`curl -X POST ${api.at("v1/rooms/demo/chat")} \\`, '  -H "Content-Type: application/json" \\', `  -d '{"id": "1", "kind": "chat", "viewer": "v1", "name": "Mei", "text": "How much is it?"}'`].join("\n");
  return html`
    <section class="panel panel-pad stack"><div><h2>${t("settings.chat")}</h2><p class="soft">${t("settings.chatLead")}</p></div><pre tabindex="0">${example}</pre></section>`;
}
