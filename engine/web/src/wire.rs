//! The JSON that a page gets of a match: a [`Setup`], a [`Frame`] for every scene, and a [`MatchEnd`]. A match that is analysed has an
//! [`AnalysisView`] for every scene as well, in their order, which may come at any time after the frame of that scene.
//!
//! A frame holds only the differences from the frame before, for all eyes. The first frame holds the differences from
//! boards of plain water about which nothing is known. A saved page contains all frames; the live page gets them one by
//! one.

use rules::{HighlightKind, Hue, Mover, SalvoTotal, Scoring, Sinking};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The version of these structs, for other readers: a page and its data come together and are always of the same
/// version.
pub const FORMAT: u32 = 5;

/// The facts that stay the same throughout a match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setup {
    /// [`FORMAT`].
    pub format: u32,
    /// The game and its map.
    pub title: String,
    /// The time when the match was played; empty if it is not known.
    pub played: String,
    /// The seed, as text because JavaScript has no integers of 64 bits; empty if it is not known.
    pub seed: String,
    /// The version of the engine.
    pub engine: String,
    /// A note, e.g. `unfinished`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// The names of the players in the order of the seats.
    pub names: Vec<String>,
    /// The eyes that see the match, in the order of their bits: `referee`, the letter of a seat, or `everyone` for a
    /// spectator who knows what all seats know.
    pub eyes: Vec<String>,
    /// Width and height of the boards in the order of the seats.
    pub grids: Vec<[i32; 2]>,
    /// The word for a turn, e.g. `round`.
    pub turn: String,
    /// The number of turns after which the match ends at the latest, if it is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub most_turns: Option<u32>,
    /// True if row 0 is drawn at the top, false if at the bottom.
    pub first_row_on_top: bool,
    /// The kinds of ships; empty if letters only tell ships apart.
    pub ships: Vec<ShipName>,
}

/// The lobby that the live page shows while no match is played.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LobbyView {
    /// The waiting teams, in the order in which they came.
    pub teams: Vec<WaitingTeam>,
    /// An invitation for others, as a sentence; empty if there is none.
    pub how: String,
}

/// A team that waits for a match.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaitingTeam {
    /// The name of the team.
    pub name: String,
    /// True if the team is ready to begin.
    pub ready: bool,
}

/// The meaning of a ship's letter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShipName {
    /// The letter in looks.
    pub letter: char,
    /// The name of the ship.
    pub name: String,
    /// Its colour.
    pub hue: Hue,
}

/// The eyes that see the same, and the thing that they see. Bit n stands for number n of [`Setup::eyes`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SeenBy<T>(pub u32, pub T);

/// The differences of a scene from the one before.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Frame {
    /// The title. It is always present.
    pub titles: Vec<SeenBy<String>>,
    /// Events worth finding again, with the letters of the seats that caused them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub highlights: Vec<SeenBy<Vec<(char, HighlightKind)>>>,
    /// The changes of each board, in the order of the seats. Eyes that are not listed see no change.
    pub boards: Vec<Vec<SeenBy<BoardChange>>>,
    /// Milliseconds from the question to the answer, by seat, where they were measured.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub times: BTreeMap<char, f64>,
    /// The notes of players on the turn. Only the referee and the player's own seat see them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<SeenBy<NotesView>>,
    /// The player whose turn it is now; absent if there is none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub mover: Vec<SeenBy<Mover>>,
    /// The total of the salvo that ended in this turn; absent if none did.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub total: Vec<SeenBy<SalvoTotal>>,
    /// The ships that were sunk since the frame before, first to last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sinkings: Vec<SeenBy<Vec<Sinking>>>,
}

/// The clock of the player whose turn it is. Only a viewer of a live table gets it; saved pages do not have it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ClockView {
    /// The letter of the player's seat.
    pub seat: char,
    /// The time at which the turn ends by the server's clock, in milliseconds since 1970.
    pub until_ms: u64,
    /// The time limit of the turn, in milliseconds.
    pub limit_ms: u64,
}

/// The notes of a bot on the board of its opponent. Cells are numbers as in [`BoardChange::cells`].
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct NotesView {
    /// The letter of the bot's seat.
    pub seat: char,
    /// The text.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// The last lines of the bot's standard output.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub output: Vec<String>,
    /// The cells with numbers: the cell, its number, and the place of the number between the smallest (0) and the largest (100).
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub numbers: Vec<(usize, f64, u8)>,
    /// The marks: the cell and the text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub marks: Vec<(usize, String)>,
    /// The cells of each guessed ship.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fleet: Vec<Vec<usize>>,
}

