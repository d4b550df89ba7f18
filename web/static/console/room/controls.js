// @ts-check
import { html } from "../html.js";
import { Icon } from "../icons.js";
import { useKeys } from "../keys.js";
import { Segments } from "../ui/fields.js";
import { useWanted } from "../ui/wanted.js";
import { t } from "../words.js";
import { tell } from "./command.js";
import { useRoom } from "./use-room.js";

/** What an operator needs at once: sound, hold, skip, pace. @param {import("./command.js").RoomProps} props */
export function Controls({ room, feed }) {
  const live = useRoom(feed, (state) => state.status === "on_air");
  const muted = useRoom(feed, (state) => state.muted);
  const held = useRoom(feed, (state) => state.held);
  const mute = () => tell(room, { type: muted ? "unmute" : "mute" });
  const hold = () => tell(room, { type: held ? "go_on" : "hold" });
  const skip = () => tell(room, { type: "skip" });
  useKeys(live ? { m: mute, h: hold, n: skip } : {});
  return html`
    <div class="controls" role="group" aria-label=${t("monitor.programme")}>
      <button type="button" class="button alarm" aria-pressed=${muted ? "true" : "false"} disabled=${!live} onClick=${mute} aria-keyshortcuts="m">
        <${Icon} name=${muted ? "silent" : "sound"} />${t(muted ? "control.unmute" : "control.mute")}
      </button>
      <button type="button" class="button" aria-pressed=${held ? "true" : "false"} disabled=${!live} onClick=${hold} aria-keyshortcuts="h">
        <${Icon} name=${held ? "play" : "hold"} />${t(held ? "control.goOn" : "control.hold")}
      </button>
      <button type="button" class="button" disabled=${!live} onClick=${skip} aria-keyshortcuts="n"><${Icon} name="skip" />${t("control.skip")}</button>
      ${live && html`<${Pace} room=${room} feed=${feed} />`}
    </div>`;
}

/** How fast the host speaks, which the autopilot and other operators change too. @param {import("./command.js").RoomProps} props */
function Pace({ room, feed }) {
  const held = useRoom(feed, (state) => state.pace ?? "usual");
  const [pace, choose] = useWanted(held, (value) => tell(room, { type: "pace", pace: value }));
  const options = ["calm", "usual", "quick"].map((value) => [value, t(`pace.${value}`)]);
  return html`<${Segments} small label=${t("control.pace")} value=${pace} onChange=${choose} options=${options} />`;
}
