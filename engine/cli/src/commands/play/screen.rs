//! Showing a match while it is played.

use crate::args::MatchArgs;
use crate::failure::Failure;
use crate::show::{self, DebugHalt, Names, Pretty, Progress};
use arena::{ArenaError, Interrupt, Observer, Observers, Players, Sequence};
use rules::{Game, Outcome};
use std::time::Duration;
use web::{About, Live};

/// Shows the match in browsers.
pub(super) fn live_view<G: Game>(game: &G, about: &About, port: u16) -> Result<Live, Failure> {
    let live = Live::start(game, about, port)?;
    show::say(&format!("Live: {}", live.url()));
    Ok(live)
}

/// How long a browser is waited for that has not come yet.
const PATIENCE: Duration = Duration::from_secs(30);

/// Leaves time to open the page: many matches are over sooner than that.
pub(super) fn end_live_view(live: Live, interrupt: &Interrupt) {
    if !live.has_viewers() {
        show::say(&format!("Open {} within {} seconds to see it, or press Ctrl-C", live.url(), PATIENCE.as_secs()));
        live.wait_for_viewers(PATIENCE, interrupt);
    }
    live.finish();
}

/// What is needed to show a match.
pub(super) struct Screen<'a> {
    pub(super) args: &'a MatchArgs,
    /// How many people play.
    pub(super) people: u8,
    pub(super) names: &'a Names,
    pub(super) interrupt: &'a Interrupt,
    pub(super) sequence: Sequence,
}

impl Screen<'_> {
    /// Plays the match before the eyes of everyone who watches.
    pub(super) fn show<G: Game>(
        &self,
        game: G,
        players: &mut Players<G>,
        archive: Option<&mut dyn Observer<G>>,
        live: Option<&mut Live>,
    ) -> Result<Outcome, ArenaError> {
        let Screen { args, people, names, interrupt, sequence } = *self;
        let mut stop = interrupt.clone();
        let mut pretty = (args.pretty && people == 0).then(|| Pretty::start(names.clone(), args.pace, interrupt));
        let catch_up = pretty.as_ref().and_then(Pretty::catch_up);
        let mut debug = args.debug.then(|| DebugHalt::new(names.clone(), interrupt, catch_up));
        let mut progress = Progress::new(names.clone(), args.pretty || args.clog || people > 0);
        let mut observers = Observers::new();
        observers.add(&mut stop);
        if let Some(archive) = archive {
            observers.add(archive);
        }
        observers.add(&mut progress);
        if let Some(live) = live {
            observers.add(live);
        }
        if let Some(pretty) = &mut pretty {
            observers.add(pretty);
        }
        if let Some(debug) = &mut debug {
            observers.add(debug);
        }
        let result = arena::play(game, players, sequence, &mut observers);
        drop(observers);
        // It holds on to the drawing, which ends when nobody does.
        drop(debug);
        progress.clear();
        if let Some(pretty) = pretty {
            pretty.finish();
        }
        result
    }
}
