// @ts-check
import { html, useEffect, useRef } from "../html.js";
import { preferences } from "../preferences.js";
import { useStore } from "../store.js";
import { useMedia } from "../ui/media.js";

/** The library is large, and nothing waits for it. */
const library = () => import("../vendor/uplot.js").then((module) => module.default);
/** All charts share the moment the pointer is at. */
const SYNC = "figures";

/**
 * A small chart of some measurements over time; what it shows is told beside it in words.
 *
 * @param {{ points: any[], curves: { key: string, second?: boolean }[], least: number, most?: number, label: string }} props
 */
export function Chart({ points, curves, least, most, label }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const plot = useRef(/** @type {any} */ (null));
  const theme = useStore(preferences, (value) => value.theme);
  const dark = useMedia("(prefers-color-scheme: dark)");
  const data = [points.map((point) => point.at), ...curves.map(({ key }) => points.map((point) => point[key]))];
  const latest = useRef(data);
  latest.current = data;
  useEffect(() => {
    const element = /** @type {HTMLElement} */ (box.current);
    let gone = false;
    const watcher = new ResizeObserver(() => plot.current?.setSize(sizeOf(element)));
    void library().then((UPlot) => {
      if (gone) return;
      plot.current = new UPlot(options(element, curves, least, most), latest.current, element);
      watcher.observe(element);
    });
    return () => {
      gone = true;
      watcher.disconnect();
      plot.current?.destroy();
      plot.current = null;
    };
  }, [theme, dark]);
  useEffect(() => plot.current?.setData(data), [points]);
  return html`<div class="chart" ref=${box} role="img" aria-label=${label} />`;
}

/** @param {HTMLElement} element */
const sizeOf = (element) => ({ width: Math.max(40, element.clientWidth), height: Math.max(40, element.clientHeight) });

/**
 * @param {HTMLElement} element
 * @param {{ key: string, second?: boolean }[]} curves
 * @param {number} least
 * @param {number} [most]
 */
function options(element, curves, least, most) {
  const style = getComputedStyle(element);
  const colour = (/** @type {string} */ name) => style.getPropertyValue(name).trim();
  const [accent, soft, line] = ["--accent", "--soft", "--line"].map(colour);
  const range = (/** @type {any} */ _, /** @type {number | null} */ low, /** @type {number | null} */ high) => [least, most ?? Math.max(least + 1, (high ?? 0) * 1.15)];
  return {
    ...sizeOf(element),
    padding: [8, 2, 8, 2],
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 6 }, sync: { key: SYNC } },
    scales: { x: { time: true }, y: { range } },
    axes: [
      { show: false },
      { stroke: soft, size: 30, gap: 3, font: "11px system-ui", ticks: { show: false }, grid: { stroke: line, width: 1 }, splits: (/** @type {any} */ plot) => { const { min, max } = plot.scales.y; return [min, (min + max) / 2, max].map((value) => Math.round(value * 10) / 10); } },
    ],
    series: [{}, ...curves.map(({ second = false }) => ({ stroke: second ? soft : accent, width: second ? 1.25 : 1.75, dash: second ? [3, 3] : undefined, fill: second ? undefined : `color-mix(in srgb, ${accent} 12%, transparent)`, fillTo: least, points: { show: false }, spanGaps: true }))],
  };
}
