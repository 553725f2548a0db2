// The bracket: the meetings of each round, and the one for the third place.

import { $, html } from '../elements.js';
import { named } from '../screen/stage.js';

/** A text with a capital letter.
 * @param {string} text */
export const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** The bot with this seed.
 * @param {FinalView} view @param {number | null} seed */
export const botOf = (view, seed) => view.bots.find((bot) => bot.seed === seed);

/** One of both in a meeting, as a row. `games` are those that it has won.
 * @param {FinalView} view @param {FinalMeeting} meeting @param {number} at */
function contestant(view, meeting, at) {
  const seed = meeting.bots[at];
  const bot = botOf(view, seed);
  if (!bot) return html('p', { class: 'nobody' }, html('span', { 'aria-hidden': 'true' }, '…'), html('span', { class: 'unseen' }, 'not known yet'));
  const begun = meeting.wins[0] + meeting.wins[1] + meeting.draws > 0;
  const state = meeting.winner === null ? '' : meeting.winner === seed ? 'won' : 'out';
  const words = state === 'won' ? 'goes on, ' : state === 'out' ? 'is out, ' : '';
  return html('p', { class: state },
    html('span', { class: 'seed' }, html('span', { class: 'unseen' }, 'Seed '), bot.seed), named(bot.name),
    html('span', { class: 'score' }, html('span', { class: 'unseen' }, `${words}games won: `), begun ? meeting.wins[at] : '–'));
}

/** The reason why somebody goes on who has not won more games than the other.
 * @param {FinalView} view @param {FinalMeeting} meeting */
function decidedBy(view, { wins, draws, winner, bots }) {
  if (winner === null || wins[bots.indexOf(winner)] > wins[1 - bots.indexOf(winner)]) return [];
  return [wins[0] === wins[1] && wins[0] + wins[1] + draws >= view.bestOf ? 'by hits, then seed' : 'the other one left'];
}

/** A meeting. `current` are the seeds of those who play now.
 * @param {FinalView} view @param {FinalMeeting} meeting @param {number[] | null} current */
function meetingOf(view, meeting, current) {
  const isOn = current !== null && meeting.winner === null && current.every((seed) => meeting.bots.includes(seed));
  const notes = [...(meeting.draws > 0 ? [`${meeting.draws} drawn`] : []), ...decidedBy(view, meeting)];
  const draws = notes.length > 0 ? [html('p', { class: 'draws' }, notes.join('; '))] : [];
  return html('div', { class: `meeting${isOn ? ' on' : ''}` }, contestant(view, meeting, 0), contestant(view, meeting, 1), ...draws);
}

/** Draws the bracket. `current` are the seeds of those who play now or next.
 * @param {FinalView} view @param {number[] | null} current */
export function drawBracket(view, current) {
  const columns = view.rounds.map((round, nth) => {
    const isLast = nth === view.rounds.length - 1;
    const items = round.meetings.map((meeting) => {
      // Where somebody is missing in the first round, the other one begins a round later.
      const isBye = nth === 0 && meeting.bots.includes(null);
      return isBye ? html('li', { class: 'bye', 'aria-hidden': 'true' }) : html('li', {}, meetingOf(view, meeting, current));
    });
    const third = isLast && view.third
      ? [html('div', { class: 'third' }, html('h3', {}, 'Third place'), meetingOf(view, view.third, current))] : [];
    return html('section', { class: `round${isLast ? ' last' : ''}`, 'aria-label': capital(round.name) },
      html('h3', {}, capital(round.name)), html('ol', {}, ...items), ...third);
  });
  $('rounds').replaceChildren(...columns);
  $('rounds').dataset.rounds = String(view.rounds.length);
}
