//! Sets of games of a ladder that are declared void: what changes is shown before.

use crate::contests::contest_host::ContestHost;
use crate::contests::ladders::void_games::games_of;
use crate::contests::views::ladder_rows;
use crate::contests::wire::{LadderRow, VoidChange, VoidPreview};
use crate::state::contests::contest_line::{ContestLine, VoidSet};
use crate::state::contests::contest_settings::ContestName;
use crate::state::request_error::RequestResult;
use std::collections::BTreeSet;
use tournament::{Fixture, GAMES_JSONL, GameLine, LadderRatings, ScoreTable};

/// The change of the ladder if a set were void.
pub(crate) fn preview(contests: &ContestHost, contest: &ContestName, set: &VoidSet) -> RequestResult<VoidPreview> {
    let ladder = contests.ladder(contest)?;
    let games: BTreeSet<Fixture> = games_of(set, ladder.folder.path())?.into_iter().collect();
    let path = ladder.folder.path().join(GAMES_JSONL);
    let after = ScoreTable::read_some(&path, |game: &GameLine| !games.contains(&game.fixture), |_| ())?;
    let after = ladder_rows(&after, &LadderRatings::of(after.entrants().len(), after.results()));
    let rated = ladder.ratings();
    let before = ladder.look(|state| ladder_rows(&state.table, &rated));
    let place = |row: &LadderRow| row.error.map(|_| (row.place, row.elo));
    let change = |row: &LadderRow| {
        let same = after.iter().find(|other| other.name == row.name);
        let (before, after) = (place(row), same.and_then(place));
        (before.map(|before| before.0) != after.map(|after| after.0)).then(|| VoidChange {
            name: row.name.clone(),
            before: before.map(|before| before.0),
            after: after.map(|after| after.0),
        })
    };
    Ok(VoidPreview { games: games.len(), changes: before.iter().filter_map(change).collect() })
}

/// Declares a set void. The ladder plays the games again whose entrants play on.
pub(crate) fn declare(contests: &ContestHost, contest: &ContestName, set: VoidSet, why: String) -> RequestResult<()> {
    contests.enter(contest, ContestLine::Voided { set, why })?;
    contests.ladder(contest)?.changed.tell();
    Ok(())
}
