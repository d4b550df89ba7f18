// @ts-check
import { tell } from "./emitter.js";
import { VivantError } from "./vivant-error.js";

/** @typedef {import("./vivant.js").RealtimeEvent} RealtimeEvent */
/** @typedef {import("./vivant.js").Phase} Phase */

const KEPT = 64;
// Interrupting a moment too late is no mistake of anybody's.
const HARMLESS = ["response_cancel_not_active"];

/**
 * What goes on in a conversation, told in plain words: reads Realtime events and dispatches
 * `phase`, `transcript`, `reply`, `session`, `notes` and `error` on its target.
 */
export class Conversation {
  /** @param {EventTarget} target */
  constructor(target) {
    this.target = target;
    /** @type {Phase} */
    this.phase = "listening";
    this.playing = false;
    /** @type {Map<string, string>} what each item has said so far */
    this.texts = new Map();
    /** @type {Record<string, any> | null} */
    this.session = null;
  }

  /** Take an event of the server; those of other kinds change nothing. @param {RealtimeEvent} event */
  handle(event) {
    if (Object.hasOwn(CHANGES, event.type)) CHANGES[event.type](this, event);
  }

  /** A new connection: what was sounding sounds no more. */
  restart() {
    this.playing = false;
    this.enter("listening");
  }

  /** @param {Phase} phase */
  enter(phase) {
    if (phase === this.phase) return;
    this.phase = phase;
    tell(this.target, "phase", phase);
  }

  /** Back to what goes on when nobody speaks or is about to. */
  rest() {
    this.enter(this.playing ? "speaking" : "listening");
  }

  fallSilent() {
    this.playing = false;
    if (this.phase !== "hearing") this.enter("listening");
  }

  /**
   * @param {"transcript" | "reply"} side
   * @param {RealtimeEvent} event
   * @param {object} [more]
   */
  grow(side, { item_id: itemId, delta }, more = {}) {
    const text = (this.texts.get(itemId) ?? "") + delta;
    this.texts.set(itemId, text);
    for (const id of this.texts.keys()) if (this.texts.size > KEPT) this.texts.delete(id);
    tell(this.target, side, { itemId, text, delta, final: false, ...more });
  }

  /**
   * @param {"transcript" | "reply"} side
   * @param {string} itemId
   * @param {string} text
   * @param {object} [more]
   */
  finish(side, itemId, text, more = {}) {
    this.texts.delete(itemId);
    tell(this.target, side, { itemId, text, delta: "", final: true, ...more });
  }

  /** @param {{ code?: string, message?: string } | undefined} error */
  fail(error) {
    if (error?.code && HARMLESS.includes(error.code)) return;
    const message = error?.message ?? "the server had a problem";
    tell(this.target, "error", new VivantError("server", message, { code: error?.code ?? null }));
  }
}

/** @type {Record<string, (talk: Conversation, event: RealtimeEvent) => void>} */
const CHANGES = {
  "session.created": (talk, { session }) => {
    talk.session = session;
    tell(talk.target, "session", session);
  },
  "session.updated": (talk, { session }) => {
    talk.session = session;
    tell(talk.target, "session", session);
  },
  "input_audio_buffer.speech_started": (talk) => talk.enter("hearing"),
  "input_audio_buffer.speech_stopped": (talk) => talk.enter("thinking"),
  "input_audio_buffer.cleared": (talk) => talk.rest(),
  "conversation.item.input_audio_transcription.delta": (talk, event) => {
    talk.grow("transcript", event);
  },
  "conversation.item.input_audio_transcription.completed": (talk, { item_id: id, transcript }) => {
    if (!transcript) talk.rest();
    talk.finish("transcript", id, transcript);
  },
  "conversation.item.input_audio_transcription.failed": (talk, { item_id: id }) => {
    talk.rest();
    talk.finish("transcript", id, "");
  },
  "response.created": (talk) => talk.enter("thinking"),
  "response.output_audio_transcript.delta": (talk, event) => {
    talk.grow("reply", event, { interrupted: false, startMs: event.audio_start_ms ?? null });
  },
  "response.output_text.delta": (talk, event) => {
    talk.grow("reply", event, { interrupted: false, startMs: null });
  },
  "response.output_audio_transcript.done": (talk, { item_id: id, transcript }) => {
    talk.finish("reply", id, transcript, { interrupted: false, startMs: null });
  },
  "response.output_text.done": (talk, { item_id: id, text }) => {
    talk.finish("reply", id, text, { interrupted: false, startMs: null });
  },
  "conversation.item.truncated": (talk, { item_id: id, transcript }) => {
    const text = transcript ?? talk.texts.get(id) ?? "";
    talk.finish("reply", id, text, { interrupted: true, startMs: null });
  },
  "output_audio_buffer.started": (talk) => {
    talk.playing = true;
    talk.enter("speaking");
  },
  "output_audio_buffer.stopped": (talk) => talk.fallSilent(),
  "output_audio_buffer.cleared": (talk) => talk.fallSilent(),
  "response.done": (talk, { response }) => {
    const silent = response.status !== "completed" || !response.output?.length;
    if (talk.phase === "thinking" && silent) talk.rest();
    if (response.status === "failed") talk.fail(response.status_details?.error);
  },
  // The turn is over, also where none of it was to be heard.
  "avatar.turn.measured": (talk) => {
    if (talk.phase === "thinking") talk.rest();
  },
  "avatar.notes": (talk, { seeing, notes }) => tell(talk.target, "notes", { seeing, notes }),
  error: (talk, { error }) => talk.fail(error),
};
