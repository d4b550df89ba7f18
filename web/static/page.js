// @ts-check
import { Captions } from "./captions.js";
import { LatencyMeter } from "./latency.js";
import { askMicrophone, releaseMicrophone } from "./microphone.js";
import { Notices } from "./notices.js";
import { CallError, RealtimeCall } from "./realtime.js";
import { LookChoice } from "./looks.js";
import { askLooks, askServer } from "./server.js";
import { Subtitles } from "./subtitles.js";
import { applyWords, otherTongue, say, switchTongue } from "./words.js";

/** @typedef {import("./realtime.js").RealtimeEvent} RealtimeEvent */

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

/** @type {RealtimeCall | null} */
let call = null;
/** @type {LatencyMeter | null} */
let meter = null;
/** @type {MediaStream | null} */
let microphone = null;
let muted = false;
let playing = false;
let state = "idle";
/** While it waits for the call to stand. */
const WAITING = ["asking", "connecting", "preparing"];
// A host nobody has called is built first; the server itself gives up after a minute.
const PREPARING_SECONDS = 75;
/** @type {{ seconds: number, since: string } | null} */
let measured = null;
/** @type {string | undefined} who answers in this call */
let host;

/** What goes on when nobody speaks or is about to. */
function resting() {
  if (playing) return "speaking";
  if (!microphone) return "typing";
  return muted ? "muted" : "listening";
}

/** @type {Record<string, (event: RealtimeEvent) => void>} */
const REACTIONS = {
  "session.created": ({ session }) => {
    host = session.avatar?.name;
  },
  "input_audio_buffer.speech_started": () => {
    subtitles.hold();
    enter("hearing");
  },
  "input_audio_buffer.speech_stopped": () => {
    meter?.speechStopped();
    enter("thinking");
  },
  "input_audio_buffer.cleared": () => {
    subtitles.resume();
    enter(resting());
  },
  "conversation.item.input_audio_transcription.completed": ({ transcript }) => {
    if (!transcript) enter(resting());
  },
  "conversation.item.input_audio_transcription.failed": () => enter(resting()),
  "response.created": () => {
    subtitles.clear();
    enter("thinking");
  },
  "response.output_audio_transcript.delta": ({ delta, audio_start_ms: start }) => {
    subtitles.add(delta, start);
  },
  "output_audio_buffer.started": () => {
    playing = true;
    subtitles.begin();
    enter("speaking");
  },
  "output_audio_buffer.stopped": () => fallSilent(),
  "output_audio_buffer.cleared": () => fallSilent(),
  "response.done": ({ response }) => {
    const silent = response.status !== "completed" || !response.output?.length;
    if (state === "thinking" && silent) enter(resting());
    if (response.status === "failed") {
      notices.show("error.server", response.status_details?.error?.message);
    }
  },
  // The turn is over, also where none of it was to be heard.
  "avatar.turn.measured": () => {
    if (state === "thinking") enter(resting());
  },
  error: ({ error }) => {
    // Interrupting a moment too late is no mistake of the user's.
    if (error?.code !== "response_cancel_not_active") notices.show("error.server", error?.message);
  },
};

async function start() {
  if (!window.RTCPeerConnection) return notices.show("error.unsupported");
  if (call) return undefined;
  notices.clear();
  captions.clear();
  const mine = new RealtimeCall(looks.isReady ? {} : { answerSeconds: PREPARING_SECONDS });
  call = mine;
  enter("asking");
  // Made within the click, so that the browser lets it run.
  const context = new AudioContext();
  meter = new LatencyMeter(context);
  meter.addEventListener("measured", (event) => showLatency(/** @type {CustomEvent} */ (event).detail));
  meter.addEventListener("level", (event) => showLevel(/** @type {CustomEvent} */ (event).detail));
  mine.addEventListener("server", (event) => react(/** @type {CustomEvent} */ (event).detail));
  mine.addEventListener("media", (event) => play(/** @type {CustomEvent} */ (event).detail));
  mine.addEventListener("state", (event) => follow(mine, /** @type {CustomEvent} */ (event).detail));
  const [asked, { iceServers }] = await Promise.all([askMicrophone(), askServer()]);
  // The person may have ended it, or begun another, while the browser asked.
  if (call !== mine) return releaseMicrophone(asked.stream);
  microphone = asked.stream;
  if (asked.hindrance) hinder(asked.hindrance);
  if (microphone) listenTo(microphone);
  enter(looks.isReady ? "connecting" : "preparing");
  announce(looks.isReady ? "" : "state.preparing");
  try {
    await mine.connect(microphone, { session: { ...wishes(), ...look("wish") }, iceServers });
  } catch (error) {
    explain(error);
  }
  return undefined;
}

