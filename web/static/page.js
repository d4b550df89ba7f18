// @ts-check
import { Access } from "./access.js";
import { Captions } from "./captions.js";
import { LookChoice } from "./looks.js";
import { Notices } from "./notices.js";
import { Subtitles } from "./subtitles.js";
import { askMicrophone, releaseMicrophone, Server, Vivant, VivantError } from "./vivant.js";
import { applyWords, otherTongue, say, switchTongue } from "./words.js";

/** @typedef {import("./vivant.js").RealtimeEvent} RealtimeEvent */

/** @param {string} id @returns {any} */
const find = (id) => document.getElementById(id);
const video = /** @type {HTMLVideoElement} */ (find("host"));
const talk = /** @type {HTMLButtonElement} */ (find("talk"));
const interrupt = /** @type {HTMLButtonElement} */ (find("interrupt"));
const end = /** @type {HTMLButtonElement} */ (find("end"));
const question = /** @type {HTMLInputElement} */ (find("question"));
const send = /** @type {HTMLButtonElement} */ (find("send"));
const voice = /** @type {HTMLSelectElement} */ (find("voice"));
const language = /** @type {HTMLSelectElement} */ (find("language"));

const captions = new Captions(find("captions"), say);
const notices = new Notices(find);
const looks = new LookChoice(find, say);
const subtitles = new Subtitles(find("subtitle"));
const access = new Access(find);
const token = () => access.token;
const server = new Server(undefined, token);

/** @type {Vivant | null} */
let call = null;
/** @type {MediaStream | null} */
let microphone = null;
let muted = false;
let state = "idle";
/** Whether a call waits for a token. */
let refused = false;
/** While it waits for the call to stand. */
const WAITING = ["asking", "connecting", "preparing"];
// A host nobody has called is built first; the server itself gives up after a minute.
const PREPARING_SECONDS = 75;
/** @type {{ seconds: number, since: string } | null} */
let measured = null;
/** @type {string | undefined} who answers in this call */
let host;

/** What goes on in the call. */
function present() {
  const phase = call?.phase ?? "listening";
  if (phase !== "listening") return phase;
  if (!microphone) return "typing";
  return muted ? "muted" : "listening";
}

/** When what is said appears over the picture. @type {Record<string, (event: RealtimeEvent) => void>} */
const SUBTITLED = {
  "input_audio_buffer.speech_started": () => subtitles.hold(),
  "input_audio_buffer.cleared": () => subtitles.resume(),
  "response.created": () => subtitles.clear(),
  "response.output_audio_transcript.delta": ({ delta, audio_start_ms: start }) => {
    subtitles.add(delta, start);
  },
  "output_audio_buffer.started": () => subtitles.begin(),
  "output_audio_buffer.stopped": () => subtitles.clear(),
  "output_audio_buffer.cleared": () => subtitles.clear(),
};

async function start() {
  if (!window.RTCPeerConnection) return notices.show("error.unsupported");
  if (call) return undefined;
  notices.clear();
  captions.clear();
  const mine = made();
  call = mine;
  enter("asking");
  const asked = await askMicrophone();
  // The person may have ended it, or begun another, while the browser asked.
  if (call !== mine) return releaseMicrophone(asked.stream);
  microphone = asked.stream;
  muted = false;
  if (asked.hindrance) hinder(asked.hindrance);
  enter(looks.isReady ? "connecting" : "preparing");
  announce(looks.isReady ? "" : "state.preparing");
  try {
    await mine.connect({ microphone: microphone ?? false, video });
  } catch (error) {
    refused = error instanceof VivantError && error.kind === "unauthorized";
    explain(error);
  }
  return undefined;
}

/** Make a call; within the click, so that the browser lets it measure sound. */
function made() {
  const session = { ...wishes(), ...look("wish") };
  const patience = looks.isReady ? {} : { answerSeconds: PREPARING_SECONDS };
  const mine = new Vivant({ token, session, measure: true, ...patience });
  mine.on("state", (now) => follow(mine, now));
  mine.on("phase", () => enter(present()));
  mine.on("event", react);
  mine.on("session", (told) => (host = told.avatar?.name));
  mine.on("latency", showLatency);
  mine.on("level", showLevel);
  mine.on("error", (error) => complain(error));
  mine.on("blocked", () => {
    notices.show("error.blocked", "", { word: "play", run: () => void mine.play() });
  });
  return mine;
}

/** @param {VivantError} error */
function complain(error) {
  if (error.kind === "unplugged") loseMicrophone();
  else notices.show("error.server", error.message);
}

function loseMicrophone() {
  microphone = null;
  showLevel(0);
  enter(present());
  notices.show("error.unplugged");
}

/** @param {string} hindrance */
function hinder(hindrance) {
  const again = { word: "again", run: restart };
  notices.show(`error.${hindrance}`, "", hindrance === "insecure" ? null : again);
}

/** @type {Record<string, string>} */
const ONWARD = { lost: "reconnect", gone: "newCall" };

function restart() {
  call?.close();
  void start();
}

/** Say why there is no call, or none any more. @param {unknown} error */
function explain(error) {
  if (!(error instanceof VivantError)) return notices.show("error.refused", String(error));
  const { kind, message, retryAfter: after } = error;
  if (kind === "ended") return undefined;
  if (kind === "unauthorized") return access.ask(say);
  const detail = ["refused", "forbidden"].includes(kind) ? message : "";
  return notices.show(`error.${kind}`, detail, { word: ONWARD[kind] ?? "again", run: start, after });
}

