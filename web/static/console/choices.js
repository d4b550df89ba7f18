// @ts-check
/** What rooms are put together from: hosts, scenes, voices, shops, rundowns. */
import { api } from "./api.js";
import { tOr } from "./words.js";

/**
 * @typedef {{ name: string, title: string, ready: boolean, picture: string | null, own?: boolean }} HostEntry
 * @typedef {{ avatars: HostEntry[], scenes: string[], styles: string[], framings: string[], default: Record<string, string> }} Looks
 * @typedef {{ looks: Looks, voices: { name: string, languages: string[] }[], shops: any[], rundowns: any[] }} Choices
 */

const NO_LOOKS = { avatars: [], scenes: [], styles: [], framings: [], default: {} };

/** Return hosts, scenes and manners; none where the server leaves no choice. @returns {Promise<Looks>} */
export async function askLooks() {
  try {
    return await api.get("v1/looks");
  } catch (error) {
    if (/** @type {any} */ (error).status === 404) return NO_LOOKS;
    throw error;
  }
}

/** @returns {Promise<Choices>} */
export async function askChoices() {
  const [looks, offered, shops, rundowns] = await Promise.all([
    askLooks(), api.get("v1/voices"), api.list("v1/shops"), api.list("v1/rundowns"),
  ]);
  return { looks, voices: offered.voices, shops, rundowns };
}

/** Where a host's still picture is. @param {Looks | null} looks @param {string | null | undefined} name */
export function hostPicture(looks, name) {
  const wanted = name ?? looks?.default.avatar;
  const picture = looks?.avatars.find((avatar) => avatar.name === wanted)?.picture;
  return picture ? `v1/${picture}` : null;
}

/** @param {Looks | null} looks @param {string | null | undefined} name */
export function hostTitle(looks, name) {
  const wanted = name ?? looks?.default.avatar ?? "";
  return looks?.avatars.find((avatar) => avatar.name === wanted)?.title ?? wanted;
}

/** What comes with the program has words; a name of one's own stands as it is. @param {string} name */
export const sceneTitle = (name) => tOr(`scene.${name}`, name.replaceAll("_", " "));
/** @param {string} name */
export const styleTitle = (name) => tOr(`style.${name}`, name);
/** @param {string} name */
export const voiceTitle = (name) => tOr(`voice.${name}`, name);
