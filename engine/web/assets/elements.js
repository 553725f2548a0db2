// The parts of this script share one scope; assets.rs puts them together in their order.
//
// Elements of the page. Text of players becomes text or an attribute, never markup.

/** The element with this id. */
const $ = (id) => document.getElementById(id);

/** An HTML element. Attributes that are null or false are left out; true ones are empty. */
function html(tag, attributes = {}, ...children) {
  return furnished(document.createElement(tag), attributes, children);
}

/** An SVG element, in the same way. */
function svg(tag, attributes = {}, ...children) {
  return furnished(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children);
}

function furnished(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    element.setAttribute(name, value === true ? '' : value);
  }
  element.append(...children);
  return element;
}

/** A text of unknown origin and direction: it cannot change how the text around it reads. */
const foreign = (text) => html('bdi', { dir: 'auto' }, text);

/** The letter of a seat as a badge in its colour. */
const badge = (seat) => html('span', { class: `badge seat-${seat}` }, letter(seat));

/** Shows an element or hides it. */
function show(element, shown) {
  element.hidden = !shown;
}

/** Opens a dialog, or closes it. Returns true if it is closed now. */
function toggled(dialog) {
  if (dialog.open) dialog.close();
  else dialog.showModal();
  return !dialog.open;
}

/** Shows the page on the whole screen, or in its window again. */
function toggleFull() {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen?.().catch(() => {});
}

/** Lists keys and their actions in the dialog about them. */
function listKeys(keys) {
  const entries = keys.flatMap(([, shown, text]) => [html('dt', {}, html('kbd', {}, shown)), html('dd', {}, text)]);
  $('keys').querySelector('dl').append(...entries);
}
