//! The JSON of a final.

use crate::matches::finals::step;
use crate::matches::health::HealthByBot;
use crate::state::finals::final_state::Final;
use crate::state::finals::final_state::Lineup;
use crate::state::journal_line::written;
use crate::state::name::BotId;
use crate::state::server_state::ServerState;
use chrono::{DateTime, Utc};
use serde::Serialize;
use tournament::{FinalBracket, FinalMeetings, Fixture, KnockoutMeeting, KnockoutRound, NextGame, Results};
use utoipa::ToSchema;

/// The state of a final.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum FinalState {
    /// No final is planned.
    #[default]
    None,
    /// A final is planned.
    Planned,
    /// A final is being played.
    Playing,
    /// The last final is over, and no other is planned.
    Over,
}

/// The final that is planned or being played, or the last one, as far as the screens have shown it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct FinalView {
    /// The state.
    pub(crate) state: FinalState,
    /// The number of the final; 0 if there is none.
    pub(crate) number: u32,
    /// The time when it begins.
    pub(crate) start: Option<String>,
    /// The most bots that take part.
    pub(crate) entrants: u32,
    /// The most games of a meeting that is not tied.
    pub(crate) best_of: u32,
    /// The bots, the best first. Until the final begins, those that would take part now.
    pub(crate) bots: Vec<FinalBot>,
    /// The rounds of the bracket.
    pub(crate) rounds: Vec<FinalRoundView>,
    /// The meeting for the third place, if there is one.
    pub(crate) third: Option<FinalMeetingView>,
    /// The next game, or the one that is being played or shown.
    pub(crate) next: Option<NextFinalGame>,
    /// The seeds of the bots, best first, once the final is over.
    pub(crate) ranking: Vec<u32>,
    /// The time of this description.
    pub(crate) now: String,
}

/// A bot of a final.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct FinalBot {
    /// Its place in the leaderboard among the bots of the final, counted from 1.
    pub(crate) seed: u32,
    /// The bot's number; empty for a player of the engine.
    pub(crate) id: String,
    /// The bot's name.
    pub(crate) name: String,
}

/// A round of a final.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct FinalRoundView {
    /// The name: `quarter-final`, `semi-final` or `final`.
    pub(crate) name: String,
    /// The meetings, from one end of the bracket to the other.
    pub(crate) meetings: Vec<FinalMeetingView>,
}

/// A meeting of two bots.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct FinalMeetingView {
    /// The seeds of both; none where it is not known yet, and where nobody comes.
    #[schema(value_type = Vec<Option<u32>>)]
    pub(crate) bots: [Option<u32>; 2],
    /// The games that each has won.
    pub(crate) wins: [u64; 2],
    /// The games that nobody won.
    pub(crate) draws: u64,
    /// The seed of the winner, once the meeting is decided.
    pub(crate) winner: Option<u32>,
}

/// A game of a final that comes next.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub(crate) struct NextFinalGame {
    /// The round: `quarter-final`, `semi-final`, `third place` or `final`.
    pub(crate) round: String,
    /// The seeds of both bots.
    pub(crate) bots: [u32; 2],
    /// The number of the game in its meeting, counted from 1.
    pub(crate) game: u32,
}

fn seed(entrant: usize) -> u32 {
    entrant as u32 + 1
}

/// The seeds of entrants.
pub(crate) fn seeds<'a>(entrants: impl IntoIterator<Item = &'a usize>) -> Vec<u32> {
    entrants.into_iter().map(|entrant| seed(*entrant)).collect()
}

impl From<&KnockoutMeeting> for FinalMeetingView {
    fn from(meeting: &KnockoutMeeting) -> FinalMeetingView {
        FinalMeetingView {
            bots: meeting.entrants.map(|entrant| entrant.map(seed)),
            wins: [meeting.games.wins, meeting.games.losses],
            draws: meeting.games.draws,
            winner: meeting.winner.map(seed),
        }
    }
}

