// @ts-check
/**
 * A call to a Vivant server: WebRTC media, Realtime events over a data channel.
 *
 * @typedef {"idle" | "connecting" | "connected" | "lost" | "closed"} CallState
 * @typedef {"full" | "preparing" | "refused" | "unreachable" | "timeout" | "ended"} CallErrorKind
 * @typedef {{ type: string, [key: string]: any }} RealtimeEvent
 */

// Beside this file, so that a proxy may serve all of it under a path of its own.
const CALLS = new URL("../v1/realtime/calls", import.meta.url).href;
const GATHERING_MS = 2000;
const LOST_MS = 4000;

/** Why a call could not be made. */
export class CallError extends Error {
  /**
   * @param {CallErrorKind} kind
   * @param {string} message
   * @param {number} [retryAfter] seconds after which a new try makes sense
   */
  constructor(kind, message, retryAfter) {
    super(message);
    this.name = "CallError";
    this.kind = kind;
    this.retryAfter = retryAfter;
  }
}

/**
 * One call. Dispatches `state` (detail: CallState), `media` (detail: MediaStream with the host's
 * sound and picture) and `server` (detail: RealtimeEvent).
 */
export class RealtimeCall extends EventTarget {
  /**
   * @param {{ url?: string, connectSeconds?: number, answerSeconds?: number }} [options]
   *   `answerSeconds`: how long the server may take to answer the offer
   */
  constructor({ url = CALLS, connectSeconds = 20, answerSeconds = connectSeconds } = {}) {
    super();
    this.url = url;
    this.answerSeconds = answerSeconds;
    this.connectSeconds = connectSeconds;
    /** @type {CallState} */
    this.state = "idle";
    /** @type {string | null} */
    this.location = null;
    /** @type {RTCPeerConnection | null} */
    this.peer = null;
    /** @type {RTCDataChannel | null} */
    this.channel = null;
    /** @type {MediaStreamTrack | null} */
    this.microphone = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.lostTimer = undefined;
  }

  /**
   * Connect; resolves when events can be sent.
   *
   * @param {MediaStream | null} microphone null: the call only receives, and the user types
   * @param {{ session?: object, iceServers?: RTCIceServer[] }} [options] `session`: of the
   *   Realtime API, what this call begins with; `iceServers`: where the way to the server is asked
   * @throws {CallError}
   */
  async connect(microphone, { session = {}, iceServers = [] } = {}) {
    if (this.state !== "idle") throw new CallError("ended", "a call connects once");
    this.#become("connecting");
    try {
      const peer = this.#open(microphone, iceServers);
      await peer.setLocalDescription();
      await gathered(peer);
      const answer = await this.#post(peer.localDescription?.sdp ?? "", session);
      if (this.peer !== peer) throw new CallError("ended", "the call was ended");
      await peer.setRemoteDescription({ type: "answer", sdp: answer });
      this.#tell("media", received(peer));
      await this.#opened();
    } catch (error) {
      const ended = /** @type {CallState} */ (this.state) === "closed";
      this.close();
      throw ended ? new CallError("ended", "the call was ended") : error;
    }
    this.#become("connected");
  }

  /** Send a client event. @param {RealtimeEvent} event */
  send(event) {
    if (this.channel?.readyState === "open") this.channel.send(JSON.stringify(event));
  }

  /** Ask in writing. @param {string} text */
  ask(text) {
    const content = [{ type: "input_text", text }];
    this.send({ type: "conversation.item.create", item: { type: "message", role: "user", content } });
    this.send({ type: "response.create" });
  }

  /** Silence the host at once. */
  interrupt() {
    this.send({ type: "response.cancel" });
    this.send({ type: "output_audio_buffer.clear" });
  }

  /** Change the session. @param {object} session */
  update(session) {
    this.send({ type: "session.update", session: { type: "realtime", ...session } });
  }

  /** While muted the server hears silence. @param {boolean} muted */
  mute(muted) {
    if (this.microphone) this.microphone.enabled = !muted;
  }

  /** End the call and free its place on the server, also while the page is being left. */
  close() {
    if (this.state === "closed") return;
    this.#hangUp();
    this.#release();
    this.#become("closed");
  }

