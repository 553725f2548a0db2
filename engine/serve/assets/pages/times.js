// Times of the visitor's place. Without script, pages have the times of UTC.

const shownTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'medium' });

/** Shows all times of a document in the time zone of the visitor; the hint keeps that of UTC.
 * @param {Document} page */
export function localise(page) {
  for (const time of page.querySelectorAll('time[datetime]')) {
    const at = new Date(time.dateTime);
    if (!Number.isNaN(at.valueOf())) time.textContent = shownTime.format(at);
  }
}

localise(document);
