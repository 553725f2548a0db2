//! The state of the server. It follows from the lines of the journal alone.

use crate::state::contests::contest::Contest;
use crate::state::contests::contest_line::ContestLine;
use crate::state::contests::contest_settings::ContestName;
use crate::state::finals::final_state::Final;
use crate::state::journal_line::{MatchLine, ServerJournalLine, TournamentMode, VoidResults, now};
use crate::state::leaderboard::{BotStats, leaderboard, results as results_of};
use crate::state::moderators::{ADMINISTRATOR, Moderators};
use crate::state::name::BotId;
use crate::state::name::BotName;
use crate::state::registered_bot::RegisteredBot;
use crate::state::settings::ServerSettings;
use crate::state::tournament::Tournament;
use crate::state::wire::Leaderboards;
use rules::Seat;
use std::collections::{BTreeMap, BTreeSet};

/// The current state.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct ServerState {
    mark: String,
    /// The seed from which all others are derived.
    pub(crate) seed: u64,
    bots: BTreeMap<BotId, RegisteredBot>,
    /// The bots by their names in the form in which names are compared.
    names: BTreeMap<String, BotId>,
    last_bot: u32,
    /// The number of the last match that was played to its end.
    pub(crate) last_match: u64,
    last_tournament: u32,
    /// The current tournament, or the last one.
    pub(crate) tournament: Option<Tournament>,
    /// Tournaments before, of which matches are left or are being played, the oldest first.
    pub(crate) previous: Vec<Tournament>,
    pub(crate) mode: TournamentMode,
    /// The time of the last change of the mode.
    pub(crate) mode_since: Option<String>,
    /// The reason for the mode, in words, if the server itself has changed it.
    pub(crate) mode_why: Option<String>,
    pub(crate) settings: ServerSettings,
    /// The number of the last final that was planned.
    pub(crate) last_final: u32,
    /// The final that is planned or being played, or the last one.
    pub(crate) present_final: Option<Final>,
    /// The contests with a ladder.
    pub(crate) contests: BTreeMap<ContestName, Contest>,
    pub(crate) moderators: Moderators,
}

impl ServerState {
    /// Applies a line. If the line cannot follow, returns the reason and changes nothing.
    pub(crate) fn take(&mut self, line: &ServerJournalLine) -> Result<(), String> {
        self.check(line)?;
        match line {
            ServerJournalLine::Arena { mark, seed, .. } => {
                self.seed = number(seed)?;
                self.mark.clone_from(mark);
            }
            ServerJournalLine::Registered { bot, name, password, at } => self.register(*bot, name, password, at),
            ServerJournalLine::UrlSet { bot, url, at } => {
                if let Some(entry) = self.bots.get_mut(bot) {
                    entry.url = Some(url.clone());
                    entry.updated.clone_from(at);
                }
            }
            ServerJournalLine::PasswordSet { bot, password, .. } => {
                if let Some(entry) = self.bots.get_mut(bot) {
                    (entry.password, entry.token) = (password.clone(), None);
                }
            }
            ServerJournalLine::TokenSet { bot, token, .. } => {
                if let Some(entry) = self.bots.get_mut(bot) {
                    entry.token = Some(token.clone());
                }
            }
            ServerJournalLine::Renamed { bot, name, at } => {
                if let Some(entry) = self.bots.get_mut(bot) {
                    self.names.remove(&entry.name.key());
                    self.names.insert(name.key(), *bot);
                    (entry.name, entry.updated) = (name.clone(), at.clone());
                }
            }
            ServerJournalLine::Removed { bot, .. } => {
                if let Some(entry) = self.bots.remove(bot) {
                    self.names.remove(&entry.name.key());
                }
                self.present_final.iter_mut().for_each(|present| present.withdraw(*bot));
                self.contests.values_mut().for_each(|contest| contest.remove(*bot));
            }
            ServerJournalLine::ModeratorSet { name, password, .. } => self.moderators.set(name, password),
            ServerJournalLine::ModeratorRemoved { name, .. } => self.moderators.remove(name),
            ServerJournalLine::Audit(entry) => self.moderators.note(entry),
            ServerJournalLine::TournamentBegun { number, seed, bots, .. } => {
                self.begin(*number, self::number(seed)?, bots);
            }
            ServerJournalLine::Match(played) => self.count(played),
            ServerJournalLine::MatchSkipped { id, tournament, bots, .. } => {
                self.last_match = self.last_match.max(*id);
                if let Some(open) = self.open_mut(*tournament) {
                    open.played.insert(*bots, *id);
                }
            }
            ServerJournalLine::MatchesVoided { matches, results, .. } => self.void(matches, results),
            ServerJournalLine::TournamentEnded { number, .. } => {
                self.open_mut(*number).into_iter().for_each(|open| open.is_over = true);
                self.previous.retain(|previous| !previous.is_over);
            }
            ServerJournalLine::Mode { mode, why, at } => {
                (self.mode, self.mode_since) = (*mode, Some(at.clone()));
                self.mode_why.clone_from(why);
            }
            ServerJournalLine::Settings { settings, .. } => self.settings = settings.resolved(),
            ServerJournalLine::FinalPlanned { .. }
            | ServerJournalLine::FinalCancelled { .. }
            | ServerJournalLine::FinalBegun { .. }
            | ServerJournalLine::FinalMatch(_)
            | ServerJournalLine::FinalEnded { .. } => self.take_final(line)?,
            ServerJournalLine::Contest { contest, change, at } => match (self.contests.get_mut(contest), change) {
                (Some(contest), change) => contest.take(change, at),
                (None, ContestLine::Settings { settings }) => {
                    self.contests.insert(contest.clone(), Contest::new(settings.clone()));
                }
                (None, _) => {}
            },
            ServerJournalLine::HistoryCleared { .. } => {
                (self.tournament, self.previous) = (None, Vec::new());
                self.present_final.take_if(|present| present.lineup.is_some());
                for entry in self.bots.values_mut() {
                    (entry.all, entry.current, entry.fault, entry.median_ms) = Default::default();
                }
            }
        }
        Ok(())
    }

