//! The observers that show a match while it is played.

use crate::args::MatchArgs;
use crate::show::{DebugHalt, Names, Pretty, Progress};
use arena::{Interrupt, Observer, Observers};
use runner::{GameSetup, PlayedMatch, PreparedMatch, RunnerError};

/// Plays the match with all observers that the command line asks for, and with those in the browser. `people` is the number of
/// people who play.
pub(super) fn play_on_screen<S: GameSetup>(
    prepared: PreparedMatch<S>,
    args: &MatchArgs,
    people: usize,
    names: &Names,
    interrupt: &Interrupt,
    in_browser: Vec<&mut dyn Observer<S::Game>>,
) -> Result<PlayedMatch, RunnerError> {
    let mut pretty = (args.pretty && people == 0).then(|| Pretty::start(names.clone(), args.pace, interrupt));
    let drawn_signal = pretty.as_ref().map(Pretty::drawn_signal);
    let mut debug = args.debug.then(|| DebugHalt::new(names.clone(), interrupt, drawn_signal));
    let mut progress = Progress::new(names.clone(), args.pretty || args.clog || people > 0);
    let mut observers = Observers::new();
    observers.add(&mut progress);
    for observer in in_browser {
        observers.add(observer);
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
