// @ts-check
import { classes, html, useId } from "../html.js";

/**
 * A label, what it labels, a hint and what is wrong with it.
 *
 * @param {{ label: string, hint?: string, wrong?: string, children: (id: string, told: string | null) => any, grow?: boolean }} props
 */
export function Field({ label, hint, wrong, children, grow = false }) {
  const id = useId();
  const told = wrong ? `${id}-wrong` : hint ? `${id}-hint` : null;
  return html`
    <div class=${classes("field", grow && "grow", wrong && "wrong")}>
      <label for=${id}>${label}</label>
      ${children(id, told)}
      ${wrong ? html`<p class="field-wrong" id="${id}-wrong">${wrong}</p>` : hint && html`<p class="field-hint" id="${id}-hint">${hint}</p>`}
    </div>`;
}

/**
 * A line of text, or with `rows` several.
 *
 * @param {{ label: string, value: string, onInput: (value: string) => void, hint?: string, wrong?: string, rows?: number, grow?: boolean, [more: string]: any }} props
 */
export function Text({ label, value, onInput, hint, wrong, rows, grow, ...more }) {
  const changed = (/** @type {any} */ event) => onInput(event.currentTarget.value);
  return html`
    <${Field} label=${label} hint=${hint} wrong=${wrong} grow=${grow}>
      ${(/** @type {string} */ id, /** @type {string | null} */ told) => rows
        ? html`<textarea id=${id} class="input" rows=${rows} value=${value} onInput=${changed} aria-describedby=${told} aria-invalid=${wrong ? "true" : null} ...${more} />`
        : html`<input id=${id} class="input" value=${value} onInput=${changed} aria-describedby=${told} aria-invalid=${wrong ? "true" : null} ...${more} />`}
    <//>`;
}

/**
 * A choice of a few.
 *
 * @param {{ label: string, value: string, onChange: (value: string) => void, options: [string, string][], hint?: string, wrong?: string, grow?: boolean, [more: string]: any }} props
 *   `options`: value and words
 */
export function Choice({ label, value, onChange, options, hint, wrong, grow, ...more }) {
  return html`
    <${Field} label=${label} hint=${hint} wrong=${wrong} grow=${grow}>
      ${(/** @type {string} */ id, /** @type {string | null} */ told) => html`
        <select id=${id} class="input" value=${value} aria-describedby=${told} onChange=${(/** @type {any} */ event) => onChange(event.currentTarget.value)} ...${more}>
          ${options.map(([key, words]) => html`<option key=${key} value=${key} selected=${key === value}>${words}</option>`)}
        </select>`}
    <//>`;
}

/**
 * Something that is on or off.
 *
 * @param {{ label: string, checked: boolean, onChange: (on: boolean) => void, hint?: string, disabled?: boolean }} props
 */
export function Switch({ label, checked, onChange, hint, disabled = false }) {
  return html`
    <label class="switch">
      <input type="checkbox" role="switch" checked=${checked} disabled=${disabled} onChange=${(/** @type {any} */ event) => onChange(event.currentTarget.checked)} />
      <span class="switch-track" aria-hidden="true" />
      <span class="switch-words"><span>${label}</span>${hint && html`<small>${hint}</small>`}</span>
    </label>`;
}

/**
 * One of a few, side by side.
 *
 * @param {{ label: string, value: string, onChange: (value: string) => void, options: [string, string][], small?: boolean }} props
 */
export function Segments({ label, value, onChange, options, small = false }) {
  const name = useId();
  return html`
    <div class=${classes("segments", small && "small")} role="radiogroup" aria-label=${label}>
      ${options.map(([key, words]) => html`
        <label key=${key} class="segment">
          <input type="radio" name=${name} value=${key} checked=${key === value} onChange=${() => onChange(key)} />
          <span>${words}</span>
        </label>`)}
    </div>`;
}
