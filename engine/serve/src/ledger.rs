//! What is so now: all that follows from the lines of the journal, and from nothing else.

use super::leaderboard::{Row, Tally, leaderboard, results};
use super::line::{BotId, Line, MatchLine, Mode};
use super::name::NameKey;
use super::schedule::order;
use super::{BotName, BotUrl, Settings};
use rules::Seat;
use std::collections::{BTreeMap, BTreeSet};

/// What is so now.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Ledger {
    mark: String,
    seed: u64,
    bots: BTreeMap<BotId, Entry>,
    names: BTreeMap<NameKey, BotId>,
    last_bot: u32,
    last_match: u64,
    last_tournament: u32,
    tournament: Option<Tournament>,
    mode: Mode,
    settings: Option<Settings>,
}

/// A bot that takes part.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Entry {
    pub(super) id: BotId,
    pub(super) name: BotName,
    pub(super) password: String,
    pub(super) url: Option<BotUrl>,
    pub(super) registered: String,
    pub(super) updated: String,
    /// In all matches.
    pub(super) all: Tally,
    /// In the present tournament.
    pub(super) current: Tally,
    /// What went wrong with it in its last match, if anything did.
    pub(super) fault: Option<String>,
    /// How long it took for half of its answers at most in its last match, in milliseconds.
    pub(super) median_ms: Option<f64>,
}

/// The present tournament, or the last one.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Tournament {
    pub(super) number: u32,
    pub(super) seed: u64,
    /// Its matches in their order, by seats.
    pub(super) order: Vec<[BotId; 2]>,
    /// The numbers of those that were played.
    pub(super) played: BTreeMap<[BotId; 2], u64>,
    /// The number of the last match before it.
    after: u64,
    pub(super) is_over: bool,
}

impl Tournament {
    /// The matches that were not played yet, in their order.
    pub(super) fn left(&self) -> impl Iterator<Item = [BotId; 2]> {
        self.order.iter().copied().filter(|pairing| !self.played.contains_key(pairing))
    }
}

impl Ledger {
    /// Takes in a line, or tells what is wrong with it; then nothing has changed.
    pub(super) fn take(&mut self, line: &Line) -> Result<(), String> {
        self.check(line)?;
        match line {
            Line::Arena { mark, seed, .. } => {
                self.seed = number(seed)?;
                self.mark.clone_from(mark);
            }
            Line::Registered { bot, name, password, at } => self.register(*bot, name, password, at),
            Line::UrlSet { bot, url, at } => {
                if let Some(entry) = self.bots.get_mut(bot) {
                    entry.url = Some(url.clone());
                    entry.updated.clone_from(at);
                }
            }
            Line::Removed { bot, .. } => {
                if let Some(entry) = self.bots.remove(bot) {
                    self.names.remove(&entry.name.key());
                }
            }
            Line::TournamentBegun { number, seed, bots, .. } => self.begin(*number, self::number(seed)?, bots),
            Line::Match(played) => self.count(played),
            Line::TournamentEnded { .. } => {
                if let Some(tournament) = &mut self.tournament {
                    tournament.is_over = true;
                }
            }
            Line::Mode { mode, .. } => self.mode = *mode,
            Line::Settings { settings, .. } => self.settings = Some(*settings),
            Line::HistoryCleared { .. } => {
                self.tournament = None;
                for entry in self.bots.values_mut() {
                    (entry.all, entry.current, entry.fault, entry.median_ms) = Default::default();
                }
            }
        }
        Ok(())
    }

    /// Whether the line can follow, and if not, why.
    pub(super) fn check(&self, line: &Line) -> Result<(), String> {
        let wrong = match line {
            Line::Arena { seed, .. } => {
                number(seed)?;
                (!self.mark.is_empty()).then(|| "a second arena begins".to_owned())
            }
            _ if self.mark.is_empty() => Some("no arena has begun".to_owned()),
            Line::Registered { bot, .. } if bot.0 <= self.last_bot => {
                Some(format!("a second bot has the number {bot}"))
            }
            Line::Registered { name, .. } => {
                self.names.contains_key(&name.key()).then(|| format!("a second bot is called {name}"))
            }
            Line::UrlSet { bot, .. } | Line::Removed { bot, .. } => {
                (!self.bots.contains_key(bot)).then(|| format!("there is no bot {bot}"))
            }
            Line::TournamentBegun { number, seed, .. } => {
                self::number(seed)?;
                (*number <= self.last_tournament).then(|| format!("a second tournament has the number {number}"))
            }
            Line::TournamentEnded { number, .. } => {
                let is_on =
                    self.tournament.as_ref().is_some_and(|present| present.number == *number && !present.is_over);
                (!is_on).then(|| format!("tournament {number} ends, and is not being played"))
            }
            Line::Match(played) => return self.check_match(played),
            Line::Settings { settings, .. } => settings.check().err(),
            Line::Mode { .. } | Line::HistoryCleared { .. } => None,
        };
        wrong.map_or(Ok(()), Err)
    }

