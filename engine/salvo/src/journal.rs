//! The journal: what has to be known to go on after the server was stopped, at whatever moment. Secrets are in it, so nobody
//! else may read it.

use crate::ServerError;
use crate::lobby::{Change, Lobby};
use crate::teams::Credentials;
use arena::{ArenaError, JournalError, JournalFormat};
use rules::salvo::{Placement, ShipKind, body};
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The file name of the journal.
pub const JOURNAL: &str = "salvo.jsonl";

/// Journals of Salvo's servers.
const FORMAT: JournalFormat = JournalFormat {
    title: "journal of a Salvo server",
    busy: "another server is at work in its folder",
    header: None,
    private: true,
};

/// A line of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "kebab-case", deny_unknown_fields)]
enum Line {
    /// A team takes part.
    Joined { name: String, secret: String },
    /// A team has placed a ship.
    Placed { name: String, ship: String, place: String },
    /// Those are out who have not placed all of their ships.
    Late,
    /// A match has begun; its record is below the server's folder.
    Begun { record: PathBuf },
    /// It is over, and the lobby empty.
    Over,
}

/// What the server is doing, as the journal has it.
#[derive(Debug, Default)]
pub(crate) struct Found {
    /// Who takes part.
    pub(crate) lobby: Lobby,
    /// The record of the match that is being played.
    pub(crate) record: Option<PathBuf>,
}

/// What has to be known to go on.
#[derive(Debug)]
pub(crate) struct Journal {
    lines: arena::Journal,
}

impl Journal {
    /// Opens the journal in a folder, which is made if it is missing, and gives what it says. What was cut off in the middle
    /// of a line had not happened.
    pub(crate) fn open(folder: &Path) -> Result<(Journal, Found), ServerError> {
        let path = folder.join(JOURNAL);
        let failed = |error| match error {
            ArenaError::Journal { source: JournalError::Locked(_), .. } => {
                ServerError::Busy { folder: folder.to_owned() }
            }
            ArenaError::Journal { path, source: JournalError::Line { line, what } } => {
                ServerError::Journal { path, line, what }
            }
            error => error.into(),
        };
        let mut lines = arena::Journal::open(&path, FORMAT).map_err(failed)?;
        let mut found = Found::default();
        lines.resume(|line, _| found.take_in(line)).map_err(failed)?;
        Ok((Journal { lines }, found))
    }

    fn write(&mut self, line: &Line) -> Result<(), ServerError> {
        Ok(self.lines.append_durably(line)?)
    }

    pub(crate) fn changed(&mut self, change: &Change) -> Result<(), ServerError> {
        self.write(&match change {
            Change::Joined(team) => Line::Joined { name: team.name.clone(), secret: team.secret.text().to_owned() },
            Change::Placed { name, ship } => {
                Line::Placed { name: name.clone(), ship: ship.ship.name().to_owned(), place: body::placement(*ship) }
            }
        })
    }

    pub(crate) fn late(&mut self) -> Result<(), ServerError> {
        self.write(&Line::Late)
    }

    pub(crate) fn begun(&mut self, record: &Path) -> Result<(), ServerError> {
        self.write(&Line::Begun { record: record.to_owned() })
    }

    pub(crate) fn over(&mut self) -> Result<(), ServerError> {
        self.write(&Line::Over)
    }
}

impl Found {
    fn take_in(&mut self, line: Line) -> Result<(), String> {
        match line {
            Line::Joined { name, secret } => {
                let team = Credentials::new(&name, &secret).map_err(|e| e.to_string())?;
                self.lobby.change(&Change::Joined(team));
            }
            Line::Placed { name, ship, place } => {
                let ship = ShipKind::from_name(&ship).ok_or_else(|| format!("there is no ship {ship:?}"))?;
                let ship: Placement = body::read_placement(ship, place.as_bytes()).map_err(|e| e.to_string())?;
                self.lobby.change(&Change::Placed { name, ship });
            }
            Line::Late => drop(self.lobby.remove_unready()),
            Line::Begun { record } => self.record = Some(record),
            Line::Over => *self = Found::default(),
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

    fn ship(ship: ShipKind, y: i32) -> Change {
        let ship = Placement { ship, at: Point::new(0, y), orientation: Orientation::Horizontal };
        Change::Placed { name: "A".to_owned(), ship }
    }

    fn filled(folder: &Path) {
        let (mut journal, _) = Journal::open(folder).unwrap();
        for name in ["A", "B"] {
            journal.changed(&Change::Joined(Credentials::new(name, "secret").unwrap())).unwrap();
        }
        for (y, kind) in (0..).zip(ShipKind::ALL) {
            journal.changed(&ship(kind, y)).unwrap();
        }
    }

    #[test]
    fn the_lobby_is_found_again() {
        let folder = tempfile::tempdir().unwrap();
        filled(folder.path());
        let (mut journal, found) = Journal::open(folder.path()).unwrap();
        assert_eq!(found.lobby.names().collect::<Vec<_>>(), ["A", "B"]);
        assert_eq!((found.lobby.ready(), found.record), (1, None));
        journal.late().unwrap();
        journal.begun(Path::new("records/1")).unwrap();
        drop(journal);
        let (mut journal, found) = Journal::open(folder.path()).unwrap();
        assert_eq!(found.lobby.names().collect::<Vec<_>>(), ["A"]);
        assert_eq!(found.record.as_deref(), Some(Path::new("records/1")));
        journal.over().unwrap();
        drop(journal);
        let (_, found) = Journal::open(folder.path()).unwrap();
        assert_eq!((found.lobby.names().count(), found.record), (0, None));
    }

    #[test]
    fn a_line_that_was_cut_off_has_not_happened() {
        let folder = tempfile::tempdir().unwrap();
        filled(folder.path());
        let path = folder.path().join(JOURNAL);
        fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(b"{\"what\":\"la").unwrap();
        let (mut journal, found) = Journal::open(folder.path()).unwrap();
        assert_eq!(found.lobby.names().count(), 2);
        journal.late().unwrap();
        drop(journal);
        assert_eq!(Journal::open(folder.path()).unwrap().1.lobby.names().count(), 1);
    }

    #[test]
    fn it_is_for_one_server_and_nobody_else() {
        let folder = tempfile::tempdir().unwrap();
        filled(folder.path());
        let path = folder.path().join(JOURNAL);
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        let (_journal, _) = Journal::open(folder.path()).unwrap();
        assert!(matches!(Journal::open(folder.path()), Err(ServerError::Busy { .. })));
    }

    #[test]
    fn what_is_no_journal_is_told_with_its_line() {
        let folder = tempfile::tempdir().unwrap();
        filled(folder.path());
        let path = folder.path().join(JOURNAL);
        fs::OpenOptions::new().append(true).open(&path).unwrap().write_all(b"{\"what\":\"nothing\"}\n").unwrap();
        let error = Journal::open(folder.path()).unwrap_err();
        assert!(matches!(error, ServerError::Journal { line: 8, .. }), "{error}");
        assert!(error.to_string().contains("salvo.jsonl"), "{error}");
    }
}
