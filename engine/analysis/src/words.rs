//! Sentences about a turn, made of numbers alone.

use crate::position::{Analyst, Position, Turn};
use crate::shots::Shots;
use crate::{Analysed, Knowledge};
use chances::Layout;
use rules::{BySeat, Seat};

/// The least change of a probability to win that is worth a sentence.
const SWING: f64 = 0.08;
/// The chance below which a hit is luck, and above which a miss is bad luck.
const LONG_SHOT: f64 = 0.12;
const SAFE_SHOT: f64 = 0.75;
/// The accuracy below which a shot is a mistake, if a better one was worth this.
const MISTAKE: f64 = 0.4;
const WORTH_IT: f64 = 0.2;
/// The places of a ship that are few enough to be counted, and the chance from which a place counts.
const FEW_PLACES: usize = 3;
const LEAST_CHANCE: f64 = 0.01;

/// The sentences about a turn. The analyst has seen it; `before` is the moment before it.
pub(crate) fn of<G: Analysed>(
    analyst: &Analyst<G>,
    before: &Position,
    turn: &Turn,
    names: &BySeat<String>,
) -> Vec<String> {
    let mut words: Vec<String> =
        turn.shots.iter().filter_map(|(seat, shots)| about_shots(&names[seat], shots.as_ref()?)).collect();
    for seat in names.seats() {
        words.extend(about_places(analyst, before, seat, names));
    }
    words.extend(about_lead(before, &turn.position, names));
    words
}

fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

fn about_shots(name: &str, shots: &Shots) -> Option<String> {
    if !shots.is_weighed {
        return None;
    }
    let is_plain = shots.fired.shots.len() == 1 && shots.fired.shots[0].len() == 1;
    if is_plain && shots.fired.hits > 0 && shots.expected < LONG_SHOT {
        return Some(format!("{name} hits at a chance of {}.", percent(shots.expected)));
    }
    if is_plain && shots.fired.hits == 0 && shots.expected > SAFE_SHOT {
        return Some(format!("{name} misses at a chance of {}.", percent(shots.expected)));
    }
    let is_mistake = shots.best >= WORTH_IT && shots.accuracy().is_some_and(|accuracy| accuracy < MISTAKE);
    if is_mistake && is_plain {
        let (chosen, best) = (percent(shots.expected), percent(shots.best));
        return Some(format!("{name} fires at a chance of {chosen}; the best cell has {best}."));
    }
    is_mistake.then(|| {
        let (chosen, best) = (shots.expected, shots.best);
        format!("{name} can expect {chosen:.1} hits; the best aim promises {best:.1}.")
    })
}

/// Says which ships have few places left, as one seat knows it, where they had more before.
fn about_places<G: Analysed>(
    analyst: &Analyst<G>,
    before: &Position,
    seat: Seat,
    names: &BySeat<String>,
) -> Vec<String> {
    let (Some(layout), Some(knowledge)) = (analyst.layout(seat), &analyst.position().knowledge[seat]) else {
        return Vec::new();
    };
    let view = analyst.view(seat);
    let targets = G::targets(seat, view);
    let kinds = (0..layout.kinds()).filter(|kind| layout.count(*kind) == 1);
    let sentence = |kind: usize| {
        let now = open_places(layout, knowledge, kind);
        let were = before.knowledge[seat].as_ref().map_or(0, |before| open_places(layout, before, kind).len());
        if !(1..=FEW_PLACES).contains(&now.len()) || were <= FEW_PLACES {
            return None;
        }
        let owner = &names[targets[kind * targets.len() / layout.kinds()].seat];
        let cells = now.iter().flat_map(|place| layout.place(*place));
        let best = cells.map(|cell| knowledge.hits[*cell]).fold(0.0, f64::max);
        let count = ["no place", "one place", "two places", "three places"][now.len()];
        let ship = G::ship_name(view, kind);
        Some(format!(
            "{owner}'s {ship} has {count} left; a shot at its likeliest cell hits at {}.",
            percent(best.min(1.0))
        ))
    };
    kinds.filter_map(sentence).collect()
}

/// The places in which a ship that is afloat may lie; all of them if there are many that are unlikely.
fn open_places(layout: &Layout, knowledge: &Knowledge, kind: usize) -> Vec<usize> {
    let is_open = |place: &usize| {
        knowledge.chances.place(*place) > 0.0 && knowledge.facts.sank(kind, layout.place(*place)) == chances::NEVER
    };
    let open: Vec<usize> = layout.places(kind).filter(is_open).collect();
    let (likely, rest): (Vec<usize>, Vec<usize>) =
        open.iter().partition(|place| knowledge.chances.place(**place) >= LEAST_CHANCE);
    let chance_of_rest: f64 = rest.iter().map(|place| knowledge.chances.place(*place)).sum();
    if chance_of_rest < LEAST_CHANCE { likely } else { open }
}

fn about_lead(before: &Position, after: &Position, names: &BySeat<String>) -> Option<String> {
    let (before, after) = (before.seen.as_ref()?, after.seen.as_ref()?);
    let change = |seat: Seat| after[seat].win - before[seat].win;
    let seat = names.seats().max_by(|a, b| change(*a).total_cmp(&change(*b)))?;
    let is_over = after[seat].left == 0.0;
    (change(seat) >= SWING && !is_over).then(|| {
        let (was, is) = (percent(before[seat].win), percent(after[seat].win));
        format!("{}'s chance to win rises from {was} to {is}.", names[seat])
    })
}