/// The analysis of a moment: who is likely to win, and how likely a hit is in each cell.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct AnalysisView {
    /// The number of the moment, which is that of its frame, counted from 0.
    pub moment: usize,
    /// The probabilities to win in per mille, in the order of the seats, by what all players know together, as a spectator of their boards
    /// does. Absent before ships are placed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seen: Vec<SeenBy<Vec<u16>>>,
    /// The same by where the ships lie, which only the referee sees.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub truth: Vec<SeenBy<Vec<u16>>>,
    /// The sentences about the turn before the moment, by what all players know together.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub words: Vec<SeenBy<Vec<String>>>,
    /// The boards on which the chances of a hit have changed since the moment before. Only the referee and the seat that fires see them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub heat: Vec<SeenBy<HeatView>>,
}

/// The chances of a hit on a board, as the player knows them who fires at it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeatView {
    /// The letter of the seat that fires.
    pub by: char,
    /// The letter of the seat whose board it is.
    pub at: char,
    /// The chance of each cell in the order of [`BoardChange::cells`], in steps of two per cent: `0` to `9`, then `A` to `Z`, then `a` to
    /// `o`, which is 99 per cent or more.
    pub chances: String,
}

/// The differences of one board from the scene before.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct BoardChange {
    /// The cells with a new look, by that look. A cell is its number in the order of [`rules::Grid::points`]: column by
    /// column from the west, each from the south. A look is a sign (`~` water, `#` ship, `%` armour that was hit and
    /// holds, `*` hit, `!` miss, `^` a shot whose result the eye does not know, `@` shield hit), then the ship's letter
    /// if there is one and the eye may know it (`?` for a ship of unknown kind), then `+` if a shield covers the cell.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub cells: BTreeMap<String, Vec<usize>>,
    /// All cells that were shot at in this turn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fresh: Vec<usize>,
    /// All cells that a radar scanned in this turn.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scanned: Vec<usize>,
    /// All ships, if their number or state has changed; empty if the eye may not know it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fleet: Option<Vec<FleetShip>>,
    /// The labels of the facts, if they have changed; then all facts follow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fact_labels: Option<Vec<String>>,
    /// The facts that have changed, by the positions of their labels.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub facts: BTreeMap<usize, String>,
    /// The labels of the measures, if they have changed; then the measures follow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measure_labels: Option<Vec<String>>,
    /// All measures, if one has changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub measures: Option<Vec<i64>>,
    /// The player's last action in words, if it has changed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deed: Option<String>,
}

/// A ship of a fleet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FleetShip {
    /// The letter in looks, of which [`Setup::ships`] has the name.
    pub letter: char,
    /// The number of cells.
    pub length: u8,
    /// True if the ship is sunk, false if it is afloat.
    pub sunk: bool,
}

/// The end of a match.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct MatchEnd {
    /// True if the match was played to its end; if not, the rest is empty.
    pub finished: bool,
    /// The letter of the winner's seat; none in a draw.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub winner: Option<char>,
    /// All seats, best first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ranking: Vec<char>,
    /// The points in the order of the seats.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub points: Vec<u32>,
    /// The meaning of the points.
    #[serde(default, skip_serializing_if = "Scoring::is_points")]
    pub scoring: Scoring,
    /// The reason for the end, as a sentence that calls the players by their seats.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub why: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{json, to_value};

    /// The page's script knows these words. They are those of the rules, where somebody may rename a variant.
    #[test]
    fn words_of_the_rules_are_written_as_the_page_reads_them() {
        let hues = [Hue::Plain, Hue::Blue, Hue::Violet, Hue::Yellow];
        assert_eq!(to_value(hues).unwrap(), json!(["plain", "blue", "violet", "yellow"]));
        let kinds = [
            HighlightKind::Hit,
            HighlightKind::Sinking,
            HighlightKind::Special,
            HighlightKind::Shield,
            HighlightKind::Fault,
        ];
        let end = MatchEnd { points: vec![40], scoring: Scoring::Shots, ..MatchEnd::default() };
        assert_eq!(to_value(end).unwrap(), json!({ "finished": false, "points": [40], "scoring": "shots" }));
        assert_eq!(to_value(kinds).unwrap(), json!(["hit", "sinking", "special", "shield", "fault"]));
    }
}
