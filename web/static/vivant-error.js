// @ts-check
/**
 * @typedef {import("./vivant.js").TroubleKind} TroubleKind
 */

/** What went wrong, and what one may do about it. */
export class VivantError extends Error {
  /**
   * @param {TroubleKind} kind
   * @param {string} message
   * @param {{ code?: string | null, retryAfter?: number, cause?: unknown }} [more]
   */
  constructor(kind, message, { code = null, retryAfter, cause } = {}) {
    super(message, { cause });
    this.name = "VivantError";
    this.kind = kind;
    this.code = code;
    this.retryAfter = retryAfter;
  }
}

/** @type {Record<number, TroubleKind>} */
const KINDS = { 401: "unauthorized", 403: "forbidden", 429: "limited", 503: "full" };
/** @type {Record<string, TroubleKind>} */
const CODES = { session_gone: "gone", avatar_preparing: "preparing" };
const RETRY_SECONDS = 5;

/**
 * Return why a server refused, from its answer.
 *
 * @param {Response} response
 */
export async function refusal(response) {
  const { error } = await response.json().catch(() => ({ error: null }));
  const code = typeof error?.code === "string" ? error.code : null;
  const kind = (code && Object.hasOwn(CODES, code) && CODES[code]) || KINDS[response.status] || "refused";
  const waits = response.status === 503 || response.status === 429;
  const retryAfter = waits ? Number(response.headers.get("Retry-After")) || RETRY_SECONDS : undefined;
  const message = error?.message ?? `the server answered ${response.status}`;
  return new VivantError(kind, message, { code, retryAfter });
}
