// @ts-check
import { Backoff } from "../backoff.js";
import { api, ApiError } from "./api.js";
import { serverEvents } from "./event-stream.js";
import { changed } from "./room-state.js";
import { Store } from "./store.js";

const WAITS = { first: 0.5, least: 1, most: 8 };
/** The server says something every 10 s; after twice that nobody is there. */
const SILENT_MS = 22_000;

/**
 * @typedef {"connecting" | "live" | "lost" | "missing"} LinkState
 * @typedef {{ state: import("./room-state.js").RoomState | null, link: LinkState }} Fed
 */

/**
 * A room as it stands, from the server's events. A lost connection is sought again; the server then
 * begins with the whole state.
 *
 * @extends {Store<Fed>}
 */
export class RoomFeed extends Store {
  /** @param {string} room */
  constructor(room) {
    super({ state: null, link: "connecting" });
    this.room = room;
    this.leaving = new AbortController();
  }

  /** Follow the room until `close`. */
  async follow() {
    const { signal } = this.leaving;
    const backoff = new Backoff(WAITS, signal);
    while (!signal.aborted) {
      await this.#once(() => backoff.reset());
      if (signal.aborted || this.value.link === "missing") return;
      this.#become("lost");
      await backoff.wait();
    }
  }

  /** Follow no longer. */
  close() {
    this.leaving.abort();
  }

  /** @param {() => void} came */
  async #once(came) {
    const over = new AbortController();
    const signal = AbortSignal.any([this.leaving.signal, over.signal]);
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let silence;
    const heard = () => {
      clearTimeout(silence);
      silence = setTimeout(() => over.abort(), SILENT_MS);
    };
    heard();
    window.addEventListener("offline", () => over.abort(), { signal }); // nothing more will come
    try {
      const response = await api.open(`v1/rooms/${this.room}/events`, signal);
      for await (const event of serverEvents(response, heard)) {
        came();
        this.#take(event);
      }
    } catch (error) {
      if (error instanceof ApiError && error.status === 404) this.#become("missing");
      else if (!isLoss(error)) throw error;
    } finally {
      clearTimeout(silence);
    }
  }

  /** @param {import("./event-stream.js").ServerEvent} event */
  #take({ type, data }) {
    if (type === "state") this.set({ state: JSON.parse(data), link: "live" });
    const { state } = this.value;
    if (type === "change" && state) this.set({ state: changed(state, JSON.parse(data)), link: "live" });
  }

  /** @param {LinkState} link */
  #become(link) {
    if (this.value.link !== link) this.set({ ...this.value, link });
  }
}

/** Whether the connection was lost, and nothing is wrong here. @param {unknown} error */
function isLoss(error) {
  return error instanceof ApiError || error instanceof TypeError || (error instanceof DOMException && error.name === "AbortError");
}
