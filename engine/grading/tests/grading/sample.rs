//! The marks of a class of any size, with all that may be on a page.

use grading::{
    Alike, AlikePair, CriterionHead, CriterionMark, Failing, Judgement, Marks, Measured, StudentMarks, Unit, pseudonym,
};
use rules::GameKind;
use std::collections::BTreeMap;

/// The names of the first students, with all that is hard to show.
pub const NAMES: [&str; 8] = [
    "Ann",
    "Jörg-Ümit Weißenbühler",
    "ליאור כהן",
    "=HYPERLINK(\"http://127.0.0.1\")",
    "<script>alert(1)</script>",
    "Maximiliane-Friederike Gräfin von und zu Hohenlohe-Waldenburg-Schillingsfürst the Younger",
    "نور الهدى بنت عبد الرحمن",
    "O\u{202e}evil\u{1b}[31m",
];
/// The name of the hidden criterion, which no student may see.
pub const HIDDEN: &str = "a secret opponent";

fn head(name: &str, points: f64, condition: &str, is_hidden: bool) -> CriterionHead {
    CriterionHead { name: name.to_owned(), points, condition: condition.to_owned(), is_hidden }
}

pub fn class(students: usize) -> Marks {
    Marks {
        title: "Battleship, spring ‹term›".to_owned(),
        game: GameKind::SeaBattle,
        seed: 7,
        confidence: 0.99,
        criteria: vec![
            head("plays", 2.0, "no turn without an order in 20 games", false),
            head("beats random", 4.0, "at least 60 % of the points against random", false),
            head("beats hunt-and-target", 4.5, "at least 50 % of the points against hunt-and-target", false),
            head("finds all ships", 3.0, "at most 55 shots on average", false),
            head(HIDDEN, 2.0, "at least 40 % of the points against a hidden bot", true),
        ],
        students: (0..students).map(student).collect(),
    }
}

pub fn alike() -> Alike {
    let pair = |second: &str, equal| AlikePair {
        first: NAMES[0].to_owned(),
        second: second.to_owned(),
        equal,
        games: 40,
        turns: 1873,
    };
    let group = [NAMES[0], NAMES[1], NAMES[5]].map(str::to_owned).to_vec();
    let starters = (10..15).map(|number| format!("Student {number:03}")).collect();
    let pairs = vec![pair(NAMES[1], 0.972), pair(NAMES[5], 0.911)];
    Alike { pairs, usual: Some(0.21), groups: vec![starters, group], bound: 0.75 }
}

fn student(number: usize) -> StudentMarks {
    let student = NAMES.get(number).map_or_else(|| format!("Student {number:03}"), |name| (*name).to_owned());
    let is_broken = number % 9 == 4;
    let failing = is_broken.then(|| Failing {
        step: if number.is_multiple_of(2) { "build" } else { "trial" }.to_owned(),
        reason: "the build failed with exit status 101: ".to_owned()
            + &"a very long reason with many words ".repeat(16),
        log: vec![
            "error[E0308]: mismatched types".to_owned(),
            "  --> src/main.rs:14:22".to_owned(),
            format!(
                "   |\u{1b}[31m     let board: Vec<Vec<Cell>> = {};",
                "vec![vec![Cell::Water; 10]; 10].iter()".repeat(4)
            ),
        ],
    });
    let seen = |criterion: usize| {
        if is_broken { None } else { Some(0.35 + ((number * 7 + criterion * 13) % 60) as f64 / 100.0) }
    };
    let marks = vec![
        mark(seen(0).map(|mean| (mean, mean > 0.4)), None, 2.0),
        mean_mark(seen(1), 0.6, 4.0, false),
        mean_mark(seen(2), 0.5, 4.5, false),
        shots_mark(seen(3)),
        mean_mark(seen(4), 0.4, 2.0, true),
    ];
    let faults = [("timed-out", number as u64 % 3), ("refused", number as u64 % 5)];
    let faults = faults.into_iter().filter(|(_, count)| *count > 0).map(|(kind, count)| (kind.to_owned(), count));
    StudentMarks {
        pseudonym: pseudonym(7, &student),
        submission: format!("{} – handed in/bot", student.replace('/', "_")),
        author: if number.is_multiple_of(4) { "Somebody Else".to_owned() } else { student.clone() },
        bot: if is_broken { String::new() } else { format!("Bot №{number}") },
        submitted: (number % 6 != 5).then(|| format!("2026-05-{:02}T22:4{}:17Z", 1 + number % 28, number % 10)),
        is_late: number % 7 == 1,
        earlier: (0..number % 3).map(|at| format!("attempt {at}/bot")).collect(),
        failing,
        games: if is_broken { 0 } else { 140 },
        faults: if is_broken { BTreeMap::new() } else { faults.collect() },
        marks,
        student,
    }
}

fn mark(judged: Option<(f64, bool)>, measured: Option<Measured>, points: f64) -> CriterionMark {
    let judgement = match judged {
        None => Judgement::Open,
        Some((_, true)) => Judgement::Met,
        Some((_, false)) => Judgement::NotMet,
    };
    CriterionMark {
        judgement,
        points: if judgement.is_met() { points } else { 0.0 },
        reason: judged
            .map_or_else(|| "the bot does not play".to_owned(), |_| "no turn was lost in 20 games".to_owned()),
        measured,
        command: judged.map(|_| "broadside tournament BOT builtin:random --games 40 --seed 7".to_owned()),
        lost: None,
    }
}

fn mean_mark(mean: Option<f64>, bound: f64, points: f64, is_hidden: bool) -> CriterionMark {
    let measured = mean.map(|mean| Measured { unit: Unit::Share, mean, error: Some(0.062), bound, games: 40 });
    decided(mark(mean.map(|mean| (mean, mean >= bound)), measured, points), points, is_hidden)
}

fn shots_mark(mean: Option<f64>) -> CriterionMark {
    let mean = mean.map(|mean| 30.0 + mean * 40.0);
    let measured = mean.map(|mean| Measured { unit: Unit::Shots, mean, error: Some(2.4), bound: 55.0, games: 20 });
    decided(mark(mean.map(|mean| (mean, mean <= 55.0)), measured, 3.0), 3.0, false)
}

/// The same, decided by the mean alone where the bound is in the interval.
fn decided(mark: CriterionMark, points: f64, is_hidden: bool) -> CriterionMark {
    let Some(mean) = mark.measured else { return mark };
    let is_near = (mean.mean - mean.bound).abs() < mean.error.unwrap() / 2.0;
    let judgement = match mark.judgement {
        Judgement::Met if is_near => Judgement::NearlyMet,
        Judgement::NotMet if is_near => Judgement::NearlyNotMet,
        judged => judged,
    };
    CriterionMark {
        judgement,
        points: if judgement.is_met() { points } else { 0.0 },
        reason: format!("{:.3} on average in {} games", mean.mean, mean.games),
        command: mark.command.filter(|_| !is_hidden),
        lost: (!is_hidden && !judgement.is_met()).then(|| "records/0 1-00003.jsonl.zst".into()),
        ..mark
    }
}
