// @ts-check
import { WhepViewer } from "../../whep-viewer.js";
import { api } from "../api.js";
import { askLooks, hostPicture } from "../choices.js";
import { classes, html, useEffect, useRef, useState } from "../html.js";
import { Icon } from "../icons.js";
import { DrawnPicture } from "../ui/drawn-picture.js";
import { Picture } from "../ui/picture.js";
import { useLoaded } from "../ui/load.js";
import { t } from "../words.js";
import { itemTitle } from "./item-title.js";
import { LevelMeter } from "./level-meter.js";
import { useRoom } from "./use-room.js";

/** What is on the air, what comes next, and what is being said. @param {import("./command.js").RoomProps} props */
export function Monitor({ room, feed }) {
  const sound = useRef(/** @type {MediaStream | null} */ (null));
  return html`
    <section class="monitor" aria-label=${t("monitor.programme")}>
      <div class="monitor-pictures">
        <${Programme} feed=${feed} sound=${sound} />
        <${LevelMeter} feed=${feed} sound=${sound} />
        <${Preview} room=${room} feed=${feed} />
      </div>
      <${Caption} feed=${feed} />
    </section>`;
}

/** @param {{ feed: import("../room-feed.js").RoomFeed, sound: { current: MediaStream | null } }} props */
function Programme({ feed, sound }) {
  const stream = useRoom(feed, (state) => state.stream);
  const status = useRoom(feed, (state) => state.status);
  const spec = useRoom(feed, (state) => state.room);
  const looks = useLoaded(askLooks, []);
  const live = status === "on_air";
  return html`
    <figure class=${classes("screen programme", live && "live")}>
      ${stream ? html`<${Live} key=${stream} stream=${stream} sound=${sound} />` : html`<${Picture} path=${hostPicture(looks.value, spec.avatar)} icon="looks" eager />`}
      <figcaption class="screen-label">${t("monitor.programme")}</figcaption>
      <${Tallies} feed=${feed} />
      ${!live && html`<p class="screen-off">${t(`status.${status}`)}</p>`}
    </figure>`;
}

/** @param {{ feed: import("../room-feed.js").RoomFeed }} props */
function Tallies({ feed }) {
  const cut = useRoom(feed, (state) => state.cut);
  const muted = useRoom(feed, (state) => state.muted);
  const takeover = useRoom(feed, (state) => state.takeover);
  return html`
    <div class="tallies">
      ${cut && html`<span class="tally">${t("monitor.card")}</span>`}
      ${muted && html`<span class="tally">${t("monitor.muted")}</span>`}
      ${takeover && html`<span class="tally">${t("monitor.takeover")}</span>`}
    </div>`;
}

/**
 * The stream itself, without sound until somebody listens: an operator's room has other sounds.
 *
 * @param {{ stream: string, sound: { current: MediaStream | null } }} props
 */
function Live({ stream, sound }) {
  const video = useRef(/** @type {HTMLVideoElement | null} */ (null));
  const [state, setState] = useState("connecting");
  const [heard, setHeard] = useState(false);
  useEffect(() => {
    const viewer = new WhepViewer({ stream, token: () => api.token() ?? "" });
    const element = /** @type {HTMLVideoElement} */ (video.current);
    viewer.on("state", (now) => {
      setState(now);
      sound.current = now === "playing" ? /** @type {MediaStream} */ (element.srcObject) : null;
    });
    void viewer.watch(element);
    return () => {
      sound.current = null;
      viewer.stop();
    };
  }, [stream]);
  const listen = () => {
    if (video.current) video.current.muted = heard;
    setHeard(!heard);
  };
  return html`
    <video ref=${video} muted playsinline aria-label=${t("monitor.video")} />
    ${state !== "playing" && html`<p class="screen-wait"><span class="spinner" aria-hidden="true" /><span>${t("monitor.connecting")}</span></p>`}
    <button type="button" class="listen" aria-pressed=${heard ? "true" : "false"} onClick=${listen}>
      <${Icon} name=${heard ? "sound" : "silent"} size=${16} /><span>${t(heard ? "monitor.listening" : "monitor.listen")}</span>
    </button>`;
}

/** @param {import("./command.js").RoomProps} props */
function Preview({ room, feed }) {
  const next = useRoom(feed, (state) => state.next);
  const loop = useRoom(feed, (state) => state.loop);
  const spec = useRoom(feed, (state) => state.room);
  const products = useRoom(feed, (state) => state.products);
  const title = next ? itemTitle(next, products) : "";
  const looks = useLoaded(askLooks, []);
  const version = `${loop}-${next?.id ?? ""}-${spec.avatar}-${spec.scene}`;
  return html`
    <div class="preview">
      <figure class="screen">
        <${DrawnPicture} path="v1/rooms/${room}/preview" version=${version} alt=${next ? t("monitor.next", { title }) : t("monitor.preview")} stand=${hostPicture(looks.value, spec.avatar)} icon="scene" />
        <figcaption class="screen-label">${t("monitor.preview")}</figcaption>
      </figure>
      <p class="preview-words">
        <span class="soft">${t("rundown.next")}</span>
        ${next ? html`<b>${title}</b><span class="soft">${t(`kind.${next.kind}`)}</span>` : html`<span class="soft">${t("monitor.none")}</span>`}
      </p>
    </div>`;
}

/** @param {{ feed: import("../room-feed.js").RoomFeed }} props */
function Caption({ feed }) {
  const line = useRoom(feed, (state) => state.line);
  const takeover = useRoom(feed, (state) => state.takeover);
  const said = line && line.ended_at === null ? line : null;
  return html`
    <p class="caption" lang=${said?.language === "zh" ? "zh-CN" : said ? "en" : null}>
      <span class="unseen">${t("monitor.caption")}</span>
      ${said ? said.text : html`<span class="soft">${t(takeover ? "monitor.takeover" : "monitor.silent")}</span>`}
    </p>`;
}
