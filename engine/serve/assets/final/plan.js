// The time of a final is entered in the administrator's own time. Without this script it is in UTC.

const planning = document.getElementById('final-form');
if (planning) {
  planning.querySelector('.zone').textContent = '(your time; empty for now)';
  planning.addEventListener('submit', () => {
    const { start, offset } = planning.elements;
    // The offset is that of the day: it changes in spring and in autumn.
    offset.value = start.value ? new Date(start.value).getTimezoneOffset() : '';
  });
}
