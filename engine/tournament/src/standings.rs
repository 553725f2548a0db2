//! The standings: entrants in their order, with ratings.

use crate::formats::knockout;
use crate::{Entrant, EntrantRow, FinalBracket, Fixture, Format, KnockoutTree, MeanShots, Rating, Ratings, ScoreTable};
use std::cmp::{Ordering, Reverse};

/// The entrants of a table, best first, with their ratings.
///
/// ```
/// use tournament::{Standings, ScoreTable};
/// # use tournament::{Entrant, Format, TournamentHeader};
/// # let header = TournamentHeader::new(rules::GameKind::SeaBattle, serde_json::json!({}), Format::RoundRobin, None, 1);
/// # let mut table = ScoreTable::new(header);
/// # for name in ["one", "two"] {
/// #     let details = rules::PlayerInfo::named(name);
/// #     table.enter(Entrant::new(name.to_owned(), name.to_owned(), details));
/// # }
/// let standings = Standings::new(&table, None);
/// assert_eq!(standings.all().len(), 2);
/// assert_eq!(standings.notes(), ["No game is finished yet."]);
/// ```
#[derive(Debug, Clone)]
pub struct Standings<'a> {
    table: &'a ScoreTable,
    all: Vec<Standing<'a>>,
    /// True if some entrants have played more of the games of the format than others.
    is_unequal: bool,
    /// True if the order is that of the ratings, until all have played equally often.
    is_provisional: bool,
    /// True if the order is that of the ratings.
    is_by_rating: bool,
    /// True if the order is that of the mean shots.
    is_by_shots: bool,
}

/// The standing of one entrant.
#[derive(Debug, Clone, Copy)]
pub struct Standing<'a> {
    /// The place, counted from 1. Equal entrants share one, and the next place is free then: 1, 1, 3.
    pub place: usize,
    /// The index in [`Standings::all`], which no other entrant has.
    pub index: usize,
    /// The number in the journal, counted from 0.
    pub number: usize,
    /// The entrant.
    pub entrant: &'a Entrant,
    /// The sums of its games.
    pub row: &'a EntrantRow,
    /// The rating.
    pub rating: Rating,
    /// The shots for a board, if points are shots.
    pub shots: Option<MeanShots>,
    /// The shots more than those of the entrant with the fewest, on the same boards; `None` for that one.
    pub shots_behind: Option<MeanShots>,
    /// The probability, from 0 to 1, that it is stronger than the next; `None` if no games link them.
    pub superiority: Option<f64>,
}

impl Standing<'_> {
    /// The kind of fault that the entrant had most often, the first of equal ones; `None` without faults.
    pub fn main_fault(&self) -> Option<&str> {
        self.row.faults.iter().rev().max_by_key(|(_, count)| **count).map(|(kind, _)| kind.as_str())
    }
}

impl<'a> Standings<'a> {
    /// The most entrants of a table of who met whom. Its size grows with their square.
    pub const MOST_CROSSED: usize = 200;

    /// The standings of a table. `anchor` is the number of an entrant and the rating in Elo that it is to have.
    ///
    /// # Panics
    /// If the anchor is not an entrant.
    pub fn new(table: &'a ScoreTable, anchor: Option<(usize, f64)>) -> Standings<'a> {
        let (entrants, rows) = (table.entrants(), table.rows());
        // All sink the fleets of a passive player: who wins tells nothing.
        let is_solo = table.event().plan == Format::Solo;
        let results = if is_solo { Vec::new() } else { table.pairing_results() };
        let ratings = Ratings::of(entrants.len(), &results, anchor);
        let reached = reached(table);
        let is_unequal = is_unequal(table);
        let is_linked = are_linked(&ratings);
        let is_provisional =
            is_unequal && table.event().plan.is_of_equal_games() && is_linked && table.scoring().is_points();
        let is_by_rating =
            is_provisional || is_linked && matches!(table.event().plan, Format::Ladder | Format::Grading);
        let shots: Vec<Option<MeanShots>> = rows.iter().map(|row| row.shots.mean()).collect();
        let is_by_shots = !is_by_rating && table.event().plan.is_of_equal_games() && shots.iter().any(Option::is_some);
        let fewest = (0..rows.len())
            .filter_map(|at| Some((at, shots[at]?.mean)))
            .min_by(|(_, one), (_, other)| one.total_cmp(other));
        // By the share of points, or by the mean shots, then by rating. While not all have met equally often, the share depends on who has met whom, so
        // the rating comes first. An entrant without games is last.
        let key = |at: usize| {
            let games = rows[at].games();
            // Differences below a millionth of an Elo are rounding.
            let elo = (ratings.all()[at].elo * 1e6).round() + 0.0;
            let share = games.mean_score().unwrap_or(-1.0);
            let first = if is_by_shots {
                shots[at].map_or(f64::NEG_INFINITY, |shots| -shots.mean)
            } else if !is_by_rating {
                share
            } else if games.games() > 0 {
                elo
            } else {
                f64::NEG_INFINITY
            };
            (reached[at], [first, share, games.points(), elo])
        };
        let compared = |one: usize, other: usize| {
            let ((far, one), (other_far, other)) = (key(one), key(other));
            let by_points = other.iter().zip(&one).map(|(other, one)| other.total_cmp(one));
            by_points.fold(other_far.cmp(&far), Ordering::then)
        };
        let mut order: Vec<usize> = (usize::from(is_solo)..entrants.len()).collect();
        order.sort_by(|&one, &other| compared(one, other));
        let mut all: Vec<Standing<'a>> = Vec::new();
        for (index, &number) in order.iter().enumerate() {
            let shared = all.last().filter(|last| compared(last.number, number) == Ordering::Equal);
            all.push(Standing {
                place: shared.map_or(index + 1, |last| last.place),
                index,
                number,
                entrant: &entrants[number],
                row: &rows[number],
                rating: ratings.all()[number],
                shots: shots[number],
                shots_behind: fewest
                    .filter(|(best, _)| *best != number)
                    .and_then(|(best, _)| table.shots_between(number, best)),
                superiority: order.get(index + 1).and_then(|&next| ratings.superiority(number, next)),
            });
        }
        Standings { table, all, is_unequal, is_provisional, is_by_rating, is_by_shots }
    }

    /// The table of the standings.
    pub fn table(&self) -> &'a ScoreTable {
        self.table
    }

