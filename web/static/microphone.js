// @ts-check
/** @typedef {"denied" | "absent" | "busy" | "insecure"} Hindrance */

/** @type {Record<string, Hindrance>} */
const HINDRANCES = {
  NotAllowedError: "denied",
  SecurityError: "denied",
  NotFoundError: "absent",
  OverconstrainedError: "absent",
  NotReadableError: "busy",
  AbortError: "busy",
};

/**
 * Ask for the microphone, with the browser's echo canceller so that the host does not hear
 * itself.
 *
 * @returns {Promise<{ stream: MediaStream | null, hindrance: Hindrance | null }>}
 */
export async function askMicrophone() {
  if (!navigator.mediaDevices) return { stream: null, hindrance: "insecure" };
  const audio = { echoCancellation: true, noiseSuppression: true, autoGainControl: true };
  try {
    const stream = await navigator.mediaDevices.getUserMedia({ audio });
    return { stream, hindrance: null };
  } catch (error) {
    const name = error instanceof DOMException ? error.name : "";
    return { stream: null, hindrance: HINDRANCES[name] ?? "busy" };
  }
}

/** Give the microphone back. @param {MediaStream | null} stream */
export function releaseMicrophone(stream) {
  for (const track of stream?.getTracks() ?? []) track.stop();
}
