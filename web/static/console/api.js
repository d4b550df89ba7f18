// @ts-check
/** The server, as the console asks it. */
import { Server } from "../server.js";
import { VivantError } from "../vivant-error.js";

const LONG_SECONDS = 60;

/** What the server refused, or that it was not reached (`status` 0). */
export class ApiError extends Error {
  /**
   * @param {number} status
   * @param {string} message
   * @param {{ code?: string | null, param?: string | null, problems?: any[] }} [more]
   */
  constructor(status, message, { code = null, param = null, problems = [] } = {}) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.code = code;
    this.param = param;
    this.problems = problems;
  }
}

/**
 * Asks for JSON, pictures and streams with the operator's key, and tells when there is none or a
 * wrong one.
 */
export class Api {
  constructor() {
    /** @type {() => string | null} */
    this.token = () => null;
    /** @type {() => void} */
    this.unauthorized = () => undefined;
    this.server = new Server(undefined, () => this.token() ?? "");
  }

  /** @param {string} path below the server's own address */
  at(path) {
    return this.server.at(path);
  }

  /** @param {string} path @returns {Promise<any>} */
  async get(path) {
    return (await this.send("GET", path)).json();
  }

  /** Return a document and the tag it is changed under. @param {string} path */
  async tagged(path) {
    const response = await this.send("GET", path);
    return { document: await response.json(), etag: response.headers.get("ETag") };
  }

  /** Return all of a list. @param {string} path @returns {Promise<any[]>} */
  async list(path) {
    const { data } = await this.get(path);
    return data;
  }

  /**
   * @param {"POST" | "PUT" | "PATCH" | "DELETE"} method
   * @param {string} path
   * @param {unknown} [body]
   * @param {{ etag?: string | null, seconds?: number }} [options] `etag`: only as long as it is the
   *   tag still; `seconds`: how long the server may take
   * @returns {Promise<any>} the answer, where there is one
   */
  async change(method, path, body, { etag = null, seconds = LONG_SECONDS } = {}) {
    /** @type {Record<string, string>} */
    const headers = etag ? { "If-Match": etag } : {};
    if (body !== undefined && !(body instanceof FormData || body instanceof Blob)) {
      headers["Content-Type"] = "application/json";
      body = JSON.stringify(body);
    }
    const response = await this.send(method, path, { headers, body: /** @type {BodyInit} */ (body) }, seconds);
    return answered(response);
  }

  /**
   * Send a request; anything but success is thrown.
   *
   * @param {string} method
   * @param {string} path
   * @param {RequestInit} [init]
   * @param {number} [seconds] how long the server may take
   * @throws {ApiError}
   */
  async send(method, path, init = {}, seconds = LONG_SECONDS) {
    let response;
    try {
      response = await this.server.ask(this.at(path), { ...init, method }, seconds);
    } catch (cause) {
      if (cause instanceof VivantError) throw new ApiError(0, cause.message, { code: cause.kind });
      throw cause;
    }
    if (response.ok) return response;
    throw await this.refused(response);
  }

  /** @param {Response} response */
  async refused(response) {
    if (response.status === 401) this.unauthorized();
    const body = await response.json().catch(() => null);
    const error = body?.error ?? {};
    return new ApiError(response.status, error.message ?? response.statusText, { ...error, problems: body?.problems ?? error.problems });
  }

  /**
   * What goes on, or is waited for, until `signal`.
   *
   * @param {string} path
   * @param {AbortSignal} signal
   * @param {string} [accept]
   */
  async open(path, signal, accept = "text/event-stream") {
    const token = this.token();
    const headers = { Accept: accept, ...(token && { Authorization: `Bearer ${token}` }) };
    const response = await fetch(this.at(path), { headers, signal, cache: "no-store" });
    if (!response.ok) throw await this.refused(response);
    return response;
  }
}

/** @param {Response} response */
async function answered(response) {
  const kind = response.headers.get("Content-Type") ?? "";
  return kind.includes("json") ? response.json() : null;
}

export const api = new Api();
