//! Who stands where.

use super::{Entrant, EntrantRow, Format, Rating, RatingSettings, Ratings, ScoreTable, knockout};

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
        let settings = RatingSettings { anchor, ..RatingSettings::default() };
        let ratings =
            Ratings::of(entrants.len(), &table.pairing_results(), &settings).expect("pairings are of entrants");
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

#[cfg(test)]
pub(super) mod tests {
    use super::super::{Fixture, GameLine, GameResult, PlayerLine, TournamentHeader};
    use super::*;
    use rules::PlayerInfo;
    use rules::{Ending, GameKind, Outcome, Seat};

    /// A table of as many bots, a, b, c …, with these games.
    pub(crate) fn table(plan: Format, bots: u8, games: &[(Fixture, GameResult)]) -> ScoreTable {
        let mut table =
            ScoreTable::new(TournamentHeader::new(GameKind::Entelect2017, serde_json::json!({}), plan, None, 1));
        for letter in (b'a'..).take(usize::from(bots)) {
            let name = char::from(letter).to_string();
            let details = PlayerInfo::named(&name);
            table.enter(Entrant { bot: name.clone(), name, details, content: None });
        }
        for &(fixture, result) in games {
            let winner = match result {
                GameResult::Win => Some(fixture.seat_of_first()),
                GameResult::Draw => None,
                GameResult::Loss => Some(fixture.seat_of_first().opponent()),
            };
            let first = winner.unwrap_or(Seat::A);
            table.add(&GameLine {
                fixture,
                seed: "1".to_owned(),
                outcome: Outcome {
                    winner,
                    ranking: vec![first, first.opponent()],
                    points: [Seat::A, Seat::B].map(|seat| if seat == first { 30 } else { 10 }).into_iter().collect(),
                    ending: Ending::FleetSunk { seats: vec![first.opponent()] },
                    turns: 20,
                },
                players: [PlayerLine::default(), PlayerLine::default()].into_iter().collect(),
                suspect: None,
                repeats: 0,
                record: None,
                took_ms: 1,
                ended: String::new(),
            });
        }
        table
    }

    /// A pair of games.
    pub(crate) fn pair(first: usize, second: usize, results: [GameResult; 2]) -> [(Fixture, GameResult); 2] {
        [0, 1].map(|number| (Fixture { first, second, number }, results[number as usize]))
    }

    fn names(standings: &Standings<'_>) -> String {
        standings.all().iter().map(|one| one.entrant.name.as_str()).collect()
    }

    const WON: [GameResult; 2] = [GameResult::Win; 2];
    const LOST: [GameResult; 2] = [GameResult::Loss; 2];

    #[test]
    fn the_share_of_points_counts_and_not_how_many_games_were_played() {
        let games = [pair(0, 1, WON), pair(1, 2, [GameResult::Win, GameResult::Draw]), pair(1, 3, WON)].concat();
        let table = table(Format::RoundRobin, 4, &games);
        let standings = Standings::new(&table, None);
        assert_eq!(names(&standings), "abcd");
        assert!(standings.all()[0].superiority.unwrap() > 0.5 && standings.all()[3].superiority.is_none());
        assert_eq!(standings.all()[1].place, 2);
    }

    #[test]
    fn in_a_knockout_they_stand_by_how_far_they_came() {
        // Of five, d and e meet first; c is out in the second round, in which a and b are still in.
        let games = [pair(3, 4, LOST), pair(0, 4, [GameResult::Win, GameResult::Draw]), pair(1, 2, WON)].concat();
        let begun = table(Format::Knockout, 5, &games);
        assert_eq!(names(&Standings::new(&begun, None)), "baecd");
        let games = [games, pair(0, 1, [GameResult::Draw, GameResult::Loss]).to_vec()].concat();
        let done = table(Format::Knockout, 5, &games);
        assert_eq!(names(&Standings::new(&done, None)), "baecd");
        let as_league = table(Format::Swiss, 5, &games);
        assert_eq!(names(&Standings::new(&as_league, None)), "beacd", "e has a larger share than a");
    }

    #[test]
    fn nobody_has_played_or_nobody_is_there() {
        for bots in [0, 3] {
            let empty = table(Format::Knockout, bots, &[]);
            let standings = Standings::new(&empty, None);
            assert_eq!(standings.all().len(), usize::from(bots));
            assert_eq!(standings.notes(), ["No game is finished yet."]);
        }
    }

    #[test]
    fn groups_that_never_met_are_told_of() {
        let apart = table(Format::RoundRobin, 5, &[pair(0, 1, WON), pair(2, 3, WON)].concat());
        assert!(Standings::new(&apart, None).notes()[0].starts_with("Not all bots are linked"));
        let linked = table(Format::RoundRobin, 5, &[pair(0, 1, WON), pair(1, 2, WON)].concat());
        assert_eq!(Standings::new(&linked, None).notes(), [""; 0]);
    }
}
