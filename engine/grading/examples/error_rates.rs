//! The shares of wrong answers in simulated classes of students whose strengths are known:
//! `cargo run --release -p grading --example error_rates [CLASSES] [CONFIDENCE]`. docs/grading.md has the result.

use grading::{Grader, Judgement, Plan};
use rules::{Ending, Outcome, Random, RngExt, Seat};
use std::error::Error;
use std::path::Path;
use tournament::{Fixture, GameLine, PlayerLine};

/// The probabilities with which the students of a class win, of which 0.6 is wanted.
const STRENGTHS: [f64; 12] = [0.3, 0.5, 0.55, 0.57, 0.58, 0.59, 0.61, 0.62, 0.63, 0.65, 0.7, 0.9];
/// The number of students of each strength.
const EACH: usize = 5;

fn plan(confidence: f64) -> String {
    format!(
        r#"
        title = "Simulation"
        game = "sea-battle"
        seed = 1
        confidence = {confidence}
        [[baseline]]
        name = "target"
        bot = "builtin:random"
        [[criterion]]
        name = "60 %"
        points = 1
        score = 0.6
        "#
    )
}

/// A game that the student wins with this probability.
fn game(student: usize, number: u32, strength: f64, random: &mut Random) -> GameLine {
    let fixture = Fixture { first: student, second: 0, number };
    let seat = fixture.seat_of_first();
    let winner = if random.random_bool(strength) { seat } else { seat.opponent() };
    GameLine {
        fixture,
        seed: String::new(),
        outcome: Outcome {
            winner: Some(winner),
            ranking: vec![winner, winner.opponent()],
            points: [0, 0].into_iter().collect(),
            scoring: rules::Scoring::Points,
            ending: Ending::FleetSunk { seats: vec![winner.opponent()] },
            turns: 9,
        },
        players: [Seat::A, Seat::B].map(|_| PlayerLine::default()).into_iter().collect(),
        suspect: None,
        repeats: 0,
        record: None,
        machine: None,
        took_ms: 1,
        ended: String::new(),
    }
}

/// The games and the answers of the students of one strength.
#[derive(Default)]
struct Counts {
    games: u64,
    wrong: u64,
    near: u64,
    near_wrong: u64,
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = std::env::args().skip(1);
    let classes: usize = args.next().map_or(Ok(1000), |text| text.parse())?;
    let confidence: f64 = args.next().map_or(Ok(0.99), |text| text.parse())?;
    let plan = Plan::from_toml(&plan(confidence), Path::new("plan.toml"))?;
    let mut counts = STRENGTHS.map(|_| Counts::default());
    let mut wrong_classes = 0;
    for class in 0..classes {
        let mut random = rules::random(class as u64);
        let mut grader = Grader::new(plan.clone(), STRENGTHS.len() * EACH);
        let mut is_wrong_class = false;
        for student in 1..=STRENGTHS.len() * EACH {
            let kind = (student - 1) / EACH;
            let fixture = |number| Fixture { first: student, second: 0, number };
            let needed = (0..).take_while(|number| {
                let is_needed = grader.is_needed(fixture(*number));
                if is_needed {
                    grader.add(&game(student, *number, STRENGTHS[kind], &mut random));
                }
                is_needed
            });
            counts[kind].games += needed.count() as u64;
            let judgement = grader.mark(student, 0).judgement;
            assert_ne!(judgement, Judgement::Open);
            let is_wrong = judgement.is_met() != (STRENGTHS[kind] >= 0.6);
            let near = u64::from(judgement.is_near());
            counts[kind].near += near;
            counts[kind].near_wrong += near * u64::from(is_wrong);
            counts[kind].wrong += (1 - near) * u64::from(is_wrong);
            is_wrong_class |= is_wrong && near == 0;
        }
        wrong_classes += u32::from(is_wrong_class);
    }
    let of = (classes * EACH) as f64;
    let mut table = "wins    games   decided  wrong of all   by the mean  wrong of all\n".to_owned();
    for (strength, Counts { games, wrong, near, near_wrong }) in STRENGTHS.iter().zip(&counts) {
        let percent = |count: u64| 100.0 * count as f64 / of;
        table += &format!(
            "{:4.0} % {:7.0} {:7.1} % {:11.3} % {:11.1} % {:11.1} %\n",
            strength * 100.0,
            *games as f64 / of,
            100.0 - percent(*near),
            percent(*wrong),
            percent(*near),
            percent(*near_wrong)
        );
    }
    let share = 100.0 * f64::from(wrong_classes) / classes as f64;
    let students = STRENGTHS.len() * EACH;
    table += &format!(
        "classes of {students} students in which a test decided wrongly: {wrong_classes} of {classes}, {share:.2} % (the plan allows {:.2} %)\n",
        100.0 * (1.0 - confidence)
    );
    std::io::Write::write_all(&mut std::io::stdout(), table.as_bytes())?;
    Ok(())
}
