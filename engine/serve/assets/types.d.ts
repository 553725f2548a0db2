// Types for the check of the scripts (.ci/scripts), which browsers never load: the JSON of the API and of the events
// (engine/serve/src/state/wire.rs, engine/serve/src/matches/finals/view.rs), and what scripts make of it.

interface FinalGame { number: number, round: string, game: number, bestOf: number }
interface MatchBegun { match: number, names: string[], final?: FinalGame, screening?: { begunAt: string, pace: number } }
interface MatchResult {
  id: number, tournament: number, final?: FinalGame, names: [string, string], winner: Letter | null,
}
interface GameEvent { id: string, names: [string, string], winner: string | null }
interface FinalGameEvent { id: string, names: [string, string], final: FinalGame, screening: { begunAt: string, pace: number } }
interface ListedMatch { number: number, link: string, when: string, names: [string, string], winner: string | null }
interface MatchOver { match: number }
interface RunningMatch { begun: MatchBegun }

interface LeaderboardRow { rank: number, id: string, name: string, wins: number, draws: number, losses: number }
interface Leaderboards { all: LeaderboardRow[], tournament: LeaderboardRow[] }
interface News { match: number, boards?: Leaderboards, tournament?: TournamentView }
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
  now: string, tournament: TournamentView, leaderboard: Leaderboards, bots: BotView[], settings: Settings, final: FinalView, matches: RunningMatch[],
}
