// @ts-check
/* global AudioWorkletProcessor, registerProcessor, sampleRate */
/** Hands out what it hears as 16-bit samples, 40 ms at a time. */

const CHUNK_SECONDS = 0.04;

class CaptureProcessor extends AudioWorkletProcessor {
  constructor() {
    super();
    this.chunk = new Int16Array(Math.round(CHUNK_SECONDS * sampleRate));
    this.count = 0;
  }

  /** @param {Float32Array[][]} inputs */
  process([input]) {
    for (const sample of input?.[0] ?? []) {
      this.chunk[this.count] = Math.round(Math.max(-1, Math.min(1, sample)) * 32767);
      this.count += 1;
      if (this.count === this.chunk.length) this.#give();
    }
    return true;
  }

  #give() {
    const full = this.chunk;
    this.chunk = new Int16Array(full.length);
    this.count = 0;
    this.port.postMessage(full.buffer, [full.buffer]);
  }
}

registerProcessor("capture", CaptureProcessor);
