// @ts-check
import { Emitter, tell } from "./emitter.js";

/**
 * How long the person waited: from the end of their own sound at this microphone, or from
 * sending a typed question, to the first sound of the reply as this page received it. What the
 * sound card adds on either side is not in it.
 *
 * @typedef {{ time: number, level: number }} Level
 */

const KEPT_SECONDS = 6;
const QUIET_BEFORE = 0.1;
const LOUD_BLOCKS = 3;
const HOST_LEVEL = 0.004;
const LEAST_LEVEL = 0.004;

/** Dispatches `measured` (detail: { seconds, since: "speech" | "text" }) and `level` (detail: 0 to 1). */
export class LatencyMeter extends Emitter {
  /** @param {AudioContext} context */
  constructor(context) {
    super();
    this.context = context;
    /** @type {Level[]} */
    this.own = [];
    /** @type {Map<string, MediaStreamAudioSourceNode>} */
    this.sources = new Map();
    /** @type {{ time: number, since: "speech" | "text" } | null} */
    this.waiting = null;
    this.lastHostSound = 0;
    this.loud = 0;
    this.onset = 0;
  }

  /**
   * Listen to a stream, in place of the one that side had.
   *
   * @param {"own" | "host"} side
   * @param {MediaStream} stream with a sound track
   */
  async watch(side, stream) {
    if (!this.context.audioWorklet) return;
    this.sources.get(side)?.disconnect();
    const source = this.context.createMediaStreamSource(stream);
    this.sources.set(side, source);
    const module = new URL("level-worklet.js", import.meta.url).href;
    await this.context.audioWorklet.addModule(module).catch((error) => {
      if (this.sources.has(side)) throw error; // else closed meanwhile, which is no failure
    });
    if (this.sources.get(side) !== source) return; // closed or replaced meanwhile
    const node = new AudioWorkletNode(this.context, "level", { numberOfOutputs: 0 });
    node.port.onmessage = ({ data }) => (side === "own" ? this.#hearOwn(data) : this.#hearHost(data));
    source.connect(node);
  }

  /** The server has decided that the person's turn is over. */
  speechStopped() {
    const levels = this.own.map(({ level }) => level).sort((a, b) => a - b);
    const floor = levels[Math.floor(levels.length / 10)] ?? 0;
    const threshold = Math.max(LEAST_LEVEL, floor * 4);
    const last = this.own.filter(({ level }) => level > threshold).pop();
    if (last) this.waiting = { time: last.time, since: "speech" };
  }

  /** A typed question has been sent. */
  textSent() {
    this.waiting = { time: this.context.currentTime, since: "text" };
  }

  /** Stop listening. */
  close() {
    for (const source of this.sources.values()) source.disconnect();
    this.sources.clear();
    void this.context.close();
  }

  /** @param {Level} block */
  #hearOwn(block) {
    this.own.push(block);
    while (this.own[0] && this.own[0].time < block.time - KEPT_SECONDS) this.own.shift();
    const shown = Math.min(1, block.level * 8);
    tell(this, "level", shown);
  }

  /** @param {Level} block */
  #hearHost({ time, level }) {
    if (level < HOST_LEVEL) {
      this.loud = 0;
      return;
    }
    if (this.loud === 0 && time - this.lastHostSound > QUIET_BEFORE) this.onset = time;
    this.lastHostSound = time;
    this.loud += 1;
    if (this.loud !== LOUD_BLOCKS || !this.waiting || this.onset < this.waiting.time) return;
    const { time: from, since } = this.waiting;
    this.waiting = null;
    tell(this, "measured", { seconds: this.onset - from, since });
  }
}
