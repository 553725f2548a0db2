//! Rules at random: any values of all choices, of which some cannot be played.

use rand::RngExt;
use rand::seq::IndexedRandom;
use rules::Random;
use rules::battleship::{
    Again, BoardSize, Choices, Consequence, First, FleetConsequence, FleetEntry, Fleets, Limit, ShotCount, Shots,
    Special, SpecialKind, Then, ToldHits, ToldResults, ToldSunk, Touching, Turns,
};

fn one<T: Copy>(random: &mut Random, of: &[T]) -> T {
    *of.choose(random).unwrap()
}

/// A number in the range, now and then one that is out of all bounds.
fn number(random: &mut Random, usual: std::ops::RangeInclusive<u8>) -> u8 {
    if random.random_bool(0.005) { one(random, &[0, 17, 101, u8::MAX]) } else { random.random_range(usual) }
}

/// Rows of a drawing. `is_odd` is for areas, which have a middle.
fn rows(random: &mut Random, is_odd: bool) -> Vec<String> {
    let sides = if is_odd && !random.random_bool(0.03) { [1, 3, 5] } else { [1, 2, 3] };
    let [width, height] = [one(random, &sides), one(random, &sides)];
    (0..height).map(|_| (0..width).map(|_| one(random, &['#', '#', '#', '.', ' '])).collect()).collect()
}

fn ships(random: &mut Random) -> Vec<FleetEntry> {
    let names = ["carrier", "boat", "T", "ship of the line", "Schiff № 5", "boat"];
    let most = one(random, &[2, 3, 5]);
    let kinds = random.random_range(1..=most);
    let entry = |nth: usize| {
        let is_shape = random.random_bool(0.2);
        FleetEntry {
            name: names[if random.random_bool(0.995) { nth } else { 5 }].to_owned(),
            count: if random.random_bool(0.7) { 1 } else { number(random, 1..=3) },
            size: (!is_shape || random.random_bool(0.02)).then(|| number(random, 1..=4)),
            shape: if is_shape { rows(random, false) } else { Vec::new() },
            armour: if random.random_bool(0.8) { 1 } else { number(random, 1..=3) },
        }
    };
    (0..kinds).map(entry).collect()
}

fn special(random: &mut Random, nth: usize) -> Special {
    let kind = one(random, &[SpecialKind::Radar, SpecialKind::AreaShot, SpecialKind::Sonar]);
    let has_area = kind != SpecialKind::Sonar || random.random_bool(0.02);
    let ship = |random: &mut Random| one(random, &["carrier", "carrier", "carrier", "boat"]).to_owned();
    Special {
        name: format!("special {nth}"),
        uses: number(random, 1..=4),
        needs: random.random_bool(0.2).then(|| ship(random)),
        kind,
        area: if has_area { rows(random, true) } else { Vec::new() },
        misses: if kind == SpecialKind::Radar && random.random_bool(0.3) { vec![ship(random)] } else { Vec::new() },
    }
}

/// Any choices. Most can be played, and most matches by them are short.
pub(super) fn any_choices(random: &mut Random) -> Choices {
    let longest = if random.random_bool(0.01) { 100 } else { 8 };
    let consequence = [Consequence::Wasted, Consequence::Refused, Consequence::Loses];
    let fleets = one(random, &[Fleets::Placed, Fleets::Placed, Fleets::Drawn]);
    let is_strange = random.random_bool(0.05);
    let turns = one(random, &[Turns::Alternate, Turns::Alternate, Turns::Together, Turns::Solo]);
    let touching = one(random, &[Touching::Allowed, Touching::Corners, Touching::None]);
    let mut sunk = one(
        random,
        &[ToldSunk::Nothing, ToldSunk::That, ToldSunk::Size, ToldSunk::Name, ToldSunk::Cells, ToldSunk::Around],
    );
    if touching != Touching::None && !is_strange {
        sunk = sunk.min(ToldSunk::Cells);
    }
    let counts = [ShotCount::ShipsAfloat, ShotCount::LongestAfloat, ShotCount::OwnCellsAfloat];
    let is_counted = random.random_bool(0.4) && (turns != Turns::Solo || is_strange);
    let alternates = turns == Turns::Alternate || is_strange;
    let bad_fleet = [FleetConsequence::Drawn, FleetConsequence::Refused, FleetConsequence::Loses];
    let specials = if random.random_bool(0.4) { random.random_range(1..=4) } else { 0 };
    let limit = Limit {
        turns: if is_strange { one(random, &[0, 100_001, u32::MAX, 40]) } else { random.random_range(1..40) },
        then: one(random, &[Then::Hits, Then::ShipsSunk, Then::CellsLeft, Then::Draw]),
    };
    Choices {
        name: one(
            random,
            &["any", "rules of no. 7", "Regeln für alle", "", "a\u{1b}b"][..if is_strange { 5 } else { 4 }],
        )
        .to_owned(),
        about: one(random, &["", "two\nlines"]).to_owned(),
        board: BoardSize { width: number(random, 1..=longest), height: number(random, 2..=longest) },
        fleet: ships(random),
        mirror: random.random_bool(0.3),
        touching,
        fleets,
        turns,
        first: if alternates && random.random_bool(0.4) { First::Drawn } else { First::A },
        shots: if is_counted { Shots::Counted(one(random, &counts)) } else { Shots::Fixed(number(random, 1..=4)) },
        again: if alternates {
            one(random, &[Again::Never, Again::OnHit, Again::OnHitUnlessSunk])
        } else {
            Again::Never
        },
        told: ToldResults { hit: one(random, &[ToldHits::Each, ToldHits::Each, ToldHits::Total]), sunk },
        seen: random.random_bool(0.6),
        repeated: one(random, &consequence),
        off_board: one(random, &consequence),
        bad_fleet: if fleets == Fleets::Placed || is_strange {
            one(random, &bad_fleet)
        } else {
            FleetConsequence::Loses
        },
        no_answer: one(random, &consequence),
        retries: number(random, 1..=3),
        limit: random.random_bool(0.8).then_some(limit),
        specials: (0..specials).map(|nth| special(random, nth)).collect(),
        seats: number(random, 2..=5),
    }
}
