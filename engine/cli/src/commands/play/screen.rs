//! The observers that show a match while it is played.

use crate::args::MatchArgs;
use crate::failure::Failure;
use crate::show::{self, DebugHalt, Names, Pretty, Progress};
use arena::record::Header;
use arena::{Interrupt, Observers};
use rules::{Eye, Game};
use runner::{GameSetup, PlayedMatch, PreparedMatch, RunnerError};
use std::time::Duration;
use web::{Live, PersonWatch};

/// Starts the live view of a match, and prints its address.
pub(super) fn live_view<G: Game>(header: &Header, first: &G, names: &Names, port: u16) -> Result<Live, Failure> {
    let about = show::about(header, &first.scene(Eye::Referee), names);
    let live = Live::start(first, &about, port)?;
    show::tell(&format!("Live: {}", live.url()));
    Ok(live)
}

/// The time in which a browser can connect before the program ends.
const PATIENCE: Duration = Duration::from_secs(30);

/// Waits for a browser if none has connected yet, because many matches are over quickly, and ends the live view.
pub(super) fn end_live_view(live: Live, interrupt: &Interrupt) {
    if !live.has_viewers() {
        show::tell(&format!("Open {} within {} seconds to see it, or press Ctrl-C", live.url(), PATIENCE.as_secs()));
        live.wait_for_viewers(PATIENCE, interrupt);
    }
    live.finish();
}

/// The observers with pages in a browser.
pub(super) struct Watching<'a> {
    pub(super) live: Option<&'a mut Live>,
    pub(super) people: Option<&'a mut PersonWatch>,
}

/// Plays the match with all observers that the command line asks for. `people` is the number of people who play.
pub(super) fn play_on_screen<S: GameSetup>(
    prepared: PreparedMatch<S>,
    args: &MatchArgs,
    people: usize,
    names: &Names,
    interrupt: &Interrupt,
    watching: Watching<'_>,
) -> Result<PlayedMatch, RunnerError> {
    let mut pretty = (args.pretty && people == 0).then(|| Pretty::start(names.clone(), args.pace, interrupt));
    let drawn_signal = pretty.as_ref().map(Pretty::drawn_signal);
    let mut debug = args.debug.then(|| DebugHalt::new(names.clone(), interrupt, drawn_signal));
    let mut progress = Progress::new(names.clone(), args.pretty || args.clog || people > 0);
    let mut observers = Observers::new();
    observers.add(&mut progress);
    if let Some(live) = watching.live {
        observers.add(live);
    }
    if let Some(people) = watching.people {
        observers.add(people);
    }
    if let Some(pretty) = &mut pretty {
        observers.add(pretty);
    }
    if let Some(debug) = &mut debug {
        observers.add(debug);
    }
    let played = prepared.play(&mut observers);
    drop(observers);
    // It holds a sender of the drawing, whose thread ends with the last sender.
    drop(debug);
    progress.clear();
    if let Some(pretty) = pretty {
        pretty.finish();
    }
    played
}
