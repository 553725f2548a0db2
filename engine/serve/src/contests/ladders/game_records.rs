//! The records of games of a contest, for pages and screens.

use crate::contests::contest_folder::ContestFolder;
use crate::contests::ladders::ladder::{HIDDEN, Ladder, is_hidden};
use crate::matches::host::MatchHost;
use crate::state::contests::contest::Contest;
use crate::state::request_error::{RequestError, RequestResult};
use analysis::{MatchAnalysis, analyse_record_as};
use arena::record::{self, Playback, Record};
use arena::{MatchHistory, TimeUsed};
use rules::{Eye, GameKind, Outcome, Scene, Seat};
use std::collections::BTreeSet;
use std::sync::Arc;
use web::About;

/// A game that is over, as everyone may see it.
pub(crate) struct ReplayedGame {
    record: Arc<Record>,
    pub(crate) history: WithoutNotes,
    /// The facts that its pages tell of it.
    pub(crate) about: About,
}

impl ReplayedGame {
    /// The analysis of the game, which takes processor time; `None` if its rules cannot play it.
    pub(crate) fn analysis(&self) -> Option<MatchAnalysis> {
        Some(analyse_record_as(&self.record, self.about.names.clone(), true).ok()?.analysis)
    }
}

/// Does work with a game that is over, whose record is in this folder. It takes memory and processor time.
///
/// # Errors
/// There is no such game, or its record is not kept.
pub(crate) fn replay<T>(
    host: &MatchHost,
    ladder: &Ladder,
    folder: &ContestFolder,
    game: &str,
    work: impl FnOnce(&ReplayedGame) -> T,
) -> RequestResult<T> {
    let missing = || RequestError::missing("there is no such game, or its record is not kept");
    // It becomes a part of a path.
    if game.is_empty() || game.len() > 64 || !game.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-') {
        return Err(missing());
    }
    let hidden = hidden_names(host, ladder);
    let shown = |name: &str| if hidden.contains(name) { HIDDEN } else { name }.to_owned();
    let title = host.store.look(|state| Some(state.contests.get(&ladder.name)?.settings.title.clone()));
    let title = title.unwrap_or_default();
    let path = folder.record(game);
    if !path.is_file() {
        return Err(missing());
    }
    let record = Arc::new(Record::read(&path)?);
    let Playback { history, failure } = record::show(&record)?;
    let header = record.header();
    let about = About {
        names: header.seats.iter().map(|(_, seat)| shown(seat.name())).collect(),
        title: format!("{title} · game {game}"),
        played: header.started.clone().unwrap_or_default(),
        seed: Some(header.seed),
        engine: header.engine.clone(),
        note: failure.map(|error| error.to_string()),
        most_turns: None,
    };
    Ok(work(&ReplayedGame { record, history: WithoutNotes(history), about }))
}

/// A match without the notes of its bots, which are for their teams: everyone sees these pages.
pub(crate) struct WithoutNotes(Box<dyn MatchHistory>);

impl MatchHistory for WithoutNotes {
    fn kind(&self) -> GameKind {
        self.0.kind()
    }

    fn seats(&self) -> u8 {
        self.0.seats()
    }

    fn scenes(&self) -> usize {
        self.0.scenes()
    }

    fn scene(&self, at: usize, eye: Eye) -> Scene {
        self.0.scene(at, eye)
    }

    fn times(&self, at: usize) -> &[(Seat, TimeUsed)] {
        self.0.times(at)
    }

    fn outcome(&self) -> Option<&Outcome> {
        self.0.outcome()
    }
}

/// The names in records of games of bots that are hidden: those of the ladder, and of versions that have played in tournaments only.
fn hidden_names(host: &MatchHost, ladder: &Ladder) -> BTreeSet<String> {
    let hidden = host.store.look(|state| state.contests.get(&ladder.name).map(Contest::hidden)).unwrap_or_default();
    let mut names: BTreeSet<String> = ladder.look(|ladder| {
        let entrants = ladder.table.entrants().iter().filter(|entrant| is_hidden(&entrant.bot, &hidden));
        entrants.map(|entrant| entrant.name.clone()).collect()
    });
    host.store.look(|state| {
        for bot in &hidden {
            let versions = state
                .contests
                .get(&ladder.name)
                .and_then(|contest| contest.bot(*bot))
                .map_or(0, |bot| bot.versions.len());
            let bot = state.bot(*bot).map(|bot| bot.name.to_string()).unwrap_or_default();
            names.extend((1..=versions).map(|version| format!("{bot} v{version}")));
        }
    });
    names
}