function wishes() {
  const input = { transcription: { language: language.value } };
  return { audio: { input, output: { voice: voice.value || null } } };
}

/** @param {"wish" | "change"} which @returns {import("./vivant.js").SessionChange} */
function look(which) {
  const avatar = looks.wish && looks[which];
  return avatar ? { avatar } : {};
}

/** Scene, manner and framing change at once; another host needs a call of its own. */
function changeLook() {
  if (!call || call.state !== "connected") return;
  if (looks.isHost(host)) {
    notices.clear();
    call.update(look("change"));
  } else {
    notices.show("host.next", "", { word: "callHost", run: restart });
  }
}

/** @param {RealtimeEvent} event */
function react(event) {
  captions.handle(event);
  if (Object.hasOwn(SUBTITLED, event.type)) SUBTITLED[event.type](event);
}

/**
 * @param {Vivant} from
 * @param {import("./vivant.js").CallState} now
 */
function follow(from, now) {
  if (from !== call) return;
  if (now === "connected") {
    if (state === "reconnecting") notices.clear();
    looks.met();
    enter(present());
    announce(`state.${state}`);
  } else if (now === "reconnecting") {
    subtitles.clear();
    enter("reconnecting");
    announce("state.reconnecting");
  } else if (now === "closed") {
    leave(from);
  }
}

/** The call is over. @param {Vivant} from */
function leave(from) {
  const stood = !WAITING.includes(state);
  call = null;
  releaseMicrophone(microphone);
  microphone = null;
  muted = false;
  showLevel(0);
  subtitles.clear();
  const broken = stood && from.reason;
  enter(broken ? (broken.kind === "gone" ? "over" : "lost") : "idle");
  announce(broken ? "" : "ended");
  if (broken) explain(from.reason);
}

/** @param {string} next */
function enter(next) {
  state = next;
  document.body.dataset.state = next;
  const live = !["idle", "lost", "over", ...WAITING].includes(next);
  document.body.classList.toggle("live", live);
  find("state").textContent = say(`state.${next}`);
  const within = document.activeElement;
  const calling = call !== null;
  document.body.classList.toggle("calling", calling);
  interrupt.disabled = !(next === "speaking" || next === "thinking");
  end.hidden = !calling;
  interrupt.hidden = !live;
  question.disabled = !live;
  send.disabled = !live;
  // A button that goes grey must not take the keyboard's place on the page with it.
  if (within instanceof HTMLButtonElement && (within.disabled || within.hidden)) talk.focus();
  showTalk(live);
}

/** @param {boolean} live */
function showTalk(live) {
  const waits = WAITING.includes(state);
  const word = waits ? "connecting" : live ? (microphone ? (muted ? "unmute" : "mute") : "useMicrophone") : "start";
  const text = find("talk-text");
  text.dataset.word = word;
  text.textContent = say(word);
  talk.setAttribute("aria-disabled", String(waits));
  talk.classList.toggle("muted", live && muted);
  talk.classList.toggle("primary", !live || !microphone);
}

function pressTalk() {
  if (WAITING.includes(state)) return;
  if (!call) return void start();
  if (!microphone) return restart();
  muted = !muted;
  call.mute(muted);
  enter(state === "reconnecting" ? state : present());
  announce(muted ? "state.muted" : "state.listening");
}

/** Tell a screen reader. @param {string} key */
function announce(key) {
  find("announcer").textContent = key && say(key);
}

/** @param {number} level 0 to 1 */
function showLevel(level) {
  find("level").style.transform = `scaleX(${muted ? 0 : level.toFixed(2)})`;
}

/** @param {{ seconds: number, since: string } | null} detail */
function showLatency(detail) {
  measured = detail;
  find("measured").hidden = !detail;
  find("latency").textContent = detail ? `${detail.seconds.toFixed(2)} ${say("seconds")}` : say("latency.none");
  const how = find("latency-how");
  how.dataset.word = detail ? `latency.${detail.since}` : "latency.how";
  how.textContent = say(how.dataset.word);
}

/** Offer what the server has. */
async function load() {
  try {
    const [{ voices }, found] = await Promise.all([server.offered(), server.looks()]);
    looks.offer(found);
    const options = voices.map(({ name, languages }) => new Option(`${name} (${languages.join(", ")})`, name));
    voice.replaceChildren(voice.options[0], ...options);
  } catch (error) {
    explain(error);
  }
}

function showLanguage() {
  find("tongue").lang = otherTongue();
  find("state").textContent = say(`state.${state}`);
  notices.retell();
  looks.retell();
  showLatency(measured);
}

talk.addEventListener("click", pressTalk);
interrupt.addEventListener("click", () => call?.interrupt());
end.addEventListener("click", () => {
  notices.clear();
  call?.close();
});
find("ask").addEventListener("submit", (/** @type {SubmitEvent} */ event) => {
  event.preventDefault();
  const text = question.value.trim();
  if (!text || !call) return;
  notices.clear();
  call.ask(text);
  question.value = "";
});
for (const choice of [voice, language]) choice.addEventListener("change", () => call?.update(wishes()));
looks.addEventListener("change", changeLook);
find("tongue").addEventListener("click", () => {
  switchTongue();
  showLanguage();
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !interrupt.disabled) call?.interrupt();
});
access.addEventListener("given", () => {
  talk.focus();
  void load();
  if (refused) void start();
  refused = false;
});

applyWords();
showLanguage();
void load();
