/** Types of the JavaScript SDK, vivant.js. */

/** Where a call stands. "closed" is final: `closed` tells why. */
export type CallState = "idle" | "connecting" | "connected" | "reconnecting" | "closed";

/** What goes on in the conversation. */
export type Phase = "listening" | "hearing" | "thinking" | "speaking";

/** Where a viewer stands; "waiting": the stream is not on the air, or has no place free. */
export type ViewerState = "idle" | "connecting" | "playing" | "reconnecting" | "waiting" | "ended";

/**
 * What went wrong.
 *
 * - "denied", "absent", "busy", "insecure", "unplugged": the microphone: not allowed, none there, in
 *   use elsewhere, a page without https, pulled out
 * - "full", "preparing", "limited": come again after `retryAfter` seconds
 * - "unauthorized", "forbidden": the token is missing or wrong; it does not permit this
 * - "refused": the server does not accept what was asked; `message` says what it accepts
 * - "unreachable", "timeout": no answer, or no way for the media
 * - "lost": the connection broke and could not be made again
 * - "gone": the session is over
 * - "offline": the stream to watch is not on the air
 * - "ended": the call was ended by its own page
 * - "server": an `error` event of the protocol; `code` is the server's
 * - "tool": a tool's handler failed; the host was told so
 */
export type TroubleKind =
  | "denied" | "absent" | "busy" | "insecure" | "unplugged"
  | "full" | "preparing" | "limited"
  | "unauthorized" | "forbidden" | "refused"
  | "unreachable" | "timeout" | "lost" | "gone" | "offline" | "ended"
  | "server" | "tool";

export declare class VivantError extends Error {
  constructor(
    kind: TroubleKind,
    message: string,
    more?: { code?: string | null; retryAfter?: number; cause?: unknown },
  );
  readonly kind: TroubleKind;
  /** The server's own name of it. */
  readonly code: string | null;
  /** Seconds after which a new try makes sense. */
  readonly retryAfter: number | undefined;
}

/** A token, or what gives one: it is asked before every request, so that tokens may be short-lived. */
export type Token = string | (() => string | null | Promise<string | null>);

/** Any event of the protocol, as sent. */
export interface RealtimeEvent {
  type: string;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  [field: string]: any;
}

/** `session` of the protocol, or a part of it; absent fields stay as they are. */
export interface SessionChange {
  instructions?: string;
  output_modalities?: ["audio"] | ["text"];
  tools?: object[];
  tool_choice?: "auto" | "none" | "required" | object;
  audio?: {
    input?: { transcription?: { language?: string | null } | null; turn_detection?: object | null };
    output?: { voice?: string | null; speed?: number };
  };
  avatar?: {
    name?: string | null;
    scene?: string | object | null;
    style?: string | null;
    framing?: "head" | "half" | "full" | null;
    size?: string;
    motion?: object | null;
  };
  [field: string]: unknown;
}

export interface VivantOptions {
  /** Where the server's page is; by default the server this module was loaded from. */
  url?: string;
  token?: Token | null;
  voice?: string | null;
  /** "en", "zh" or "auto". */
  language?: string | null;
  /** 0.5 to 2; 1 is the voice's own pace. */
  speed?: number;
  avatar?: string | null;
  scene?: string | object | null;
  style?: string | null;
  framing?: "head" | "half" | "full" | null;
  /** Of the picture, as "540x960"; "none" for sound alone. */
  size?: string;
  /** What else the session begins with. */
  session?: SessionChange;
  /** "webrtc" unless said otherwise. "websocket" has pictures only where `size` says how large. */
  transport?: "webrtc" | "websocket";
  /** Send poses: `motion` events, over a WebSocket. */
  motion?: boolean;
  /** Measure the wait for replies and the microphone's level; create the Vivant within a click. */
  measure?: boolean;
  /** Ways through NAT; by default those the server names. */
  iceServers?: RTCIceServer[];
  /** How long a connection may take, 20 unless said otherwise. */
  connectSeconds?: number;
  /** How long the server may take to answer the offer; as long as `connectSeconds`. */
  answerSeconds?: number;
  /** How long a broken connection is made again; 30 unless said otherwise, 0 for never. */
  reconnectSeconds?: number;
}

export interface ConnectOptions {
  /** A stream, true to ask for the microphone, false to type only. */
  microphone?: MediaStream | boolean;
  /** Where the host is seen and heard. */
  video?: HTMLMediaElement | null;
}

/** Words of the person (`transcript`) or of the host (`reply`). */
export interface Words {
  itemId: string;
  /** All of it so far. */
  text: string;
  /** What has just been added. */
  delta: string;
  final: boolean;
}

export interface Reply extends Words {
  /** When this clause is heard, in milliseconds from the reply's first sound. */
  startMs: number | null;
  /** The reply was broken off; `text` is what was heard. */
  interrupted: boolean;
}

export interface Latency {
  /** To the first sound of the reply, as this page received it. */
  seconds: number;
  since: "speech" | "text";
}

