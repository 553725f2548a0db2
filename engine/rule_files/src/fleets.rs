//! The number of fleets that may be placed.

use rules::battleship::{Rules, ShipType};
use rules::{Cells, Point, Random, Shape, random};
use std::fmt;

/// The most fleets that are counted, as if ships could overlap.
const MOST_COUNTED: f64 = 1e7;
/// The most places that are looked at in counting.
const MOST_STEPS: u32 = 100_000;
/// The most fleets that are drawn for an estimate.
const DRAWS: usize = 4000;
/// The most rows of cells that are looked at in drawing, which takes about a second.
const MOST_WORK: usize = 400_000_000;
/// The seed of an estimate: of the same rules it is the same each time.
const SEED: u64 = 0;

/// The number of fleets that may be placed by rules. Ships of one kind are alike; those of two kinds are not, even if they have the
/// same shape.
///
/// ```
/// use rule_files::Fleets;
///
/// let small = rule_files::read("board = { width = 3, height = 1 }\nfleet = [{ name = \"b\", size = 2 }]", "".as_ref())?;
/// assert_eq!(Fleets::of(&small), Fleets::Counted(2));
/// # Ok::<(), rule_files::RulesFileError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Fleets {
    /// So many.
    Counted(u64),
    /// About so many, with the standard error as a share of that; [`f64::MAX`] also stands for more.
    About(f64, f64),
}

impl Fleets {
    /// The number by these rules: counted if that takes few steps; otherwise estimated by Knuth's method, from the numbers of places
    /// that are left for each ship when fleets are placed at random.
    pub fn of(rules: &Rules) -> Fleets {
        let mut kinds: Vec<Kind> = Vec::new();
        for ship in rules.ships() {
            match kinds.iter_mut().find(|kind| kind.number == ship.kind) {
                Some(kind) => kind.count += 1,
                None => kinds.push(Kind { number: ship.kind, count: 1, shape: &ship.shape }),
            }
        }
        // Large ships first leave few places for the rest to be looked at in vain.
        kinds.sort_by_key(|kind| std::cmp::Reverse(kind.shape.size()));
        let open = Cells::all(rules.grid());
        let places = |kind: &Kind<'_>| kind.shape.ways().iter().map(|way| open.places(way).len()).sum::<u32>();
        let most: f64 =
            kinds.iter().map(|kind| f64::from(places(kind)).powf(f64::from(kind.count)) / kind.orders()).product();
        let counted = (most <= MOST_COUNTED).then(|| Counting { rules, steps: 0 }.count(&kinds, 0, 0, &open)).flatten();
        counted.map_or_else(|| estimate(rules, &kinds, &open), Fleets::Counted)
    }
}

impl fmt::Display for Fleets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Fleets::Counted(fleets) => write!(f, "{fleets}"),
            Fleets::About(fleets, _) if fleets < 1e15 => {
                // Two digits are certain.
                let unit = 10f64.powf(fleets.log10().floor() - 1.0).max(1.0);
                write!(f, "about {}", ((fleets / unit).round() * unit) as u64)
            }
            Fleets::About(f64::MAX, _) => f.write_str("more than 1e308"),
            Fleets::About(fleets, _) => write!(f, "about {fleets:.1e}"),
        }
    }
}

/// The ships of one kind.
struct Kind<'a> {
    number: usize,
    count: u32,
    shape: &'a Shape,
}

impl Kind<'_> {
    /// The number of orders in which the ships may be placed, none of which makes another fleet.
    fn orders(&self) -> f64 {
        (1..=self.count).map(f64::from).product()
    }
}

struct Counting<'a> {
    rules: &'a Rules,
    steps: u32,
}

impl Counting<'_> {
    /// The number of ways to place the ships of these kinds, of the first of which `placed` lie already, the last at a place before
    /// `from`. `None` if there are too many steps.
    fn count(&mut self, kinds: &[Kind<'_>], placed: u32, from: u32, open: &Cells) -> Option<u64> {
        let Some((kind, rest)) = kinds.split_first() else { return Some(1) };
        if placed == kind.count {
            return self.count(rest, 0, 0, open);
        }
        let is_last = rest.is_empty() && placed + 1 == kind.count;
        let mut fleets = 0u64;
        // The places are numbered, those of one way after those of another, whether they are open or not.
        let all = Cells::all(self.rules.grid());
        let mut number = 0;
        for way in kind.shape.ways() {
            let places = open.places(way);
            if is_last && number >= from {
                fleets = fleets.checked_add(u64::from(places.len()))?;
                number += all.places(way).len();
                continue;
            }
            for start in all.places(way).iter() {
                number += 1;
                if number <= from || !places.contains(start) {
                    continue;
                }
                if is_last {
                    fleets += 1;
                    continue;
                }
                self.steps += 1;
                if self.steps > MOST_STEPS {
                    return None;
                }
                let cells: Vec<Point> = way.iter().map(|step| Point::new(start.x + step.x, start.y + step.y)).collect();
                let mut left = open.clone();
                left.remove_all(&self.rules.kept_free(&Cells::of(self.rules.grid(), &cells)));
                fleets = fleets.checked_add(self.count(kinds, placed + 1, number, &left)?)?;
            }
        }
        Some(fleets)
    }
}

