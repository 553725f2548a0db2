// Types for the check of the scripts (.ci/scripts), which browsers never load: the data of a match (engine/web/src/wire.rs,
// engine/web/src/person/wire.rs), what scripts make of it, and what they may rely on in pages.

/** The letter of a seat. */
type Letter = string;
/** A place on a board: column and row. */
type Place = [x: number, y: number];
type Point = { x: number, y: number };
/** The eyes that see the same, as bits, and the thing that they see. */
type SeenBy<T> = [eyes: number, seen: T];
type HighlightKind = 'hit' | 'sinking' | 'special' | 'shield' | 'fault';
type Highlight = { seat: number, kind: HighlightKind };
type Deed = { seat: number, deed: string };

interface ShipName { letter: string, name: string, hue: string }
interface FleetShip { letter: string, length: number, sunk: boolean }

interface Setup {
  title: string, played: string, seed: string, engine: string, note?: string, names: string[], eyes: string[], grids: [number, number][],
  turn: string, most_turns?: number, first_row_on_top: boolean, ships: ShipName[],
}

interface BoardChange {
  cells?: Record<string, number[]>, fresh?: number[], scanned?: number[], fleet?: FleetShip[], fact_labels?: string[],
  facts?: Record<number, string>, measure_labels?: string[], measures?: number[], deed?: string,
}
interface NotesView {
  seat: Letter, text?: string, output?: string[], numbers?: [cell: number, number: number, percent: number][],
  marks?: [cell: number, text: string][], fleet?: number[][],
}
interface MoverView { seat: Letter, shots: number, left: number }
interface TotalView { seat: Letter, shots: number, hits: number }
interface SinkingView { by: Letter, target: Letter, letter: string }
interface Frame {
  titles: SeenBy<string>[], highlights?: SeenBy<[Letter, HighlightKind][]>[], boards: SeenBy<BoardChange>[][],
  times?: Record<Letter, number>, notes?: SeenBy<NotesView>[], mover?: SeenBy<MoverView>[], total?: SeenBy<TotalView>[],
  sinkings?: SeenBy<SinkingView[]>[],
}
interface HeatView { by: Letter, at: Letter, chances: string }
interface AnalysisView {
  moment: number, seen?: SeenBy<number[]>[], truth?: SeenBy<number[]>[], words?: SeenBy<string[]>[], heat?: SeenBy<HeatView>[],
}
interface MatchEnd { finished: boolean, winner?: Letter, ranking?: Letter[], points?: number[], scoring?: string, why: string }
interface LobbyView { teams: { name: string, ready: boolean }[], how: string }
interface ClockView { seat: Letter, until_ms: number, limit_ms: number }
/** The data in a page of a match: all of it, or the address of its event stream. */
interface PageData { events?: string, setup: Setup, frames: Frame[], analysis?: AnalysisView[], over: MatchEnd | null }

/** A board as it is drawn. Cells are numbered as in a frame. */
interface Board {
  width: number, height: number, looks: string[], fresh: Set<number>, scanned: Set<number>, fleet: FleetShip[], shots: number[],
  factLabels: string[], facts: string[], deed: string,
}
interface Scene { title: string, times: Record<Letter, number>, boards: Board[] }
/** One entry for a moment of a match. */
interface Entry { title: string, highlights: Highlight[], deeds: Deed[] }
/** A part that only some pages have. */
interface FurtherPart { build(): void, look(): void, grow(): void, render(at: number, scene: Scene): void, clock(clock: ClockView): void }
/** The probabilities to win at each moment, in per mille by seat; none where they are not known. */
type WinCurve = (number[] | undefined)[];
/** A moment at which a seat's probability to win grew much, in per mille. */
interface TurningPoint { moment: number, seat: number, before: number, after: number }
/** The elements of a chart, and its values by seat. */
interface Chart {
  element: HTMLElement, plot: SVGElement, label: string, values: HTMLElement, seats: (number | null)[][],
  ticks: { low: SVGElement, high: SVGElement }, lines: SVGElement[], names: SVGElement[], cursor: SVGElement, when: SVGElement,
}
interface Sinking { at: number, by: number, target: number, letter: string }
interface Salvo { at: number, seat: number, text: string, sank: Sinking[], out: number[] }

