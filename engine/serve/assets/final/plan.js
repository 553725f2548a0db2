// The time of a final is entered in the administrator's own time. Without this script it is in UTC.

const planning = /** @type {HTMLFormElement | null} */ (document.getElementById('final-form'));
if (planning) {
  planning.querySelector('.zone').textContent = '(your time; empty for now)';
  planning.addEventListener('submit', () => {
    const { start, offset } = /** @type {Record<string, HTMLInputElement>} */ (/** @type {unknown} */ (planning.elements));
    // The offset is that of the day: it changes in spring and in autumn.
    offset.value = start.value ? String(new Date(start.value).getTimezoneOffset()) : '';
  });
}
