// Keeps a page up to date: loads the same page again, and replaces the parts that are marked with `data-fresh`. So the
// server's template is the only code that makes them.

import { localise } from './times.js';

/** The time between two loads. */
const EVERY_MS = 4000;

/** True if somebody is using this part, so that it must not change.
 * @param {Element} part */
const isInUse = (part) => part.querySelector(':popover-open, details[open]') !== null || part.contains(document.activeElement?.closest('form') ?? null);

/** Replaces the parts that differ. The element with the focus keeps it.
 * @param {Document} fresh */
function renew(fresh) {
  localise(fresh);
  for (const part of document.querySelectorAll('[data-fresh]')) {
    const other = fresh.getElementById(part.id);
    if (!other || isInUse(part) || other.isEqualNode(part)) continue;
    const active = document.activeElement;
    const focused = active && part.contains(active) ? active.id : '';
    part.replaceWith(document.adoptNode(other));
    if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
  }
}

/** Loads the page again, unless it is hidden. */
function look() {
  setTimeout(look, EVERY_MS);
  if (document.hidden) return;
  const request = new XMLHttpRequest();
  request.open('GET', location.pathname + location.search);
  request.responseType = 'document';
  request.onload = () => request.status === 200 && request.response && renew(request.response);
  request.send();
}

if (document.querySelector('[data-fresh]')) setTimeout(look, EVERY_MS);
