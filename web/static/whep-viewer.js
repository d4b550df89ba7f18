// @ts-check
import { Backoff } from "./backoff.js";
import { Emitter, tell } from "./emitter.js";
import { gathered, received } from "./peer-link.js";
import { Server } from "./server.js";
import { refusal, VivantError } from "./vivant-error.js";

const ANSWER_SECONDS = 15;
const FIRST_PICTURE_SECONDS = 15;
const HEALS_MS = 2000;
const WAITS = { first: 1, least: 2, most: 10 };
/** What no further attempt makes better. */
const FINAL = ["unauthorized", "forbidden", "refused"];

/**
 * A stream, watched over WHEP (draft-ietf-wish-whep). Dispatches `state` (detail: ViewerState),
 * `muted` (the browser allowed the picture alone: call `unmute` within a click) and `error`
 * (detail: VivantError).
 */
export class WhepViewer extends Emitter {
  /** @param {import("./vivant.js").ViewerOptions} options */
  constructor({ url, token, stream, iceServers }) {
    super();
    this.server = new Server(url, token);
    this.endpoint = this.server.at(`v1/whep/${encodeURIComponent(stream)}`);
    this.iceServers = iceServers;
    /** @type {import("./vivant.js").ViewerState} */
    this.state = "idle";
    /** @type {HTMLVideoElement | null} */
    this.video = null;
  }

  /** @type {RTCPeerConnection | null} */
  #peer = null;
  /** @type {string | null} */
  #location = null;
  /** @type {((reason: VivantError) => void) | null} what ends the watching that goes on */
  #lost = null;
  #leaving = new AbortController();

  /**
   * Watch until `stop`; a stream that is not there yet, or that is lost, is asked for again and
   * again. Resolves when it is over.
   *
   * @param {HTMLVideoElement} video
   */
  async watch(video) {
    this.video = video;
    const { signal } = this.#leaving;
    window.addEventListener("pagehide", () => this.stop(), { signal });
    this.#become("connecting");
    const backoff = new Backoff(WAITS, signal);
    while (!signal.aborted) {
      const from = performance.now();
      const reason = await this.#once(video);
      this.#release();
      if (signal.aborted) return;
      tell(this, "error", reason);
      if (FINAL.includes(reason.kind)) return this.stop();
      this.#become(reason.kind === "lost" ? "reconnecting" : "waiting");
      if (performance.now() - from > FIRST_PICTURE_SECONDS * 1000) backoff.reset();
      await backoff.wait(reason.retryAfter);
    }
  }

  /** Let the sound be heard; browsers want a click for it. */
  async unmute() {
    if (!this.video) return;
    this.video.muted = false;
    await this.video.play();
  }

  /** Watch no longer. */
  stop() {
    if (this.state === "ended") return;
    this.#leaving.abort();
    this.#lost?.(new VivantError("ended", "the watching was ended"));
    this.#release();
    if (this.video) this.video.srcObject = null;
    this.#become("ended");
  }

  /** Watch until it is lost; returns why it was. @param {HTMLVideoElement} video @returns {Promise<VivantError>} */
  async #once(video) {
    const lost = new Promise((resolve) => (this.#lost = resolve));
    try {
      const peer = await this.#connect();
      this.#follow(peer);
      video.srcObject = received(peer);
      void this.#play(video);
      await firstPicture(video, lost);
      if (!this.#leaving.signal.aborted) this.#become("playing");
    } catch (cause) {
      return cause instanceof VivantError ? cause : new VivantError("lost", String(cause), { cause });
    }
    return /** @type {Promise<VivantError>} */ (lost);
  }

  async #connect() {
    const iceServers = this.iceServers ?? (await this.#offeredIceServers());
    if (this.#leaving.signal.aborted) throw new VivantError("ended", "the watching was ended");
    const peer = new RTCPeerConnection({ iceServers });
    this.#peer = peer;
    peer.addTransceiver("video", { direction: "recvonly" });
    peer.addTransceiver("audio", { direction: "recvonly" });
    await peer.setLocalDescription();
    await gathered(peer);
    await peer.setRemoteDescription({ type: "answer", sdp: await this.#post(peer.localDescription?.sdp ?? "") });
    return peer;
  }

  /** @param {string} sdp */
  async #post(sdp) {
    const headers = { "Content-Type": "application/sdp" };
    const response = await this.server.ask(this.endpoint, { method: "POST", headers, body: sdp }, ANSWER_SECONDS);
    if (response.status === 404) throw new VivantError("offline", "the stream is not on the air");
    if (response.status !== 201) throw await refusal(response);
    const location = response.headers.get("Location");
    this.#location = location && new URL(location, response.url).href;
    return response.text();
  }

  /** The endpoint tells its TURN servers before an offer too (RFC 9725, 4.6). */
  async #offeredIceServers() {
    try {
      const response = await this.server.ask(this.endpoint, { method: "OPTIONS" });
      return linkedIceServers(response.headers.get("Link") ?? "");
    } catch {
      return []; // the offer itself says what is wrong
    }
  }

  /** @param {RTCPeerConnection} peer */
  #follow(peer) {
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let healing;
    const lose = () => this.#lost?.(new VivantError("lost", "the connection was lost"));
    peer.addEventListener("connectionstatechange", () => {
      clearTimeout(healing);
      if (["failed", "closed"].includes(peer.connectionState)) lose();
      if (peer.connectionState === "disconnected") healing = setTimeout(lose, HEALS_MS);
    });
  }

  /** Play with sound, or else without. @param {HTMLVideoElement} video */
  async #play(video) {
    try {
      await video.play();
    } catch (error) {
      if (!(error instanceof DOMException && error.name === "NotAllowedError")) return;
      video.muted = true;
      tell(this, "muted");
      await video.play().catch(() => undefined);
    }
  }

  #release() {
    this.#peer?.close();
    if (this.#location) this.server.end(this.#location);
    this.#peer = this.#location = null;
  }

  /** @param {import("./vivant.js").ViewerState} state */
  #become(state) {
    this.state = state;
    tell(this, "state", state);
  }
}

/**
 * Read ICE servers out of a Link header (RFC 9725, 4.6).
 *
 * @param {string} header
 * @returns {RTCIceServer[]}
 */
export function linkedIceServers(header) {
  const links = header.matchAll(/<([^>]*)>((?:\s*;\s*[\w-]+\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^",;\s]+))*)/g);
  return [...links].flatMap(([, urls, parameters]) => {
    const found = [...parameters.matchAll(/([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^",;\s]+))/g)];
    const named = new Map(found.map(([, name, quoted, plain]) => [name, (quoted ?? plain).replace(/\\(.)/g, "$1")]));
    if (named.get("rel") !== "ice-server") return [];
    const [username, credential] = [named.get("username"), named.get("credential")];
    return [username === undefined ? { urls } : { urls, username, credential }];
  });
}

/**
 * @param {HTMLVideoElement} video
 * @param {Promise<unknown>} lost
 */
async function firstPicture(video, lost) {
  const shown = new Promise((resolve) => video.requestVideoFrameCallback(() => resolve(null)));
  const late = new Promise((resolve) => {
    setTimeout(() => resolve(new VivantError("timeout", "no picture came")), FIRST_PICTURE_SECONDS * 1000);
  });
  const reason = await Promise.race([shown, lost, late]);
  if (reason) throw reason;
}
