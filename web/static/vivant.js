// @ts-check
/**
 * The JavaScript SDK of Vivant: talk to a digital host from any page.
 *
 *     import { Vivant } from "https://host.example/static/vivant.js";
 *     const host = new Vivant({ url: "https://host.example", voice: "kokoro" });
 *     host.on("reply", ({ text }) => console.log(text));
 *     await host.connect({ microphone: true, video: document.querySelector("video") });
 *     host.ask("When do you open?");
 *
 * The types are in vivant.d.ts, the guide in docs/javascript-sdk.md.
 */
import { Backoff } from "./backoff.js";
import { Conversation } from "./conversation.js";
import { Emitter, tell } from "./emitter.js";
import { LatencyMeter } from "./latency.js";
import { askMicrophone, releaseMicrophone } from "./microphone.js";
import { PeerLink } from "./peer-link.js";
import { Server } from "./server.js";
import { SocketLink } from "./socket-link.js";
import { Tools } from "./tools.js";
import { VivantError } from "./vivant-error.js";
import { wishes } from "./wishes.js";

export { askMicrophone, releaseMicrophone } from "./microphone.js";
export { Server } from "./server.js";
export { VivantError } from "./vivant-error.js";
export { WhepViewer } from "./whep-viewer.js";

/**
 * @typedef {import("./vivant.js").CallState} CallState
 * @typedef {import("./vivant.js").RealtimeEvent} RealtimeEvent
 * @typedef {import("./vivant.js").SessionChange} SessionChange
 * @typedef {PeerLink | SocketLink} Link
 */

const LINKS = { webrtc: PeerLink, websocket: SocketLink };
const HELD = 64;
const CONNECT_SECONDS = 20;
// An attempt to go on gets less, so that several fit into the time that a session is kept.
const RETRY_SECONDS = 10;
const WAITS = { first: 0, least: 0.5, most: 8 };
/** What no further attempt makes better. */
const FINAL = ["gone", "unauthorized", "forbidden"];

const OPTIONS = [
  "url", "token", "voice", "language", "speed", "avatar", "scene", "style", "framing", "size",
  "session", "transport", "motion", "measure", "iceServers", "connectSeconds", "answerSeconds",
  "reconnectSeconds",
];

/** @param {object} options */
function check(options) {
  for (const name of Object.keys(options)) {
    if (!OPTIONS.includes(name)) {
      throw new VivantError("refused", `${name} is no option; accepted: ${OPTIONS.join(", ")}`);
    }
  }
  const { transport = "webrtc" } = /** @type {{ transport?: string }} */ (options);
  if (!Object.hasOwn(LINKS, transport)) {
    const accepted = Object.keys(LINKS).join(", ");
    throw new VivantError("refused", `transport is ${transport}; accepted: ${accepted}`);
  }
}