interface ShipToPlace { name: string, letter: string, length: number, turns: Place[][] }
interface ShipPlace extends Point { turn: number }
interface AimedAt extends Point { target: Letter }
interface OrderChoice { word: string, hint: string, pattern: Place[], most: number, targets: Letter[], why: string | null }
interface PlaceQuestion { kind: 'place', number: number, ships: ShipToPlace[], near: Place[] }
interface OrderQuestion { kind: 'order', number: number, moment: string, result: string | null, orders: OrderChoice[], pass: boolean }
type Question = PlaceQuestion | OrderQuestion | { kind: 'wait', number?: undefined, others: Letter[] };
type EndOfQuestions = { kind: 'end', record: string | null };
interface Verdict { ok: boolean, why?: string, doubt?: boolean, ships?: ShipPlace[] }
interface GridListener { choose(x: number, y: number): void, point(x: number | null, y: number | null): void }

/** Keys, their names, the action in words, the action, and the id of the dialog that it opens and closes. */
type Key = [keys: string[], shown: string, text: string, act: (key: string) => void, dialog?: string];
type Attributes = Record<string, string | number | boolean | null | undefined>;
/** The elements of pages that are more than an `HTMLElement`, by their ids. */
interface ElementsById {
  first: HTMLButtonElement, progress: HTMLProgressElement, scrubber: HTMLInputElement, marks: SVGSVGElement & HTMLElement,
  save: HTMLAnchorElement, keys: HTMLDialogElement, list: HTMLDialogElement, 'giving-up': HTMLDialogElement,
  'first-three': HTMLTableSectionElement, others: HTMLTableSectionElement,
}

/** What an element may have in it; a number is shown as its digits. */
type Child = Node | string | number;

// The kinds of elements with these selectors; those that are in every page and element that is asked for them cannot be null.
interface ParentNode {
  querySelector(selectors: '.deck' | '.panel' | 'dl' | 'h3' | 'aside' | '.ranks' | '.ranks .note' | '#joining .address' | '.zone'): HTMLElement;
  querySelector(selectors: '.grid' | 'svg.grid' | `.cell[data-x="${string}`): SVGElement;
  querySelector(selectors: `[data-sign=${string}` | '[data-first]'): HTMLElement | null;
  querySelector(selectors: `input[value="${string}`): HTMLInputElement | null;
  querySelector(selectors: '#spoilers'): HTMLAnchorElement | null;
  querySelectorAll(selectors: '[data-sign]'): NodeListOf<HTMLElement & { dataset: { sign: string } }>;
  querySelectorAll(selectors: '.cell' | '.cell[style]'): NodeListOf<SVGElement>;
  querySelectorAll(selectors: 'a.within'): NodeListOf<HTMLAnchorElement>;
  querySelectorAll(selectors: 'table.sortable'): NodeListOf<HTMLTableElement & { tHead: HTMLTableSectionElement }>;
  querySelectorAll(selectors: 'time[datetime]'): NodeListOf<HTMLTimeElement>;
  querySelectorAll(selectors: 'input:not([type=hidden])'): NodeListOf<HTMLInputElement>;
}
interface Element { closest(selectors: '.choice'): HTMLElement | null }
interface HTMLTableCellElement { readonly parentElement: HTMLTableRowElement, readonly textContent: string }
// Pointers and keys act on elements.
interface UIEvent { readonly target: Element }
// The browser turns values into text.
interface Element { setAttribute(qualifiedName: string, value: string | number | boolean): void }
interface CSSStyleDeclaration { setProperty(property: string, value: number): void }
// Newer than the compiler.
interface Array<T> {
  findLast<S extends T>(predicate: (value: T) => value is S): S | undefined;
  findLast(predicate: (value: T) => unknown): T | undefined;
  findLastIndex(predicate: (value: T) => unknown): number;
}
