//! A tournament as a test report in the JUnit XML that build servers read.
//!
//! Each bot has a test case against each of its opponents, which fails if the bot had faults. Games that the engine could
//! not play, and bots that could not take part, are errors. A lost game is neither.

use crate::show::text::escaped::Escaped;
use rules::{Fault, Seat, printable};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use tournament::{FailedGame, Fixture, GameLine, GameResult, Results, ScoreTable, WinDrawLoss};

/// The most games that are listed one by one in a test case.
const TOLD: usize = 20;

/// The test cases, by bot and opponent.
#[derive(Debug, Default)]
pub(crate) struct TestSuite {
    tests: BTreeMap<(usize, usize), TestCase>,
    seen: Results,
    failures: Vec<FailedGame>,
    took_ms: u64,
}

#[derive(Debug, Default)]
struct TestCase {
    games: WinDrawLoss,
    took_ms: u64,
    faults: BTreeMap<String, u64>,
    faulty: u64,
    suspect: u64,
    /// The lines about games with faults, with the reason if one does not count.
    told: Vec<String>,
}

impl TestSuite {
    /// Adds a game. A game that was added before changes nothing.
    pub(crate) fn add(&mut self, game: &GameLine) {
        if !self.seen.add_game(game) {
            return;
        }
        self.took_ms += game.took_ms;
        let result = game.fixture.result(&game.outcome);
        let seated = game.fixture.seated();
        for (seat, opponent) in [(Seat::A, seated[1]), (Seat::B, seated[0])] {
            let own = if seat == game.fixture.seat_of_first() { result } else { result.swapped() };
            self.tests.entry((seated[seat.index()], opponent)).or_default().add(game, seat, own);
        }
    }

    /// Adds the games that the engine could not play. Call it after all games were added.
    pub(crate) fn fail(&mut self, failures: Vec<FailedGame>) {
        let mut last: BTreeMap<Fixture, FailedGame> = BTreeMap::new();
        let unplayed = failures.into_iter().filter(|failure| self.seen.score(failure.fixture).is_none());
        last.extend(unplayed.map(|failure| (failure.fixture, failure)));
        self.failures = last.into_values().collect();
    }

    /// The number of games that the engine could not play.
    pub(crate) fn unplayed(&self) -> usize {
        self.failures.len()
    }

    /// The report as XML. `title` is the name of the tournament.
    pub(crate) fn write(&self, table: &ScoreTable, title: &str) -> String {
        let errors = self.failures.len() + table.left_out().len();
        let count = self.tests.len() + errors;
        let failed = self.tests.values().filter(|test| test.faulty > 0).count();
        let sums = format!(
            "tests=\"{count}\" failures=\"{failed}\" errors=\"{errors}\" skipped=\"0\" time=\"{:.3}\"",
            seconds(self.took_ms)
        );
        let title = printable(title);
        let title = Escaped(&title);
        let event = table.event();
        let mut text = format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"broadside\" {sums}>\n  <testsuite name=\"{title}\" \
             {sums}>\n    <properties>\n"
        );
        for (name, value) in
            [("game", event.game.name()), ("plan", event.plan.name()), ("seed", &printable(&event.seed))]
        {
            let _ = writeln!(text, "      <property name=\"{name}\" value=\"{}\"/>", Escaped(value));
        }
        text.push_str("    </properties>\n");
        let names: Vec<String> = table.entrants().iter().map(|entrant| printable(&entrant.name)).collect();
        let name = |at: usize| Escaped(&names[at]);
        for ((bot, opponent), test) in &self.tests {
            let _ = write!(text, "    <testcase classname=\"{}\" name=\"against {}\" ", name(*bot), name(*opponent));
            test.write(&mut text);
        }
        for FailedGame { fixture, error } in &self.failures {
            let [a, b] = fixture.seated().map(name);
            let _ = writeln!(
                text,
                "    <testcase classname=\"broadside\" name=\"game {} of {a} and {b} is played\">\n      <error \
                 message=\"{}\"/>\n    </testcase>",
                fixture.number + 1,
                Escaped(&printable(error))
            );
        }
        for (bot, reason) in table.left_out() {
            let (bot, reason) = (printable(bot), printable(reason));
            let _ = writeln!(
                text,
                "    <testcase classname=\"{}\" name=\"takes part\">\n      <error message=\"{}\"/>\n    </testcase>",
                Escaped(&bot),
                Escaped(&reason)
            );
        }
        text.push_str("  </testsuite>\n</testsuites>\n");
        text
    }
}