/** One conversation with a host. Its events and options are in vivant.d.ts. */
export class Vivant extends Emitter {
  /** @param {import("./vivant.js").VivantOptions} [options] */
  constructor(options = {}) {
    super();
    check(options);
    this.options = options;
    this.server = new Server(options.url, options.token);
    /** @type {CallState} */
    this.state = "idle";
    /** @type {MediaStream | null} */
    this.microphone = null;
    /** @type {MediaStream | null} what the host sends: sound and picture */
    this.media = null;
    this.muted = false;
    /** @type {VivantError | null} why it is over, unless this page ended it */
    this.reason = null;
    this.#conversation = new Conversation(this);
    // A call may be over before a tool has its result.
    const answer = (/** @type {RealtimeEvent} */ event) => void (this.#isClosed || this.send(event));
    this.#tools = new Tools(answer, (error) => tell(this, "error", error));
    // An AudioContext made within a click may run at once.
    if (options.measure) this.#measure(new LatencyMeter(new AudioContext()));
  }

  /** @type {Conversation} */
  #conversation;
  /** @type {Tools} */
  #tools;
  /** @type {LatencyMeter | null} */
  #meter = null;
  /** @type {Link | null} */
  #link = null;
  /** @type {Link | null} the one that broke: its last picture stays until another comes */
  #broken = null;
  /** @type {HTMLMediaElement | null} */
  #player = null;
  /** @type {string | null} */
  #resumeToken = null;
  /** @type {RealtimeEvent[]} what waits for a connection */
  #held = [];
  #ownsMicrophone = false;
  #leaving = new AbortController();

  /** What goes on: "listening", "hearing", "thinking" or "speaking". */
  get phase() {
    return this.#conversation.phase;
  }

  /** The session as the server last told it; null before there is one. */
  get session() {
    return this.#conversation.session;
  }

  /**
   * Connect; resolves when the host can be talked to. A Vivant connects once.
   *
   * @param {import("./vivant.js").ConnectOptions} [options]
   * @throws {VivantError}
   */
  async connect({ microphone = false, video = null } = {}) {
    if (this.state !== "idle") throw new VivantError("ended", "a Vivant connects once");
    this.#become("connecting");
    this.#player = video;
    this.#attend();
    try {
      this.#hear(await this.#asked(microphone), microphone === true);
      await this.#open(null);
    } catch (cause) {
      const ended = this.#isClosed;
      const error = cause instanceof VivantError ? cause : new VivantError("refused", String(cause), { cause });
      this.#end(error, { hangUp: true });
      throw ended ? new VivantError("ended", "the call was ended") : error;
    }
    this.#stand();
  }

  /**
   * Send a client event of the protocol. While the connection is being made again it waits.
   *
   * @param {RealtimeEvent} event
   * @throws {VivantError} "ended" without a call; "limited" where too much waits
   */
  send(event) {
    if (this.state === "idle" || this.state === "closed") throw new VivantError("ended", "there is no call");
    if (this.state === "connected" && this.#link?.send(event)) return;
    if (this.#held.length >= HELD) throw new VivantError("limited", `${HELD} events wait for a connection`);
    this.#held.push(event);
  }

  /** Ask in writing. @param {string} text */
  ask(text) {
    const content = [{ type: "input_text", text }];
    this.#meter?.textSent();
    this.send({ type: "conversation.item.create", item: { type: "message", role: "user", content } });
    this.send({ type: "response.create" });
  }

  /**
   * Let the host say exactly this.
   *
   * @param {string} text
   * @param {{ language?: string, interrupt?: boolean }} [how] `interrupt`: now, and not after what
   *   is being said
   */
  say(text, how = {}) {
    this.send({ type: "avatar.say", text, ...how });
  }

  /**
   * Let the host do something: wave, nod, show a product.
   *
   * @param {string} action
   * @param {Record<string, unknown>} [parameters]
   */
  action(action, parameters = {}) {
    this.send({ type: "avatar.action", action, parameters });
  }

  /** Change the scene: another one by name, or fields of the present one. @param {string | object} scene */
  scene(scene) {
    this.send({ type: "avatar.scene.update", scene });
  }

  /** Ask what the host sees; the answer is a `notes` event. */
  notes() {
    this.send({ type: "avatar.notes" });
  }

  /** Change the session. @param {SessionChange} session */
  update(session) {
    this.send({ type: "session.update", session: { type: "realtime", ...session } });
  }

  /** Silence the host at once. */
  interrupt() {
    this.send({ type: "response.cancel" });
    this.send({ type: "output_audio_buffer.clear" });
  }

  /** While muted the host hears silence. @param {boolean} [muted] */
  mute(muted = true) {
    this.muted = muted;
    for (const track of this.microphone?.getAudioTracks() ?? []) track.enabled = !muted;
  }

  /** Play what the browser held back; call it within a click. */
  async play() {
    await this.#player?.play();
  }

  /**
   * Give the host a function to call.
   *
   * @param {string} name
   * @param {{ description: string, parameters?: object }} schema `parameters`: a JSON Schema
   * @param {import("./vivant.js").ToolHandler} handler its result is what the host is told
   */
  tool(name, { description, parameters = { type: "object", properties: {} } }, handler) {
    this.#tools.known.set(name, { description, parameters, handler });
    if (this.state !== "idle") this.update({ tools: this.#tools.list });
  }

  /** End the call and free its place on the server, also while the page is being left. */
  close() {
    this.#end(null, { hangUp: true });
  }

  get #isClosed() {
    return this.state === "closed";
  }

  /** @param {MediaStream | boolean} microphone @returns {Promise<MediaStream | null>} */
  async #asked(microphone) {
    if (microphone instanceof MediaStream) return microphone;
    if (!microphone) return null;
    const { stream, hindrance } = await askMicrophone();
    if (hindrance) throw new VivantError(hindrance, `no microphone: ${hindrance}`);
    if (this.#isClosed) releaseMicrophone(stream);
    return stream;
  }

  /**
   * @param {MediaStream | null} stream
   * @param {boolean} own whether it is this call's to give back
   */
  #hear(stream, own) {
    if (this.#isClosed || !stream) return;
    this.microphone = stream;
    this.#ownsMicrophone = own;
    this.mute(this.muted);
    void this.#meter?.watch("own", stream);
    const signal = this.#leaving.signal;
    stream.getAudioTracks()[0]?.addEventListener("ended", () => this.#unplug(), { signal });
  }

  #unplug() {
    this.microphone = null;
    // What was said last will not be finished.
    this.send({ type: "input_audio_buffer.clear" });
    tell(this, "error", new VivantError("unplugged", "the microphone was disconnected"));
  }

  /**
   * Open a link; what an older one still tells is no longer heard.
   *
   * @param {string | null} resume
   */
  async #open(resume) {
    if (this.#isClosed) throw new VivantError("ended", "the call was ended");
    /** @type {Link} */
    const link = new LINKS[this.options.transport ?? "webrtc"](this.server, {
      event: (event) => link === this.#link && this.#take(event),
      media: (stream) => link === this.#link && this.#show(stream),
      motion: (pose) => link === this.#link && tell(this, "motion", pose),
      lost: () => link === this.#link && this.#lose(),
    });
    this.#link = link;
    const connectSeconds = this.options.connectSeconds ?? CONNECT_SECONDS;
    await link.open({
      microphone: this.microphone,
      iceServers: this.options.iceServers ?? null,
      connectSeconds: resume ? RETRY_SECONDS : connectSeconds,
      answerSeconds: resume ? RETRY_SECONDS : (this.options.answerSeconds ?? connectSeconds),
      session: wishes(this.options, this.#tools.list),
      motion: Boolean(this.options.motion),
      resume,
    });
  }

  /** The connection stands. */
  #stand() {
    this.#become("connected");
    for (const event of this.#held.splice(0)) this.send(event);
  }

  /** Follow the network and the page for as long as the call lasts. */
  #attend() {
    const { signal } = this.#leaving;
    const check = () => this.state === "connected" && !this.#link?.isWell && this.#lose();
    window.addEventListener("online", check, { signal });
    document.addEventListener("visibilitychange", check, { signal });
    window.addEventListener("pagehide", () => this.close(), { signal });
  }

  /** @param {RealtimeEvent} event */
  #take(event) {
    if (event.type === "session.created") {
      this.#resumeToken = event.session.avatar?.resume_token ?? null;
    }
    if (event.type === "input_audio_buffer.speech_stopped") this.#meter?.speechStopped();
    this.#conversation.handle(event);
    void this.#tools.handle(event);
    tell(this, "event", event);
  }

  /** @param {MediaStream} stream */
  #show(stream) {
    this.media = stream;
    this.#letGo();
    void this.#meter?.watch("host", stream);
    tell(this, "media", stream);
    if (!this.#player) return;
    this.#player.srcObject = stream;
    this.#player.play().catch((/** @type {DOMException} */ error) => {
      // A call that ends takes the source away and so interrupts the promise; that is no refusal.
      if (error.name === "NotAllowedError") tell(this, "blocked");
    });
  }

  #lose() {
    if (this.state !== "connected") return;
    const seconds = this.options.reconnectSeconds ?? 30;
    const error = new VivantError("lost", "the connection was lost");
    if (!this.#resumeToken || !seconds) return this.#end(error, { hangUp: true });
    this.#broken = this.#link;
    this.#link = null;
    this.#conversation.restart();
    this.#become("reconnecting");
    void this.#goOn(performance.now() + seconds * 1000);
  }

  /** Try to go on with the session, waiting longer each time. @param {number} until */
  async #goOn(until) {
    const backoff = new Backoff(WAITS, this.#leaving.signal);
    while (this.state === "reconnecting") {
      await backoff.wait();
      if (this.state !== "reconnecting") return;
      try {
        await this.#open(this.#resumeToken);
        return this.#stand();
      } catch (cause) {
        this.#fallBack(cause, until);
      }
    }
  }

  #letGo(how = { hangUp: false }) {
    this.#broken?.close(how);
    this.#broken = null;
  }

