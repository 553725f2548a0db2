// Results can be left out: `?spoilers=0` at the end of the address. Links to other pages of the site keep it.

export const hidesSpoilers = new URLSearchParams(location.search).get('spoilers') === '0';
// Hides them until all of the page is there.
document.documentElement.classList.toggle('without-spoilers', hidesSpoilers);

addEventListener('DOMContentLoaded', () => {
  const offered = document.querySelector('#spoilers');
  if (offered) offered.hidden = false;
  if (!hidesSpoilers) return;
  for (const element of document.querySelectorAll('.spoiler')) element.remove();
  for (const side of document.querySelectorAll('.won')) side.classList.remove('won');
  for (const link of document.querySelectorAll('a.within')) link.search = '?spoilers=0';
  if (!offered) return;
  offered.textContent = 'Show results';
  offered.href = location.pathname;
});
