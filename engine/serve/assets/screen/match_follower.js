// The match of the server that a screen follows.

import { Match } from '../match.js';
import { followMatch } from '../stream.js';
import { streamOf } from './source.js';

/** Follows one match after the other. */
export class MatchFollower {
  match = new Match();
  /** True until everything is there that the screen has shown of the match. */
  isLoading = false;
  /** @type {{ close(): void } | null} */
  #stream = null;
  #screen;

  /** The screen gives the moment that it shows. It is called when the boards of the match are to be made (`isKnown` is true if it has
   * shown the match before), after all that comes at the same time, and when the server has broken the match off.
   * @param {{ at(): number, loaded(isKnown: boolean): void, grown(): void, gone(): void }} screen */
  constructor(screen) {
    this.#screen = screen;
  }

  /** Follows the match with this number, and no other.
   * @param {number} number */
  follow(number) {
    this.#stream?.close();
    this.isLoading = true;
    let isKnown = false;
    const begun = () => { this.isLoading = true; };
    const grown = () => {
      if (this.#stream !== stream) return;
      if (this.isLoading) {
        const { frames, last, over } = this.match;
        // After its end, the match comes once more, with everything that was hidden.
        if (frames.length === 0 || (isKnown && last < this.#screen.at() && !over)) return;
        this.isLoading = false;
        document.body.dataset.match = String(number);
        this.#screen.loaded(isKnown);
        isKnown = true;
      }
      this.#screen.grown();
    };
    const stream = followMatch(streamOf(number), this.match, { begun, grown }, () => {}, () => this.#screen.gone());
    this.#stream = stream;
  }

  /** Follows no match any more. */
  close() {
    this.#stream?.close();
    this.#stream = null;
    delete document.body.dataset.match;
  }

}