/** One pose, handed out when its sound is heard. */
export interface Motion {
  positionMs: number;
  /** Local quaternions, w x y z, joint by joint. */
  rotations: Float32Array;
  /** Of the root, metres. */
  translation: [number, number, number];
  /** Coefficients of the blend shapes, 0 to 1. */
  face: Float32Array;
}

/** The events of a Vivant and what they carry. */
export interface VivantEvents {
  state: CallState;
  phase: Phase;
  transcript: Words;
  reply: Reply;
  /** What the host sends: sound and picture. */
  media: MediaStream;
  /** The browser holds the sound back until `play()` is called within a click. */
  blocked: null;
  latency: Latency;
  /** Loudness of the own microphone, 0 to 1. */
  level: number;
  motion: Motion;
  /** The session as the server tells it, at its beginning and whenever it changes. */
  session: Record<string, any>;
  /** What the host sees. */
  notes: { seeing: boolean; notes: Record<string, any>[] };
  error: VivantError;
  /** The call is over; null where this page ended it. */
  closed: VivantError | null;
  /** Every event of the protocol, as it came. */
  event: RealtimeEvent;
}

export type ToolHandler = (parameters: any) => unknown | Promise<unknown>;

/** One conversation with a host. */
export declare class Vivant extends EventTarget {
  constructor(options?: VivantOptions);
  readonly options: VivantOptions;
  readonly server: Server;
  readonly state: CallState;
  readonly phase: Phase;
  readonly session: Record<string, any> | null;
  readonly microphone: MediaStream | null;
  readonly media: MediaStream | null;
  readonly muted: boolean;
  /** Why the call is over; null before that, and where this page ended it. */
  readonly reason: VivantError | null;
  /** Hear of an event; returns what ends it. `addEventListener` works too: see `detail`. */
  on<Type extends keyof VivantEvents>(type: Type, listener: (detail: VivantEvents[Type]) => void): () => void;
  /** Connect; resolves when the host can be talked to. A Vivant connects once. Throws VivantError. */
  connect(options?: ConnectOptions): Promise<void>;
  /** Ask in writing. */
  ask(text: string): void;
  /** Let the host say exactly this. */
  say(text: string, how?: { language?: "en" | "zh"; interrupt?: boolean }): void;
  /** Let the host make a gesture: "wave", "nod", "point". */
  action(action: string, parameters?: Record<string, string | number>): void;
  /** Change the scene: another one by name, or fields of the present one. */
  scene(scene: string | object): void;
  /** Ask what the host sees; answered by `notes`. */
  notes(): void;
  /** Change the session. */
  update(session: SessionChange): void;
  /** Silence the host at once. */
  interrupt(): void;
  /** While muted the host hears silence. */
  mute(muted?: boolean): void;
  /** Play what the browser held back; call it within a click. */
  play(): Promise<void>;
  /** Give the host a function to call; `parameters` is a JSON Schema of its argument. */
  tool(name: string, schema: { description: string; parameters?: object }, handler: ToolHandler): void;
  /** Send any client event of the protocol. */
  send(event: RealtimeEvent): void;
  /** End the call and free its place. */
  close(): void;
}

export interface Offered {
  voices: { name: string; languages: string[] }[];
  iceServers: RTCIceServer[];
}

export interface AvatarEntry {
  name: string;
  title: string;
  /** An address. */
  picture: string | null;
  /** Whether a call need not wait until the figure is built. */
  ready: boolean;
}

export interface Looks {
  avatars: AvatarEntry[];
  scenes: string[];
  styles: string[];
  framings: ("head" | "half" | "full")[];
  default: { avatar: string; scene: string; style: string };
}

/** What a server tells before a call. */
export declare class Server {
  constructor(url?: string, token?: Token | null);
  readonly url: string;
  token: Token | null;
  /** The voices and the ICE servers. Throws VivantError "unauthorized". */
  offered(): Promise<Offered>;
  /** Who, where and how the host may be; null where there is no choice. Throws VivantError "unauthorized". */
  looks(): Promise<Looks | null>;
}

export interface ViewerOptions {
  url?: string;
  token?: Token | null;
  /** The stream's name. */
  stream: string;
  iceServers?: RTCIceServer[];
}

export interface ViewerEvents {
  state: ViewerState;
  /** Only the picture may play: call `unmute()` within a click. */
  muted: null;
  error: VivantError;
}

/** A stream, watched over WHEP. */
export declare class WhepViewer extends EventTarget {
  constructor(options: ViewerOptions);
  readonly state: ViewerState;
  on<Type extends keyof ViewerEvents>(type: Type, listener: (detail: ViewerEvents[Type]) => void): () => void;
  /** Watch until `stop`, asking again where the stream is not there; resolves when it is over. */
  watch(video: HTMLVideoElement): Promise<void>;
  /** Let the sound be heard; call it within a click. */
  unmute(): Promise<void>;
  stop(): void;
}

/** Ask for the microphone, with echo cancellation; `hindrance` says why there is none. */
export declare function askMicrophone(): Promise<{
  stream: MediaStream | null;
  hindrance: "denied" | "absent" | "busy" | "insecure" | null;
}>;

/** Give a microphone back. */
export declare function releaseMicrophone(stream: MediaStream | null): void;