    /// All entrants, best first; in solo without the passive player, at whose fleets all play.
    pub fn all(&self) -> &[Standing<'a>] {
        &self.all
    }

    /// Tells whether to show a table of who met whom: of two entrants it adds nothing, and of more than
    /// [`Standings::MOST_CROSSED`] it is too large to read.
    pub fn has_cross_table(&self) -> bool {
        let is_solo = self.table.event().plan == Format::Solo;
        !is_solo && (3..=Standings::MOST_CROSSED).contains(&self.all.len()) && self.table.results().games() > 0
    }

    /// The order of the standings, in words for one line of a screen.
    pub fn order(&self) -> &'static str {
        match self.table.event().plan {
            Format::Knockout => "By rounds survived, then by the share of points. Elo counts games, not rounds.",
            Format::Final => "By the bracket, with a meeting for the third place. Elo counts games, not rounds.",
            Format::Ladder | Format::Grading if self.is_by_rating => "By Elo, because not all meet equally often.",
            _ if self.is_by_shots => "By the mean shots for a board, the fewest first.",
            _ if self.is_provisional => "Provisional: by Elo, because not all have met equally often yet.",
            Format::Swiss if self.is_unequal => {
                "By the share of points. Games are unequal, by rests or in this round; only Elo allows for it."
            }
            _ if self.is_unequal => "By the share of points. Games are unequal so far, which only Elo allows for.",
            _ => "By the share of points.",
        }
    }

    /// True if the order need not be that of the ratings, because bots have not all played as many games against each other: in
    /// a knockout, and before the end of other tournaments; or because it is that of shots.
    pub fn needs_order_told(&self) -> bool {
        self.table.results().games() > 0
            && (matches!(self.table.event().plan, Format::Knockout | Format::Final)
                || self.is_unequal
                || self.is_by_shots)
    }

    /// True if the order is that of the ratings for now: in a tournament in which all are to meet equally often, not all have, so
    /// the share of points tells more of who has met whom than of strength.
    pub fn is_provisional(&self) -> bool {
        self.is_provisional
    }

    /// True if the order is that of the mean shots for a board, the fewest first.
    pub fn is_by_shots(&self) -> bool {
        self.is_by_shots
    }

    /// True if some entrants have played more of the games of the format than others.
    pub(crate) fn is_unequal(&self) -> bool {
        self.is_unequal
    }

    /// Notes that a reader of the standings needs.
    pub fn notes(&self) -> Vec<String> {
        let rated: Vec<_> = self.all.iter().map(|one| one.rating).filter(|rating| rating.error.is_some()).collect();
        let all = [
            (self.table.results().games() == 0, "No game is finished yet."),
            (
                rated.windows(2).any(|two| two[0].group != two[1].group),
                "Not all bots are linked by games: only ratings of those that are can be compared.",
            ),
            (
                self.all.len() > Standings::MOST_CROSSED,
                "The cross table is left out, because there are more than 200 bots; the format json has all pairings.",
            ),
        ];
        let notes = all.into_iter().filter(|(holds, _)| *holds).map(|(_, note)| note.to_owned());
        notes.chain(self.retired()).chain(self.left_out()).chain(self.late_machines()).collect()
    }

    /// The entrants that play no more games, if there are any.
    fn retired(&self) -> Option<String> {
        let told =
            self.table.retirements().iter().map(|(number, new)| match (&self.table.entrants()[*number].name, new) {
                (name, Some(new)) => format!("{name} (replaced by {new})"),
                (name, None) => name.clone(),
            });
        let told: Vec<String> = told.collect();
        (!told.is_empty()).then(|| format!("Retired, with no more games: {}.", told.join(", ")))
    }

    /// A note for each bot that was named and does not take part.
    fn left_out(&self) -> impl Iterator<Item = String> + '_ {
        self.table.left_out().iter().map(|(bot, reason)| format!("Left out: {bot}: {reason}"))
    }

    /// The games with time-outs by machine, if there are any and several machines have played. A machine that is slower than others, or has
    /// more to do, makes bots late.
    fn late_machines(&self) -> Option<String> {
        const MOST: usize = 8;
        let mut machines: Vec<_> = self.table.machines().iter().collect();
        if machines.len() < 2 || machines.iter().all(|(_, row)| row.late == 0) {
            return None;
        }
        machines.sort_by_key(|(_, row)| Reverse((row.late * 1_000_000).checked_div(row.games)));
        let told = machines.iter().take(MOST).map(|(name, row)| format!("{name} {} of {}", row.late, row.games));
        let told = told.collect::<Vec<_>>().join(", ");
        let more = if machines.len() > MOST { ", and others fewer; the format json has all" } else { "" };
        Some(format!("Games with time-outs by machine: {told}{more}."))
    }
}

