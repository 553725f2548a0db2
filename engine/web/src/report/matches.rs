//! The matches of a site: links to their pages.

use super::bot::ReportBot;
use super::tournament_history::RecordedGame;
use super::{ReportAbout, TournamentHistory, in_order_of_entrants};
use crate::assets::PageParts;
use crate::site::{MatchPages, SITE_MARK};
use askama::Template;
use rules::{GameKind, printable};
use tournament::{GameLine, KnockoutSeeds, Standings};

/// The table of matches on the front page.
#[derive(Template)]
#[template(path = "report/matches.html")]
pub(super) struct MatchesTable {
    rows: Vec<MatchRow>,
    has_rounds: bool,
    /// The number of matches in all.
    all: u64,
}

/// A row of a table of matches.
#[derive(Template)]
#[template(path = "report/match_row.html")]
struct MatchRow {
    /// The address of the page; `None` if there is none.
    address: Option<String>,
    seats: [ReportBot; 2],
    /// The number of the game in its pairing, counted from 1.
    game: u32,
    /// The round of a knockout.
    round: Option<String>,
    winner: Option<ReportBot>,
    /// The number of turns in words.
    length: String,
    /// The points by seats.
    points: [u32; 2],
    /// A space and the unit of the points, if that is not points.
    unit: &'static str,
    /// Bot, kind of fault, number of faults.
    faults: Vec<(ReportBot, String, u32)>,
    suspect: Option<String>,
}

impl MatchRow {
    fn new(
        game: &RecordedGame,
        kind: GameKind,
        bots: &[ReportBot],
        seeds: Option<&KnockoutSeeds>,
        has_page: bool,
    ) -> MatchRow {
        let fixture = game.fixture;
        MatchRow {
            address: has_page.then(|| MatchPages::address(fixture)),
            seats: fixture.seated().map(|entrant| bots[entrant].clone()),
            game: fixture.number + 1,
            round: seeds.map(|seeds| seeds.round(fixture).to_string()),
            winner: game.winner.map(|entrant| bots[entrant].clone()),
            length: kind.turns(game.turns),
            points: game.points,
            unit: if game.scoring.is_points() { "" } else { " shots" },
            faults: game.faults.iter().map(|(at, kind, count)| (bots[*at].clone(), printable(kind), *count)).collect(),
            suspect: game.suspect.as_deref().map(printable),
        }
    }

    /// The difference of the points.
    fn margin(&self) -> u32 {
        self.points[0].abs_diff(self.points[1])
    }
}

impl MatchesTable {
    /// The table of the games in the history; `None` if no game has a record.
    pub(super) fn new(
        standings: &Standings<'_>,
        history: &TournamentHistory,
        bots: &[ReportBot],
        pages: &MatchPages,
    ) -> Option<MatchesTable> {
        let seeds = standings.table().knockout_seeds();
        let (games, more) = history.records();
        let kind = standings.table().event().game;
        let rows = games.map(|game| MatchRow::new(game, kind, bots, seeds.as_ref(), pages.has(game.fixture)));
        let rows: Vec<MatchRow> = rows.collect();
        (!rows.is_empty()).then(|| MatchesTable { has_rounds: seeds.is_some(), all: rows.len() as u64 + more, rows })
    }
}

/// The page of all matches of a site, made row by row.
pub struct MatchList {
    title: String,
    /// The time when the site was made.
    made: Option<String>,
    game: GameKind,
    bots: Vec<ReportBot>,
    /// The seeds of a knockout; `None` in other formats.
    seeds: Option<KnockoutSeeds>,
}

#[derive(Template)]
#[template(path = "report/match_list.html")]
struct MatchListHead<'a> {
    policy: String,
    style: String,
    script: String,
    title: &'a str,
    made: Option<&'a str>,
    has_rounds: bool,
}

impl MatchList {
    /// The end of the page.
    pub const TAIL: &str = "</tbody></table></div></section>\n</main>\n</body>\n</html>\n";

    /// The list of a tournament.
    pub fn new(standings: &Standings<'_>, about: &ReportAbout) -> MatchList {
        let table = standings.table();
        MatchList {
            title: printable(&about.title),
            made: about.made.clone(),
            game: table.event().game,
            bots: in_order_of_entrants(standings),
            seeds: table.knockout_seeds(),
        }
    }

    /// The beginning of the page, up to the first row.
    pub fn head(&self) -> String {
        let PageParts { style, script, policy } = PageParts::of_report();
        let (made, has_rounds) = (self.made.as_deref(), self.seeds.is_some());
        let head = MatchListHead { policy, style, script, title: &self.title, made, has_rounds };
        head.render().expect("writing into a String cannot fail")
    }

    /// The row of a game, with a link if it has a page.
    ///
    /// # Panics
    /// If an entrant of the game does not take part in the tournament.
    pub fn row(&self, game: &GameLine, has_page: bool) -> String {
        let row = MatchRow::new(&RecordedGame::new(game), self.game, &self.bots, self.seeds.as_ref(), has_page);
        row.render().expect("writing into a String cannot fail")
    }
}
