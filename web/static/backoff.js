// @ts-check
/**
 * Waits between attempts, each about twice as long as the last and a little uneven, so that many
 * pages do not come back at once. A network that is back, or a page that is shown again, ends a
 * wait, and so does `signal`.
 */
export class Backoff {
  /**
   * @param {{ first: number, least: number, most: number }} seconds `first`: of the first wait;
   *   `least` and `most`: of those that follow
   * @param {AbortSignal} signal
   */
  constructor(seconds, signal) {
    this.seconds = seconds;
    this.signal = signal;
    this.next = seconds.first;
  }

  /** Begin with the first wait again. */
  reset() {
    this.next = this.seconds.first;
  }

  /** Wait. @param {number} [seconds] how long, where somebody has said so @returns {Promise<void>} */
  wait(seconds = this.next * (0.85 + 0.3 * Math.random())) {
    const { least, most } = this.seconds;
    this.next = Math.min(most, Math.max(least, this.next * 2));
    const over = new AbortController();
    return new Promise((resolve) => {
      const end = () => {
        clearTimeout(timer);
        over.abort();
        resolve();
      };
      const timer = setTimeout(end, seconds * 1000);
      const options = { signal: over.signal };
      window.addEventListener("online", end, options);
      document.addEventListener("visibilitychange", end, options);
      this.signal.addEventListener("abort", end, options);
      if (this.signal.aborted) end();
    });
  }
}
