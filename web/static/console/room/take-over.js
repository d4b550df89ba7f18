// @ts-check
import { askMicrophone, releaseMicrophone } from "../../microphone.js";
import { html, useCallback, useEffect, useRef, useState } from "../html.js";
import { Icon } from "../icons.js";
import { useKeys } from "../keys.js";
import { complaint, toast } from "../ui/toasts.js";
import { t } from "../words.js";
import { WhipPublisher } from "../whip-publisher.js";
import { tell } from "./command.js";
import { MicrophoneLevel } from "./microphone-level.js";
import { useRoom } from "./use-room.js";

/**
 * @typedef {{ stream: MediaStream, publisher: WhipPublisher }} Line
 */

/** An operator's own voice, through the host. @param {import("./command.js").RoomProps} props */
export function TakeOver({ room, feed }) {
  const live = useRoom(feed, (state) => state.status === "on_air");
  const stream = useRoom(feed, (state) => state.stream);
  const { line, busy, connect, release } = useMicrophone(stream);
  useEffect(() => {
    if (!live) release();
  }, [live]);
  return html`
    <section class="take-over" aria-label=${t("voice.title")}>
      <div class="row">
        <p class="grow"><span class="label">${t("voice.title")}</span><br /><small class="soft">${t("voice.hint")}</small></p>
        ${line
          ? html`<button type="button" class="button small quiet" onClick=${release}>${t("voice.release")}</button>`
          : html`<button type="button" class="button" disabled=${!live || busy} onClick=${connect}><${Icon} name="microphone" />${t(busy ? "voice.connecting" : "voice.connect")}</button>`}
      </div>
      ${line && html`<${Talk} room=${room} line=${line} />`}
    </section>`;
}

/** @param {string} stream */
function useMicrophone(stream) {
  const [line, setLine] = useState(/** @type {Line | null} */ (null));
  const [busy, setBusy] = useState(false);
  const current = useRef(line);
  current.current = line;
  const release = useCallback(() => {
    current.current?.publisher.close();
    releaseMicrophone(current.current?.stream ?? null);
    setLine(null);
  }, []);
  const connect = async () => {
    setBusy(true);
    const found = await open(stream, () => {
      toast(t("voice.lost"), "wrong");
      release();
    });
    setLine(found);
    setBusy(false);
  };
  useEffect(() => release, []);
  return { line, busy, connect, release };
}

/** @param {string} room @param {() => void} lost @returns {Promise<Line | null>} */
async function open(room, lost) {
  const { stream, hindrance } = await askMicrophone();
  if (!stream) {
    toast(t(`voice.${hindrance}`), "wrong");
    return null;
  }
  setOpen(stream, false);
  const publisher = new WhipPublisher(room, lost);
  try {
    await publisher.publish(stream);
    return { stream, publisher };
  } catch (error) {
    toast(complaint(error), "wrong");
    publisher.close();
    releaseMicrophone(stream);
    return null;
  }
}

/** @param {MediaStream} stream @param {boolean} open */
function setOpen(stream, open) {
  for (const track of stream.getAudioTracks()) track.enabled = open;
}

/**
 * Held, the button opens the microphone for as long as it is held; the switch keeps it open.
 *
 * @param {{ room: string, line: Line }} props
 */
function Talk({ room, line }) {
  const [talking, setTalking] = useState(false);
  const [kept, setKept] = useState(false);
  const now = useRef(false);
  const talk = useCallback((/** @type {boolean} */ on) => {
    if (now.current === on) return;
    now.current = on;
    setOpen(line.stream, on);
    setTalking(on);
    void tell(room, { type: "take_over", on });
  }, [room, line]);
  const keep = () => {
    setKept(!kept);
    talk(!kept);
  };
  const press = () => talk(true);
  const letGo = () => kept || talk(false);
  const pressKey = (/** @type {KeyboardEvent} */ event) => [" ", "Enter"].includes(event.key) && !event.repeat && press();
  useKeys({ v: press });
  useKeys({ v: letGo }, "keyup");
  useEffect(() => () => talk(false), [talk]);
  return html`
    <div class="talk">
      <button type="button" class="button hold-to-talk" aria-pressed=${talking ? "true" : "false"} aria-keyshortcuts="v"
        onPointerDown=${press} onPointerUp=${letGo} onPointerLeave=${letGo} onPointerCancel=${letGo}
        onKeyDown=${pressKey} onKeyUp=${letGo} onBlur=${letGo} onContextMenu=${(/** @type {Event} */ event) => event.preventDefault()}>
        <${Icon} name="microphone" /><span>${t(talking ? "voice.live" : "voice.hold")}</span><kbd>V</kbd>
      </button>
      <button type="button" class="button" aria-pressed=${kept ? "true" : "false"} onClick=${keep}>${t(kept ? "voice.close" : "voice.open")}</button>
      <${MicrophoneLevel} stream=${line.stream} />
    </div>`;
}
