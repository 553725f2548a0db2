// Keeps a page up to date: loads the same page again, and replaces the parts that are marked with `data-fresh`. So the
// server's template is the only code that makes them.

import { localise } from './times.js';

/** The time between two loads. */
const EVERY_MS = 4000;
/** The same while something grows, as the log of a build does. */
const SOON_MS = 1000;

/** True if somebody is using this part, so that it must not change.
 * @param {Element} part */
const isInUse = (part) => part.querySelector(':popover-open, details[open]') !== null || part.contains(document.activeElement?.closest('form') ?? null);

/** Notes how the logs of a part are scrolled. Gives what scrolls those that take their place; one whose end was in view shows its end.
 * @param {Element} before
 * @param {Element} after */
function logsOf(before, after) {
  const ends = [...before.querySelectorAll('.log')].map((log) => ({
    id: log.id,
    top: log.scrollTop + log.clientHeight >= log.scrollHeight - 4 ? Infinity : log.scrollTop,
  }));
  return () => ends.forEach(({ id, top }) => {
    const log = after.querySelector(`#${id}`);
    if (log) log.scrollTop = Math.min(top, log.scrollHeight);
  });
}

/** Replaces the parts that differ. The element with the focus keeps it.
 * @param {Document} fresh */
function renew(fresh) {
  localise(fresh);
  for (const part of document.querySelectorAll('[data-fresh]')) {
    const other = fresh.getElementById(part.id);
    if (!other || isInUse(part) || other.isEqualNode(part)) continue;
    const active = document.activeElement;
    const focused = active && part.contains(active) ? active.id : '';
    const scrolled = logsOf(part, other);
    part.replaceWith(document.adoptNode(other));
    scrolled();
    if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
  }
}

/** Loads the page again, unless it is hidden. */
function look() {
  setTimeout(look, document.querySelector('[data-soon]') ? SOON_MS : EVERY_MS);
  if (document.hidden) return;
  const request = new XMLHttpRequest();
  request.open('GET', location.pathname + location.search);
  request.responseType = 'document';
  request.onload = () => request.status === 200 && request.response && renew(request.response);
  request.send();
}

if (document.querySelector('[data-fresh]')) setTimeout(look, EVERY_MS);
