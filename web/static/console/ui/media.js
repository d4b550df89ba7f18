// @ts-check
import { useEffect, useState } from "../html.js";

/** Whether a media query holds now. @param {string} query */
export function useMedia(query) {
  const [holds, setHolds] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const check = () => setHolds(list.matches);
    check();
    list.addEventListener("change", check);
    return () => list.removeEventListener("change", check);
  }, [query]);
  return holds;
}
