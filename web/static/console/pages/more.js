// @ts-check
import { html } from "../html.js";
import { Icon } from "../icons.js";
import { to } from "../router.js";
import { t } from "../words.js";

const PLACES = [["knowledge", "knowledge"], ["looks", "looks"], ["recordings", "recordings"], ["settings", "settings"]];

/** On a phone, the places that the bar at the bottom has no room for. */
export default function More() {
  return html`
    <div class="page">
      <header class="page-head"><div class="page-title"><h1>${t("place.more")}</h1></div></header>
      <ul class="panel lines">
        ${PLACES.map(([page, icon]) => html`<li key=${page}><a class="line" href=${to(page)}><span class="line-mark"><${Icon} name=${icon} /></span><span class="grow"><b>${t(`place.${page}`)}</b></span><${Icon} name="forward" /></a></li>`)}
      </ul>
    </div>`;
}
