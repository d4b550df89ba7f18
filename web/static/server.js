// @ts-check
/**
 * What the server tells about itself before a call.
 *
 * @typedef {{ name: string, languages: string[] }} VoiceEntry
 * @typedef {{ voices: VoiceEntry[], iceServers: RTCIceServer[] }} Offered
 */

const VOICES = new URL("../v1/voices", import.meta.url).href;
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
