// @ts-check
/* global AudioWorkletProcessor, registerProcessor, currentFrame, sampleRate */
/** Plays sound at the frames it is meant for, and silence where there is none. */

const KEPT_SECONDS = 30;
const FADE_SECONDS = 0.01;

class PlaybackProcessor extends AudioWorkletProcessor {
  constructor() {
    super();
    /** @type {{ at: number, samples: Float32Array }[]} in the order of their frames */
    this.parts = [];
    this.gain = 1;
    this.falls = false;
    this.port.onmessage = ({ data }) => {
      this.falls = data === "clear";
      if (this.falls) return;
      this.gain = 1;
      this.parts.push(data);
      while (this.parts.length && data.at - this.parts[0].at > KEPT_SECONDS * sampleRate) this.parts.shift();
    };
  }

  /**
   * @param {Float32Array[][]} _
   * @param {Float32Array[][]} outputs
   */
  process(_, [[out]]) {
    for (let index = 0; index < out.length; index += 1) {
      out[index] = this.#sample(currentFrame + index) * this.gain;
      if (!this.falls) continue;
      this.gain -= 1 / (FADE_SECONDS * sampleRate);
      if (this.gain <= 0) this.#empty();
    }
    return true;
  }

  /** @param {number} frame */
  #sample(frame) {
    while (this.parts.length && frame >= this.parts[0].at + this.parts[0].samples.length) this.parts.shift();
    const [part] = this.parts;
    return part && frame >= part.at ? part.samples[frame - part.at] : 0;
  }

  #empty() {
    this.parts = [];
    this.falls = false;
    this.gain = 1;
  }
}

registerProcessor("playback", PlaybackProcessor);