    fn check_match(&self, played: &MatchLine) -> Result<(), String> {
        let seats = [played.bots.len(), played.names.len(), played.faults.len(), played.median_ms.len()];
        if seats != [2; 4] || played.outcome.points.len() != 2 {
            return Err("it is not a match of two players".to_owned());
        }
        let pairing @ [a, b] = [played.bots[Seat::A], played.bots[Seat::B]];
        let tournament =
            self.tournament.as_ref().filter(|present| present.number == played.tournament && !present.is_over);
        let Some(tournament) = tournament else {
            return Err(format!("tournament {} is not being played", played.tournament));
        };
        if !tournament.order.contains(&pairing) {
            return Err(format!("{a} and {b} do not meet so in tournament {}", tournament.number));
        }
        if tournament.played.contains_key(&pairing) {
            return Err(format!("{a} and {b} have met already"));
        }
        if played.id <= tournament.after || tournament.played.values().any(|id| *id == played.id) {
            return Err(format!("a second match has the number {}", played.id));
        }
        Ok(())
    }

    fn register(&mut self, bot: BotId, name: &BotName, password: &str, at: &str) {
        self.last_bot = bot.0;
        self.names.insert(name.key(), bot);
        let entry = Entry {
            id: bot,
            name: name.clone(),
            password: password.to_owned(),
            url: None,
            registered: at.to_owned(),
            updated: at.to_owned(),
            all: Tally::default(),
            current: Tally::default(),
            fault: None,
            median_ms: None,
        };
        self.bots.insert(bot, entry);
    }

    fn begin(&mut self, number: u32, seed: u64, bots: &[BotId]) {
        self.last_tournament = number;
        let (order, played) = (order(seed, bots), BTreeMap::new());
        self.tournament = Some(Tournament { number, seed, order, played, after: self.last_match, is_over: false });
        self.bots.values_mut().for_each(|entry| entry.current = Tally::default());
    }

    fn count(&mut self, played: &MatchLine) {
        if let Some(tournament) = &mut self.tournament {
            tournament.played.insert([played.bots[Seat::A], played.bots[Seat::B]], played.id);
        }
        self.last_match = self.last_match.max(played.id);
        for (seat, result) in [Seat::A, Seat::B].into_iter().zip(results(&played.outcome)) {
            if let Some(entry) = self.bots.get_mut(&played.bots[seat]) {
                entry.all.add(result);
                entry.current.add(result);
                entry.fault.clone_from(&played.faults[seat]);
                entry.median_ms = played.median_ms[seat];
            }
        }
    }

    /// What all seeds are derived from.
    pub(super) fn seed(&self) -> u64 {
        self.seed
    }

    /// Those who take part, in the order in which they joined.
    pub(super) fn bots(&self) -> impl Iterator<Item = &Entry> {
        self.bots.values()
    }

    /// The bot with this number.
    pub(super) fn bot(&self, id: BotId) -> Option<&Entry> {
        self.bots.get(&id)
    }

    /// The bot that is called so, in whatever case.
    pub(super) fn named(&self, name: &BotName) -> Option<&Entry> {
        self.names.get(&name.key()).and_then(|id| self.bots.get(id))
    }

    /// The number that the next bot gets.
    pub(super) fn next_bot(&self) -> BotId {
        BotId(self.last_bot + 1)
    }

    /// The number of the last match that was played to its end.
    pub(super) fn last_match(&self) -> u64 {
        self.last_match
    }

    /// The number that the next tournament gets.
    pub(super) fn next_tournament(&self) -> u32 {
        self.last_tournament + 1
    }

    /// The present tournament, or the last one.
    pub(super) fn tournament(&self) -> Option<&Tournament> {
        self.tournament.as_ref()
    }

    /// Whether tournaments are played.
    pub(super) fn mode(&self) -> Mode {
        self.mode
    }

    /// The settings.
    pub(super) fn settings(&self) -> Settings {
        self.settings.unwrap_or_default()
    }

    /// The leaderboard of all matches.
    pub(super) fn all(&self) -> Vec<Row> {
        leaderboard(self.bots().map(|entry| (entry.id.to_string(), entry.name.to_string(), entry.all)))
    }

    /// The leaderboard of the present tournament, of those who take part in it.
    pub(super) fn current(&self) -> Vec<Row> {
        let order = self.tournament.as_ref().map_or(&[][..], |tournament| &tournament.order);
        let takes_part: BTreeSet<BotId> = order.iter().flatten().copied().collect();
        let those = self.bots().filter(|entry| takes_part.contains(&entry.id));
        leaderboard(those.map(|entry| (entry.id.to_string(), entry.name.to_string(), entry.current)))
    }
}

