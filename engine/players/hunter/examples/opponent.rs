//! An opponent as a bot: `opponent KEY DIR HABIT`. Its habits are those of `opponents/mod.rs`.
//!
//! The bot keeps its memory in the file `memory.txt` of its own folder, in which it is started. Each game of a tournament is played in a copy
//! of the folder, so what it learns there is gone after the game: it knows what the file has when the bot enters.
#![allow(clippy::unwrap_used, reason = "a bot for measurements")]

#[path = "../opponents/mod.rs"]
mod opponents;
#[path = "../../../../bots/hunter/src/seed.rs"]
#[allow(dead_code, reason = "its tests are not built here")]
mod seed;

use opponents::{Habit, Opponent};
use rules::entelect_2017::files::STATE_JSON;
use rules::entelect_2017::files::wire::StateFile;
use std::path::Path;

const MEMORY: &str = "memory.txt";

fn main() {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, key, folder, habit] = arguments.as_slice() else { panic!("usage: opponent KEY DIR HABIT") };
    let habit = Habit::ALL.into_iter().find(|one| one.name() == *habit).unwrap();
    let folder = Path::new(folder);
    let state: StateFile = serde_json::from_slice(&std::fs::read(folder.join(STATE_JSON)).unwrap()).unwrap();
    let seed = seed::seed(std::env::var(seed::VARIABLE).ok().as_deref(), key, state.round);
    let mut opponent = Opponent::new(habit, &std::fs::read_to_string(MEMORY).unwrap_or_default());
    let order = opponent.decide(&state, &mut rules::random(seed)).unwrap();
    let (name, text) = hunter::answer::file(&order);
    std::fs::write(folder.join(name), text).unwrap();
    if habit == Habit::Learner {
        std::fs::write(MEMORY, opponent.memory()).unwrap();
    }
}
