// @ts-check
import { VivantError } from "./vivant-error.js";

/**
 * @typedef {import("./vivant.js").RealtimeEvent} RealtimeEvent
 * @typedef {import("./vivant.js").ToolHandler} ToolHandler
 */

/** Functions of the page that the host may call. */
export class Tools {
  /**
   * @param {(event: RealtimeEvent) => void} send
   * @param {(error: VivantError) => void} fail
   */
  constructor(send, fail) {
    this.send = send;
    this.fail = fail;
    /** @type {Map<string, { description: string, parameters: object, handler: ToolHandler }>} */
    this.known = new Map();
  }

  /** As `session.tools` has them. */
  get list() {
    return [...this.known].map(([name, { description, parameters }]) => {
      return { type: "function", name, description, parameters };
    });
  }

  /** Answer the calls of a response that is done, then let the host go on. @param {RealtimeEvent} event */
  async handle({ type, response }) {
    if (type !== "response.done" || response.status !== "completed") return;
    const calls = (response.output ?? []).filter((/** @type {any} */ item) => item.type === "function_call");
    if (!calls.length) return;
    const outputs = await Promise.all(calls.map((/** @type {any} */ call) => this.#answer(call)));
    for (const item of outputs) this.send({ type: "conversation.item.create", item });
    this.send({ type: "response.create" });
  }

  /** @param {{ name: string, call_id: string, arguments: string }} call */
  async #answer({ name, call_id, arguments: given }) {
    let output;
    try {
      const known = this.known.get(name);
      if (!known) throw new Error(`there is no tool ${name}`);
      output = await known.handler(JSON.parse(given || "{}"));
    } catch (cause) {
      const message = cause instanceof Error ? cause.message : String(cause);
      this.fail(new VivantError("tool", `${name}: ${message}`, { cause }));
      output = { error: message };
    }
    const text = typeof output === "string" ? output : JSON.stringify(output ?? null);
    return { type: "function_call_output", call_id, output: text };
  }
}
