// @ts-check
import { html } from "./html.js";
import { prefer, preferences } from "./preferences.js";
import { useStore } from "./store.js";
import { Dialog } from "./ui/dialog.js";
import { Switch } from "./ui/fields.js";
import { t } from "./words.js";

/** @type {[string, [string, string][]][]} */
const GROUPS = [
  ["keys.everywhere", [["?", "keys.help"], ["/", "keys.search"]]],
  ["keys.room", [["F8", "keys.cut"], ["M", "keys.mute"], ["H", "keys.hold"], ["N", "keys.skip"], ["S", "keys.say"], ["V", "keys.talk"]]],
];

/** What keys do. @param {{ onClose: () => void }} props */
export function ShortcutHelp({ onClose }) {
  const keys = useStore(preferences, (value) => value.keys);
  return html`
    <${Dialog} title=${t("keys.title")} onClose=${onClose}>
      <div class="stack">
        ${GROUPS.map(([title, entries]) => html`
          <section key=${title}>
            <h3>${t(title)}</h3>
            <dl class="shortcuts">
              ${entries.map(([key, words]) => html`<div key=${key}><dt><kbd>${key}</kbd></dt><dd>${t(words)}</dd></div>`)}
            </dl>
          </section>`)}
        <${Switch} label=${t("keys.single")} hint=${t("keys.singleHint")} checked=${keys} onChange=${(/** @type {boolean} */ on) => prefer({ keys: on })} />
      </div>
    <//>`;
}
