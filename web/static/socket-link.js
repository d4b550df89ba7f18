// @ts-check
import { SocketPicture } from "./socket-picture.js";
import { decoded, encoded, SocketSound } from "./socket-sound.js";
import { VivantError } from "./vivant-error.js";

/**
 * @typedef {import("./peer-link.js").Hearers} Hearers
 * @typedef {import("./peer-link.js").Opening} Opening
 * @typedef {import("./vivant.js").RealtimeEvent} RealtimeEvent
 */

// The person's sound is dropped rather than kept for later once so much of it waits.
const MOST_WAITING_BYTES = 1_000_000;
const TELL_HEARD_MS = 400;

/** A session over a WebSocket: sound, events and, if wished, pictures, or poses to draw oneself. */
export class SocketLink {
  /**
   * @param {import("./server.js").Server} server
   * @param {Hearers} hearers
   */
  constructor(server, hearers) {
    this.server = server;
    this.hearers = hearers;
    this.sound = new SocketSound();
    /** @type {SocketPicture | null} */
    this.picture = null;
    /** @type {WebSocket | null} */
    this.socket = null;
    this.leaving = new AbortController();
    this.wasOffline = false;
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this.telling = undefined;
  }

  /** Connect; resolves when events can be sent. @param {Opening} opening @throws {VivantError} */
  async open({ microphone, session, motion, resume, connectSeconds }) {
    const key = await this.server.key();
    const stream = await this.sound.open();
    if (session.avatar?.size && session.avatar.size !== "none" && SocketPicture.isPossible) {
      this.picture = new SocketPicture(this.sound);
      stream.addTrack(this.picture.track);
    }
    if (this.leaving.signal.aborted) throw new VivantError("ended", "the call was ended");
    const url = new URL(this.server.at("v1/realtime"));
    url.protocol = url.protocol.replace("http", "ws");
    url.search = String(query(session, motion, resume));
    const protocols = ["realtime", ...(key ? [`openai-insecure-api-key.${key}`] : [])];
    this.socket = new WebSocket(url, protocols);
    this.socket.onmessage = ({ data }) => this.#take(JSON.parse(data));
    await created(this.socket, connectSeconds, this.leaving.signal).catch(async (error) => {
      throw await this.#explained(error, resume);
    });
    this.socket.onclose = () => this.hearers.lost();
    const { signal } = this.leaving;
    window.addEventListener("offline", () => (this.wasOffline = true), { signal });
    const rest = besides(session);
    if (!resume && rest) this.send({ type: "session.update", session: { type: "realtime", ...rest } });
    if (microphone) this.sound.capture(microphone, (chunk) => this.#append(chunk));
    this.hearers.media(stream);
  }

  get isWell() {
    return this.socket?.readyState === WebSocket.OPEN && !this.wasOffline;
  }

  /** @param {object} event @returns {boolean} whether it is on its way */
  send(event) {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(event));
    return true;
  }

  /** Leave. A session whose socket is closed by its client is over; one that breaks is kept. @param {{ hangUp: boolean }} how */
  close({ hangUp }) {
    this.leaving.abort();
    clearInterval(this.telling);
    this.picture?.close();
    this.sound.close();
    if (!this.socket) return;
    this.socket.onclose = this.socket.onmessage = null;
    this.socket.close(hangUp ? 1000 : 3000);
  }

