// @ts-check
import { clock } from "../format.js";
import { html } from "../html.js";
import { Icon } from "../icons.js";
import { tOr, t } from "../words.js";
import { tell } from "./command.js";
import { useRoom } from "./use-room.js";

const SHOWN = 3;

/** What operators must know, until it is over or acknowledged. @param {import("./command.js").RoomProps} props */
export function Alerts({ room, feed }) {
  const alerts = useRoom(feed, (state) => state.alerts);
  const open = alerts.filter((/** @type {any} */ alert) => alert.ended_at === null).slice(-SHOWN).reverse();
  return html`
    <div class="alerts" role="status" aria-label=${t("alerts.board")}>
      ${open.map((/** @type {any} */ alert) => html`
        <div key=${alert.id} class="notice" data-kind=${alert.level}>
          <${Icon} name=${alert.level === "info" ? "info" : "warning"} />
          <p>${tOr(`alert.${alert.code}`, alert.message)} <small>${t("alerts.since", { time: clock(alert.at) })}</small></p>
          <button type="button" class="button small quiet" onClick=${() => tell(room, { type: "acknowledge", alert: alert.id })}>${t("alerts.acknowledge")}</button>
        </div>`)}
    </div>`;
}