impl FinalView {
    /// The final at this time, without the game that is on the screens.
    pub(crate) fn of(
        state: &ServerState,
        health: &HealthByBot,
        now: DateTime<Utc>,
        on_screen: Option<u64>,
    ) -> FinalView {
        let none = FinalView { now: written(now), ..FinalView::default() };
        let Some(present) = &state.present_final else { return none };
        let view = FinalView {
            number: present.number,
            start: Some(written(present.start)),
            entrants: present.entrants,
            best_of: present.best_of,
            ..none
        };
        match &present.lineup {
            None => {
                let ids = step::entrants(state, health, present.entrants);
                let name = |bot: BotId| state.bot(bot).map_or_else(String::new, |entry| entry.name.to_string());
                let bots = ids.iter().map(|bot| (bot.to_string(), name(*bot)));
                let bracket = FinalBracket::new(ids.len(), present.best_of);
                FinalView { state: FinalState::Planned, ..view.with(bots, bracket, &Results::default()) }
            }
            Some(lineup) => {
                let view = view.with(named(lineup), lineup.bracket, &lineup.results(on_screen));
                FinalView {
                    state: if present.ranking.is_some() { FinalState::Over } else { FinalState::Playing },
                    ranking: seeds(present.ranking.iter().flatten()),
                    ..view
                }
            }
        }
    }

    /// The same view with these bots, the best first, and their meetings after these results.
    pub(crate) fn with(
        self,
        bots: impl Iterator<Item = (String, String)>,
        bracket: FinalBracket,
        results: &Results,
    ) -> FinalView {
        let bots: Vec<FinalBot> =
            bots.enumerate().map(|(at, (id, name))| FinalBot { seed: seed(at), id, name }).collect();
        let FinalMeetings { rounds, third } = bracket.meetings(results);
        let all = rounds.len();
        let round = |(at, meetings): (usize, &Vec<KnockoutMeeting>)| FinalRoundView {
            name: KnockoutRound::nth(at, all).to_string(),
            meetings: meetings.iter().map(FinalMeetingView::from).collect(),
        };
        let next = match bracket.next(results) {
            NextGame::Play(fixture) => Some(NextFinalGame {
                round: bracket.round(results, fixture),
                bots: [fixture.first, fixture.second].map(seed),
                game: fixture.number + 1,
            }),
            NextGame::Wait | NextGame::Done => None,
        };
        FinalView {
            bots,
            rounds: rounds.iter().enumerate().map(round).collect(),
            third: third.as_ref().map(FinalMeetingView::from),
            next,
            ..self
        }
    }

    /// True if a final is planned and has not begun.
    pub(crate) fn is_planned(&self) -> bool {
        self.state == FinalState::Planned
    }

    /// True if a final is planned or being played.
    pub(crate) fn is_open(&self) -> bool {
        matches!(self.state, FinalState::Planned | FinalState::Playing)
    }

    /// The state in words.
    pub(crate) fn describe(&self) -> String {
        let meetings = match self.best_of {
            1 => "one game a meeting".to_owned(),
            games => format!("best of {games} games"),
        };
        let best = |count: u32| format!("the best {count} bots, {meetings}");
        match self.state {
            FinalState::None => "No final is planned.".to_owned(),
            FinalState::Planned => format!("A final is planned: {}.", best(self.entrants)),
            FinalState::Playing => format!("A final is being played: {}.", best(self.bots.len() as u32)),
            FinalState::Over => "The final is over.".to_owned(),
        }
    }
}

fn named(lineup: &Lineup) -> impl Iterator<Item = (String, String)> {
    lineup.bots.iter().map(ToString::to_string).zip(lineup.names.iter().map(ToString::to_string))
}

/// The place of a game in the final, for its match. The screens show each of its turns for `pace` milliseconds.
pub(crate) fn place(
    present: &Final,
    lineup: &Lineup,
    fixture: Fixture,
    pace: u64,
) -> crate::state::journal_line::FinalGameLine {
    crate::state::journal_line::FinalGameLine {
        number: present.number,
        round: lineup.bracket.round(&lineup.results(None), fixture),
        game: fixture.number + 1,
        best_of: present.best_of,
        pace: Some(pace),
    }
}
