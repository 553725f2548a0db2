// The fleet of a player beside its board: the ships that are afloat, in their colours.

/** The ships of a fleet, one mark for each. */
class Fleet {
  element = html('ul', { class: 'fleet' });
  #game;

  /** @param {GameFacts} game */
  constructor(game) {
    this.#game = game;
  }

  /** Shows what is left. While it is not known which ships were sunk, all are shown as new.
   * @param {Side} side */
  update(side) {
    const unknown = this.#game.ships.flatMap((look) => Array.from({ length: look.count }, () => ({ look, lost: 0 })));
    const ships = side.ships?.map((ship) => ({ look: ship.look, lost: side.destroyed(ship) })) ?? unknown;
    const order = (/** @type {{ look: GameShip }} */ ship) => this.#game.ships.indexOf(ship.look);
    ships.sort((one, other) => order(one) - order(other));
    const all = this.#game.ships.reduce((sum, ship) => sum + ship.count, 0);
    this.element.setAttribute('aria-label', `${all - side.sunk} of ${all} ships afloat`);
    this.element.classList.toggle('unknown', side.ships === null);
    this.element.replaceChildren(...ships.map(mark));
  }
}

/** A ship, with the number of its cells that are lost.
 * @param {{ look: GameShip, lost: number }} ship */
function mark({ look, lost }) {
  const cells = Array.from({ length: look.length }, (_, at) => html('i', { class: at < lost ? 'lost' : null }));
  const state = lost === look.length ? 'sunk' : lost > 0 ? 'hit' : 'sound';
  const words = html('span', { class: 'unseen' }, `${look.name}, ${state}`);
  return html('li', { class: `${look.hue} ${state}`, title: `${look.name}, ${state}` }, ...cells, words);
}
