//! Standings of tournaments in all formats.

mod bracket;
mod markdown;
mod text;

use crate::show::tournament::event_stream::StreamedEvent;
use crate::show::tournament::junit::TestSuite;
use crate::show::{print, printable};
use arena::ArenaError;
use platform::terminal;
use serde_json::{Value, json};
use std::fmt::Write as _;
use text::LongNames;
use tournament::{EntrantRow, FailedGame, Fixture, GameLine, ScoreTable, Standings};
use web::site::MatchPages;

/// The formats of standings.
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
    /// True if the format shows single games.
    pub(crate) fn is_of_games(self) -> bool {
        matches!(self, StandingsFormat::Html | StandingsFormat::Junit)
    }
}

/// The single games of a journal, which some formats show beside the table, and the games that could not be played.
pub(crate) struct GameDetails {
    title: String,
    history: web::TournamentHistory,
    tests: TestSuite,
}

impl GameDetails {
    /// The details of a journal with this many entrants, before its first game.
    pub(crate) fn new(title: String, entrants: usize) -> GameDetails {
        GameDetails { title, history: web::TournamentHistory::new(entrants), tests: TestSuite::default() }
    }

    /// Adds a game.
    pub(crate) fn add(&mut self, game: &GameLine) {
        self.history.add(game);
        self.tests.add(game);
    }

    /// Adds the games that the engine could not play. Call it after all games were added.
    pub(crate) fn fail(&mut self, failures: Vec<FailedGame>) {
        self.tests.fail(failures);
    }

    /// The front page of a site with these pages of matches. `about` has one more note on the tournament.
    pub(crate) fn site_index(&self, standings: &Standings<'_>, pages: &MatchPages, about: web::ReportAbout) -> String {
        let about = web::ReportAbout { note: self.about(about.note.as_deref()).note, ..about };
        web::site_index(standings, &self.history, &about, pages)
    }

    fn about(&self, note: Option<&str>) -> web::ReportAbout {
        let unplayed = (self.tests.unplayed() > 0).then_some("some games could not be played");
        let notes: Vec<&str> = unplayed.into_iter().chain(note).collect();
        web::ReportAbout { title: self.title.clone(), note: (!notes.is_empty()).then(|| notes.join("; ")), made: None }
    }
}

/// The standings in this format. `games` are those of the same journal.
pub(crate) fn written(standings: &Standings<'_>, format: StandingsFormat, games: &GameDetails) -> String {
    match format {
        StandingsFormat::Table => in_table(standings),
        StandingsFormat::Json => crate::show::written_json(&json(standings)),
        StandingsFormat::Csv => csv(standings),
        StandingsFormat::Markdown => markdown::write(standings),
        StandingsFormat::Html => web::report(standings, &games.history, &games.about(None)),
        StandingsFormat::Junit => games.tests.write(standings.table(), &games.title),
    }
}

/// The table for the terminal; in a file or a pipe, with whole names.
pub(super) fn in_table(standings: &Standings<'_>) -> String {
    match terminal::size() {
        Some(size) => text::write(standings, size.columns, LongNames::Cut),
        None => text::write(standings, 80, LongNames::Whole),
    }
}

