//! `broadside profile`: how a bot plays over many games.

mod reading;
mod sources;

use crate::args::ProfileArgs;
use crate::exit::Exit;
use crate::failure::{Failure, most_mistakes};
use crate::show::{self, printable};
use analysis::profile::{Profile, RandomFleets};
use arena::record::{Clock, shown_time};
use reading::{GamesRead, OneBoard};
use sources::Sources;
use std::collections::BTreeSet;
use web::{ProfileAbout, ProfiledBot};

/// Prints the profile of a bot as text or JSON, or writes it as a page.
///
/// # Errors
/// There are no games, or none of this bot; a journal that cannot be read; a page that cannot be written. Records that are missing or damaged are
/// told, and are in the exit code.
pub(crate) fn profile(args: &ProfileArgs) -> Result<Exit, Failure> {
    let bots: Vec<String> = [Some(&args.bot), args.beside.as_ref()].into_iter().flatten().cloned().collect();
    if let [one, other] = &bots[..]
        && one == other
    {
        return Err(Failure::Usage {
            what: format!("both names are {}", printable(one)),
            hint: "name another bot with --beside".to_owned(),
        });
    }
    let sources = Sources::open(&args.sources, &bots)?;
    let read = reading::read(&sources, &bots)?;
    if let Some((_, unknown)) = bots.iter().enumerate().find(|(bot, _)| !read.has(*bot)) {
        return Err(not_there(unknown, &read, &sources));
    }
    let wrong = read.wrong;
    let (board, aside) = read.most_played();
    let about = about(&sources, &board, aside, wrong);
    let bots = profiled(&sources, board, &bots)?;
    if let Some(html) = &args.html {
        arena::folder::replace_file(html, web::profile_page(&bots, &about).as_bytes())?;
        show::print(&format!("{}\n", html.display()))?;
    } else if args.json {
        show::print(&show::written_json(&show::profile_json(&bots, &about)))?;
    } else {
        show::print(&show::profile_text(&bots, &about))?;
    }
    Ok(if wrong == 0 { Exit::Success } else { Exit::BadRecord })
}

/// The profiles of the bots by their games on one kind of board.
fn profiled(sources: &Sources, board: OneBoard, names: &[String]) -> Result<Vec<ProfiledBot>, Failure> {
    let random = RandomFleets::of(&board.record, &board.board)?;
    let bots = board.bots.into_iter().enumerate().map(|(bot, games)| {
        let mut opponents = games.opponents;
        for results in sources.opponents(bot, board.board.game) {
            match opponents.iter_mut().find(|known| known.name == results.name) {
                Some(known) => *known += &results,
                None => opponents.push(results),
            }
        }
        opponents.sort_by(|one, other| one.name.cmp(&other.name));
        let name = sources.name(bot).unwrap_or(&names[bot]).to_owned();
        ProfiledBot { profile: Profile::new(name, &games.sums, &random), opponents }
    });
    Ok(bots.collect())
}

/// The error that no game has a bot of this name, or that there are no games.
fn not_there(name: &str, read: &GamesRead, sources: &Sources) -> Failure {
    let known: BTreeSet<&str> = sources.names().chain(read.names.iter().map(String::as_str)).collect();
    if known.contains(name) || sources.is_known(name) {
        return Failure::Missing {
            what: format!("no record of a game of {} was kept that can be read", printable(name)),
            hint: "broadside tournament --keep all keeps the records of all games",
        };
    }
    if known.is_empty() {
        return Failure::Missing {
            what: format!("there are no games in {}", sources.told()),
            hint: "name the folder of a tournament, or records of matches; broadside tournament --keep all plays one",
        };
    }
    let like = known.iter().map(|like| (strsim::osa_distance(&name.to_lowercase(), &like.to_lowercase()), like)).min();
    let like = like.filter(|(distance, _)| *distance <= most_mistakes(name));
    let like = like.map(|(_, like)| format!("did you mean {like}? ")).unwrap_or_default();
    let names = known.into_iter().collect::<Vec<_>>().join(", ");
    Failure::Usage {
        what: format!("there is no bot {} in {}", printable(name), sources.told()),
        hint: printable(&format!("{like}its bots are {names}")),
    }
}

/// The facts that a profile has beside its numbers.
fn about(sources: &Sources, board: &OneBoard, aside: u64, wrong: u64) -> ProfileAbout {
    let counted = |count: u64, word| rules::counted(u32::try_from(count).unwrap_or(u32::MAX), word);
    let are = |count| if count == 1 { "is" } else { "are" };
    let mut notes = Vec::new();
    if aside > 0 {
        notes.push(format!("{} on other boards or of another kind {} left out", counted(aside, "game"), are(aside)));
    }
    let (kept, all) = sources.kept();
    if kept < all {
        notes.push(format!("records of {kept} of {} were kept", counted(all, "game")));
    }
    if wrong > 0 {
        notes.push(format!("{} {} missing or damaged", counted(wrong, "record"), are(wrong)));
    }
    let made = Clock::Running.stamp().and_then(|now| shown_time(&now));
    ProfileAbout { board: board.board.clone(), sources: sources.told(), notes, made }
}
