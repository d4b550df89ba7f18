// @ts-check
import { number, percent, seconds } from "../format.js";
import { html } from "../html.js";
import { t } from "../words.js";
import { Chart } from "./chart.js";
import { useRoom } from "./use-room.js";

const MINUTES = 15;

/**
 * @typedef {{ key: string, of: string, dashed?: boolean, second?: boolean }} Curve
 * @type {{ title: string, curves: Curve[], figure: (point: any) => string, note?: (point: any) => string, least: number, most?: number }[]}
 */
const CHARTS = [
  { title: "figures.viewers", least: 0, curves: [{ key: "viewers", of: "figures.viewers" }, { key: "watching", of: "figures.watching", second: true }], figure: (point) => number(point.viewers) },
  { title: "figures.activity", least: 0, curves: [{ key: "questions", of: "figures.questions" }, { key: "orders", of: "figures.orders", second: true }], figure: (point) => number(point.questions, 1), note: (point) => `${t("figures.orders")} ${number(point.orders, 1)}` },
  { title: "figures.answer", least: 0, curves: [{ key: "answer_p95_s", of: "figures.answer" }], figure: (point) => (point.answer_p95_s === null ? "–" : seconds(point.answer_p95_s)) },
  { title: "figures.pictures", least: 0, most: 30, curves: [{ key: "pictures", of: "figures.pictures" }], figure: (point) => number(point.pictures, 1), note: (point) => t("figures.onTime", { share: percent(point.on_time) }) },
  { title: "figures.level", least: -60, most: 0, curves: [{ key: "level_db", of: "figures.level" }], figure: (point) => number(Math.round(point.level_db) || 0), note: () => t("figures.unitLevel") },
];

/** What is measured, of the last quarter of an hour. @param {import("./command.js").RoomProps} props */
export function FiguresPanel({ feed }) {
  const metrics = useRoom(feed, (state) => state.metrics);
  const last = metrics.at(-1);
  const from = last ? last.at - MINUTES * 60 : 0;
  const recent = metrics.filter((/** @type {any} */ point) => point.at >= from);
  return html`
    <section class="panel figures" aria-label=${t("tab.figures")}>
      ${CHARTS.map((chart) => html`
        <figure key=${chart.title} class="figure-card">
          <figcaption><span class="soft clip">${t(chart.title)}</span>
            <span class="row"><b class="figure">${last ? chart.figure(last) : "–"}</b>${last && chart.note && html`<small class="soft clip">${chart.note(last)}</small>`}</span>
          </figcaption>
          <${Chart} points=${recent} curves=${chart.curves} least=${chart.least} most=${chart.most} label=${t(chart.title)} />
        </figure>`)}
    </section>`;
}
