// @ts-check
import { refusal, VivantError } from "./vivant-error.js";

/**
 * @typedef {import("./vivant.js").Offered} Offered
 * @typedef {import("./vivant.js").Looks} Looks
 * @typedef {import("./vivant.js").Token} Token
 */

// Beside this file's folder, so that a proxy may serve all of it under a path of its own.
const BESIDE = new URL("..", import.meta.url).href;
const WAIT_SECONDS = 5;

/** A server's HTTP side: every request carries the token. */
export class Server {
  /**
   * @param {string} [url] where the server's page is; by default the one this module came from
   * @param {Token | null} [token] the token, or what gives one (asked anew for every request)
   */
  constructor(url = BESIDE, token = null) {
    this.url = new URL(url.endsWith("/") ? url : `${url}/`, document.baseURI).href;
    this.token = token;
  }

  /** Return the token as it is now. @returns {Promise<string | null>} */
  async key() {
    return (typeof this.token === "function" ? await this.token() : this.token) || null;
  }

  /** Return an address below the server's own. @param {string} path */
  at(path) {
    return new URL(path, this.url).href;
  }

  /**
   * Ask the server.
   *
   * @param {string} url
   * @param {RequestInit} [init]
   * @param {number} [seconds] how long it may take
   * @throws {VivantError} "unreachable" or "timeout"
   */
  async ask(url, init = {}, seconds = WAIT_SECONDS) {
    const headers = new Headers(init.headers);
    const key = await this.key();
    if (key) headers.set("Authorization", `Bearer ${key}`);
    try {
      return await fetch(url, { ...init, headers, signal: AbortSignal.timeout(seconds * 1000) });
    } catch (cause) {
      const late = cause instanceof DOMException && cause.name === "TimeoutError";
      throw new VivantError(late ? "timeout" : "unreachable", String(cause), { cause });
    }
  }

  /**
   * Return the voices and the ICE servers. A server that does not answer offers nothing here; the
   * call itself says what is wrong.
   *
   * @returns {Promise<Offered>}
   * @throws {VivantError} "unauthorized"
   */
  async offered() {
    const told = await this.#told("v1/voices");
    return { voices: told?.voices ?? [], iceServers: told?.ice_servers ?? [] };
  }

  /**
   * Return who, where and how the host may be; null where the server leaves no choice.
   *
   * @returns {Promise<Looks | null>}
   * @throws {VivantError} "unauthorized"
   */
  async looks() {
    /** @type {Looks | null} */
    const looks = await this.#told("v1/looks");
    for (const avatar of looks?.avatars ?? []) {
      avatar.picture = avatar.picture && this.at(`v1/${avatar.picture}`);
    }
    return looks;
  }

  /**
   * Offer a call.
   *
   * @param {string} sdp
   * @param {{ session?: object, resume?: string | null, seconds: number }} options `session`: what
   *   a new call begins with; `resume`: the token of the one to go on with
   * @returns {Promise<{ sdp: string, location: string | null }>}
   * @throws {VivantError}
   */
  async call(sdp, { session = {}, resume = null, seconds }) {
    const url = new URL(this.at("v1/realtime/calls"));
    const form = new FormData();
    form.set("sdp", sdp);
    if (resume) url.searchParams.set("resume", resume);
    else form.set("session", JSON.stringify({ type: "realtime", ...session }));
    const response = await this.ask(url.href, { method: "POST", body: form }, seconds);
    if (response.status !== 201) throw await refusal(response);
    const location = response.headers.get("Location");
    return { sdp: await response.text(), location: location && new URL(location, response.url).href };
  }

  /** End what stands at `location`, also while the page is being left. @param {string} location */
  end(location, method = "DELETE") {
    this.ask(location, { method, keepalive: true }).catch(() => undefined);
  }

  /** @param {string} path @returns {Promise<any>} */
  async #told(path) {
    let response;
    try {
      response = await this.ask(this.at(path));
      if (response.ok) return await response.json();
    } catch {
      return null;
    }
    if (response.status === 401) throw await refusal(response);
    return null;
  }
}
