// @ts-check
import { clock, percent, short } from "../format.js";
import { classes, html } from "../html.js";
import { Icon } from "../icons.js";
import { Segments } from "../ui/fields.js";
import { useWanted } from "../ui/wanted.js";
import { inTongue, t, tOr } from "../words.js";
import { tell } from "./command.js";
import { useRoom } from "./use-room.js";

/** Who decides beside the rundown, and what it decided and why. @param {import("./command.js").RoomProps} props */
export function DecisionsPanel({ room, feed }) {
  const decisions = useRoom(feed, (state) => state.decisions);
  const autopilot = useRoom(feed, (state) => state.room.autopilot);
  const live = useRoom(feed, (state) => state.status === "on_air");
  const [chosen, set] = useWanted(autopilot, (value) => tell(room, { type: "autopilot", autopilot: value }));
  const options = ["off", "rules", "learnt"].map((key) => [key, t(`autopilot.${key}`)]);
  return html`
    <section class="panel room-panel decisions" aria-labelledby="decisions-title">
      <header class="panel-head">
        <h2 id="decisions-title">${t("tab.decisions")}</h2>
        <${Segments} small label=${t("decisions.autopilot")} value=${chosen} onChange=${set} options=${options} />
        <button type="button" class="icon-button small danger kill" disabled=${autopilot === "off" || !live} aria-label=${t("decisions.kill")} title=${t("decisions.kill")} onClick=${() => set("off")}>
          <${Icon} name="stop" size=${16} />
        </button>
      </header>
      ${autopilot === "off" && html`<p class="panel-note">${t("decisions.killed")}</p>`}
      <div class="panel-scroll" tabindex="0" role="region" aria-labelledby="decisions-title">
        ${decisions.length
          ? html`<ol class="decision-list">${[...decisions].reverse().map((decision) => html`<${Decision} key=${decision.id} feed=${feed} decision=${decision} />`)}</ol>`
          : html`<p class="empty">${t("decisions.none")}</p>`}
      </div>
    </section>`;
}

/** @param {{ feed: import("../room-feed.js").RoomFeed, decision: any }} props */
function Decision({ feed, decision }) {
  const products = useRoom(feed, (state) => state.products);
  const { product, pace } = decision.detail;
  const values = { product: products.find((/** @type {any} */ one) => one.id === product)?.name ?? product ?? "", pace: pace ? tOr(`pace.${pace}`, pace) : "" };
  const figures = Object.entries(decision.context);
  return html`
    <li class=${classes("decision", !decision.done && "undone")}>
      <div class="row"><b class="grow clip">${t(`decision.${decision.action}`, values)}</b><time class="soft">${clock(decision.at)}</time></div>
      <p>${inTongue(decision.reason)}</p>
      ${!decision.done && html`<p class="decision-refused">${decision.refused ? t("decisions.refused", { why: tOr(`limit.${decision.refused}`, decision.refused) }) : t("decisions.undone")}</p>`}
      <small class="soft">${t(`by.${decision.by}`)}${decision.policy && ` · ${t("decisions.policy", { policy: decision.policy })}`} · ${t("decisions.share", { share: percent(decision.propensity) })} · ${decision.reward === null ? t("decisions.pending") : t("decisions.reward", { reward: short(decision.reward) })}</small>
      ${figures.length > 0 && html`
        <details>
          <summary>${t("decisions.context")}</summary>
          <dl class="pairs">${figures.map(([name, value]) => html`<div key=${name}><dt>${tOr(`figure.${name}`, name.replaceAll("_", " "))}</dt><dd class="figure">${short(Number(value))}</dd></div>`)}</dl>
        </details>`}
    </li>`;
}