/// True if there are rated entrants and their ratings can be compared.
fn are_linked(ratings: &Ratings) -> bool {
    let mut groups = ratings.all().iter().filter(|rating| rating.error.is_some()).map(|rating| rating.group);
    groups.next().is_some_and(|first| groups.all(|group| group == first))
}

/// True if some entrants have played more of the games of the format than others, without those that are retired.
fn is_unequal(table: &ScoreTable) -> bool {
    let entrants = table.entrants().len();
    let between = |one, other| table.between(one, other).games();
    let plays_on = |entrant: &usize| !table.results().is_retired(*entrant);
    let differ = |mut games: Box<dyn Iterator<Item = u64> + '_>| {
        let first = games.next();
        games.any(|games| Some(games) != first)
    };
    match table.event().plan {
        Format::RoundRobin if !table.scoring().is_points() => {
            let playing = (0..entrants).filter(plays_on).map(|entrant| table.rows()[entrant].shots.boards());
            differ(Box::new(playing))
        }
        Format::RoundRobin => {
            let pairs = (0..entrants).flat_map(|one| (one + 1..entrants).map(move |other| (one, other)));
            let pairs = pairs.filter(|&(one, other)| plays_on(&one) && plays_on(&other));
            differ(Box::new(pairs.map(|(one, other)| between(one, other))))
        }
        Format::Gauntlet | Format::Solo => {
            differ(Box::new((1..entrants).filter(plays_on).map(|other| between(0, other))))
        }
        Format::Swiss | Format::Knockout | Format::Final | Format::Ladder | Format::Grading => {
            differ(Box::new(table.rows().iter().map(|row| row.games().games())))
        }
    }
}

/// For each entrant of a knockout, the last round in which it played, and whether it is ahead there; of a final that is over, how many
/// are behind it. In other formats all are the same.
fn reached(table: &ScoreTable) -> Vec<(u32, bool)> {
    let mut reached = vec![(0, false); table.entrants().len()];
    if let (Format::Final, Some(best_of)) = (table.event().plan, table.event().games) {
        let bracket = FinalBracket::new(reached.len(), best_of);
        let ranking = bracket.ranking(table.results()).unwrap_or_default();
        (0..).zip(ranking.into_iter().rev()).for_each(|(behind, entrant)| reached[entrant] = (behind, true));
    }
    if let Some(seeds) = table.knockout_seeds() {
        for &(first, second) in table.pairings().keys() {
            let round = seeds.round(Fixture { first, second, number: 0 }).number();
            let [one, other] = knockout::have_gone_on(table, first, second);
            reached[first] = reached[first].max((round, one));
            reached[second] = reached[second].max((round, other));
        }
        // Whoever meets a retired entrant has survived a round without games.
        let rounds = KnockoutTree::of(table).map(|tree| tree.rounds().to_vec()).unwrap_or_default();
        for (round, meetings) in (1..).zip(rounds) {
            for meeting in meetings {
                let [Some(one), Some(other)] = meeting.entrants else { continue };
                if let Some(winner) = meeting.winner {
                    reached[one] = reached[one].max((round, winner == one));
                    reached[other] = reached[other].max((round, winner == other));
                }
            }
        }
    }
    reached
}
