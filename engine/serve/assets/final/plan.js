// Times of a final in the administrator's own time. Without this script they are in UTC.

const planning = document.getElementById('final-form');
if (planning) {
  planning.querySelector('.zone').textContent = '(your time; empty for now)';
  planning.addEventListener('submit', () => {
    const { start, offset } = planning.elements;
    // The offset is that of the day: it changes in spring and in autumn.
    offset.value = start.value ? new Date(start.value).getTimezoneOffset() : '';
  });
}
for (const time of document.querySelectorAll('time.local')) {
  time.textContent = new Date(time.dateTime).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' });
}
