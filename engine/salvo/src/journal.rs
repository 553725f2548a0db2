//! The journal: everything that a server needs to continue after a stop at any moment. It contains secrets, so only its
//! owner may read it.

use crate::ServerError;
use crate::lobby::{Lobby, LobbyChange};
use crate::teams::Credentials;
use arena::{ArenaError, JournalError, JournalFormat};
use rules::salvo::{Placement, ShipKind, body};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The file name of the journal.
pub const JOURNAL: &str = "salvo.jsonl";

/// The format of journals of Salvo servers.
const FORMAT: JournalFormat = JournalFormat { title: "journal of a Salvo server", header: None, private: true };

/// A line of the journal.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "kebab-case", deny_unknown_fields)]
pub(crate) enum ServerJournalLine {
    /// A team takes part.
    Joined { name: String, secret: String },
    /// A team has placed a ship.
    Placed { name: String, ship: String, place: String },
    /// The administrator has removed a team.
    Kicked { name: String },
    /// A team was removed.
    Removed { name: String },
    /// The teams with incomplete fleets were removed. Version 0.2.0 wrote it.
    Late,
    /// A match has begun. The path of its record is relative to the folder of the server.
    Begun { record: PathBuf },
    /// The administrator has ended the match.
    Ended,
    /// The result was shown for its time, and the lobby is empty.
    Over,
}

/// The state of a server as its journal has it.
#[derive(Debug, Default)]
pub(crate) struct SavedState {
    /// The teams that take part.
    pub(crate) lobby: Lobby,
    /// The record of the match that is being played.
    pub(crate) record: Option<PathBuf>,
    /// True if the administrator has ended that match, and the result is shown.
    pub(crate) is_ended: bool,
}

/// An open journal.
#[derive(Debug)]
pub(crate) struct Journal(arena::Journal);

impl Journal {
    /// Opens the journal in a folder and reads it; a missing folder or journal is created. An incomplete last line is
    /// removed: its change had no effect.
    pub(crate) fn open(folder: &Path) -> Result<(Journal, SavedState), ServerError> {
        let path = folder.join(JOURNAL);
        let failed = |error| match error {
            ArenaError::Journal { path, source: JournalError::Line(line, what) } => {
                ServerError::Journal { path, line, what }
            }
            error => error.into(),
        };
        let mut lines = arena::Journal::open(&path, FORMAT).map_err(failed)?;
        let mut saved = SavedState::default();
        lines.resume(|line, _| saved.take_in(line)).map_err(failed)?;
        Ok((Journal(lines), saved))
    }

    /// Writes a line, which is on the disk when this returns.
    pub(crate) fn write(&mut self, line: &ServerJournalLine) -> Result<(), ArenaError> {
        self.0.append_durably(line)
    }

    pub(crate) fn changed(&mut self, change: &LobbyChange) -> Result<(), ArenaError> {
        self.write(&match change {
            LobbyChange::Joined { team, .. } => {
                ServerJournalLine::Joined { name: team.name.clone(), secret: team.secret.text().to_owned() }
            }
            LobbyChange::Placed { name, ship } => ServerJournalLine::Placed {
                name: name.clone(),
                ship: ship.ship.name().to_owned(),
                place: body::placement(*ship),
            },
        })
    }
}

