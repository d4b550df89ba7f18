// @ts-check
/**
 * Server-sent events out of a response, as the HTML standard (9.2.6) reads them. `EventSource`
 * sends no headers, and the operator's key goes in one.
 */

/** @typedef {{ type: string, data: string, id: string }} ServerEvent */

/**
 * Reads lines into events. A line may come in pieces, and end in \n, \r or both.
 */
export class EventReader {
  constructor() {
    this.rest = "";
    this.type = "";
    /** @type {string[]} */
    this.data = [];
    this.id = "";
  }

  /** Take more text; returns the events that are complete. @param {string} text @returns {ServerEvent[]} */
  read(text) {
    const lines = (this.rest + text).split(/\r\n|\n|\r(?!$)/);
    this.rest = lines.pop() ?? "";
    return lines.flatMap((line) => this.#line(line) ?? []);
  }

  /** @param {string} line @returns {ServerEvent | null} */
  #line(line) {
    if (line === "") return this.#dispatch();
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "event") this.type = value;
    else if (name === "data") this.data.push(value);
    else if (name === "id") this.id = value;
    return null;
  }

  /** @returns {ServerEvent | null} */
  #dispatch() {
    const { type, data, id } = this;
    this.type = "";
    this.data = [];
    return data.length ? { type: type || "message", data: data.join("\n"), id } : null;
  }
}

/**
 * Give a response's events; `heard` is called whenever anything comes, a comment too.
 *
 * @param {Response} response
 * @param {() => void} heard
 * @returns {AsyncGenerator<ServerEvent>}
 */
export async function* serverEvents(response, heard) {
  const reader = new EventReader();
  const decoder = new TextDecoder();
  const body = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
  try {
    for (;;) {
      const { value, done } = await body.read();
      if (done) return;
      heard();
      yield* reader.read(decoder.decode(value, { stream: true }));
    }
  } finally {
    body.cancel().catch(() => undefined);
  }
}
