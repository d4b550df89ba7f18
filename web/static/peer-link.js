// @ts-check
import { VivantError } from "./vivant-error.js";

/**
 * What every kind of connection tells, and what it is opened with.
 *
 * @typedef {{ event: (event: import("./vivant.js").RealtimeEvent) => void,
 *   media: (stream: MediaStream) => void, motion: (pose: import("./vivant.js").Motion) => void,
 *   lost: () => void }} Hearers
 * @typedef {{ microphone: MediaStream | null, iceServers: RTCIceServer[] | null, connectSeconds: number,
 *   answerSeconds: number, session: import("./vivant.js").SessionChange,
 *   motion: boolean, resume: string | null }} Opening `iceServers`: null to ask the server;
 *   `resume`: the token of the session to go on with
 */

const GATHERING_MS = 2000;
// A short gap heals itself, so a disconnected path gets a moment.
const HEALS_MS = 2000;

/** A call over WebRTC: sound and picture both ways, events over a data channel. */
export class PeerLink {
  /**
   * @param {import("./server.js").Server} server
   * @param {Hearers} hearers
   */
  constructor(server, hearers) {
    this.server = server;
    this.hearers = hearers;
    /** @type {RTCPeerConnection | null} */
    this.peer = null;
    /** @type {RTCDataChannel | null} */
    this.channel = null;
    /** @type {string | null} */
    this.location = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.healing = undefined;
    this.leaving = new AbortController();
  }

  get closed() {
    return this.leaving.signal.aborted;
  }

  /** Connect; resolves when events can be sent. @param {Opening} opening @throws {VivantError} */
  async open({ microphone, iceServers, connectSeconds, answerSeconds, session, resume }) {
    const servers = iceServers ?? (await this.server.offered()).iceServers;
    this.#check();
    const peer = this.#prepare(microphone, servers);
    await peer.setLocalDescription();
    await gathered(peer);
    this.#check();
    const sdp = peer.localDescription?.sdp ?? "";
    const answer = await this.server.call(sdp, { session, resume, seconds: answerSeconds });
    this.location = answer.location;
    if (this.closed) this.#hangUp();
    this.#check();
    await peer.setRemoteDescription({ type: "answer", sdp: answer.sdp });
    this.hearers.media(received(peer));
    await opened(peer, this.channel, connectSeconds, this.leaving.signal);
    this.#check();
    peer.addEventListener("connectionstatechange", () => this.#follow(peer));
    if (this.channel) this.channel.onclose = () => this.hearers.lost();
  }

  /** Whether events can be sent and media flow. */
  get isWell() {
    const flowing = ["connected", "completed"].includes(this.peer?.iceConnectionState ?? "");
    return flowing && this.channel?.readyState === "open";
  }

  /** @param {object} event @returns {boolean} whether it is on its way */
  send(event) {
    if (this.channel?.readyState !== "open") return false;
    this.channel.send(JSON.stringify(event));
    return true;
  }

  /** Leave. @param {{ hangUp: boolean }} how `hangUp`: the session ends too, and its place is free */
  close({ hangUp }) {
    this.leaving.abort();
    if (hangUp) this.#hangUp();
    clearTimeout(this.healing);
    if (this.channel) this.channel.onclose = this.channel.onmessage = null;
    this.peer?.close();
    this.peer = this.channel = null;
  }

  /**
   * @param {MediaStream | null} microphone
   * @param {RTCIceServer[]} iceServers
   */
  #prepare(microphone, iceServers) {
    const peer = new RTCPeerConnection({ iceServers });
    this.peer = peer;
    const [track] = microphone?.getAudioTracks() ?? [];
    if (track && microphone) peer.addTrack(track, microphone);
    else peer.addTransceiver("audio", { direction: "recvonly" });
    peer.addTransceiver("video", { direction: "recvonly" });
    this.channel = peer.createDataChannel("oai-events");
    this.channel.onmessage = ({ data }) => this.hearers.event(JSON.parse(data));
    return peer;
  }

  /** @param {RTCPeerConnection} peer */
  #follow(peer) {
    clearTimeout(this.healing);
    if (peer.connectionState === "failed") this.hearers.lost();
    if (peer.connectionState === "disconnected") {
      this.healing = setTimeout(() => this.hearers.lost(), HEALS_MS);
    }
  }

  #check() {
    if (this.closed) throw new VivantError("ended", "the call was ended");
  }

  #hangUp() {
    if (this.location) this.server.end(`${this.location}/hangup`, "POST");
    this.location = null;
  }
}

/** Wait for the candidates: the offer carries them all. @param {RTCPeerConnection} peer */
export function gathered(peer) {
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
export function received(peer) {
  const receiving = peer.getTransceivers().filter((each) => each.currentDirection?.includes("recv"));
  return new MediaStream(receiving.map(({ receiver }) => receiver.track));
}

/**
 * Wait until a data channel is open.
 *
 * @param {RTCPeerConnection} peer
 * @param {RTCDataChannel | null} channel
 * @param {number} seconds
 * @param {AbortSignal} leaving
 */
function opened(peer, channel, seconds, leaving) {
  return new Promise((resolve, reject) => {
    const fail = () => reject(new VivantError("timeout", "no path to the server's media"));
    const timer = setTimeout(fail, seconds * 1000);
    const open = () => {
      clearTimeout(timer);
      resolve(undefined);
    };
    channel?.addEventListener("open", open);
    channel?.addEventListener("close", fail);
    leaving.addEventListener("abort", fail);
    peer.addEventListener("connectionstatechange", () => {
      if (peer.connectionState === "failed" || peer.connectionState === "closed") fail();
    });
    if (channel?.readyState === "open") open();
  });
}