  /**
   * @param {MediaStream | null} microphone
   * @param {RTCIceServer[]} iceServers
   */
  #open(microphone, iceServers) {
    const peer = new RTCPeerConnection({ iceServers });
    this.peer = peer;
    this.microphone = microphone?.getAudioTracks()[0] ?? null;
    if (this.microphone && microphone) peer.addTrack(this.microphone, microphone);
    else peer.addTransceiver("audio", { direction: "recvonly" });
    peer.addTransceiver("video", { direction: "recvonly" });
    this.channel = peer.createDataChannel("oai-events");
    this.channel.onmessage = (message) => this.#tell("server", JSON.parse(message.data));
    this.channel.onclose = () => this.#lose();
    peer.onconnectionstatechange = () => this.#follow(peer);
    return peer;
  }

  /**
   * @param {string} sdp
   * @param {object} session
   */
  async #post(sdp, session) {
    const form = new FormData();
    form.set("sdp", sdp);
    form.set("session", JSON.stringify({ type: "realtime", ...session }));
    let response;
    try {
      const signal = AbortSignal.timeout(this.answerSeconds * 1000);
      response = await fetch(this.url, { method: "POST", body: form, signal });
    } catch (error) {
      const late = error instanceof DOMException && error.name === "TimeoutError";
      throw new CallError(late ? "timeout" : "unreachable", String(error));
    }
    if (response.status !== 201) throw await refusal(response);
    const location = response.headers.get("Location");
    this.location = location && new URL(location, response.url).href;
    if (this.state !== "connecting") this.#hangUp();
    return response.text();
  }

  #opened() {
    return new Promise((resolve, reject) => {
      const channel = this.channel;
      const peer = this.peer;
      if (!channel || !peer) return reject(new CallError("ended", "the call was ended"));
      if (channel.readyState === "open") return resolve(undefined);
      const fail = () => reject(new CallError("timeout", "no path to the server's media"));
      const timer = setTimeout(fail, this.connectSeconds * 1000);
      channel.onopen = () => {
        clearTimeout(timer);
        resolve(undefined);
      };
      peer.addEventListener("connectionstatechange", () => {
        if (peer.connectionState === "failed" || peer.connectionState === "closed") fail();
      });
    });
  }

  /** @param {RTCPeerConnection} peer */
  #follow(peer) {
    clearTimeout(this.lostTimer);
    if (peer.connectionState === "failed") this.#lose();
    // A short gap heals itself, so a disconnected path gets a moment.
    if (peer.connectionState === "disconnected") {
      this.lostTimer = setTimeout(() => this.#lose(), LOST_MS);
    }
  }

  #lose() {
    if (this.state !== "connected") return;
    this.#hangUp();
    this.#release();
    this.#become("lost");
  }

  #hangUp() {
    if (!this.location) return;
    const url = `${this.location}/hangup`;
    this.location = null;
    if (!navigator.sendBeacon(url)) {
      fetch(url, { method: "POST", keepalive: true }).catch(() => undefined);
    }
  }

  #release() {
    clearTimeout(this.lostTimer);
    const peer = this.peer;
    this.peer = null;
    if (this.channel) this.channel.onclose = null;
    this.channel = null;
    peer?.close();
  }

  /** @param {CallState} state */
  #become(state) {
    this.state = state;
    this.#tell("state", state);
  }

  /**
   * @param {string} name
   * @param {unknown} detail
   */
  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
  }
}

/** Wait for the candidates: the offer carries them all. @param {RTCPeerConnection} peer */
function gathered(peer) {
  return new Promise((resolve) => {
    const check = () => peer.iceGatheringState === "complete" && resolve(undefined);
    peer.addEventListener("icegatheringstatechange", check);
    setTimeout(resolve, GATHERING_MS);
    check();
  });
}

/**
 * What the server sends, whole: a player that gets the picture later than the sound may stay black.
 *
 * @param {RTCPeerConnection} peer
 */
function received(peer) {
  const receiving = peer.getTransceivers().filter((each) => each.currentDirection?.includes("recv"));
  return new MediaStream(receiving.map(({ receiver }) => receiver.track));
}

/** @param {Response} response */
async function refusal(response) {
  const { error } = await response.json().catch(() => ({ error: null }));
  const message = error?.message ?? `the server answered ${response.status}`;
  if (response.status !== 503) return new CallError("refused", message);
  const kind = error?.code === "avatar_preparing" ? "preparing" : "full";
  return new CallError(kind, message, Number(response.headers.get("Retry-After")) || 5);
}
