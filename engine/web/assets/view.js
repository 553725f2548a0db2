// The view of running matches, plain as yet: the moves of the last match that began, and both leaderboards.
// `serve/wire.rs` tells what the events say.

const element = (id) => document.getElementById(id);
const text = (tag, content) => Object.assign(document.createElement(tag), { textContent: content });

let shown = null;

const words = (deed) => {
  switch (deed.kind) {
    case "placed": return `${deed.seat} has placed its fleet`;
    case "shot": return `${deed.seat} fires at ${deed.x}, ${deed.y}: ${deed.result}`;
    case "radar": return `${deed.seat} uses radar around ${deed.x}, ${deed.y}`;
    default: return `${deed.seat} loses: ${deed.why}`;
  }
};

const begin = (begun) => {
  shown = begun.match;
  element("names").textContent = `Match ${begun.match}: ${begun.names[0]} (A) against ${begun.names[1]} (B)`;
  element("turns").replaceChildren();
  element("over").textContent = "";
};

const turn = (turn) => {
  if (turn.match !== shown) return;
  element("turns").append(...turn.deeds.map((deed) => text("li", words(deed))));
};

const over = (over) => {
  if (over.match !== shown) return;
  element("over").textContent = over.result ? over.result.why : `broken off: ${over.brokenOff}`;
};

const board = (id, rows) => {
  const cells = (row) => [row.rank, row.name, row.wins, row.draws, row.losses].map((value) => text("td", value));
  const body = rows.map((row) => {
    const line = document.createElement("tr");
    line.append(...cells(row));
    return line;
  });
  element(id).tBodies[0].replaceChildren(...body);
};

const leaderboard = (boards) => {
  board("all", boards.all);
  board("current", boards.tournament);
};

const state = (state) => {
  leaderboard(state.leaderboard);
  for (const { begun, turns } of state.matches.slice(-1)) {
    begin(begun);
    turns.forEach(turn);
  }
};

const source = new EventSource("/api/events");
const kinds = { state, leaderboard, "match-begun": begin, turn, "match-over": over };
for (const [kind, hear] of Object.entries(kinds)) {
  source.addEventListener(kind, (event) => hear(JSON.parse(event.data)));
}
