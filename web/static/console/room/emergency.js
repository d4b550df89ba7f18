// @ts-check
import { classes, html, useEffect, useState } from "../html.js";
import { Icon } from "../icons.js";
import { useKeys } from "../keys.js";
import { t } from "../words.js";
import { tell } from "./command.js";
import { useRoom } from "./use-room.js";

const ARMED_MS = 3000;

/**
 * The cut to the holding card. A stray click must not do it, so the button wants two; F8 does it at
 * once, from wherever the focus is.
 *
 * @param {import("./command.js").RoomProps} props
 */
export function Emergency({ room, feed }) {
  const live = useRoom(feed, (state) => state.status === "on_air");
  const cut = useRoom(feed, (state) => state.cut);
  const [armed, setArmed] = useState(false);
  useEffect(() => {
    if (!armed) return undefined;
    const timer = setTimeout(() => setArmed(false), ARMED_MS);
    return () => clearTimeout(timer);
  }, [armed]);
  const change = () => {
    setArmed(false);
    void tell(room, { type: cut ? "uncut" : "cut" });
  };
  useKeys(live ? { F8: change } : {});
  if (cut) {
    return html`
      <div class="emergency is-cut">
        <button type="button" class="button live large" onClick=${change} aria-keyshortcuts="F8"><${Icon} name="play" />${t("control.uncut")}<kbd>F8</kbd></button>
        <p>${t("control.uncutHint")}</p>
      </div>`;
  }
  return html`
    <div class="emergency">
      <button type="button" class=${classes("button large cut", armed && "armed")} disabled=${!live} aria-keyshortcuts="F8" title=${t("control.cutHint")}
        onClick=${() => (armed ? change() : setArmed(true))}>
        <${Icon} name="cut" /><span aria-live="polite">${t(armed ? "control.cutArmed" : "control.cut")}</span><kbd>F8</kbd>
      </button>
    </div>`;
}
