// @ts-check
/* global AudioWorkletProcessor, registerProcessor, currentTime, sampleRate */
/** Tells the loudness of what passes, about a hundred times a second, with the context's time. */

const SECONDS = 0.01;

class LevelProcessor extends AudioWorkletProcessor {
  constructor() {
    super();
    this.energy = 0;
    this.count = 0;
  }

  /** @param {Float32Array[][]} inputs */
  process([input]) {
    const channel = input?.[0];
    if (!channel) return true;
    for (const sample of channel) this.energy += sample * sample;
    this.count += channel.length;
    if (this.count < SECONDS * sampleRate) return true;
    const level = Math.sqrt(this.energy / this.count);
    this.port.postMessage({ time: currentTime, level });
    this.energy = 0;
    this.count = 0;
    return true;
  }
}

registerProcessor("level", LevelProcessor);
