// @ts-check
import { html, useEffect, useRef } from "../html.js";
import { t } from "../words.js";
import { useRoom } from "./use-room.js";

const FLOOR_DB = -60;
const FALL_DB = 1.1; // a drawing

/**
 * How loud it is: of the sound that comes here, sample by sample, where the browser lets us measure
 * it; otherwise as the server tells, once a second.
 *
 * @param {{ feed: import("../room-feed.js").RoomFeed, sound: { current: MediaStream | null } }} props
 */
export function LevelMeter({ feed, sound }) {
  const told = useRoom(feed, (state) => state.metrics.at(-1)?.level_db ?? -90);
  const live = useRoom(feed, (state) => state.status === "on_air");
  const bar = useRef(/** @type {HTMLElement | null} */ (null));
  const measured = useRef(told);
  measured.current = live ? told : -90;
  useEffect(() => {
    const measuring = new Measuring();
    let shown = FLOOR_DB;
    let frame = 0;
    const draw = () => {
      const level = measuring.level(sound.current) ?? measured.current;
      shown = Math.max(level, shown - FALL_DB, FLOOR_DB);
      bar.current?.style.setProperty("--level", String((shown - FLOOR_DB) / -FLOOR_DB));
      frame = requestAnimationFrame(draw);
    };
    draw();
    return () => {
      cancelAnimationFrame(frame);
      measuring.close();
    };
  }, []);
  const shown = Math.round(Math.max(FLOOR_DB, measured.current));
  return html`
    <div class="meter" role="meter" aria-label=${t("monitor.level")} aria-valuemin=${FLOOR_DB} aria-valuemax="0" aria-valuenow=${shown} aria-valuetext="${shown} dBFS">
      <span class="meter-bar" ref=${bar} />
    </div>`;
}

/** Listens to a stream without sounding it. A browser measures only after a click on the page. */
class Measuring {
  /** @type {AudioContext | null} */
  #context = null;
  /** @type {MediaStream | null} */
  #stream = null;
  /** @type {AnalyserNode | null} */
  #analyser = null;
  #samples = new Float32Array(1024);

  /** Peak in dB of full scale; null while nothing can be measured. @param {MediaStream | null} stream */
  level(stream) {
    if (!stream || !navigator.userActivation.hasBeenActive) return null;
    if (stream !== this.#stream) this.#connect(stream);
    if (!this.#analyser || this.#context?.state !== "running") return null;
    this.#analyser.getFloatTimeDomainData(this.#samples);
    let peak = 1e-5;
    for (const sample of this.#samples) peak = Math.max(peak, Math.abs(sample));
    return 20 * Math.log10(peak);
  }

  /** @param {MediaStream} stream */
  #connect(stream) {
    if (!stream.getAudioTracks().length) return;
    this.#stream = stream;
    this.#context ??= new AudioContext();
    void this.#context.resume();
    this.#analyser?.disconnect();
    this.#analyser = this.#context.createAnalyser();
    this.#analyser.fftSize = this.#samples.length;
    this.#context.createMediaStreamSource(stream).connect(this.#analyser);
  }

  close() {
    void this.#context?.close();
  }
}
