// @ts-check
/** The console: the frame, and the page that the address names. */
import { Access } from "../access.js";
import { api } from "./api.js";
import { html, render, useEffect, useRef, useState } from "./html.js";
import { Icon } from "./icons.js";
import { useKeys } from "./keys.js";
import { apply, prefer, preferences } from "./preferences.js";
import { place, to } from "./router.js";
import { ShortcutHelp } from "./shortcut-help.js";
import { useStore } from "./store.js";
import { Toasts } from "./ui/toasts.js";
import { t } from "./words.js";

/** Pages are fetched when they are first shown. @type {Record<string, () => Promise<Record<string, any>>>} */
const PAGES = {
  rooms: () => import("./pages/rooms.js"),
  room: () => import("./room/on-air.js"),
  shops: () => import("./pages/shops.js"),
  rundowns: () => import("./pages/rundowns.js"),
  knowledge: () => import("./pages/knowledge.js"),
  looks: () => import("./pages/looks.js"),
  recordings: () => import("./pages/recordings.js"),
  settings: () => import("./pages/settings.js"),
  more: () => import("./pages/more.js"),
};

/** @type {[string, string, string, string?][]} page, icon, words, class */
const PLACES = [
  ["rooms", "rooms", "place.rooms"],
  ["shops", "catalogue", "place.shops"],
  ["rundowns", "rundown", "place.rundowns"],
  ["knowledge", "knowledge", "place.knowledge", "wide-only"],
  ["looks", "looks", "place.looks", "wide-only"],
  ["recordings", "recordings", "place.recordings", "wide-only"],
  ["settings", "settings", "place.settings", "wide-only"],
  ["more", "more", "place.more", "phone-only"],
];

function App() {
  useStore(preferences, (value) => value); // all words are drawn again
  const here = useStore(place, (value) => value);
  const [help, showHelp] = useState(false);
  useKeys({ "?": () => showHelp(true) });
  return html`
    <div class="shell">
      <a class="to-content button" href="#main" onClick=${toContent}>${t("toContent")}</a>
      <${Side} page=${here.page} onHelp=${() => showHelp(true)} />
      <main class="main" id="main" tabindex="-1"><${Page} here=${here} /></main>
      <${Toasts} />
      ${help && html`<${ShortcutHelp} onClose=${() => showHelp(false)} />`}
    </div>`;
}

/** @param {Event} event */
function toContent(event) {
  event.preventDefault(); // the address names the page
  document.getElementById("main")?.focus();
}

/** @param {{ here: import("./router.js").Place }} props */
function Page({ here }) {
  const name = here.page === "rooms" && here.parts.length ? "room" : here.page;
  const [loaded, setLoaded] = useState(/** @type {{ name: string, View: any } | null} */ (null));
  const main = useRef(true);
  useEffect(() => {
    let gone = false;
    const load = PAGES[name] ?? PAGES.rooms;
    void load().then((module) => gone || setLoaded({ name, View: module.default }));
    return () => void (gone = true);
  }, [name]);
  useEffect(() => {
    if (main.current) main.current = false; // the first page takes no focus
    else document.getElementById("main")?.focus({ preventScroll: true });
    window.scrollTo(0, 0);
  }, [here.path]);
  if (loaded?.name !== name) return html`<div class="page" aria-busy="true" />`;
  return html`<${loaded.View} key=${here.path} here=${here} />`;
}

/** @param {{ page: string, onHelp: () => void }} props */
function Side({ page, onHelp }) {
  const phonePage = ["knowledge", "looks", "recordings", "settings"].includes(page) ? "more" : page;
  return html`
    <nav class="side" aria-label=${t("places")}>
      <a class="brand" href=${to("rooms")}><img src="../static/icon.svg" alt="" width="28" height="28" /><span>${t("brand")}</span></a>
      <div class="places">
        ${PLACES.map(([name, icon, words, kind = ""]) => html`
          <a key=${name} class="place ${kind}" href=${to(name)} title=${t(words)} aria-current=${name === page || name === phonePage ? "page" : null}>
            <${Icon} name=${icon} size=${20} /><span>${t(words)}</span>
          </a>`)}
      </div>
      <div class="side-foot">
        <button type="button" class="place" title=${t("help")} onClick=${onHelp}><${Icon} name="help" size=${20} /><span>${t("help")}</span></button>
        <button type="button" class="place" lang=${t("otherLanguage") === "English" ? "en" : "zh-CN"} title=${t("otherLanguage")} onClick=${otherTongue}>
          <${Icon} name="language" size=${20} /><span>${t("otherLanguage")}</span>
        </button>
      </div>
    </nav>`;
}

/** Go over to the other language. */
export function otherTongue() {
  prefer({ tongue: preferences.value.tongue === "en" ? "zh" : "en" });
}

/** Ask for a key where the server wants one; with a new one everything begins again. */
function guardDoor() {
  const find = (/** @type {string} */ id) => document.getElementById(id);
  const access = new Access(find);
  const app = /** @type {HTMLElement} */ (find("app"));
  api.token = () => access.token;
  api.unauthorized = () => {
    if (app.inert) return;
    for (const [id, word] of [["access-title", "title"], ["access-label", "access.token"], ["access-use", "access.use"]]) {
      /** @type {HTMLElement} */ (find(id)).textContent = t(word);
    }
    app.inert = true;
    access.ask(t);
  };
  access.addEventListener("given", () => location.reload());
}

apply();
guardDoor();
preferences.subscribe(() => void (document.title = t("title")));
document.title = t("title");
render(html`<${App} />`, /** @type {HTMLElement} */ (document.getElementById("app")));
