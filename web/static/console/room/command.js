// @ts-check
import { api } from "../api.js";
import { attempt } from "../ui/toasts.js";

/**
 * Tell a room to do something, as `pipeline/rooms/commands.py` has it; what comes of it is seen in
 * the state.
 *
 * @param {string} room
 * @param {{ type: string, [field: string]: unknown }} command
 * @param {string} [done] what is said then
 */
export function tell(room, command, done) {
  return attempt(() => api.change("POST", `v1/rooms/${room}/commands`, command), done);
}

/** What all parts of the page are given. @typedef {{ room: string, feed: import("../room-feed.js").RoomFeed }} RoomProps */

