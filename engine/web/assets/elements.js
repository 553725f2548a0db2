// A page to keep has these modules as one script: assets.rs joins them, so that the names of all are different.
//
// Elements of the page. Text of players becomes text or an attribute, never markup.

import { letter } from './match.js';

/** The element with this id.
 * @type {<K extends string>(id: K) => K extends keyof ElementsById ? ElementsById[K] : HTMLElement} */
export const $ = (id) => /** @type {any} */ (document.getElementById(id));

/** An HTML element. Attributes that are null or false are left out; true ones are empty.
 * @template {keyof HTMLElementTagNameMap} K @param {K} tag @param {Attributes} attributes @param {Child[]} children */
export function html(tag, attributes = {}, ...children) {
  return furnished(document.createElement(tag), attributes, children);
}

/** An SVG element, in the same way.
 * @template {keyof SVGElementTagNameMap} K @param {K} tag @param {Attributes} attributes @param {Child[]} children */
export function svg(tag, attributes = {}, ...children) {
  return furnished(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

/** @template {Element} E @param {E} element @param {Attributes} attributes @param {Child[]} children */
function furnished(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    element.setAttribute(name, value === true ? '' : value);
  }
  element.append(.../** @type {(Node | string)[]} */ (children));
  return element;
}

/** A text of unknown origin and direction: it cannot change how the text around it reads.
 * @param {string} text */
export const foreign = (text) => html('bdi', { dir: 'auto' }, text);

/** The letter of a seat as a badge in its colour.
 * @param {number} seat */
export const badge = (seat) => html('span', { class: `badge seat-${seat}` }, letter(seat));

/** Shows an element or hides it.
 * @param {HTMLElement} element @param {boolean} shown */
export function show(element, shown) {
  element.hidden = !shown;
}

/** Opens a dialog, or closes it. Returns true if it is closed now.
 * @param {HTMLDialogElement} dialog */
export function toggled(dialog) {
  if (dialog.open) dialog.close();
  else dialog.showModal();
  return !dialog.open;
}

/** Shows the page on the whole screen, or in its window again. */
export function toggleFull() {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen?.().catch(() => {});
}

/** Lists keys and their actions in the dialog about them.
 * @param {Key[]} keys */
export function listKeys(keys) {
  const entries = keys.flatMap(([, shown, text]) => [html('dt', {}, html('kbd', {}, shown)), html('dd', {}, text)]);
  $('keys').querySelector('dl').append(...entries);
}

/** Acts on keys from now on, and lists them. An open dialog takes all keys but the one that closes it.
 * @param {Key[]} keys @param {(element: Element) => string[]} own tells which keys mean something to an element that has the focus */
export function listenToKeys(keys, own) {
  listKeys(keys);
  document.onkeydown = (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || own(event.target).includes(event.key)) return;
    const [, , , act, dialog] = keys.find(([names]) => names.includes(event.key)) ?? [];
    const open = document.querySelector('dialog[open]');
    if (!act || (open && open.id !== dialog)) return;
    event.preventDefault();
    act(event.key);
  };
}

/** The keys that a button takes.
 * @param {Element} element */
export const keysOfButtons = (element) => (element.matches('button, a') ? [' '] : []);
