//! The dialect of 2017: the files that bots read and write, and those that a match leaves behind.
//!
//! Byte for byte what the original wrote: UTF-8 without BOM, LF line ends, JSON on one line without white space.

mod decode;
mod json;
mod logs;
mod map_txt;
mod order_files;
mod round_files;
mod state_json;
pub mod wire;

pub use decode::decode;
pub use logs::{Entry, Level, engine_log, player_news};
pub use round_files::read_round_info;

use super::{Entelect2017, Event, Order, Phase, Refusal, View, Weapon, scenery};
use crate::{Answer, BySeat, Dialect, Fault, FolderMessage, Listed, Look, Part, PlayerInfo, Reach, Seat};

/// The file that shows a player the state as JSON.
pub const STATE_JSON: &str = "state.json";
/// The file that shows a player the state as text.
pub const MAP_TXT: &str = "map.txt";
/// The file in which a player places its ships.
pub const PLACE_TXT: &str = "place.txt";
/// The file in which a player gives any other order.
pub const COMMAND_TXT: &str = "command.txt";
/// The log of one player in one round.
pub const LOG_TXT: &str = "log.txt";
/// The log of the engine in one round.
pub const ENGINE_LOG: &str = "engine.log";

/// The files of a match between these players.
#[derive(Debug, Clone)]
pub struct Files {
    details: BySeat<PlayerInfo>,
}

impl Files {
    /// For a match between the bots so described.
    pub fn new(details: BySeat<PlayerInfo>) -> Files {
        Files { details }
    }

    /// The name a player goes by.
    pub fn name(&self, seat: Seat) -> &str {
        self.details[seat].name()
    }

    /// The name in text that is read line by line, such as map.txt: control characters and Unicode's line separators are
    /// replaced by U+FFFD, so that a name cannot add lines of its own, such as `Status: Dead`.
    pub fn name_in_line(&self, seat: Seat) -> String {
        let breaks = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
        self.name(seat).replace(breaks, "\u{FFFD}")
    }

    /// The folder of a round, e.g. `Phase 2 - Round 7`.
    pub fn round_folder(phase: Phase, round: u32) -> String {
        format!("Phase {} - Round {round}", phase.number())
    }

    /// The folder of a player in a round, e.g. `Phase 2 - Round 7/A`.
    pub fn player_folder(phase: Phase, round: u32, seat: Seat) -> String {
        format!("{}/{seat}", Files::round_folder(phase, round))
    }

    /// state.json and map.txt as the player with this view is shown them.
    pub fn player_files(&self, view: &View) -> Vec<Part> {
        vec![
            Part { name: STATE_JSON, bytes: json::to_vec(&self.state_file(view)) },
            Part { name: MAP_TXT, bytes: map_txt::map(self, view).into_bytes() },
        ]
    }

    /// state.json as data, for players that need no text.
    pub fn state_file(&self, view: &View) -> wire::StateFile {
        state_json::player(self, view)
    }

    /// The five files of the coming round that lie beside the players' folders.
    pub fn round_files(&self, game: &Entelect2017) -> Vec<Part> {
        round_files::all(self, game)
    }
}

impl Listed for Entelect2017 {
    const REACH: Reach = Reach::Program;
    const ANSWER_PARTS: &'static [&'static str] = &[PLACE_TXT, COMMAND_TXT];

    /// place.txt goes before command.txt, but if either is unreadable the whole answer is.
    fn read(&self, parts: &[Part]) -> Answer<Order> {
        let order = |name, read: fn(&str) -> Result<Order, String>| {
            let order = parts.iter().find(|part| part.name == name).map(|part| read(&decode(&part.bytes)));
            order.transpose().map_err(|why| Fault::unreadable(&format!("{name}: {why}")))
        };
        let place = order(PLACE_TXT, |text| order_files::placement(text).map(Order::from))?;
        let command = order(COMMAND_TXT, order_files::command)?;
        place.or(command).ok_or(Fault::NothingWritten)
    }

    fn write(order: &Order) -> Vec<Part> {
        let (name, text) = order_files::write(order);
        vec![Part { name, bytes: text.into_bytes() }]
    }

    /// An order that is not there is refused in phase 1, too, and does not count.
    fn refused(event: &Event) -> Option<Seat> {
        match event {
            Event::Refused { seat, why, .. } if *why != Refusal::NotPlaced => Some(*seat),
            _ => None,
        }
    }

    fn fired(event: &Event) -> Option<(Seat, bool)> {
        match event {
            Event::Fired { seat, weapon, .. } => Some((*seat, *weapon != Weapon::SingleShot)),
            _ => None,
        }
    }

    fn look() -> Look {
        scenery::look()
    }
}

impl Dialect<Entelect2017> for Files {
    type Message = FolderMessage;

    fn ask(&self, seat: Seat, view: &View) -> FolderMessage {
        let folder = Files::player_folder(view.phase, view.round, seat);
        let line = format!("{} {}", view.phase.number(), view.round);
        FolderMessage { folder, line, files: self.player_files(view), answers: Entelect2017::ANSWER_PARTS }
    }
}