    /// Checks that the line can follow; else returns the reason.
    pub(crate) fn check(&self, line: &ServerJournalLine) -> Result<(), String> {
        let wrong = match line {
            ServerJournalLine::Arena { seed, .. } => {
                number(seed)?;
                (!self.mark.is_empty()).then(|| "a second arena begins".to_owned())
            }
            _ if self.mark.is_empty() => Some("no arena has begun".to_owned()),
            ServerJournalLine::Registered { bot, .. } if bot.0 <= self.last_bot => {
                Some(format!("a second bot has the number {bot}"))
            }
            ServerJournalLine::Registered { name, .. } => {
                self.names.contains_key(&name.key()).then(|| format!("a second bot is called {name}"))
            }
            ServerJournalLine::UrlSet { bot, .. }
            | ServerJournalLine::PasswordSet { bot, .. }
            | ServerJournalLine::TokenSet { bot, .. }
            | ServerJournalLine::Removed { bot, .. } => {
                (!self.bots.contains_key(bot)).then(|| format!("there is no bot {bot}"))
            }
            ServerJournalLine::Renamed { bot, name, .. } => {
                let is_taken = self.names.get(&name.key()).is_some_and(|other| other != bot);
                let wrong = is_taken.then(|| format!("a second bot is called {name}"));
                wrong.or_else(|| (!self.bots.contains_key(bot)).then(|| format!("there is no bot {bot}")))
            }
            ServerJournalLine::ModeratorSet { name, .. } => {
                (name.key() == ADMINISTRATOR).then(|| format!("no moderator is called {ADMINISTRATOR}"))
            }
            ServerJournalLine::ModeratorRemoved { name, .. } => {
                self.moderators.named(name).is_none().then(|| format!("there is no moderator {name}"))
            }
            ServerJournalLine::TournamentBegun { number, seed, .. } => {
                self::number(seed)?;
                (*number <= self.last_tournament).then(|| format!("a second tournament has the number {number}"))
            }
            ServerJournalLine::MatchSkipped { tournament, bots, .. } => {
                self.open(*tournament).ok_or_else(|| not_played(*tournament))?.check(*bots).err()
            }
            ServerJournalLine::MatchesVoided { results, .. } => {
                let is_wrong = |void: &&VoidResults| {
                    let entry = self.bots.get(&void.bot);
                    entry.is_some_and(|entry| without(entry, void).is_none())
                };
                let wrong = results.iter().find(is_wrong);
                wrong.map(|void| format!("more matches of bot {} are void than it has played", void.bot))
            }
            ServerJournalLine::TournamentEnded { number, .. } => {
                self.open(*number).is_none().then(|| format!("tournament {number} ends, and is not being played"))
            }
            ServerJournalLine::Match(played) => return self.check_match(played),
            ServerJournalLine::FinalPlanned { .. }
            | ServerJournalLine::FinalCancelled { .. }
            | ServerJournalLine::FinalBegun { .. }
            | ServerJournalLine::FinalMatch(_)
            | ServerJournalLine::FinalEnded { .. } => return self.check_final(line),
            ServerJournalLine::Settings { settings, .. } => settings.resolved().check().err(),
            ServerJournalLine::Contest { contest, change, .. } => match (self.contests.get(contest), change) {
                (Some(contest), change) => contest.check(change).err(),
                (None, ContestLine::Settings { settings }) => settings.check().err(),
                (None, _) => Some(format!("there is no contest {contest}")),
            },
            ServerJournalLine::Mode { .. } | ServerJournalLine::HistoryCleared { .. } | ServerJournalLine::Audit(_) => {
                None
            }
        };
        wrong.map_or(Ok(()), Err)
    }

