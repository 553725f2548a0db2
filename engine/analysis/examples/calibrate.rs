//! Calibrates the probability to win: `cargo run --release -p analysis --example calibrate -- [GAMES [GAME [FILE.svg]]]`.
//!
//! Plays games between built-in players of different strength, fits [`analysis::Calibration`] to half of them, and compares what it predicts of
//! the other half with what happened: in ten bins, and by the Brier score, beside a prediction that always says 50 % and one that counts
//! the cells that are afloat. Without the name of a game, such as `sea-battle`, it does so for three of them, one after the other. The file gets a
//! drawing of the bins.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a measurement for people")]

use analysis::{Analysed, Analyst, Calibration};
use arena::{ArenaError, MatchEvent, Observer, Players, Sequence, play};
use players::{BuiltIn, WithBuiltIns};
use rules::{RngExt, Seat};

/// The players of the games, by their turn.
const PAIRS: [(BuiltIn, BuiltIn); 5] = [
    (BuiltIn::Hunter, BuiltIn::Hunter),
    (BuiltIn::Hunter, BuiltIn::Checkerboard),
    (BuiltIn::Checkerboard, BuiltIn::HuntAndTarget),
    (BuiltIn::HuntAndTarget, BuiltIn::HuntAndTarget),
    (BuiltIn::HuntAndTarget, BuiltIn::Hunter),
];
/// The share of the moments of a game that are looked at.
const LOOKS: f64 = 0.12;

/// A moment of a game, and whether seat A won.
struct Moment {
    /// For each seat the moves that its opponent needs: by what is known, and by the true fleet.
    left: [(f64, f64); 2],
    /// The variance of both.
    variance: f64,
    /// For each seat what the rules give it beside, in moves.
    beside: [f64; 2],
    /// The likely accuracy of each seat.
    accuracy: [f64; 2],
    /// The cells of A afloat less those of B, as a share of a fleet.
    cells: f64,
    won: f64,
}

fn main() {
    let games: u64 = std::env::args().nth(1).map_or(4_000, |games| games.parse().expect("the number of games"));
    calibrate::<rules::entelect_2017::Entelect2017>(games);
    calibrate::<rules::sea_battle::SeaBattle>(games);
    calibrate::<rules::bots_arena::BotsArena>(games);
}

fn calibrate<G: Analysed + WithBuiltIns>(games: u64) {
    if std::env::args().nth(2).is_some_and(|name| name != G::KIND.name()) {
        return;
    }
    let mut halves: [Vec<Moment>; 2] = [Vec::new(), Vec::new()];
    for seed in 0..games {
        // Both halves have all pairs, in both seats.
        halves[usize::from(seed % 4 >= 2)].extend(moments::<G>(seed));
    }
    let [fitted, unseen] = halves;
    println!("{}: {} moments of {games} games", G::KIND.title(), unseen.len());
    let best = fit(&fitted);
    println!("  best {best:?}\n  in use {:?}", G::CALIBRATION);
    let in_use = G::CALIBRATION;
    let slope = fit_slope(&fitted);
    let brier = |predict: &dyn Fn(&Moment) -> f64| {
        unseen.iter().map(|moment| (predict(moment) - moment.won).powi(2)).sum::<f64>() / unseen.len() as f64
    };
    let seen = |moment: &Moment| probability(Calibration { truth: 0.0, ..in_use }, moment);
    println!(
        "  Brier score: spectators {:.4}, truth {:.4}, cells afloat {:.4}, always 50 % {:.4}",
        brier(&seen),
        brier(&|moment| probability(in_use, moment)),
        brier(&|moment| logistic(slope * moment.cells)),
        brier(&|_| 0.5)
    );
    println!("  predicted   seen  moments");
    let mut bins = Vec::new();
    for bin in 0..10 {
        let in_bin = |moment: &&Moment| ((seen(moment) * 10.0) as usize).min(9) == bin;
        let all: Vec<&Moment> = unseen.iter().filter(in_bin).collect();
        let mean = |of: &dyn Fn(&Moment) -> f64| all.iter().map(|moment| of(moment)).sum::<f64>() / all.len() as f64;
        println!("  {:8.1} % {:5.1} %  {}", 100.0 * mean(&seen), 100.0 * mean(&|moment| moment.won), all.len());
        bins.push((mean(&seen), mean(&|moment| moment.won), all.len() as f64 / unseen.len() as f64));
    }
    if let Some(file) = std::env::args().nth(3) {
        std::fs::write(file, curve(G::KIND.title(), &bins)).unwrap();
    }
}

