// @ts-check
import { gathered } from "../peer-link.js";
import { refusal, VivantError } from "../vivant-error.js";
import { linkedIceServers } from "../whep-viewer.js";
import { api } from "./api.js";

const SECONDS = 15;

/** Sends a microphone to a stream over WHIP (RFC 9725). */
export class WhipPublisher {
  /** @param {string} stream @param {() => void} lost called when the connection breaks */
  constructor(stream, lost) {
    this.endpoint = api.at(`v1/whip/${encodeURIComponent(stream)}`);
    this.lost = lost;
    /** @type {RTCPeerConnection | null} */
    this.peer = null;
    /** @type {string | null} */
    this.location = null;
  }

  /** Publish; resolves when sound can flow. @param {MediaStream} microphone @throws {VivantError} */
  async publish(microphone) {
    const offered = await api.server.ask(this.endpoint, { method: "OPTIONS" });
    const peer = new RTCPeerConnection({ iceServers: linkedIceServers(offered.headers.get("Link") ?? "") });
    this.peer = peer;
    for (const track of microphone.getAudioTracks()) peer.addTransceiver(track, { direction: "sendonly", streams: [microphone] });
    await peer.setLocalDescription();
    await gathered(peer);
    await peer.setRemoteDescription({ type: "answer", sdp: await this.#offer(peer.localDescription?.sdp ?? "") });
    await connected(peer);
    peer.addEventListener("connectionstatechange", () => {
      if (["failed", "closed"].includes(peer.connectionState) && this.peer === peer) this.lost();
    });
  }

  /** Send no longer. */
  close() {
    const { peer, location } = this;
    this.peer = this.location = null;
    peer?.close();
    if (location) api.server.end(location);
  }

  /** @param {string} sdp */
  async #offer(sdp) {
    const headers = { "Content-Type": "application/sdp" };
    const response = await api.server.ask(this.endpoint, { method: "POST", headers, body: sdp }, SECONDS);
    if (response.status !== 201) throw await refusal(response);
    const location = response.headers.get("Location");
    this.location = location && new URL(location, response.url).href;
    return response.text();
  }
}

/** @param {RTCPeerConnection} peer @returns {Promise<void>} */
function connected(peer) {
  return new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new VivantError("timeout", "no connection came about")), SECONDS * 1000);
    const check = () => {
      const { connectionState } = peer;
      if (connectionState !== "connected" && connectionState !== "failed") return;
      clearTimeout(late);
      peer.removeEventListener("connectionstatechange", check);
      if (connectionState === "connected") resolve();
      else reject(new VivantError("lost", "the connection failed"));
    };
    peer.addEventListener("connectionstatechange", check);
    check();
  });
}
