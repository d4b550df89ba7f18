// @ts-check
import { decoded } from "./socket-sound.js";

/** @type {Record<string, string>} as WebCodecs names them; H264 of the constrained baseline */
const CODECS = { h264: "avc1.42E028", vp8: "vp8" };
const MOST_WAITING = 25;

/** Pictures of a WebSocket session, decoded here and shown with their sound, as a video track. */
export class SocketPicture {
  /** @param {import("./socket-sound.js").SocketSound} sound whose clock it follows */
  constructor(sound) {
    this.sound = sound;
    this.canvas = document.createElement("canvas");
    this.pen = this.canvas.getContext("2d");
    const [track] = this.canvas.captureStream(0).getVideoTracks();
    this.track = /** @type {CanvasCaptureMediaStreamTrack} */ (track);
    /** @type {VideoDecoder | null} null: the next keyframe is waited for */
    this.decoder = null;
  }

  /** Whether this browser can. */
  static get isPossible() {
    return "VideoDecoder" in window;
  }

  /** Take an `avatar.video.delta`. @param {import("./vivant.js").RealtimeEvent} event */
  take({ position_ms: positionMs, keyframe, codec, data }) {
    if (this.decoder && this.decoder.decodeQueueSize > MOST_WAITING) this.#forget();
    if (keyframe) this.decoder ??= this.#decoder(codec);
    const type = keyframe ? "key" : "delta";
    this.decoder?.decode(new EncodedVideoChunk({ type, timestamp: positionMs * 1000, data: decoded(data) }));
  }

  close() {
    this.#forget();
    this.track.stop();
  }

  /** @param {string} codec */
  #decoder(codec) {
    const decoder = new VideoDecoder({
      output: (frame) => this.#show(frame),
      error: () => this.decoder === decoder && (this.decoder = null),
    });
    decoder.configure({ codec: CODECS[codec] ?? codec, optimizeForLatency: true });
    return decoder;
  }

  #forget() {
    if (this.decoder && this.decoder.state !== "closed") this.decoder.close();
    this.decoder = null;
  }

  /** @param {VideoFrame} frame */
  #show(frame) {
    setTimeout(() => {
      const { displayWidth: width, displayHeight: height } = frame;
      if (this.canvas.width !== width || this.canvas.height !== height) Object.assign(this.canvas, { width, height });
      this.pen?.drawImage(frame, 0, 0);
      frame.close();
      this.track.requestFrame();
    }, this.sound.wait(frame.timestamp / 1000));
  }
}