    fn check_match(&self, played: &MatchLine) -> Result<(), String> {
        check_seats(played)?;
        let tournament = self.open(played.tournament).ok_or_else(|| not_played(played.tournament))?;
        tournament.check([played.bots[Seat::A], played.bots[Seat::B]])?;
        let is_of_final = self.present_final.as_ref().is_some_and(|present| present.has(played.id));
        if is_of_final || tournament.excludes(played.id) {
            return Err(format!("a second match has the number {}", played.id));
        }
        Ok(())
    }

    fn register(&mut self, bot: BotId, name: &BotName, password: &str, at: &str) {
        self.last_bot = bot.0;
        self.names.insert(name.key(), bot);
        let entry = RegisteredBot {
            id: bot,
            name: name.clone(),
            password: password.to_owned(),
            token: None,
            url: None,
            registered: at.to_owned(),
            updated: at.to_owned(),
            all: BotStats::default(),
            current: BotStats::default(),
            fault: None,
            median_ms: None,
        };
        self.bots.insert(bot, entry);
    }

    fn void(&mut self, matches: &[u64], results: &[VoidResults]) {
        let matches: BTreeSet<u64> = matches.iter().copied().collect();
        self.previous.iter_mut().chain(&mut self.tournament).for_each(|open| open.reopen(&matches));
        for void in results {
            if let Some(entry) = self.bots.get_mut(&void.bot)
                && let Some(left) = without(entry, void)
            {
                [entry.all, entry.current] = left;
            }
        }
    }

    fn begin(&mut self, number: u32, seed: u64, bots: &[BotId]) {
        self.last_tournament = number;
        let begun = Tournament::begin(number, seed, bots, self.last_match);
        self.previous.extend(self.tournament.replace(begun).filter(|before| !before.is_over));
        self.bots.values_mut().for_each(|entry| entry.current = BotStats::default());
    }

    fn count(&mut self, played: &MatchLine) {
        let is_current = self.current(played.tournament).is_some();
        if let Some(tournament) = self.open_mut(played.tournament) {
            tournament.played.insert([played.bots[Seat::A], played.bots[Seat::B]], played.id);
        }
        self.last_match = self.last_match.max(played.id);
        for (seat, result) in [Seat::A, Seat::B].into_iter().zip(results_of(&played.outcome)) {
            if let Some(entry) = self.bots.get_mut(&played.bots[seat]) {
                entry.all.add(result);
                if is_current {
                    entry.current.add(result);
                }
                entry.fault.clone_from(&played.faults[seat]);
                entry.median_ms = played.median_ms[seat];
            }
        }
    }

    /// The registered bots in the order of registration.
    pub(crate) fn bots(&self) -> impl Iterator<Item = &RegisteredBot> {
        self.bots.values()
    }

    /// The bot with this number.
    pub(crate) fn bot(&self, id: BotId) -> Option<&RegisteredBot> {
        self.bots.get(&id)
    }

    /// The bot with this name, in upper or lower case.
    pub(crate) fn named(&self, name: &BotName) -> Option<&RegisteredBot> {
        self.names.get(&name.key()).and_then(|id| self.bots.get(id))
    }

    /// The number for the next bot.
    pub(crate) fn next_bot(&self) -> BotId {
        BotId(self.last_bot + 1)
    }

    /// The number for the next tournament.
    pub(crate) fn next_tournament(&self) -> u32 {
        self.last_tournament + 1
    }