fn number(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("{text:?} is no number of 64 bits"))
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use rules::{Ending, Outcome};

    pub(crate) fn arena() -> Line {
        Line::Arena {
            format: super::super::line::FORMAT.to_owned(),
            version: 1,
            mark: "mark".to_owned(),
            seed: "7".to_owned(),
            engine: "broadside".to_owned(),
            at: "2026-11-21T12:00:00.000Z".to_owned(),
        }
    }

    pub(crate) fn registered(bot: u32, name: &str) -> Line {
        let name = BotName::new(name).unwrap();
        Line::Registered { bot: BotId(bot), name, password: "$argon2id$".to_owned(), at: "then".to_owned() }
    }

    pub(crate) fn begun(number: u32, bots: &[u32]) -> Line {
        let bots = bots.iter().map(|bot| BotId(*bot)).collect();
        Line::TournamentBegun { number, seed: "3".to_owned(), bots, at: "then".to_owned() }
    }

    pub(crate) fn played(id: u64, tournament: u32, [a, b]: [BotId; 2], winner: Option<Seat>) -> Line {
        let names = [a, b].iter().map(|bot| BotName::new(&format!("bot {bot}")).unwrap()).collect();
        Line::Match(Box::new(MatchLine {
            id,
            tournament,
            bots: [a, b].into_iter().collect(),
            names,
            seed: "1".to_owned(),
            outcome: Outcome {
                winner,
                ranking: vec![Seat::A, Seat::B],
                points: [1, 2].into_iter().collect(),
                ending: Ending::MoveLimit { moves: 120 },
                turns: 121,
            },
            faults: [None, Some("timed out".to_owned())].into_iter().collect(),
            median_ms: [Some(1.5), None].into_iter().collect(),
            record: format!("records/{id:06}.jsonl.zst"),
            took_ms: 12,
            at: "then".to_owned(),
        }))
    }

    pub(crate) fn ledger(lines: &[Line]) -> Ledger {
        let mut ledger = Ledger::default();
        lines.iter().for_each(|line| ledger.take(line).unwrap());
        ledger
    }

    fn three() -> Ledger {
        ledger(&[arena(), registered(1, "One"), registered(2, "Two"), registered(3, "Three"), begun(1, &[1, 2, 3])])
    }

    #[test]
    fn results_count_in_both_leaderboards_and_a_new_tournament_begins_at_nothing() {
        let mut ledger = three();
        let first = ledger.tournament().unwrap().left().next().unwrap();
        ledger.take(&played(1, 1, first, Some(Seat::B))).unwrap();
        assert_eq!(ledger.tournament().unwrap().left().count(), 2);
        assert_eq!((ledger.all()[0].id.as_str(), ledger.all()[0].tally.wins), (first[1].to_string().as_str(), 1));
        assert_eq!(ledger.bot(first[1]).unwrap().fault.as_deref(), Some("timed out"));
        ledger.take(&Line::TournamentEnded { number: 1, unplayed: 2, at: String::new() }).unwrap();
        ledger.take(&begun(2, &[1, 2])).unwrap();
        assert_eq!(
            (ledger.all()[0].tally.wins, ledger.current()[0].tally, ledger.current().len()),
            (1, Tally::default(), 2)
        );
    }

    #[test]
    fn nothing_counts_twice() {
        let mut ledger = three();
        let pairings: Vec<_> = ledger.tournament().unwrap().left().collect();
        ledger.take(&played(1, 1, pairings[0], None)).unwrap();
        let before = ledger.clone();
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
            assert!(ledger.take(&line).unwrap_err().contains(why), "{why}");
            assert_eq!(ledger, before, "{why}");
        }
    }

    #[test]
    fn a_name_is_free_again_when_its_bot_is_removed_but_its_number_is_not() {
        let mut ledger = three();
        ledger.take(&Line::Removed { bot: BotId(3), at: String::new() }).unwrap();
        assert!(ledger.named(&BotName::new("three").unwrap()).is_none());
        assert_eq!(ledger.next_bot(), BotId(4));
        ledger.take(&registered(4, "Three")).unwrap();
        assert_eq!(ledger.named(&BotName::new("THREE").unwrap()).unwrap().id, BotId(4));
    }

    #[test]
    fn a_cleared_history_leaves_bots_and_goes_on_counting_matches() {
        let mut ledger = three();
        let first = ledger.tournament().unwrap().left().next().unwrap();
        ledger.take(&played(1, 1, first, Some(Seat::A))).unwrap();
        ledger.take(&Line::HistoryCleared { at: String::new() }).unwrap();
        assert!(ledger.tournament().is_none() && ledger.all().iter().all(|row| row.tally == Tally::default()));
        assert_eq!((ledger.bots().count(), ledger.last_match(), ledger.next_tournament()), (3, 1, 2));
    }
}
