//! `fake_bot [KEY DIR]`: see the library.

use fake_bot::{AGAIN, Round, SCRIPT, as_child, parse};
use std::error::Error;
use std::io::{Write, stdin, stdout};
use std::path::PathBuf;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let Some(key) = arguments.next() else { return by_lines() };
    let folder = PathBuf::from(arguments.next().ok_or("no folder")?);
    if let Some(what) = arguments.next().as_deref().and_then(|argument| argument.strip_prefix(AGAIN)) {
        return Ok(as_child(what, &Round::of_child(key, folder))?);
    }
    let round = Round::from_arguments(key, folder).ok_or("the folder is not called 'Phase P - Round N/K'")?;
    if env::var_os("BROADSIDE_STAY").is_none() {
        return act(&round);
    }
    for line in stdin().lines() {
        let line = line?;
        act(&round.asked_by(&line).ok_or("the line is not 'PHASE ROUND'")?)?;
        // A bot that has closed its streams goes on all the same.
        let _ = stdout().write_all(format!("{line}\n").as_bytes());
    }
    Ok(())
}

/// Plays a game whose questions are lines of JSON.
fn by_lines() -> Result<(), Box<dyn Error>> {
    for line in stdin().lines() {
        act(&Round::of_question(&line?).ok_or("the line is not JSON")?)?;
    }
    Ok(())
}

/// Does what the script says of this round.
fn act(round: &Round) -> Result<(), Box<dyn Error>> {
    for step in parse(&fs::read_to_string(SCRIPT)?, round)? {
        step.act(round)?;
    }
    Ok(())
}
