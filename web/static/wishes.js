// @ts-check
/**
 * What a session begins with, as `session` of the protocol.
 *
 * @param {import("./vivant.js").VivantOptions} options
 * @param {object[]} tools
 * @returns {import("./vivant.js").SessionChange}
 */
export function wishes(options, tools) {
  const { voice, speed, language, avatar: name, scene, style, framing, size, session = {} } = options;
  const input = { ...(language && { transcription: { language } }), ...session.audio?.input };
  return {
    ...session,
    ...(tools.length && { tools }),
    audio: { input, output: { voice, speed, ...session.audio?.output } },
    avatar: { name, scene, style, framing, size, ...session.avatar },
  };
}
