// Tables are sorted by the buttons in their headings. Without this script they stay in their order.

/** The value of a cell in a column: a number if it begins with one, otherwise its text; null for an empty cell.
 * @param {HTMLTableCellElement} cell @param {boolean} isText */
function valueOf(cell, isText) {
  const text = cell.dataset.value ?? cell.textContent.trim();
  const number = Number.parseFloat(text);
  if (text === '' || text === '·') return null;
  return isText || Number.isNaN(number) ? text : number;
}

/** Compares two values; those of empty cells come last in both directions.
 * @param {string | number | null} one @param {string | number | null} other @param {string} direction */
function compare(one, other, direction) {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  const numbers = typeof one === 'number' && typeof other === 'number';
  const order = numbers ? one - other : String(one).localeCompare(String(other), undefined, { numeric: true });
  return direction === 'ascending' ? order : -order;
}

/** Sorts the rows of a table by a column. Rows with equal values keep their order.
 * @param {HTMLTableElement} table @param {HTMLTableCellElement} heading */
function sortBy(table, heading) {
  const headings = [...heading.parentElement.cells];
  const at = headings.indexOf(heading);
  const isText = heading.classList.contains('text');
  const opposite = /** @type {Record<string, string>} */ ({ ascending: 'descending', descending: 'ascending' });
  // Numbers begin with the largest, names and places with the first.
  const begin = isText || heading.classList.contains('bot') ? 'ascending' : 'descending';
  const direction = opposite[heading.getAttribute('aria-sort') ?? ''] ?? begin;
  for (const other of headings) other.removeAttribute('aria-sort');
  heading.setAttribute('aria-sort', direction);
  const rows = [...table.tBodies[0].rows].map((row) => ({ row, value: valueOf(row.cells[at], isText) }));
  rows.sort((one, other) => compare(one.value, other.value, direction));
  const sorted = document.createDocumentFragment();
  for (const { row } of rows) sorted.append(row);
  table.tBodies[0].append(sorted);
}

addEventListener('DOMContentLoaded', () => {
  for (const table of document.querySelectorAll('table.sortable')) {
    for (const heading of table.tHead.rows[0].cells) {
      const button = document.createElement('button');
      button.type = 'button';
      button.append(...heading.childNodes);
      button.addEventListener('click', () => sortBy(table, heading));
      heading.append(button);
    }
  }
});