    /// The current tournament, if it has this number and is being played.
    pub(crate) fn current(&self, number: u32) -> Option<&Tournament> {
        self.tournament.as_ref().filter(|present| present.number == number && !present.is_over)
    }

    /// The tournament with this number, if it is being played.
    pub(crate) fn open(&self, number: u32) -> Option<&Tournament> {
        self.all_open().find(|open| open.number == number)
    }

    fn open_mut(&mut self, number: u32) -> Option<&mut Tournament> {
        let open = self.previous.iter_mut().chain(&mut self.tournament).filter(|open| !open.is_over);
        open.into_iter().find(|open| open.number == number)
    }

    /// The tournaments that are being played, the older one first.
    pub(crate) fn all_open(&self) -> impl Iterator<Item = &Tournament> {
        self.previous.iter().chain(&self.tournament).filter(|open| !open.is_over)
    }

    /// The pairings that this tournament still has to play, without those of removed bots.
    pub(crate) fn left_in(&self, open: &Tournament) -> impl Iterator<Item = [BotId; 2]> {
        open.left().filter(|pairing| pairing.iter().all(|bot| self.bots.contains_key(bot)))
    }

    /// The tournaments of which no match of a slow bot begins any more.
    pub(crate) fn given_up(&self) -> &[Tournament] {
        self.previous.split_last().map_or(&[], |(_, given_up)| given_up)
    }

    /// The pairings that are left in all tournaments, with the numbers of the tournaments, the oldest first.
    pub(crate) fn all_pairings_left(&self) -> impl Iterator<Item = (u32, [BotId; 2])> {
        self.all_open().flat_map(|open| self.left_in(open).map(|pairing| (open.number, pairing)))
    }

    /// The pairings that are still to be played, with the numbers of their tournaments: those of the one before come first. Of those
    /// that were given up before, some may be left.
    pub(crate) fn pairings_left(&self) -> impl Iterator<Item = (u32, [BotId; 2])> {
        self.all_open()
            .skip(self.given_up().len())
            .flat_map(|open| self.left_in(open).map(|pairing| (open.number, pairing)))
    }

    /// The line that declares these matches void.
    pub(crate) fn void_line(&self, lines: &[MatchLine]) -> ServerJournalLine {
        let mut results: BTreeMap<BotId, VoidResults> = BTreeMap::new();
        let current = self.tournament.as_ref().map(|tournament| tournament.number);
        for line in lines {
            for (seat, result) in [Seat::A, Seat::B].into_iter().zip(results_of(&line.outcome)) {
                let bot = line.bots[seat];
                let (all, none) = (BotStats::default(), BotStats::default());
                let void = results.entry(bot).or_insert(VoidResults { bot, all, current: none });
                void.all.add(result);
                if Some(line.tournament) == current {
                    void.current.add(result);
                }
            }
        }
        let matches = lines.iter().map(|line| line.id).collect();
        // A bot that was removed has no results any more.
        let results = results.into_values().filter(|void| self.bots.contains_key(&void.bot)).collect();
        ServerJournalLine::MatchesVoided { matches, results, at: now() }
    }

    /// The leaderboards of all matches, and of the current tournament with its bots only.
    pub(crate) fn leaderboards(&self) -> Leaderboards {
        let order = self.tournament.as_ref().map_or(&[][..], |tournament| &tournament.order);
        let takes_part: BTreeSet<BotId> = order.iter().flatten().copied().collect();
        let row = |entry: &RegisteredBot, stats| (entry.id.to_string(), entry.name.to_string(), stats);
        let those = self.bots().filter(|entry| takes_part.contains(&entry.id));
        Leaderboards {
            all: leaderboard(self.bots().map(|entry| row(entry, entry.all))),
            tournament: leaderboard(those.map(|entry| row(entry, entry.current))),
        }
    }
}

fn not_played(tournament: u32) -> String {
    format!("tournament {tournament} is not being played")
}

/// The results of a bot without those of void matches, in all tournaments and in the current one.
fn without(entry: &RegisteredBot, void: &VoidResults) -> Option<[BotStats; 2]> {
    Some([entry.all.without(void.all)?, entry.current.without(void.current)?])
}

pub(crate) fn check_seats(played: &MatchLine) -> Result<(), String> {
    let seats = [played.bots.len(), played.names.len(), played.faults.len(), played.median_ms.len()];
    if seats == [2; 4] && played.outcome.points.len() == 2 {
        Ok(())
    } else {
        Err("it is not a match of two players".to_owned())
    }
}

