// Types for the check of the scripts (.ci/scripts), which browsers never load: the JSON of the API and of the events
// (engine/serve/src/state/wire.rs, engine/serve/src/matches/finals/view.rs), and what scripts make of it.

/** A kind of ship: its count in a fleet, and the hits that destroy a cell. */
interface GameShip extends ShipName { length: number, count: number, strength: number }
/** The facts about the game. */
interface GameFacts { grid: [number, number], first_row_on_top: boolean, ships: GameShip[] }

interface ShipView { type: string, cells: Place[] }
interface PlacedAction { kind: 'placed', seat: Letter, ships?: ShipView[] }
interface ShotAction extends Point { kind: 'shot', seat: Letter, result: 'miss' | 'hit' | 'sunk' }
interface RadarAction extends Point { kind: 'radar', seat: Letter, seen: Place[] }
interface LostAction { kind: 'lost', seat: Letter, why: string }
type PlayerAction = PlacedAction | ShotAction | RadarAction | LostAction;

interface FinalGame { number: number, round: string, game: number, bestOf: number }
interface MatchBegun {
  match: number, tournament: number, nth: number, of: number, names: [string, string], bots: [string, string], maxMoves: number,
  together?: boolean, final?: FinalGame, screening?: { begunAt: string, pace: number },
}
interface MatchTurn { match: number, turn: number, deeds: PlayerAction[] }
interface MatchResult {
  id: number, tournament: number, final?: FinalGame, names: [string, string], results: [string, string], winner: Letter | null, why: string,
  hits: [number, number], moves: number,
}
interface MatchOver { match: number, result: MatchResult | null, brokenOff?: string, fleets: [ShipView[] | null, ShipView[] | null] }
interface RunningMatch { begun: MatchBegun, turns: MatchTurn[] }
interface WholeMatch extends RunningMatch { over: MatchOver }

interface LeaderboardRow { rank: number, id: string, name: string, wins: number, draws: number, losses: number }
interface Leaderboards { all: LeaderboardRow[], tournament: LeaderboardRow[] }
interface BotView { id: string, name: string, state: string, lastFault: string | null }
interface TournamentView { number: number, over: boolean, paused: boolean, next: [string, string][], leftOut: number, waiting?: string }
interface Settings { pace: number }

interface FinalBot { seed: number, id: string, name: string }
interface FinalMeeting { bots: [number | null, number | null], wins: [number, number], draws: number, winner: number | null }
interface FinalView {
  state: 'none' | 'planned' | 'playing' | 'over', number: number, start: string | null, entrants: number, bestOf: number, bots: FinalBot[],
  rounds: { name: string, meetings: FinalMeeting[] }[], third: FinalMeeting | null,
  next: { round: string, bots: [number, number], game: number } | null, ranking: number[], now: string,
}
interface ServerState {
  tournament: TournamentView, leaderboard: Leaderboards, bots: BotView[], settings: Settings, final: FinalView, matches: RunningMatch[],
}
interface MatchHandlers {
  'match-begun'(begun: MatchBegun): void, turn(turn: MatchTurn): void, 'match-over'(over: MatchOver): void,
}

/** The ship of a side, with the numbers of its cells. */
interface SideShip { look: GameShip, cells: number[] }
interface MatchScene {
  boards: Board[], sides: Side[], latest: PlayerAction[], moves: number, mover: number | null, ended: boolean,
}
/** A view that shows one match after the other. */
interface Shows { begin(feed: MatchFeed, isAgain: boolean): void, show(at: number, isFresh: boolean): void }
