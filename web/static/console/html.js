// @ts-check
/** Markup as tagged templates: what Preact draws, written as `htm` reads it. */
import htm from "./vendor/htm.js";
import { Fragment, h, render } from "./vendor/preact.js";

export { useCallback, useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from "./vendor/preact-hooks.js";
export { Fragment, render };

export const html = htm.bind(h);

/** Class names, those that hold. @param {...(string | false | null | undefined)} names */
export const classes = (...names) => names.filter(Boolean).join(" ");