fn json(standings: &Standings<'_>) -> Value {
    let table = standings.table();
    let retired = table.retirements();
    let entrants = standings.all().iter().map(|one| {
        let (row, rating, entrant) = (one.row, one.rating, one.entrant);
        let games = row.games();
        json!({
            "place": one.place, "name": entrant.name, "bot": entrant.bot, "author": entrant.details.author,
            "content": entrant.content,
            "games": games.games(), "points": games.points(),
            "wins": games.wins, "draws": games.draws, "losses": games.losses,
            "seat_a": row.by_seat[0], "seat_b": row.by_seat[1],
            "elo": rating.error.map(|_| rating.elo), "elo_error_95": rating.error, "pairs": rating.pairs,
            "group": rating.group, "superiority_over_next": one.superiority,
            "game_points": game_points(row, table), "shots": one.shots, "shots_behind": one.shots_behind, "turns": row.rounds,
            "median_ms": row.times.quantile(0.5), "p99_ms": row.times.quantile(0.99), "answers": row.times.count(),
            "limits": row.limits, "faults": row.faults, "main_fault": one.main_fault(),
            "suspect_games": row.suspect,
            "repeated_games": row.repeated, "retired": retired.contains_key(&one.number),
            "replaced_by": retired.get(&one.number).cloned().flatten(),
        })
    });
    let seeds = table.knockout_seeds();
    let pairings = table.pairings().iter().map(|((first, second), row)| {
        let names = [first, second].map(|at| &table.entrants()[*at].name);
        let mut pairing = json!({
            "names": names, "games": row.games.games(),
            "wins": row.games.wins, "draws": row.games.draws, "losses": row.games.losses,
            "pairs": row.pairs.pairs(), "pairs_by_points": row.pairs,
        });
        if let Some(seeds) = &seeds {
            let fixture = Fixture { first: *first, second: *second, number: 0 };
            pairing["round"] = seeds.round(fixture).to_string().into();
        }
        pairing
    });
    let event = table.event();
    let left_out = table.left_out().iter().map(|(bot, reason)| json!({ "bot": bot, "reason": reason }));
    json!({
        "format": "broadside standings", "version": 1, "game": event.game, "settings": event.settings,
        "plan": event.plan, "scoring": table.scoring(), "seed": event.seed, "games": table.results().games(), "provisional": standings.is_provisional(),
        "standings": entrants.collect::<Vec<_>>(), "pairings": pairings.collect::<Vec<_>>(), "machines": table.machines(),
        "left_out": left_out.collect::<Vec<_>>(),
    })
}

/// The points in the games themselves; `None` if they are shots, of which the mean tells more.
fn game_points(row: &EntrantRow, table: &ScoreTable) -> Option<u64> {
    table.scoring().is_points().then_some(row.points)
}

/// The columns of the CSV. A bot that was left out has only `bot` and `left_out`.
const CSV: &str = "place,name,games,points,wins,draws,losses,elo,elo_error_95,game_points,shots,\
                   shots_error_95,shots_behind,shots_behind_error_95,turns,median_ms,p99_ms,faults,suspect_games,\
                   repeated_games,retired,bot,author,main_fault,left_out";

fn csv(standings: &Standings<'_>) -> String {
    let mut text = format!("{CSV}\n");
    for one in standings.all() {
        let (row, rating) = (one.row, one.rating);
        let games = row.games();
        let number = |number: Option<f64>| number.map(|number| format!("{number:.3}")).unwrap_or_default();
        let fields = [
            one.place.to_string(),
            rules::csv_field(&printable(&one.entrant.name)),
            games.games().to_string(),
            games.points().to_string(),
            games.wins.to_string(),
            games.draws.to_string(),
            games.losses.to_string(),
            number(rating.error.map(|_| rating.elo)),
            number(rating.error),
            game_points(row, standings.table()).map(|points| points.to_string()).unwrap_or_default(),
            number(one.shots.map(|shots| shots.mean)),
            number(one.shots.and_then(|shots| shots.error)),
            number(one.shots_behind.map(|shots| shots.mean)),
            number(one.shots_behind.and_then(|shots| shots.error)),
            row.rounds.to_string(),
            number(row.times.quantile(0.5)),
            number(row.times.quantile(0.99)),
            row.faults.values().sum::<u64>().to_string(),
            row.suspect.to_string(),
            row.repeated.to_string(),
            u8::from(standings.table().retirements().contains_key(&one.number)).to_string(),
            rules::csv_field(&printable(&one.entrant.bot)),
            rules::csv_field(&printable(one.entrant.details.author.as_deref().unwrap_or_default())),
            rules::csv_field(&printable(one.main_fault().unwrap_or_default())),
            String::new(),
        ];
        let _ = writeln!(text, "{}", fields.join(","));
    }
    let columns = CSV.split(',').count();
    for (bot, reason) in standings.table().left_out() {
        let fields = (0..columns).map(|column| match columns - column {
            4 => rules::csv_field(&printable(bot)),
            1 => rules::csv_field(&printable(reason)),
            _ => String::new(),
        });
        let _ = writeln!(text, "{}", fields.collect::<Vec<_>>().join(","));
    }
    text
}

/// Writes the standings to standard output: as a table, or as an event for programs.
///
/// # Errors
/// As [`print()`].
pub(crate) fn print_standings(table: &ScoreTable, for_programs: bool) -> Result<(), ArenaError> {
    let standings = Standings::new(table, None);
    if for_programs {
        return StreamedEvent::Standings(json(&standings)).print();
    }
    print(&in_table(&standings))
}
