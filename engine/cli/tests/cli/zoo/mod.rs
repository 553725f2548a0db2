//! The zoo: bots that do harm, each against a bot that plays, in a real match; without a sandbox, in a strict one,
//! and in one on a machine that refuses namespaces. Then once more as bots that stay, without a sandbox and in a strict one, and as forks of an interpreter.
//!
//! `cases.rs` is the table of what each does and what is expected to come of it; `cage.rs` plays a case, `traces.rs` looks
//! at what it left.

pub mod cage;
mod case;
mod cases;
mod traces;

use cage::{Cage, Mode};
use case::Case;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LazyLock, Mutex};
use std::thread;

/// The number of matches that are played at once. Some bots only wait for their end.
const CAGES: usize = 4;
/// A match has more rounds after the second than that.
const MOST_IN_A_MATCH: usize = 12;

#[test]
fn bad_bots_harm_nobody_whom_the_table_does_not_name() {
    visit(Mode::Plain);
}

#[test]
fn bad_bots_in_a_sandbox_harm_nobody() {
    if cage::has_sandbox() {
        visit(Mode::Sandboxed);
    } else {
        test_tools::not_allowed("a strict sandbox");
    }
}

/// Landlock and the filter close all that the namespaces close, too.
#[test]
fn bad_bots_in_a_sandbox_without_namespaces_harm_nobody() {
    if cage::has_sandbox() && cage::can_refuse_namespaces() {
        visit(Mode::Filtered);
    } else {
        test_tools::not_allowed("a strict sandbox, or a user without namespaces");
    }
}

#[test]
fn bad_bots_that_stay_harm_nobody_whom_the_table_does_not_name() {
    visit(Mode::Staying);
}

#[test]
fn bad_bots_that_stay_in_a_sandbox_harm_nobody() {
    if cage::has_sandbox() {
        visit(Mode::StayingSandboxed);
    } else {
        test_tools::not_allowed("a strict sandbox");
    }
}

#[test]
fn bad_bots_that_are_forks_in_a_sandbox_harm_nobody() {
    if test_tools::required("python3").is_none() {
        return;
    }
    if cage::has_sandbox() {
        visit(Mode::Warm);
    } else {
        test_tools::not_allowed("a strict sandbox");
    }
}

/// Plays all cases, and tells all that went wrong.
fn visit(mode: Mode) {
    LazyLock::force(&cage::PROGRAM_BYTES);
    let cases = if mode.stays() { cases::of_bots_that_stay() } else { cases::all() };
    let (asking, alone): (Vec<_>, Vec<_>) = cases.into_iter().partition(Case::only_asks);
    let matches: Vec<&[Case]> = alone.chunks(1).chain(asking.chunks(MOST_IN_A_MATCH)).collect();
    let next = AtomicUsize::new(0);
    let complaints = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..CAGES {
            scope.spawn(|| {
                while let Some(cases) = matches.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let found = complaints_about(cases, mode);
                    if !found.is_empty() {
                        let names: Vec<_> = cases.iter().map(|case| case.name).collect();
                        let told = format!("{}:\n  {}", names.join(", "), found.join("\n  "));
                        complaints.lock().unwrap().push(told);
                    }
                }
            });
        }
    });
    let complaints = complaints.into_inner().unwrap();
    println!("{mode:?}: {} matches, {} without complaints", matches.len(), matches.len() - complaints.len());
    assert!(complaints.is_empty(), "{mode:?}:\n{}", complaints.join("\n"));
}

fn complaints_about(cases: &[Case], mode: Mode) -> Vec<String> {
    let complaints = catch_unwind(AssertUnwindSafe(|| {
        let cage = Cage::new(cases, mode);
        cage.play().map(|played| traces::complaints(&cage, &played)).unwrap_or_default()
    }));
    complaints.unwrap_or_else(|_| vec!["the test panicked".to_owned()])
}