pub(crate) fn number(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("{text:?} is not a number of 64 bits"))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::state::leaderboard::LeaderboardRow;
    use rules::{Ending, Outcome};
    use serde_json::{Value, json};

    /// A line of the journal, without its time.
    pub(crate) fn line(mut json: Value) -> ServerJournalLine {
        json["at"] = "then".into();
        serde_json::from_value(json).unwrap()
    }

    pub(crate) fn arena() -> ServerJournalLine {
        line(json!({"line": "arena", "format": "broadside arena", "version": 1, "mark": "mark", "seed": "7",
                    "engine": "broadside"}))
    }

    pub(crate) fn registered(bot: u32, name: &str) -> ServerJournalLine {
        line(json!({"line": "registered", "bot": bot, "name": name, "password": "$argon2id$"}))
    }

    pub(crate) fn begun(number: u32, bots: &[u32]) -> ServerJournalLine {
        line(json!({"line": "tournament-begun", "number": number, "seed": "3", "bots": bots}))
    }

    pub(crate) fn played(id: u64, tournament: u32, bots: [BotId; 2], winner: Option<Seat>) -> ServerJournalLine {
        let outcome = Outcome {
            winner,
            ranking: vec![Seat::A, Seat::B],
            points: [1, 2].into_iter().collect(),
            scoring: Default::default(),
            ending: Ending::MoveLimit { moves: 120 },
            turns: 121,
        };
        line(json!({"line": "match", "id": id, "tournament": tournament, "bots": bots, "seed": "1",
                    "names": bots.map(|bot| format!("bot {bot}")), "outcome": outcome, "faults": [null, "timed out"],
                    "median_ms": [1.5, null], "record": "", "took_ms": 12}))
    }

    pub(crate) fn state(lines: &[ServerJournalLine]) -> ServerState {
        let mut state = ServerState::default();
        lines.iter().for_each(|line| state.take(line).unwrap());
        state
    }

    fn three() -> ServerState {
        state(&[arena(), registered(1, "One"), registered(2, "Two"), registered(3, "Three"), begun(1, &[1, 2, 3])])
    }

    #[test]
    fn results_count_in_both_leaderboards_and_a_new_tournament_begins_at_nothing() {
        let mut state = three();
        let (_, first) = state.pairings_left().next().unwrap();
        state.take(&played(1, 1, first, Some(Seat::B))).unwrap();
        assert_eq!(state.pairings_left().count(), 2);
        let best = &state.leaderboards().all[0];
        assert_eq!((&best.id, best.stats.wins), (&first[1].to_string(), 1));
        assert_eq!(state.bot(first[1]).unwrap().fault.as_deref(), Some("timed out"));
        state.take(&line(json!({"line": "tournament-ended", "number": 1, "unplayed": 2}))).unwrap();
        state.take(&begun(2, &[1, 2])).unwrap();
        let Leaderboards { all, tournament } = state.leaderboards();
        assert_eq!((all[0].stats.wins, tournament[0].stats, tournament.len()), (1, BotStats::default(), 2));
    }

    #[test]
    fn nothing_counts_twice() {
        let mut state = three();
        let pairings: Vec<_> = state.pairings_left().map(|(_, pairing)| pairing).collect();
        state.take(&played(1, 1, pairings[0], None)).unwrap();
        let before = state.clone();
        let wrong = [
            (played(1, 1, pairings[1], None), "a second match has the number 1"),
            (played(2, 1, pairings[0], None), "have met already"),
            (played(2, 2, pairings[1], None), "tournament 2 is not being played"),
            (registered(4, "ONE"), "a second bot is called ONE"),
            (registered(3, "new"), "a second bot has the number 3"),
            (begun(1, &[1, 2]), "a second tournament has the number 1"),
            (arena(), "a second arena begins"),
        ];
        for (line, why) in wrong {
            assert!(state.take(&line).unwrap_err().contains(why), "{why}");
            assert_eq!(state, before, "{why}");
        }
    }

    #[test]
    fn a_tournament_may_begin_while_matches_are_left_in_the_one_before() {
        let mut state = three();
        let pairings: Vec<[BotId; 2]> = state.pairings_left().map(|(_, pairing)| pairing).collect();
        state.take(&played(1, 1, pairings[0], Some(Seat::A))).unwrap();
        state.take(&begun(2, &[1, 2, 3])).unwrap();
        assert_eq!(state.pairings_left().filter(|(number, _)| *number == 1).count(), 2);
        state.take(&played(2, 1, pairings[1], Some(Seat::A))).unwrap();
        let Leaderboards { all, tournament } = state.leaderboards();
        let sum = |rows: &[LeaderboardRow]| rows.iter().map(|row| row.stats.wins).sum::<u32>();
        assert_eq!([sum(&all), sum(&tournament)], [2, 0], "it is of the tournament before");
        state.take(&line(json!({"line": "tournament-ended", "number": 1, "unplayed": 1}))).unwrap();
        assert_eq!((state.previous.len(), state.pairings_left().count()), (0, 3));
        state.take(&begun(3, &[1, 2])).unwrap();
        assert_eq!(state.previous[0].number, 2);
    }

    #[test]
    fn a_skipped_match_is_not_played_and_counts_for_nobody() {
        let mut state = three();
        let (_, first) = state.pairings_left().next().unwrap();
        let skip = line(json!({"line": "match-skipped", "id": 1, "tournament": 1, "bots": first}));
        state.take(&skip).unwrap();
        assert!(state.pairings_left().all(|(_, pairing)| pairing != first));
        assert!(state.take(&skip).unwrap_err().contains("have met already"));
        assert!(state.take(&played(1, 1, first, None)).unwrap_err().contains("have met already"));
        assert_eq!(state.last_match, 1);
        assert!(state.leaderboards().all.iter().all(|row| row.stats == BotStats::default()));
    }

    #[test]
    fn void_matches_leave_both_leaderboards_and_are_played_again() {
        let mut state = three();
        let pairings: Vec<[BotId; 2]> = state.pairings_left().map(|(_, pairing)| pairing).collect();
        let lines = [
            played(1, 1, pairings[0], Some(Seat::A)),
            played(2, 1, pairings[1], None),
            played(3, 1, pairings[2], Some(Seat::B)),
        ];
        state.take(&lines[2]).unwrap();
        let before = state.clone();
        lines[..2].iter().for_each(|line| state.take(line).unwrap());
        let void: Vec<MatchLine> = lines[..2]
            .iter()
            .map(|line| match line {
                ServerJournalLine::Match(played) => *played.clone(),
                _ => unreachable!("both are matches"),
            })
            .collect();
        let line = state.void_line(&void);
        state.take(&line).unwrap();
        assert_eq!(state.leaderboards(), before.leaderboards());
        assert_eq!(state.tournament, before.tournament, "both pairings are open again");
        assert_eq!(state.last_match, 3, "numbers are not used again");
        let wrong = state.take(&line).unwrap_err();
        assert!(wrong.contains("are void than it has played"), "{wrong}");
    }

    #[test]
    fn a_name_is_free_again_when_its_bot_is_removed_but_its_number_is_not() {
        let mut state = three();
        state.take(&line(json!({"line": "removed", "bot": 3}))).unwrap();
        assert!(state.named(&BotName::new("three").unwrap()).is_none());
        assert_eq!(state.next_bot(), BotId(4));
        state.take(&registered(4, "Three")).unwrap();
        assert_eq!(state.named(&BotName::new("THREE").unwrap()).unwrap().id, BotId(4));
    }

    #[test]
    fn a_bot_with_another_name_is_the_same_one() {
        let mut state = three();
        let renamed = |name: &str| line(json!({"line": "renamed", "bot": 3, "name": name}));
        assert!(state.take(&renamed("ONE")).unwrap_err().contains("a second bot is called ONE"));
        state.take(&renamed("THREE")).unwrap();
        state.take(&renamed("Deep Water")).unwrap();
        assert!(state.named(&BotName::new("three").unwrap()).is_none());
        assert_eq!(state.named(&BotName::new("deep water").unwrap()).unwrap().id, BotId(3));
        state.take(&registered(4, "Three")).unwrap();
    }

    #[test]
    fn a_cleared_history_leaves_bots_and_goes_on_counting_matches() {
        let mut state = three();
        let (_, first) = state.pairings_left().next().unwrap();
        state.take(&played(1, 1, first, Some(Seat::A))).unwrap();
        state.take(&line(json!({"line": "history-cleared"}))).unwrap();
        assert!(
            state.tournament.is_none() && state.leaderboards().all.iter().all(|row| row.stats == BotStats::default())
        );
        assert_eq!((state.bots().count(), state.last_match, state.next_tournament()), (3, 1, 2));
    }
}
