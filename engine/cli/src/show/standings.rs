//! Standings of tournaments.

use super::junit::Tests;
use super::names::{cut, padded};
use super::streamed::Streamed;
use super::{clean, print};
use arena::ArenaError;
use arena::tournament::{Failure, GameLine, RatingSettings, Ratings, Row, Table};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// How standings are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum StandingsFormat {
    Table,
    Json,
    Csv,
    Markdown,
    Html,
    Junit,
}

impl StandingsFormat {
    /// Whether it tells of single games.
    pub(crate) fn is_of_games(self) -> bool {
        matches!(self, StandingsFormat::Html | StandingsFormat::Junit)
    }
}

/// What some forms tell beside the table: single games, and what could not be played.
pub(crate) struct Games {
    title: String,
    course: web::Course,
    tests: Tests,
}

impl Games {
    /// Of a journal with as many entrants in which nothing was played yet.
    pub(crate) fn new(title: String, entrants: usize) -> Games {
        Games { title, course: web::Course::new(entrants), tests: Tests::default() }
    }

    /// Adds a game.
    pub(crate) fn add(&mut self, game: &GameLine) {
        self.course.add(game);
        self.tests.add(game);
    }

    /// Adds what the engine could not play.
    pub(crate) fn fail(&mut self, failures: Vec<Failure>) {
        self.tests.fail(failures);
    }

    fn about(&self) -> web::ReportAbout {
        let note = (self.tests.unplayed() > 0).then(|| "some games could not be played".to_owned());
        web::ReportAbout { title: self.title.clone(), note }
    }
}

/// Standings with ratings.
pub(crate) struct Standings<'a> {
    table: &'a Table,
    ratings: Ratings,
    /// Entrants, best first.
    order: Vec<usize>,
}