  /**
   * Browsers do not say why a WebSocket was refused: a server that can be reached has refused it.
   *
   * @param {VivantError} error
   * @param {string | null} resume
   */
  async #explained(error, resume) {
    if (error.kind !== "unreachable") return error;
    const health = await this.server.ask(this.server.at("healthz")).catch(() => null);
    if (!health?.ok) return error;
    if (resume) return new VivantError("gone", "the session is over");
    return new VivantError("refused", "the server refused the session, or the token");
  }

  /** @param {ArrayBuffer} chunk */
  #append(chunk) {
    if (!this.socket || this.socket.bufferedAmount > MOST_WAITING_BYTES) return;
    this.send({ type: "input_audio_buffer.append", audio: encoded(chunk) });
  }

  /** @param {RealtimeEvent} event */
  #take(event) {
    if (event.type === "response.output_audio.delta") {
      this.sound.play(decoded(event.delta), event.position_ms);
    } else if (event.type === "avatar.motion.delta") {
      this.#pose(event);
    } else if (event.type === "avatar.video.delta") {
      this.picture?.take(event);
    } else {
      this.#follow(event);
      this.hearers.event(event);
    }
  }

  /** While the host speaks the server is told how far it was heard, to know where it was cut. @param {RealtimeEvent} event */
  #follow({ type }) {
    if (!type.startsWith("output_audio_buffer.")) return;
    clearInterval(this.telling);
    if (type === "output_audio_buffer.cleared") this.sound.clear();
    if (type === "output_audio_buffer.started") this.telling = setInterval(() => this.#tellHeard(), TELL_HEARD_MS);
  }

  #tellHeard() {
    const position = this.sound.heardMs;
    if (position !== null) this.send({ type: "avatar.heard", position_ms: position });
  }

  /** Hand out a pose when its sound is heard. @param {RealtimeEvent} event */
  #pose({ position_ms: positionMs, rotations, translation, face }) {
    const pose = {
      positionMs,
      rotations: new Float32Array(decoded(rotations)),
      translation,
      face: new Float32Array(decoded(face)),
    };
    const wait = this.sound.wait(positionMs);
    setTimeout(() => !this.leaving.signal.aborted && this.hearers.motion(pose), wait);
  }
}

/**
 * What the address says of a session.
 *
 * @param {import("./vivant.js").SessionChange} session
 * @param {boolean} motion
 * @param {string | null} resume
 */
function query({ audio, avatar = {} }, motion, resume) {
  if (resume) return new URLSearchParams({ resume });
  const { name, scene, style, framing, size } = avatar;
  const language = audio?.input?.transcription?.language;
  const wishes = { voice: audio?.output?.voice, speed: audio?.output?.speed, language, avatar: name, style, framing };
  const named = typeof scene === "string" ? { scene } : {};
  const all = { model: "vivant", ...wishes, ...named, size: size ?? "none", ...(motion && { motion: "base64" }) };
  return new URLSearchParams(Object.entries(all).flatMap(([key, value]) => (value ? [[key, String(value)]] : [])));
}

/** What it does not say. @param {import("./vivant.js").SessionChange} session */
function besides({ audio, avatar, ...rest }) {
  const { turn_detection: turns } = audio?.input ?? {};
  const change = {
    ...rest,
    ...(turns !== undefined && { audio: { input: { turn_detection: turns } } }),
    ...(typeof avatar?.scene === "object" && avatar.scene && { avatar: { scene: avatar.scene } }),
  };
  return Object.keys(change).length ? change : null;
}

/**
 * Wait for the session.
 *
 * @param {WebSocket} socket
 * @param {number} seconds
 * @param {AbortSignal} leaving
 */
function created(socket, seconds, leaving) {
  return new Promise((resolve, reject) => {
    const fail = (/** @type {"timeout" | "unreachable"} */ kind, /** @type {string} */ message) => {
      clearTimeout(timer);
      reject(new VivantError(kind, message));
    };
    const timer = setTimeout(() => fail("timeout", "the server did not answer"), seconds * 1000);
    socket.onclose = ({ code, reason }) => fail("unreachable", reason || `the socket closed (${code})`);
    leaving.addEventListener("abort", () => fail("timeout", "the call was ended"));
    socket.addEventListener("message", ({ data }) => {
      const { type, error } = JSON.parse(data);
      if (type === "error") reject(new VivantError(error.code === "session_gone" ? "gone" : "refused", error.message));
      if (type !== "session.created") return;
      clearTimeout(timer);
      resolve(undefined);
    });
  });
}
