// @ts-check
import { html, useEffect, useRef } from "../html.js";
import { t } from "../words.js";

const FLOOR_DB = -60;
const WORKLET = new URL("../../level-worklet.js", import.meta.url).href;

/**
 * How loud the microphone is, also while it is not on the air: a track that is off is silent, so a
 * copy of it is measured.
 *
 * @param {{ stream: MediaStream }} props
 */
export function MicrophoneLevel({ stream }) {
  const bar = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    const copy = stream.clone();
    for (const track of copy.getAudioTracks()) track.enabled = true;
    const context = new AudioContext();
    const measured = measure(context, copy, (level) => {
      const share = Math.max(0, 1 - (20 * Math.log10(Math.max(level, 1e-6))) / FLOOR_DB);
      bar.current?.style.setProperty("--level", String(Math.min(1, share)));
    });
    measured.catch(() => undefined); // a context that was closed meanwhile
    return () => {
      for (const track of copy.getTracks()) track.stop();
      void context.close();
    };
  }, [stream]);
  return html`<div class="meter flat" role="img" aria-label=${t("voice.level")}><span class="meter-bar" ref=${bar} /></div>`;
}

/**
 * @param {AudioContext} context
 * @param {MediaStream} stream
 * @param {(level: number) => void} tell
 */
async function measure(context, stream, tell) {
  await context.audioWorklet.addModule(WORKLET);
  const node = new AudioWorkletNode(context, "level", { numberOfOutputs: 0 });
  let loudest = 0;
  let count = 0;
  node.port.onmessage = ({ data }) => {
    loudest = Math.max(loudest, data.level);
    if (++count % 6) return; // as often as a screen is drawn for it
    tell(loudest);
    loudest = 0;
  };
  context.createMediaStreamSource(stream).connect(node);
}
