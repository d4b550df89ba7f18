// @ts-check
import { useStore } from "../store.js";

/**
 * Something of a room's state, drawn again when it is another; only below what waits for the state.
 *
 * @template T
 * @param {import("../room-feed.js").RoomFeed} feed
 * @param {(state: any) => T} select
 * @returns {T}
 */
export const useRoom = (feed, select) => useStore(feed, ({ state }) => select(state));
