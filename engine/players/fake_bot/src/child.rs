//! The processes and threads that a fake bot starts.

use crate::{Round, Step, machine};
use rustix::process::setsid;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::{env, fs, io, thread};

/// The depth of a bomb: 2 + 4 + 8 + 16 + 32 processes.
pub(crate) const DEPTH: u32 = 5;

/// The beginning of the third argument when a fake bot has started itself again.
pub const AGAIN: &str = "again:";

/// Starts this program again as `what`.
pub(crate) fn again(round: &Round, what: &str) -> io::Result<Child> {
    command(round, what)?.spawn()
}

fn command(round: &Round, what: &str) -> io::Result<Command> {
    let mut command = Command::new(env::current_exe()?);
    command.arg(&round.key).arg(&round.folder).arg(format!("{AGAIN}{what}")).stdin(Stdio::null());
    Ok(command)
}

/// The behaviour of the program when a fake bot has started it again.
///
/// # Errors
/// The error of the system.
pub fn as_child(what: &str, round: &Round) -> io::Result<()> {
    let (what, detail) = what.split_once('=').unwrap_or((what, ""));
    // The arguments of a bot that stays do not tell the round.
    let round = &Round { number: detail.parse().unwrap_or(round.number), ..round.clone() };
    match what {
        "daemon" | "bare-daemon" => {
            let mut daemon = command(round, "daemonised")?;
            if what == "bare-daemon" {
                daemon.env_clear();
            }
            // Whoever waits for the file finds the number in it.
            fs::write("daemon.pid.new", daemon.spawn()?.id().to_string())?;
            return fs::rename("daemon.pid.new", "daemon.pid");
        }
        "daemonised" => setsid().map(|_| ())?,
        "bomb" => {
            let (odd, depth) = (detail.starts_with('-'), detail.trim_start_matches('-'));
            if odd {
                setsid()?;
            }
            bomb(round, depth.parse().unwrap_or_default())?;
        }
        "linger" => loop {
            let folder = round.next_folder().ok_or(io::ErrorKind::NotFound)?;
            // It is not there yet for a long time.
            let _ = replace(&folder, round, "lingering");
            thread::yield_now();
        },
        "restless" => {
            machine::wake(100)?;
            fs::write(round.folder.join(RESTLESS), "")?;
            return Step::Spin(1_000_000).act(round);
        }
        "juggle" => loop {
            replace(&round.folder, round, "child")?;
        },
        _ => {}
    }
    Step::Hang.act(round)
}

/// Two children that each have two, and so on, so many deep. One of the two leaves the group and the session.
pub(crate) fn bomb(round: &Round, depth: u32) -> io::Result<()> {
    let Some(next) = depth.checked_sub(1) else { return Ok(()) };
    again(round, &format!("bomb={next}"))?;
    again(round, &format!("bomb=-{next}"))?;
    Ok(())
}

/// An order in a new file that takes the place of the one before.
fn replace(folder: &Path, round: &Round, who: &str) -> io::Result<()> {
    let new = folder.join(format!("command.{who}"));
    fs::write(&new, round.shot())?;
    fs::rename(new, folder.join("command.txt"))
}

/// The file of a restless child that has its timer.
const RESTLESS: &str = "restless";

/// Returns when the child has its timer.
pub(crate) fn restless(round: &Round) -> io::Result<()> {
    again(round, "restless")?;
    while !round.folder.join(RESTLESS).exists() {
        thread::yield_now();
    }
    Ok(())
}

/// Returns when there is an order; a thread goes on replacing it.
pub(crate) fn juggle_in_a_thread(round: &Round) -> io::Result<()> {
    replace(&round.folder, round, "thread")?;
    let round = round.clone();
    thread::spawn(move || while replace(&round.folder, &round, "thread").is_ok() {});
    Ok(())
}

/// Returns when there is an order of the child, which goes on replacing it.
pub(crate) fn juggle_in_a_child(round: &Round) -> io::Result<()> {
    again(round, &format!("juggle={}", round.number))?;
    while !round.folder.join("command.txt").exists() {
        thread::yield_now();
    }
    Ok(())
}
