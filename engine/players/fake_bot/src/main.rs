//! `fake_bot KEY DIR`: see the library.

use fake_bot::{AGAIN, Round, SCRIPT, as_child, parse};
use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = env::args().skip(1);
    let key = arguments.next().ok_or("no key")?;
    let folder = PathBuf::from(arguments.next().ok_or("no folder")?);
    let round = Round::from_arguments(key, folder).ok_or("the folder is not called 'Phase P - Round N/K'")?;
    if let Some(what) = arguments.next().as_deref().and_then(|argument| argument.strip_prefix(AGAIN)) {
        return Ok(as_child(what, &round)?);
    }
    for step in parse(&fs::read_to_string(SCRIPT)?, &round)? {
        step.act(&round)?;
    }
    Ok(())
}
