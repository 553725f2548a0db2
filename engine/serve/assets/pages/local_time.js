// Times in forms are entered in the administrator's own time. Without this script they are in UTC.

for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll('form:has([name=offset])'))) {
  const zone = /** @type {HTMLElement} */ (form.querySelector('.zone'));
  zone.textContent = String(zone.textContent).replace('UTC', 'your time');
  form.addEventListener('submit', () => {
    const offset = /** @type {HTMLInputElement} */ (form.elements.namedItem('offset'));
    const time = /** @type {HTMLInputElement} */ (form.querySelector('[type=datetime-local]')).value;
    // The offset is that of the day: it changes in spring and in autumn.
    offset.value = time ? String(new Date(time).getTimezoneOffset()) : '';
  });
}