/// The mean of the products of the numbers of places. They are taken as shares of the largest: only the mean itself may be too large
/// for a number.
fn estimate(rules: &Rules, kinds: &[Kind<'_>], open: &Cells) -> Fleets {
    let mut random = random(SEED);
    let orders: f64 = kinds.iter().map(|kind| kind.orders().ln()).sum();
    let work = |ship: &ShipType| ship.shape.ways().len() * ship.shape.size() * rules.grid().height() as usize;
    let count = (MOST_WORK / rules.ships().iter().map(work).sum::<usize>()).min(DRAWS);
    let draws: Vec<f64> = (0..count).map(|_| draw(rules, kinds, open, &mut random) - orders).collect();
    let most = draws.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    if most == f64::NEG_INFINITY {
        return Fleets::About(0.0, 0.0);
    }
    let shares = || draws.iter().map(|draw| (draw - most).exp());
    let mean = shares().sum::<f64>() / count as f64;
    let variance = shares().map(|share| (share - mean).powi(2)).sum::<f64>() / (count - 1) as f64;
    Fleets::About((mean * most.exp()).min(f64::MAX), (variance / count as f64).sqrt() / mean)
}

/// The logarithm of the product of the numbers of places that are left for each ship of a fleet at random.
fn draw(rules: &Rules, kinds: &[Kind<'_>], open: &Cells, random: &mut Random) -> f64 {
    let mut open = open.clone();
    let mut product = 0.0;
    for kind in kinds.iter().flat_map(|kind| (0..kind.count).map(move |_| kind)) {
        let Some((cells, places)) = kind.shape.random_place(&open, random) else { return f64::NEG_INFINITY };
        product += f64::from(places).ln();
        open.remove_all(&rules.kept_free(&Cells::of(rules.grid(), &cells)));
    }
    product
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::battleship::{BoardSize, Choices, FleetEntry, Touching};

    fn rules(width: u8, height: u8, ships: &[(u8, u8)], touching: Touching) -> Rules {
        let entry = |(nth, &(count, size)): (usize, &(u8, u8))| FleetEntry {
            name: nth.to_string(),
            count,
            size: Some(size),
            shape: Vec::new(),
            armour: 1,
        };
        let fleet = ships.iter().enumerate().map(entry).collect();
        Rules::new(Choices { board: BoardSize { width, height }, fleet, touching, ..Choices::default() }).unwrap()
    }

    #[test]
    fn few_fleets_are_counted() {
        let allowed = Touching::Allowed;
        assert_eq!(Fleets::of(&rules(2, 2, &[(1, 1)], allowed)), Fleets::Counted(4));
        assert_eq!(Fleets::of(&rules(2, 2, &[(2, 1)], allowed)), Fleets::Counted(6));
        assert_eq!(Fleets::of(&rules(2, 2, &[(1, 1), (1, 1)], allowed)), Fleets::Counted(12));
        assert_eq!(Fleets::of(&rules(2, 2, &[(2, 2)], allowed)), Fleets::Counted(2));
        assert_eq!(Fleets::of(&rules(2, 2, &[(2, 1)], Touching::Corners)), Fleets::Counted(2));
        assert_eq!(Fleets::of(&rules(2, 2, &[(2, 1)], Touching::None)), Fleets::Counted(0));
        assert_eq!(Fleets::of(&rules(3, 3, &[(4, 1)], Touching::None)), Fleets::Counted(1));
        assert_eq!(Fleets::of(&rules(10, 10, &[(1, 4)], allowed)), Fleets::Counted(140));
    }

    #[test]
    fn a_fleet_that_fills_the_board_is_counted() {
        // Counted by hand for TextArena's board of 5 x 5.
        let textarena = crate::find("textarena").unwrap();
        assert_eq!(Fleets::of(&textarena), Fleets::Counted(80_848));
    }

    #[test]
    fn many_fleets_are_estimated() {
        let Fleets::About(fleets, error) = Fleets::of(&Rules::default()) else { panic!() };
        // Known from counts of others.
        assert!((fleets / 30_093_975_536.0 - 1.0).abs() < 4.0 * error, "{fleets} +- {error}");
        assert!(error < 0.02, "{error}");
        assert_eq!(Fleets::About(30.2e9, 0.01).to_string(), "about 30000000000");
        assert_eq!(Fleets::About(1.84e21, 0.01).to_string(), "about 1.8e21");
        let Fleets::About(fleets, error) = Fleets::of(&rules(40, 40, &[(1, 1); 100], Touching::Allowed)) else {
            panic!()
        };
        // 1600 x 1599 x ... x 1501 are more than any number of 64 bits.
        assert!(fleets == f64::MAX && error < 1e-9, "{fleets} +- {error}");
        assert_eq!(Fleets::About(fleets, error).to_string(), "more than 1e308");
    }

    #[test]
    fn an_estimate_agrees_with_the_count() {
        for touching in [Touching::Allowed, Touching::Corners, Touching::None] {
            let rules = rules(6, 5, &[(1, 3), (2, 2)], touching);
            let kinds: Vec<Kind<'_>> = rules
                .ships()
                .iter()
                .zip([1, 2])
                .map(|(ship, count)| Kind { number: ship.kind, count, shape: &ship.shape })
                .collect();
            let (Fleets::Counted(fleets), Fleets::About(about, error)) =
                (Fleets::of(&rules), estimate(&rules, &kinds, &Cells::all(rules.grid())))
            else {
                panic!()
            };
            assert!((about / fleets as f64 - 1.0).abs() < 4.0 * error, "{fleets}, {about} +- {error}");
        }
    }
}