/// A drawing of bins, each a circle of the area of its share: what was predicted to the right, what was seen upwards.
fn curve(title: &str, bins: &[(f64, f64, f64)]) -> String {
    let at = |share: f64| 200.0 * share;
    let circle = |&(predicted, seen, share): &(f64, f64, f64)| {
        let (x, y, radius) = (at(predicted), at(1.0 - seen), 18.0 * share.sqrt());
        format!(
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\"><title>{:.0} %, {:.0} %</title></circle>",
            100.0 * predicted,
            100.0 * seen
        )
    };
    let circles: String = bins.iter().map(circle).collect();
    let labels: String = [(0.0, "0"), (0.5, "50"), (1.0, "100")]
        .map(|(share, text)| {
            let (x, y) = (at(share), at(1.0 - share) + 4.0);
            format!("<text x=\"{x}\" y=\"218\" text-anchor=\"middle\">{text}</text><text x=\"-6\" y=\"{y}\" text-anchor=\"end\">{text}</text>")
        })
        .concat();
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"-44 -30 262 280\" width=\"262\" height=\"280\" font-family=\"sans-serif\" \
         font-size=\"11\" fill=\"#333\" role=\"img\"><title>{title}: predicted and seen shares of wins</title>\
         <rect x=\"-44\" y=\"-30\" width=\"262\" height=\"280\" fill=\"#fff\"/><text x=\"100\" y=\"-12\" text-anchor=\"middle\" font-size=\"13\">\
         {title}</text><rect width=\"200\" height=\"200\" fill=\"#f4f6f8\"/><path d=\"M0 200L200 0\" stroke=\"#999\" stroke-dasharray=\"4\"/>\
         <g fill=\"#1a4f7f\" fill-opacity=\".75\">{circles}</g>{labels}<text x=\"100\" y=\"238\" text-anchor=\"middle\">predicted, %</text>\
         <text transform=\"translate(-32 100) rotate(-90)\" text-anchor=\"middle\">won, %</text></svg>\n"
    )
}

fn logistic(lead: f64) -> f64 {
    1.0 / (1.0 + (-lead).exp())
}

fn probability(by: Calibration, moment: &Moment) -> f64 {
    let life = |seat: usize| {
        let (seen, truth) = moment.left[seat];
        let skill = moment.accuracy[1 - seat].powf(by.skill);
        (seen + by.truth * (truth - seen)) / skill + moment.beside[seat]
    };
    let variance = (1.0 - by.truth * by.truth) * moment.variance + by.variance;
    logistic(by.weight * (life(0) - life(1)) / variance.sqrt())
}

/// The calibration with the least logarithmic loss.
fn fit(moments: &[Moment]) -> Calibration {
    let least = |candidates: &mut dyn Iterator<Item = Calibration>| {
        let loss = |by: Calibration| (by, loss(moments, |moment| probability(by, moment)));
        candidates.map(loss).min_by(|a, b| a.1.total_cmp(&b.1)).unwrap().0
    };
    let variances = [4.0, 25.0, 50.0, 100.0, 200.0, 400.0];
    let candidates = (1..=40).flat_map(|weight| variances.map(|variance| (weight, variance)));
    let candidates = candidates.flat_map(|of| (0..=8).map(move |skill| (of, skill)));
    let candidates = candidates.map(|((weight, variance), skill)| Calibration {
        weight: f64::from(weight) * 0.1,
        variance,
        truth: 0.0,
        skill: 0.25 * f64::from(skill),
    });
    let seen = least(&mut { candidates });
    least(&mut (0..=20).map(|truth| Calibration { truth: 0.05 * f64::from(truth), ..seen }))
}

