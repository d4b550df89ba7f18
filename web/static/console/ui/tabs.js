// @ts-check
import { html, useId, useRef } from "../html.js";

/**
 * Tabs of one place (ARIA Authoring Practices, tabs): arrows go from one to the next.
 *
 * @param {{ label: string, value: string, onChange: (value: string) => void, tabs: [string, string, any?][], children: any }} props
 *   `tabs`: key, words, and a count beside them
 */
export function Tabs({ label, value, onChange, tabs, children }) {
  const id = useId();
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  const move = (/** @type {KeyboardEvent} */ event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    event.preventDefault();
    const at = tabs.findIndex(([key]) => key === value);
    const [next] = tabs[(at + step + tabs.length) % tabs.length];
    onChange(next);
    /** @type {HTMLElement | null | undefined} */ (list.current?.querySelector(`[data-tab="${next}"]`))?.focus();
  };
  return html`
    <div class="tabs">
      <div class="tab-list" role="tablist" aria-label=${label} ref=${list} onKeyDown=${move}>
        ${tabs.map(([key, words, count]) => html`
          <button key=${key} type="button" role="tab" class="tab" data-tab=${key} id="${id}-${key}" aria-selected=${key === value ? "true" : "false"}
            aria-controls="${id}-panel" tabindex=${key === value ? 0 : -1} onClick=${() => onChange(key)}>
            ${words}${count ? html`<span class="count">${count}</span>` : null}
          </button>`)}
      </div>
      <div class="tab-panel" role="tabpanel" id="${id}-panel" aria-labelledby="${id}-${value}">${children}</div>
    </div>`;
}
