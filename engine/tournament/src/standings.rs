//! Who stands where.

use super::{Entrant, EntrantRow, Format, Rating, Ratings, ScoreTable, knockout};

/// The entrants of a table, best first, with their ratings.
#[derive(Debug, Clone)]
pub struct Standings<'a> {
    table: &'a ScoreTable,
    all: Vec<Standing<'a>>,
}

/// What there is to say of one entrant.
#[derive(Debug, Clone, Copy)]
pub struct Standing<'a> {
    /// Its place, counted from 1.
    pub place: usize,
    /// Its number in the journal.
    pub number: usize,
    /// Who it is.
    pub entrant: &'a Entrant,
    /// What it has done.
    pub row: &'a EntrantRow,
    /// Its rating.
    pub rating: Rating,
    /// How probable it is, from 0 to 1, that it is stronger than the next; `None` if nobody can know.
    pub superiority: Option<f64>,
}

impl<'a> Standings<'a> {
    /// Of this table. `anchor` is an entrant and the rating that it is to have.
    ///
    /// # Panics
    /// When the anchor takes no part.
    pub fn new(table: &'a ScoreTable, anchor: Option<(usize, f64)>) -> Standings<'a> {
        let (entrants, rows) = (table.entrants(), table.rows());
        let ratings = Ratings::of(entrants.len(), &table.pairing_results(), anchor).expect("pairings are of entrants");
        let reached = reached(table);
        // By the share of points, since not all have played equally often yet; then by rating. Who has not played is last.
        let key = |at: usize| {
            let games = rows[at].games();
            // What is less than a millionth of an Elo is rounding.
            let elo = (ratings.all()[at].elo * 1e6).round() + 0.0;
            (reached[at], [games.mean_score().unwrap_or(-1.0), games.points(), elo])
        };
        let mut order: Vec<usize> = (0..entrants.len()).collect();
        order.sort_by(|&one, &other| {
            let ((far, one), (other_far, other)) = (key(one), key(other));
            let by_points = other.iter().zip(&one).map(|(other, one)| other.total_cmp(one));
            by_points.fold(other_far.cmp(&far), std::cmp::Ordering::then)
        });
        let standing = |(place, &number): (usize, &usize)| Standing {
            place: place + 1,
            number,
            entrant: &entrants[number],
            row: &rows[number],
            rating: ratings.all()[number],
            superiority: order.get(place + 1).and_then(|&next| ratings.superiority(number, next)),
        };
        let all = order.iter().enumerate().map(standing).collect();
        Standings { table, all }
    }

    /// What they are made of.
    pub fn table(&self) -> &'a ScoreTable {
        self.table
    }

    /// All entrants, best first.
    pub fn all(&self) -> &[Standing<'a>] {
        &self.all
    }

    /// Whether who met whom tells more: of two it is what the standings tell.
    pub fn has_cross_table(&self) -> bool {
        self.all.len() > 2 && self.table.results().games() > 0
    }

    /// What they go by, in words.
    pub fn order(&self) -> &'static str {
        match self.table.event().plan {
            Format::Knockout => "By how far each came; then by the share of points.",
            _ => "By the share of points.",
        }
    }

    /// What has to be known to read them.
    pub fn notes(&self) -> Vec<&'static str> {
        let rated: Vec<_> = self.all.iter().map(|one| one.rating).filter(|rating| rating.error.is_some()).collect();
        let all = [
            (self.table.results().games() == 0, "No game is finished yet."),
            (
                rated.windows(2).any(|two| two[0].group != two[1].group),
                "Not all bots are linked by games: only ratings of those that are can be compared.",
            ),
        ];
        all.into_iter().filter(|(holds, _)| *holds).map(|(_, note)| note).collect()
    }
}

/// In a knockout, for each entrant the last round in which it played, and whether it is ahead there; else always the same.
fn reached(table: &ScoreTable) -> Vec<(u32, bool)> {
    let mut reached = vec![(0, false); table.entrants().len()];
    if table.event().plan == Format::Knockout {
        for &(first, second) in table.pairings().keys() {
            let round = knockout::round_of(reached.len(), first, second);
            let ahead = knockout::is_ahead(table.between(first, second), table.results().points(first, second));
            reached[first] = reached[first].max((round, ahead));
            reached[second] = reached[second].max((round, !ahead));
        }
    }
    reached
}
