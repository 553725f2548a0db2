//! Players who give the same answers in every match.

use arena::folder::{MatchFolder, Spool};
use arena::record::{Clock, FolderStore, Header, MatchFiles, MatchStore, RecordedSeat, SpooledStore};
use arena::{ArenaError, Ask, MatchEvent, Observer, Player, Players, Reply, Sequence};
use match_folder::{EntelectFiles, Keep, RoundWriter};
use rules::PlayerInfo;
use rules::entelect_2017::files::{COMMAND_TXT, Entry, Files, PLACE_TXT};
use rules::entelect_2017::{Entelect2017, MapSize, Phase, Settings, View};
use rules::{BySeat, Game, Listed, Outcome, Part};
use std::path::Path;
use std::sync::Arc;

pub const FLEET: &str =
    "Carrier 0 0 east\nBattleship 0 1 east\nCruiser 0 2 east\nSubmarine 0 3 east\nDestroyer 0 4 east\n";

/// Gives the reply that a function makes of each question.
pub struct Scripted<F>(pub F);

impl<G: Game, F: FnMut(&Ask<'_, G>) -> Reply<G::Order> + Send> Player<G> for Scripted<F> {
    fn decide(&mut self, ask: &Ask<'_, G>) -> Result<Reply<G::Order>, ArenaError> {
        Ok((self.0)(ask))
    }
}

/// The reply of a player who gave this.
pub fn read<G: Listed>(ask: &Ask<'_, G>, given: Vec<Part>) -> Reply<G::Order> {
    Reply { answer: ask.read(&given), given, time: None, run: None, notes: None }
}

/// Writes what a function of its view says: place.txt in phase 1, command.txt in phase 2; nothing for an empty text.
pub fn player(mut script: impl FnMut(&View) -> String + Send + 'static) -> Box<dyn Player<Entelect2017>> {
    giving(move |view| script(view).into_bytes())
}

/// The same, of bytes.
pub fn giving(mut script: impl FnMut(&View) -> Vec<u8> + Send + 'static) -> Box<dyn Player<Entelect2017>> {
    Box::new(Scripted(move |ask: &Ask<'_, Entelect2017>| {
        let name = if ask.view().phase == Phase::One { PLACE_TXT } else { COMMAND_TXT };
        let bytes = script(&ask.view());
        read(ask, if bytes.is_empty() { Vec::new() } else { vec![Part { name, bytes }] })
    }))
}

/// Places its fleet, then fires at one cell after the other, row by row.
pub fn row_by_row(view: &View) -> String {
    match view.phase {
        Phase::One => FLEET.to_owned(),
        Phase::Two => {
            let side = u32::from(view.size.side());
            let shot = view.own.shots_fired;
            format!("1,{},{}", shot % side, shot / side % side)
        }
    }
}

/// Places its fleet, then does nothing.
pub fn idle(view: &View) -> String {
    if view.phase == Phase::One { FLEET.to_owned() } else { String::new() }
}

pub fn details(names: [&str; 2]) -> rules::BySeat<PlayerInfo> {
    let bot = |name: &str| PlayerInfo {
        author: Some("A. Author".to_owned()),
        nick_name: Some(name.to_owned()),
        email: None,
        bot_type: "Rust".to_owned(),
    };
    names.map(bot).into_iter().collect()
}

pub fn files() -> Files {
    Files::new(details(["Alpha", "Bravo"]))
}

/// The header of a record of a match between players of these names.
pub fn header_of<G: Game>(settings: &G::Settings, seed: u64, players: BySeat<PlayerInfo>) -> Header {
    let seats = players.map(|details| RecordedSeat::new(details.clone()));
    let header = Header::new::<G>(settings, seed, seats, Sequence::InTurn);
    Header { started: Some("2026-11-21T12:00:00.000+00:00".to_owned()), ..header }
}

/// The header of a record of a match between Alpha and Bravo.
pub fn header(size: MapSize) -> Header {
    header_of::<Entelect2017>(&Settings { size }, 0, details(["Alpha", "Bravo"]))
}

/// Plays a match and writes its folder and its record.
pub fn play(
    size: MapSize,
    players: [Box<dyn Player<Entelect2017>>; 2],
    sequence: Sequence,
    path: &Path,
    journal: Option<Spool>,
) -> Result<Outcome, ArenaError> {
    let folder = Arc::new(MatchFolder::create(path)?);
    let store: Box<dyn MatchStore> = match journal {
        Some(journal) => Box::new(SpooledStore::new(folder, journal)),
        None => Box::new(FolderStore::new(folder)),
    };
    let side_files = EntelectFiles::default()
        .with_rounds(RoundWriter::new(files(), Clock::Running, 2, vec![Entry::info("Loaded")]))
        .with_bundles(files(), Keep::Faults);
    let mut archive = MatchFiles::new(store, Box::new(side_files));
    archive.begin_record(&header(size), Clock::Running)?;
    let result = play_watched(size, players, sequence, &mut archive);
    archive.close()?;
    result
}

pub fn play_watched(
    size: MapSize,
    players: [Box<dyn Player<Entelect2017>>; 2],
    sequence: Sequence,
    watch: &mut dyn Observer<Entelect2017>,
) -> Result<Outcome, ArenaError> {
    let mut players: Players<Entelect2017> = players.into_iter().collect();
    let game = Entelect2017::start(&Settings { size }, 2, 0).unwrap();
    arena::play(game, &mut players, sequence, watch)
}

/// Keeps all states.
#[derive(Default, PartialEq, Debug)]
pub struct States(pub Vec<Entelect2017>);

impl Observer<Entelect2017> for States {
    fn on(&mut self, event: &MatchEvent<'_, Entelect2017>) -> Result<(), ArenaError> {
        if let MatchEvent::Advanced { game, .. } = event {
            self.0.push((*game).clone());
        }
        Ok(())
    }
}