impl SavedState {
    fn take_in(&mut self, line: ServerJournalLine) -> Result<(), String> {
        match line {
            ServerJournalLine::Joined { name, secret } => {
                let team = Credentials::new(&name, &secret).map_err(|e| e.to_string())?;
                self.lobby.change(&LobbyChange::Joined { team, address: None });
            }
            ServerJournalLine::Placed { name, ship, place } => {
                let ship = ShipKind::from_name(&ship).ok_or_else(|| format!("there is no ship {ship:?}"))?;
                let ship: Placement = body::read_placement(ship, place.as_bytes()).map_err(|e| e.to_string())?;
                self.lobby.change(&LobbyChange::Placed { name, ship });
            }
            // In a match, the team gives up at its next salvo, and the seats stay as they are.
            ServerJournalLine::Kicked { name } => self.lobby.kick(&name, self.record.is_none()),
            ServerJournalLine::Removed { name } => self.lobby.remove(&name),
            ServerJournalLine::Late => {
                let late = self.lobby.unready(Some(Instant::now()));
                late.iter().for_each(|name| self.lobby.remove(name));
            }
            ServerJournalLine::Begun { record } => self.record = Some(record),
            ServerJournalLine::Ended => self.is_ended = true,
            ServerJournalLine::Over => *self = SavedState::default(),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::Point;
    use rules::salvo::Orientation;
    use std::fs;
    use std::io::Write;
    use std::os::unix::fs::PermissionsExt;
    use tempfile::TempDir;

    fn ship(ship: ShipKind, y: i32) -> LobbyChange {
        let ship = Placement { ship, at: Point::new(0, y), orientation: Orientation::Horizontal };
        LobbyChange::Placed { name: "A".to_owned(), ship }
    }

    /// A folder with the journal of two teams, one of which has placed all of its ships, and then this text.
    fn filled(more: &[u8]) -> TempDir {
        let folder = tempfile::tempdir().unwrap();
        let (mut journal, _) = Journal::open(folder.path()).unwrap();
        for name in ["A", "B"] {
            let team = Credentials::new(name, "secret").unwrap();
            journal.changed(&LobbyChange::Joined { team, address: None }).unwrap();
        }
        for (y, kind) in (0..).zip(ShipKind::ALL) {
            journal.changed(&ship(kind, y)).unwrap();
        }
        fs::OpenOptions::new().append(true).open(folder.path().join(JOURNAL)).unwrap().write_all(more).unwrap();
        folder
    }

    #[test]
    fn the_lobby_is_found_again() {
        let folder = filled(b"");
        let (mut journal, saved) = Journal::open(folder.path()).unwrap();
        assert_eq!(saved.lobby.names().collect::<Vec<_>>(), ["A", "B"]);
        assert_eq!((saved.lobby.ready.len(), saved.record), (1, None));
        journal.write(&ServerJournalLine::Late).unwrap();
        journal.write(&ServerJournalLine::Begun { record: "records/1".into() }).unwrap();
        drop(journal);
        let (mut journal, saved) = Journal::open(folder.path()).unwrap();
        assert_eq!(saved.lobby.names().collect::<Vec<_>>(), ["A"]);
        assert_eq!(saved.record.as_deref(), Some(Path::new("records/1")));
        journal.write(&ServerJournalLine::Over).unwrap();
        drop(journal);
        let (_, saved) = Journal::open(folder.path()).unwrap();
        assert_eq!((saved.lobby.names().count(), saved.record), (0, None));
    }

    #[test]
    fn a_line_that_was_cut_off_has_not_happened() {
        let folder = filled(b"{\"what\":\"la");
        let (mut journal, saved) = Journal::open(folder.path()).unwrap();
        assert_eq!(saved.lobby.names().count(), 2);
        journal.write(&ServerJournalLine::Late).unwrap();
        drop(journal);
        assert_eq!(Journal::open(folder.path()).unwrap().1.lobby.names().count(), 1);
    }

    #[test]
    fn a_journal_is_for_one_server_and_nobody_else() {
        let folder = filled(b"");
        let path = folder.path().join(JOURNAL);
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        let (_journal, _) = Journal::open(folder.path()).unwrap();
        assert!(matches!(
            Journal::open(folder.path()),
            Err(ServerError::Arena(ArenaError::Journal { source: JournalError::Locked(_), .. }))
        ));
    }

    #[test]
    fn an_invalid_line_is_told_with_its_number() {
        let folder = filled(b"{\"what\":\"nothing\"}\n");
        let error = Journal::open(folder.path()).unwrap_err();
        assert!(matches!(error, ServerError::Journal { line: 8, .. }), "{error}");
        assert!(error.to_string().contains("salvo.jsonl"), "{error}");
    }
}