impl<'a> Standings<'a> {
    /// Of this table. `anchor` is an entrant and the rating that it is to have.
    pub(crate) fn new(table: &'a Table, anchor: Option<(usize, f64)>) -> Standings<'a> {
        let entrants = table.entrants().len();
        let settings = RatingSettings { anchor, ..RatingSettings::default() };
        let ratings = Ratings::of(entrants, &table.pairing_results(), &settings).expect("pairings are of entrants");
        let mut order: Vec<usize> = (0..entrants).collect();
        let points = |entrant: &usize| table.rows()[*entrant].games().points();
        let share = |entrant: &usize| table.rows()[*entrant].games().mean_score().unwrap_or_default();
        // By the share of points, since not all have played equally often yet; then by rating.
        order.sort_by(|one, other| {
            let elo = |entrant: &usize| ratings.all()[*entrant].elo;
            share(other)
                .total_cmp(&share(one))
                .then(points(other).total_cmp(&points(one)))
                .then(elo(other).total_cmp(&elo(one)))
        });
        Standings { table, ratings, order }
    }

    /// In this form. `games` are those of the same journal.
    pub(crate) fn write(&self, format: StandingsFormat, games: &Games) -> String {
        match format {
            StandingsFormat::Table => self.table_text(),
            StandingsFormat::Json => format!("{:#}\n", self.json()),
            StandingsFormat::Csv => self.csv(),
            StandingsFormat::Markdown => self.markdown(),
            StandingsFormat::Html => web::report(self.table, &self.ratings, &self.order, &games.course, &games.about()),
            StandingsFormat::Junit => games.tests.write(self.table, &games.title),
        }
    }

    /// The cells of the table: a heading, then a line for each entrant, best first.
    fn cells(&self) -> Vec<Vec<String>> {
        let heading = [
            "", "bot", "games", "points", "%", "win", "draw", "loss", "as A", "as B", "Elo", "±", "LOS", "avg pts",
            "rounds", "median", "p99", "faults",
        ];
        let mut lines = vec![heading.map(str::to_owned).to_vec()];
        for (place, &at) in self.order.iter().enumerate() {
            let row = &self.table.rows()[at];
            let games = row.games();
            let share = |tally: arena::tournament::Tally| {
                tally.mean_score().map(|share| format!("{:.1}", share * 100.0)).unwrap_or_default()
            };
            let rating = &self.ratings.all()[at];
            let next = self.order.get(place + 1).and_then(|&next| self.ratings.superiority(at, next));
            let mean = |sum: u64| {
                if games.games() == 0 { String::new() } else { format!("{:.0}", sum as f64 / games.games() as f64) }
            };
            let ms = |share: f64| row.times.quantile(share).map(|ms| format!("{} ms", rounded(ms))).unwrap_or_default();
            lines.push(vec![
                (place + 1).to_string(),
                cut(&clean(&self.table.entrants()[at].name), 24),
                games.games().to_string(),
                format!("{:.1}", games.points()),
                share(games),
                games.wins.to_string(),
                games.draws.to_string(),
                games.losses.to_string(),
                share(row.by_seat[0]),
                share(row.by_seat[1]),
                format!("{:+.0}", rating.elo),
                rating.error.map(|error| format!("{error:.0}")).unwrap_or_default(),
                next.map(|los| format!("{:.0} %", los * 100.0)).unwrap_or_default(),
                mean(row.points),
                mean(row.rounds),
                ms(0.5),
                ms(0.99),
                faults(row),
            ]);
        }
        lines
    }

    fn table_text(&self) -> String {
        let cells = self.cells();
        let mut text = aligned(&cells, 2);
        text.push('\n');
        text.push_str(&aligned(&self.cross_table(), 2));
        text
    }

    /// Who has how many points against whom: a heading, then a line for each.
    fn cross_table(&self) -> Vec<Vec<String>> {
        let numbers = (1..=self.order.len()).map(|place| place.to_string());
        let mut lines = vec![["".to_owned(), "against".to_owned()].into_iter().chain(numbers).collect()];
        for (place, &one) in self.order.iter().enumerate() {
            let name = cut(&clean(&self.table.entrants()[one].name), 24);
            let against = self.order.iter().map(|&other| match self.between(one, other) {
                Some(games) if games.games() > 0 => format!("{}/{}", points(games.points()), games.games()),
                _ => "·".to_owned(),
            });
            lines.push([(place + 1).to_string(), name].into_iter().chain(against).collect());
        }
        lines
    }

    fn between(&self, one: usize, other: usize) -> Option<arena::tournament::Tally> {
        let pairings = self.table.pairings();
        let first = pairings.get(&(one, other)).map(|row| row.games);
        first.or_else(|| pairings.get(&(other, one)).map(|row| row.games.swapped()))
    }

    fn json(&self) -> Value {
        let entrants = self.order.iter().enumerate().map(|(place, &at)| {
            let (row, rating, entrant) = (&self.table.rows()[at], &self.ratings.all()[at], &self.table.entrants()[at]);
            let games = row.games();
            json!({
                "place": place + 1, "name": entrant.name, "bot": entrant.bot, "content": entrant.content,
                "games": games.games(), "points": games.points(),
                "wins": games.wins, "draws": games.draws, "losses": games.losses,
                "seat_a": row.by_seat[0], "seat_b": row.by_seat[1],
                "elo": rating.elo, "elo_error_95": rating.error, "pairs": rating.pairs,
                "game_points": row.points, "turns": row.rounds,
                "median_ms": row.times.quantile(0.5), "p99_ms": row.times.quantile(0.99), "answers": row.times.count(),
                "limits": row.limits, "faults": row.faults, "suspect_games": row.suspect,
            })
        });
        let pairings = self.table.pairings().iter().map(|((first, second), row)| {
            let names = [first, second].map(|at| &self.table.entrants()[*at].name);
            json!({
                "names": names, "games": row.games.games(),
                "wins": row.games.wins, "draws": row.games.draws, "losses": row.games.losses,
                "pairs": row.pairs.pairs(), "pairs_by_points": row.pairs,
            })
        });
        let event = self.table.event();
        json!({
            "format": "broadside standings", "version": 1, "game": event.game, "settings": event.settings,
            "plan": event.plan, "seed": event.seed, "games": self.table.results().games(),
            "standings": entrants.collect::<Vec<_>>(), "pairings": pairings.collect::<Vec<_>>(),
        })
    }

    fn csv(&self) -> String {
        let mut text = "place,name,games,points,wins,draws,losses,elo,elo_error_95,game_points,turns,median_ms,p99_ms,faults,suspect_games\n".to_owned();
        for (place, &at) in self.order.iter().enumerate() {
            let (row, rating) = (&self.table.rows()[at], &self.ratings.all()[at]);
            let games = row.games();
            let number = |number: Option<f64>| number.map(|number| format!("{number:.3}")).unwrap_or_default();
            let _ = writeln!(
                text,
                "{},{},{},{},{},{},{},{:.3},{},{},{},{},{},{},{}",
                place + 1,
                csv_field(&self.table.entrants()[at].name),
                games.games(),
                games.points(),
                games.wins,
                games.draws,
                games.losses,
                rating.elo,
                number(rating.error),
                row.points,
                row.rounds,
                number(row.times.quantile(0.5)),
                number(row.times.quantile(0.99)),
                row.faults.values().sum::<u64>(),
                row.suspect
            );
        }
        text
    }

    fn markdown(&self) -> String {
        let escaped = |text: &str| text.replace('\\', "\\\\").replace('|', "\\|").replace('<', "&lt;");
        let table = |cells: Vec<Vec<String>>| {
            let mut text = String::new();
            for (at, line) in cells.iter().enumerate() {
                let _ = writeln!(text, "| {} |", line.iter().map(|cell| escaped(cell)).collect::<Vec<_>>().join(" | "));
                if at == 0 {
                    let _ = writeln!(text, "|{}", " --- |".repeat(line.len()));
                }
            }
            text
        };
        format!("{}\n{}", table(self.cells()), table(self.cross_table()))
    }
}

fn csv_field(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}

/// Half points as people write them.
fn points(points: f64) -> String {
    if points.fract() == 0.0 { format!("{points:.0}") } else { format!("{points:.1}") }
}

fn rounded(ms: f64) -> String {
    if ms < 10.0 { format!("{ms:.1}") } else { format!("{ms:.0}") }
}

/// Faults by kind, and games that may be the machine's fault.
fn faults(row: &Row) -> String {
    let mut all: Vec<String> = row.faults.iter().map(|(kind, count)| format!("{count} {kind}")).collect();
    if row.suspect > 0 {
        all.push(format!("{} suspect games", row.suspect));
    }
    all.join(", ")
}

/// Columns as wide as their widest cell; names and faults to the left, numbers to the right. Empty columns are left out.
fn aligned(cells: &[Vec<String>], names: usize) -> String {
    use unicode_width::UnicodeWidthStr;
    let columns = cells.iter().map(Vec::len).max().unwrap_or_default();
    let widths: Vec<usize> = (0..columns)
        .map(|column| {
            cells.iter().filter_map(|line| line.get(column)).map(|cell| cell.width()).max().unwrap_or_default()
        })
        .collect();
    let empty: Vec<bool> = (0..columns)
        .map(|column| column >= names && cells.iter().skip(1).all(|line| line.get(column).is_none_or(String::is_empty)))
        .collect();
    let mut text = String::new();
    for line in cells {
        let mut row = String::new();
        for (column, cell) in line.iter().enumerate().filter(|(column, _)| !empty[*column]) {
            let left = column > 0 && column < names
                || column + 1 == columns && names == 2 && cell.contains(char::is_alphabetic);
            let filled = if left {
                padded(cell, widths[column])
            } else {
                format!("{}{cell}", " ".repeat(widths[column] - cell.width()))
            };
            row.push_str(&filled);
            row.push_str("  ");
        }
        text.push_str(row.trim_end());
        text.push('\n');
    }
    text
}

/// Writes the standings to standard output: a table, or an event for programs.
pub(crate) fn print_standings(table: &Table, for_programs: bool) -> Result<(), ArenaError> {
    let standings = Standings::new(table, None);
    if for_programs {
        return Streamed::Standings(standings.json()).print();
    }
    print(&standings.table_text())
}
