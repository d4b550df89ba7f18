// @ts-check
import { clock } from "../format.js";
import { html } from "../html.js";
import { Icon } from "../icons.js";
import { tOr, t } from "../words.js";
import { tell } from "./command.js";
import { useRoom } from "./use-room.js";

const SHOWN = 3;
/** What was over when it was told stays so long. */
const NOTED_S = 30;

/** What lasted and is over is gone; what only happened is noted for a while. @param {any} alert @param {number} now */
function isShown({ at, ended_at: ended }, now) {
  return ended === null || (ended - at < 1 && now - ended < NOTED_S);
}

/** What operators must know, until it is over or acknowledged. @param {import("./command.js").RoomProps} props */
export function Alerts({ room, feed }) {
  const alerts = useRoom(feed, (state) => state.alerts);
  useRoom(feed, (state) => state.at); // a note's time passes
  const now = Date.now() / 1000;
  /** Of one kind the newest is shown. @type {Map<string, any[]>} */
  const kinds = new Map();
  for (const alert of alerts.filter((/** @type {any} */ one) => isShown(one, now)).reverse()) {
    kinds.set(alert.code, [...(kinds.get(alert.code) ?? []), alert]);
  }
  const acknowledge = async (/** @type {any[]} */ same) => {
    for (const { id } of same) if (!(await tell(room, { type: "acknowledge", alert: id }))) return;
  };
  return html`
    <div class="alerts" role="status" aria-label=${t("alerts.board")}>
      ${[...kinds.values()].slice(0, SHOWN).map((same) => [same[0], same]).map(([alert, same]) => html`
        <div key=${alert.code} class="notice" data-kind=${alert.level}>
          <${Icon} name=${alert.level === "info" ? "info" : "warning"} />
          <p title=${alert.message}>${tOr(`alert.${alert.code}`, alert.message)} <small>${t("alerts.since", { time: clock(alert.at) })}</small></p>
          <button type="button" class="button small quiet" onClick=${() => acknowledge(same)}>${t("alerts.acknowledge")}</button>
        </div>`)}
    </div>`;
}
