//! Games of a journal that do not count any more.

use crate::{Fixture, JournalLine};
use arena::{ArenaError, open_input};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, ErrorKind, Read};
use std::path::Path;

/// The beginning of each line about void games.
const START: &[u8] = br#"{"line":"void""#;

/// The longest line that is looked at, in bytes. A journal with a longer one cannot be read.
const LONGEST: u64 = 64 << 20;

/// The games that are void, while the lines of a journal are read in their order.
#[derive(Debug, Default)]
pub(crate) struct Voided {
    /// For each game the number of sets that it is in, of which the lines have not come yet.
    left: BTreeMap<Fixture, u32>,
}

impl Voided {
    /// Reads which games are void. Of all other lines only the beginning is looked at.
    ///
    /// # Errors
    /// The disk fails. A line that cannot be read is left to the one who reads all.
    pub(crate) fn read(path: &Path) -> Result<Voided, ArenaError> {
        let failed = |e| ArenaError::disk("read", path, e);
        let file = match open_input(path) {
            Ok(file) => file,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Voided::default()),
            Err(error) => return Err(failed(error)),
        };
        let (mut lines, mut line, mut left) = (BufReader::new(file), Vec::new(), BTreeMap::new());
        while (&mut lines).take(LONGEST).read_until(b'\n', &mut line).map_err(failed)? > 0 {
            if !line.ends_with(b"\n") {
                break;
            }
            if line.starts_with(START)
                && let Ok(JournalLine::Void(void)) = serde_json::from_slice(&line)
            {
                void.games.into_iter().for_each(|game| *left.entry(game).or_default() += 1);
            }
            line.clear();
        }
        Ok(Voided { left })
    }

    /// True of the line of a game that is void. Lines of void games count down which of them are.
    pub(crate) fn has(&mut self, line: &JournalLine) -> bool {
        match line {
            JournalLine::Game(game) => self.left.contains_key(&game.fixture),
            JournalLine::Void(void) => {
                for game in &void.games {
                    if let Some(left) = self.left.get_mut(game) {
                        *left -= 1;
                        if *left == 0 {
                            self.left.remove(game);
                        }
                    }
                }
                false
            }
            _ => false,
        }
    }
}
