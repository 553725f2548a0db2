//! `broadside replay`: shows a recorded match.

use crate::args::ReplayArgs;
use crate::commands::records::matches::listed;
use crate::exit::Exit;
use crate::failure::{self, Failure};
use crate::settings::same_file;
use crate::show::{self, Names, printable, viewer, with_causes};
use arena::record::{self, Playback, Record, RecordError};
use arena::{ArenaError, MatchHistory};
use rules::{Eye, Seat};
use runner::{LATEST, REPLAYS};
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use web::About;

/// Shows a record in the viewer, prints it as text, or writes a page or a picture.
///
/// # Errors
/// A record that cannot be read, a round or seat that does not exist, and errors of disk and terminal. A record that breaks
/// the rules is shown up to that turn; the error is then in the message and the exit code.
pub(crate) fn replay(args: &ReplayArgs) -> Result<Exit, Failure> {
    #[cfg(not(feature = "full"))]
    failure::refuse_what_is_not_built(&[("replay --png", args.png.is_some()), ("replay --gif", args.gif.is_some())])?;
    let named = args.record.clone();
    let path = match named {
        Some(path) => path,
        None if args.pick => picked()?,
        None => latest()?,
    };
    let record = match_folder::open(&path)?.record;
    let Playback { history, failure: wrong } = record::show(&record)?;
    let names = Names::of_players(record.names().iter().map(|(_, name)| name.as_str()));
    let scenes = history.scenes();
    let is_on_terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    let at = args.round.map(|round| scene_of(round, scenes, record.header().game.turn())).transpose()?;
    let eye = args.eyes.map_or(Ok(Eye::Referee), |seat| eye_of(seat, history.seats()))?;
    let about = || about(&record, history.as_ref(), &names, wrong.as_ref());
    if let Some(html) = &args.html {
        let analysis = analysis::analyse_record(&record, true)?.analysis;
        write(html, &record, || web::analysed_page(history.as_ref(), &about(), Some(&analysis)).into_bytes())?;
    } else if args.png.is_some() || args.gif.is_some() {
        #[cfg(feature = "full")]
        if let Some(png) = &args.png {
            write(png, &record, || web::picture(history.as_ref(), &about(), at.unwrap_or(scenes - 1), eye))?;
        } else if let Some(gif) = &args.gif {
            write(gif, &record, || web::animation(history.as_ref(), &about(), eye))?;
        }
    } else if args.print || args.round.is_some() || args.eyes.is_some() || !is_on_terminal {
        show::print(&viewer::print(history.as_ref(), &names, eye, at))?;
    } else {
        let about = about();
        let facts: Vec<&str> = [&*about.title, &*about.played].into_iter().filter(|fact| !fact.is_empty()).collect();
        viewer::watch(history.as_ref(), &record, &names, &facts.join(" · "))?;
    }
    match wrong {
        None => Ok(Exit::Success),
        Some(error @ ArenaError::Record { source: RecordError::Unfinished { .. }, .. }) => {
            show::say(&printable(&with_causes(&error)));
            Ok(Exit::Success)
        }
        Some(error) => Ok(failure::report(&error.into())),
    }
}

/// Writes a file in place of one that may be there, and prints its path. The content is made only if the file is not the
/// record.
fn write(path: &Path, record: &Record, content: impl FnOnce() -> Vec<u8>) -> Result<(), Failure> {
    if same_file(path, record.path()) {
        return Err(Failure::Usage {
            what: format!("{} is the record itself", path.display()),
            hint: "name another file".to_owned(),
        });
    }
    arena::folder::replace_file(path, &content())?;
    show::print(&format!("{}\n", path.display()))?;
    Ok(())
}

/// The last match that was played here.
pub(super) fn latest() -> Result<PathBuf, Failure> {
    let latest = Path::new(REPLAYS).join(LATEST);
    if latest.exists() {
        return Ok(latest);
    }
    // Where there are no links, and in folders of version 0.1.0.
    let newest = listed(Path::new(REPLAYS)).ok().and_then(|found| Some(found.into_iter().next()?.path));
    newest.ok_or_else(|| Failure::Missing {
        what: "there is no match in replays/".to_owned(),
        hint: "play one: broadside --pretty builtin:hunter builtin:random; or name a record or the folder of a match",
    })
}

/// The match that the person at the terminal chooses from a list.
fn picked() -> Result<PathBuf, Failure> {
    let found = listed(Path::new(REPLAYS))?;
    if !io::stdin().is_terminal() {
        return Err(Failure::Usage {
            what: "there is no terminal to ask which match to show".to_owned(),
            hint: "name its record or folder; broadside matches lists them".to_owned(),
        });
    }
    show::say(show::matches_table(&found).trim_end());
    loop {
        show::say(&format!("Number of the match, 1 to {} [1]:", found.len()));
        let mut answer = String::new();
        let read =
            io::stdin().read_line(&mut answer).map_err(|source| ArenaError::Console { doing: "read from", source })?;
        let answer = answer.trim();
        let number = if answer.is_empty() { Ok(1) } else { answer.parse::<usize>() };
        if let Some(one) = number.ok().and_then(|number| found.get(number.checked_sub(1)?)) {
            return Ok(one.path.clone());
        }
        if read == 0 {
            return Err(ArenaError::Interrupted.into());
        }
    }
}

/// The number of the scene after this round. `turn` is the game's word for a round.
fn scene_of(round: usize, scenes: usize, turn: &str) -> Result<usize, Failure> {
    match round.checked_add(1) {
        Some(at) if at < scenes => Ok(at),
        _ => Err(Failure::Usage {
            what: format!("there is no {turn} {round}"),
            hint: match scenes {
                1 => format!("no {turn} of this match was played"),
                scenes => format!("the {turn}s go from 0 to {}", scenes - 2),
            },
        }),
    }
}

fn eye_of(seat: Seat, seats: u8) -> Result<Eye, Failure> {
    if seat.index() < usize::from(seats) {
        return Ok(Eye::Seat(seat));
    }
    let seats: Vec<String> = (0..seats).filter_map(Seat::new).map(|seat| seat.to_string()).collect();
    Err(Failure::Usage {
        what: format!("there is no seat {seat} in this match"),
        hint: format!("the seats are {}", seats.join(", ")),
    })
}

/// The facts of the match beside its scenes, with a note if the record is wrong.
pub(crate) fn about(record: &Record, history: &dyn MatchHistory, names: &Names, wrong: Option<&ArenaError>) -> About {
    let note = wrong.map(|error| match error {
        ArenaError::Record { source, .. } => source.to_string(),
        error => error.to_string(),
    });
    About { note, ..show::about(record.header(), &history.scene(0, Eye::Referee), names) }
}
