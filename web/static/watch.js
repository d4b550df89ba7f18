// @ts-check
import { Access } from "./access.js";
import { Notices } from "./notices.js";
import { VivantError, WhepViewer } from "./vivant.js";
import { applyWords, otherTongue, say, switchTongue } from "./words.js";

/** @param {string} id @returns {any} */
const find = (id) => document.getElementById(id);
const video = /** @type {HTMLVideoElement} */ (find("host"));
const unmute = /** @type {HTMLButtonElement} */ (find("unmute"));
const sound = /** @type {HTMLButtonElement} */ (find("sound"));
const stream = decodeURIComponent(location.pathname.split("/").pop() ?? "");
const access = new Access(find);
const notices = new Notices(find);

/** @type {WhepViewer | null} */
let viewer = null;
let state = "idle";
/** Whether the browser, and not the viewer, took the sound away. */
let silenced = false;

function watch() {
  viewer?.stop();
  notices.clear();
  const mine = new WhepViewer({ stream, token: () => access.token });
  viewer = mine;
  mine.on("state", (now) => mine === viewer && enter(now));
  mine.on("muted", () => {
    silenced = true;
    showSound();
  });
  mine.on("error", explain);
  void mine.watch(video);
}

/** @param {VivantError} error */
function explain({ kind, message }) {
  if (kind === "unauthorized") access.ask(say);
  else if (kind === "forbidden") notices.show("watch.forbidden", message, { word: "again", run: watch });
  else if (kind === "refused") notices.show("watch.refused", message, { word: "again", run: watch });
}

/** @param {string} next */
function enter(next) {
  state = next;
  document.body.dataset.state = next;
  find("state").textContent = say(`watch.${next}`);
  find("bar").hidden = next !== "playing";
  showSound();
}

function showSound() {
  if (!video.muted) silenced = false;
  unmute.hidden = !silenced || state !== "playing";
  sound.classList.toggle("muted", video.muted);
  const word = video.muted ? "watch.unmuted" : "watch.mute";
  sound.dataset.label = word;
  sound.setAttribute("aria-label", say(word));
}

unmute.addEventListener("click", () => void viewer?.unmute());
sound.addEventListener("click", () => {
  if (video.muted) void viewer?.unmute();
  else video.muted = true;
});
video.addEventListener("volumechange", showSound);
find("whole").addEventListener("click", () => {
  if (document.fullscreenElement) void document.exitFullscreen();
  else void find("host").parentElement.requestFullscreen();
});
access.addEventListener("given", watch);
find("tongue").addEventListener("click", () => {
  switchTongue();
  showLanguage();
});

function showLanguage() {
  find("tongue").lang = otherTongue();
  document.title = `${stream} · Vivant`;
  find("state").textContent = say(`watch.${state}`);
  notices.retell();
  showSound();
}

find("stream").textContent = stream;
applyWords();
showLanguage();
watch();