/** @param {MediaStream} stream */
function listenTo(stream) {
  muted = false;
  void meter?.watch("own", stream);
  stream.getAudioTracks()[0]?.addEventListener("ended", loseMicrophone);
}

function loseMicrophone() {
  microphone = null;
  showLevel(0);
  // What was said last will not be finished.
  call?.send({ type: "input_audio_buffer.clear" });
  enter(resting());
  notices.show("error.unplugged");
}

/** @param {string} hindrance */
function hinder(hindrance) {
  const again = { word: "again", run: restart };
  notices.show(`error.${hindrance}`, "", hindrance === "insecure" ? null : again);
}

function restart() {
  call?.close();
  void start();
}

/** @param {unknown} error */
function explain(error) {
  if (!(error instanceof CallError)) {
    notices.show("error.refused", String(error));
  } else if (error.kind === "full" || error.kind === "preparing") {
    notices.show(`error.${error.kind}`, "", { word: "again", run: start, after: error.retryAfter });
  } else if (error.kind !== "ended") {
    const detail = error.kind === "refused" ? error.message : "";
    notices.show(`error.${error.kind}`, detail, { word: "again", run: start });
  }
}

function wishes() {
  const input = { transcription: { language: language.value } };
  return { audio: { input, output: { voice: voice.value || null } } };
}

/** @param {"wish" | "change"} which @returns {object} */
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
  if (Object.hasOwn(REACTIONS, event.type)) REACTIONS[event.type](event);
}

function fallSilent() {
  playing = false;
  subtitles.clear();
  if (state !== "hearing") enter(resting());
}

/** @param {MediaStream} stream */
function play(stream) {
  video.srcObject = stream;
  void meter?.watch("host", stream);
  video.play().catch((/** @type {DOMException} */ error) => {
    // A call that ends takes the source away and so interrupts the promise; that is no refusal.
    if (error.name !== "NotAllowedError") return;
    notices.show("error.blocked", "", { word: "play", run: () => void video.play() });
  });
}

/**
 * @param {RealtimeCall} from
 * @param {import("./realtime.js").CallState} now
 */
function follow(from, now) {
  if (from !== call) return;
  if (now === "connected") {
    looks.met();
    enter(resting());
    announce(`state.${state}`);
  }
  if (now !== "lost" && now !== "closed") return;
  call = null;
  meter?.close();
  meter = null;
  releaseMicrophone(microphone);
  microphone = null;
  muted = playing = false;
  video.srcObject = null;
  showLevel(0);
  subtitles.clear();
  enter(now === "lost" ? "lost" : "idle");
  announce(now === "lost" ? "" : "ended");
  if (now === "lost") notices.show("error.lost", "", { word: "reconnect", run: start });
}

/** @param {string} next */
function enter(next) {
  state = next;
  document.body.dataset.state = next;
  const live = !["idle", "lost", ...WAITING].includes(next);
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
  if (["listening", "muted", "hearing"].includes(state)) enter(resting());
  else showTalk(true);
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

async function loadLooks() {
  looks.offer(await askLooks());
}

async function loadVoices() {
  const { voices } = await askServer();
  for (const { name, languages } of voices) {
    const option = new Option(`${name} (${languages.join(", ")})`, name);
    voice.append(option);
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
  meter?.textSent();
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
window.addEventListener("pagehide", () => call?.close());

applyWords();
showLanguage();
void loadVoices();
void loadLooks();
