// @ts-check
/** Sound and poses of a WebSocket session, each at its moment. */

const RATE = 24_000;
// How far behind its arrival the session is played: room for packets that come late.
const BEHIND_SECONDS = 0.08;
const MOST_AHEAD_SECONDS = 5;
const MOST_LATE_SECONDS = 0.5;

/** The clock of a session's output, and the loudspeaker and microphone beside it. */
export class SocketSound {
  constructor() {
    this.context = new AudioContext({ sampleRate: RATE });
    this.target = this.context.createMediaStreamDestination();
    /** @type {AudioWorkletNode | null} */
    this.playback = null;
    /** @type {number | null} the context's time at which the session's position was 0 */
    this.zero = null;
  }

  /** Make ready to play; returns what the host is heard in. */
  async open() {
    const modules = ["playback-worklet.js", "capture-worklet.js"];
    const add = (/** @type {string} */ name) => {
      return this.context.audioWorklet.addModule(new URL(name, import.meta.url).href);
    };
    await Promise.all(modules.map(add));
    this.playback = new AudioWorkletNode(this.context, "playback", { numberOfInputs: 0, outputChannelCount: [1] });
    this.playback.connect(this.target);
    void this.context.resume();
    return this.target.stream;
  }

  /**
   * Hand out what a microphone hears.
   *
   * @param {MediaStream} microphone
   * @param {(chunk: ArrayBuffer) => void} take PCM16 at 24 kHz
   */
  capture(microphone, take) {
    const node = new AudioWorkletNode(this.context, "capture", { numberOfOutputs: 0 });
    node.port.onmessage = ({ data }) => take(data);
    this.context.createMediaStreamSource(microphone).connect(node);
  }

  /**
   * Play a piece of the host's sound.
   *
   * @param {ArrayBuffer} pcm PCM16 at 24 kHz
   * @param {number} positionMs where it begins on the session's clock
   */
  play(pcm, positionMs) {
    const samples = Float32Array.from(new Int16Array(pcm), (sample) => sample / 32768);
    const at = Math.round(this.due(positionMs) * RATE);
    this.playback?.port.postMessage({ at, samples }, [samples.buffer]);
  }

  /** Fall silent: what has not sounded yet never will. */
  clear() {
    this.playback?.port.postMessage("clear");
  }

  /**
   * Return how long it is until a pose or picture is due, in milliseconds. One that is a little
   * late is due at once, and the sound goes on as it did.
   *
   * @param {number} positionMs
   */
  wait(positionMs) {
    const now = this.context.currentTime;
    const late = this.zero === null ? Infinity : now - this.zero - positionMs / 1000;
    if (late > MOST_LATE_SECONDS || late < -MOST_AHEAD_SECONDS) return (this.due(positionMs) - now) * 1000;
    return Math.max(0, -late * 1000);
  }

  /**
   * Return the context's time at which sound is due. What comes too late, or much too early, sets
   * the clock anew.
   *
   * @param {number} positionMs
   */
  due(positionMs) {
    const now = this.context.currentTime;
    const position = positionMs / 1000;
    const due = position + (this.zero ?? -Infinity);
    if (due > now && due < now + MOST_AHEAD_SECONDS) return due;
    this.zero = now + BEHIND_SECONDS - position;
    return now + BEHIND_SECONDS;
  }

  /** What is heard now, as a position of the session; null before anything was played. */
  get heardMs() {
    if (this.zero === null) return null;
    const { currentTime, outputLatency } = this.context;
    return Math.max(0, (currentTime - (outputLatency || 0) - this.zero) * 1000);
  }

  close() {
    void this.context.close();
  }
}

/** @param {string} text base64 */
export function decoded(text) {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0)).buffer;
}

/** @param {ArrayBuffer} buffer */
export function encoded(buffer) {
  return btoa(String.fromCharCode(...new Uint8Array(buffer)));
}
