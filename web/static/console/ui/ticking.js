// @ts-check
import { useEffect, useState } from "../html.js";

/** Draw again every second, while it is worth it. @param {boolean} on */
export function useTicking(on) {
  const [, draw] = useState(0);
  useEffect(() => {
    if (!on) return undefined;
    const timer = setInterval(() => draw((count) => count + 1), 1000);
    return () => clearInterval(timer);
  }, [on]);
}