  /**
   * An attempt to go on came to nothing.
   *
   * @param {unknown} cause
   * @param {number} until
   */
  #fallBack(cause, until) {
    if (this.state !== "reconnecting") return;
    this.#link?.close({ hangUp: false });
    if (cause instanceof VivantError && FINAL.includes(cause.kind)) {
      this.#end(cause, { hangUp: false });
    } else if (performance.now() > until) {
      this.#end(new VivantError("lost", "the connection was lost", { cause }), { hangUp: false });
    }
  }

  /**
   * @param {VivantError | null} reason
   * @param {{ hangUp: boolean }} how
   */
  #end(reason, how) {
    if (this.#isClosed) return;
    this.#leaving.abort();
    this.#letGo(how);
    this.#link?.close(how);
    this.#link = null;
    this.#held = [];
    this.#meter?.close();
    if (this.#ownsMicrophone) releaseMicrophone(this.microphone);
    this.microphone = this.media = null;
    if (this.#player) this.#player.srcObject = null;
    this.reason = reason;
    this.#become("closed");
    tell(this, "closed", reason);
  }

  /** @param {LatencyMeter} meter */
  #measure(meter) {
    this.#meter = meter;
    meter.on("measured", (latency) => tell(this, "latency", latency));
    meter.on("level", (level) => tell(this, "level", level));
  }

  /** @param {CallState} state */
  #become(state) {
    this.state = state;
    tell(this, "state", state);
  }
}
