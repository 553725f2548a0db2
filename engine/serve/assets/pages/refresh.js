// Keeps a page up to date: the parts that are marked with `data-fresh` are taken from the same page anew. There is one
// place that makes them, the server's template.

/** How long the page stays as it is. */
const EVERY_MS = 4000;

/** Whether somebody is at work in this part, so that it must not change. */
const isInUse = (part) => part.querySelector(':popover-open, details[open]') !== null || part.contains(document.activeElement?.closest('form') ?? null);

/** Puts new parts in the place of the old ones, which differ. What has the focus keeps it. */
function renew(fresh) {
  for (const part of document.querySelectorAll('[data-fresh]')) {
    const other = fresh.getElementById(part.id);
    if (!other || isInUse(part) || other.isEqualNode(part)) continue;
    const focused = part.contains(document.activeElement) ? document.activeElement.id : '';
    part.replaceWith(document.adoptNode(other));
    if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
  }
}

/** Asks for the page again, unless nobody sees it. */
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