fn fit_slope(moments: &[Moment]) -> f64 {
    let slopes = (1..=100).map(|slope| f64::from(slope) * 0.25);
    let loss = |slope: f64| loss(moments, |moment| logistic(slope * moment.cells));
    slopes.min_by(|a, b| loss(*a).total_cmp(&loss(*b))).unwrap()
}

fn loss(moments: &[Moment], predict: impl Fn(&Moment) -> f64) -> f64 {
    let one = |moment: &Moment| {
        let predicted = predict(moment).clamp(1e-6, 1.0 - 1e-6);
        -(moment.won * predicted.ln() + (1.0 - moment.won) * (1.0 - predicted).ln())
    };
    moments.iter().map(one).sum()
}

/// Moments of one game.
fn moments<G: Analysed + WithBuiltIns>(seed: u64) -> Vec<Moment> {
    let (a, b) = PAIRS[(seed / 4) as usize % PAIRS.len()];
    let pair = if seed.is_multiple_of(2) { [a, b] } else { [b, a] };
    let game = G::start(&G::Settings::default(), 2, seed).unwrap();
    let mut players: Players<G> = [Seat::A, Seat::B]
        .into_iter()
        .zip(pair)
        .map(|(seat, player)| player.player::<G>(rules::seat_seed(seed, seat)))
        .collect();
    let mut looks = Looks { random: rules::random(seed), analyst: None, moments: Vec::new() };
    let outcome = play(game, &mut players, Sequence::InTurn, &mut looks).unwrap();
    let won = match outcome.winner {
        Some(winner) => f64::from(u8::from(winner == Seat::A)),
        None => 0.5,
    };
    looks.moments.into_iter().map(|moment| Moment { won, ..moment }).collect()
}

fn moment<G: Analysed>(game: &G, analyst: &Analyst<G>) -> Option<Moment> {
    let position = analyst.position();
    let by = G::CALIBRATION;
    let (seen, truth) = (position.seen.as_ref()?, position.truth.as_ref()?);
    let accuracy = [Seat::A, Seat::B].map(|seat| analyst.totals(seat).likely_accuracy());
    let left = |seat: Seat| {
        let skill = accuracy[seat.opponent().index()].powf(by.skill);
        let (seen, truth) = (seen[seat].left * skill, truth[seat].left * skill);
        (seen, seen + (truth - seen) / by.truth)
    };
    let afloat = |of: Seat| {
        let by = position.knowledge[of.opponent()].as_ref();
        let fleet = game.fleet(of);
        let grid = G::targets(of.opponent(), analyst.view(of.opponent()))[0].grid;
        let is_left = |kind: usize, cell| {
            let index = grid.index(cell).unwrap();
            by.is_some_and(|knowledge| knowledge.facts.destroyed(kind, index) == chances::NEVER)
        };
        let cells = fleet.iter().flat_map(|(kind, cells)| cells.iter().map(move |cell| (*kind, *cell)));
        let all = cells.clone().count().max(1) as f64;
        cells.filter(|(kind, cell)| is_left(*kind, *cell)).count() as f64 / all
    };
    Some(Moment {
        left: [left(Seat::A), left(Seat::B)],
        variance: seen[Seat::A].variance + seen[Seat::B].variance,
        beside: [Seat::A, Seat::B].map(|seat| seen[seat].lead - seen[seat].left),
        accuracy,
        cells: afloat(Seat::A) - afloat(Seat::B),
        won: 0.5,
    })
}

/// Looks at some of the moments of a game.
struct Looks<G: Analysed> {
    random: rules::Random,
    analyst: Option<Analyst<G>>,
    moments: Vec<Moment>,
}

impl<G: Analysed> Observer<G> for Looks<G> {
    fn on(&mut self, event: &MatchEvent<'_, G>) -> Result<(), ArenaError> {
        match event {
            MatchEvent::Opened { game, .. } if self.analyst.is_none() => self.analyst = Some(Analyst::new(*game)),
            MatchEvent::Advanced { game, told, .. } => {
                let Some(analyst) = &mut self.analyst else { return Ok(()) };
                analyst.turn(told, game);
                if self.random.random_range(0.0..1.0) < LOOKS && game.outcome().is_none() {
                    self.moments.extend(moment(*game, analyst));
                }
            }
            _ => {}
        }
        Ok(())
    }
}
