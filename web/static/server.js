// @ts-check
/**
 * What the server tells about itself before a call.
 *
 * @typedef {{ name: string, languages: string[] }} VoiceEntry
 * @typedef {{ voices: VoiceEntry[], iceServers: RTCIceServer[] }} Offered
 * @typedef {{ name: string, title: string, picture: string | null, ready: boolean }} AvatarEntry
 *   `picture`: a URL; `ready`: whether a call need not wait until the figure is built
 * @typedef {{ avatar: string, scene: string, style: string }} LookDefault
 * @typedef {{ avatars: AvatarEntry[], scenes: string[], styles: string[], framings: string[],
 *   default: LookDefault }} Looks
 */

const VOICES = new URL("../v1/voices", import.meta.url).href;
const LOOKS = new URL("../v1/looks", import.meta.url).href;
const WAIT_MS = 5000;

/**
 * Ask for the voices and the ICE servers. A server that does not answer offers nothing here; the
 * call itself says what is wrong.
 *
 * @returns {Promise<Offered>}
 */
export async function askServer() {
  try {
    const response = await fetch(VOICES, { signal: AbortSignal.timeout(WAIT_MS) });
    if (!response.ok) return { voices: [], iceServers: [] };
    const { voices = [], ice_servers: iceServers = [] } = await response.json();
    return { voices, iceServers };
  } catch {
    return { voices: [], iceServers: [] };
  }
}

/**
 * Ask who, where and how the host may be. A server that does not answer leaves no choice.
 *
 * @returns {Promise<Looks | null>}
 */
export async function askLooks() {
  try {
    const response = await fetch(LOOKS, { signal: AbortSignal.timeout(WAIT_MS) });
    if (!response.ok) return null;
    /** @type {Looks} */
    const looks = await response.json();
    for (const avatar of looks.avatars) {
      avatar.picture = avatar.picture && new URL(avatar.picture, LOOKS).href;
    }
    return looks;
  } catch {
    return null;
  }
}