impl TestCase {
    fn add(&mut self, game: &GameLine, seat: Seat, own: GameResult) {
        self.games.count(own);
        self.took_ms += game.took_ms;
        let faults = &game.players[seat].faults;
        // Only time-outs can be the machine's fault.
        let doubtful = |kind: &str| game.suspect.is_some() && kind == Fault::TIMED_OUT;
        let counting: Vec<_> = faults.iter().filter(|(kind, _)| !doubtful(kind)).collect();
        self.faulty += u64::from(!counting.is_empty());
        self.suspect += u64::from(counting.len() < faults.len());
        for (kind, count) in counting {
            *self.faults.entry(kind.clone()).or_default() += u64::from(*count);
        }
        if !faults.is_empty() && self.told.len() < TOLD {
            let mut told = format!("game {} in seat {seat}: {}", game.fixture.number + 1, listed(faults));
            if let Some(record) = &game.record {
                let _ = write!(told, ", record {record}");
            }
            if let Some(why) = &game.suspect {
                let _ = write!(told, ", suspect: {why}");
            }
            self.told.push(printable(&told));
        }
    }

    fn write(&self, text: &mut String) {
        let _ = writeln!(text, "time=\"{:.3}\">", seconds(self.took_ms));
        let told = self.told.join("\n");
        let games = self.games.games();
        if self.faulty > 0 {
            let message = printable(&format!("faults in {} of {games} games: {}", self.faulty, listed(&self.faults)));
            let _ = writeln!(
                text,
                "      <failure type=\"faults\" message=\"{}\">{}</failure>",
                Escaped(&message),
                Escaped(&told)
            );
        }
        let WinDrawLoss { wins, draws, losses } = self.games;
        let mut out = format!("{wins} won, {draws} drawn, {losses} lost of {games} games");
        if self.suspect > 0 {
            let _ = write!(
                out,
                "\n{} games with time-outs that may be the machine's fault; they are not failures",
                self.suspect
            );
            if self.faulty == 0 {
                let _ = write!(out, "\n{told}");
            }
        }
        let _ = writeln!(text, "      <system-out>{}</system-out>\n    </testcase>", Escaped(&out));
    }
}

fn listed<N: std::fmt::Display>(faults: &BTreeMap<String, N>) -> String {
    faults.iter().map(|(kind, count)| format!("{count} {kind}")).collect::<Vec<_>>().join(", ")
}

fn seconds(ms: u64) -> f64 {
    ms as f64 / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::show::tournament::table_fixture;
    use tournament::Format;

    /// A game that seat A won, with these faults of its own.
    fn game(number: u32, faults: &[(&str, u32)], suspect: Option<&str>) -> GameLine {
        let mut game = table_fixture::game(Fixture { first: 0, second: 1, number }, Seat::A);
        game.players[Seat::A].faults = faults.iter().map(|(kind, count)| ((*kind).to_owned(), *count)).collect();
        game.record = Some("records/0-1.jsonl".to_owned());
        game.suspect = suspect.map(str::to_owned);
        game
    }

    fn table() -> ScoreTable {
        table_fixture::table(Format::RoundRobin, &["a<\"&'\0", "b]]>"])
    }

    #[test]
    fn faults_fail_the_test_of_the_bot_that_made_them() {
        let mut tests = TestSuite::default();
        for game in [game(0, &[("timed-out", 2)], None), game(0, &[], None), game(1, &[], None)] {
            tests.add(&game);
        }
        let text = tests.write(&table(), "night & day");
        assert!(text.contains("<testsuite name=\"night &amp; day\" tests=\"2\" failures=\"1\" errors=\"0\""), "{text}");
        let (first, second) =
            text.split_once("classname=\"b]]&gt;\" name=\"against a&lt;&quot;&amp;&#39;\u{fffd}\"").unwrap();
        assert!(
            first.contains("message=\"faults in 1 of 2 games: 2 timed-out\">game 1 in seat A: 2 timed-out, record")
        );
        assert!(second.contains("1 won, 0 drawn, 1 lost of 2 games") && !second.contains("<failure"), "{text}");
    }

    #[test]
    fn suspect_time_outs_are_told_and_fail_nothing() {
        let mut tests = TestSuite::default();
        tests.add(&game(0, &[("timed-out", 2)], Some("late")));
        let text = tests.write(&table(), "night");
        assert!(!text.contains("<failure") && text.contains("suspect: late"), "{text}");
        tests.add(&game(2, &[("timed-out", 1), ("refused", 1)], Some("late")));
        assert!(tests.write(&table(), "night").contains("faults in 1 of 2 games: 1 refused\""));
    }

    #[test]
    fn games_that_were_not_played_are_errors_until_they_are() {
        let mut tests = TestSuite::default();
        tests.add(&game(0, &[], None));
        let failure =
            |number| FailedGame { fixture: Fixture { first: 0, second: 1, number }, error: "disk <full>".to_owned() };
        tests.fail(vec![failure(0), failure(1), failure(1)]);
        let text = tests.write(&table(), "night");
        assert_eq!(tests.unplayed(), 1);
        assert!(text.contains("tests=\"3\" failures=\"0\" errors=\"1\""), "{text}");
        assert!(text.contains("<error message=\"disk &lt;full&gt;\"/>"), "{text}");
    }
}
