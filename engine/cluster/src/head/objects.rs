//! Objects that workers fetch from a head by their hashes: archives of bots, and the description of the tournament.

use crate::error::ClusterError;
use crate::wire::archive::{self, BOT};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;

/// Objects one after the other in a temporary file, with the place and the length of each by its hash.
pub(crate) struct Objects {
    file: File,
    places: BTreeMap<String, (u64, u64)>,
}

impl Objects {
    /// # Errors
    /// There is no place for temporary files. So for the others.
    pub(crate) fn new() -> Result<Objects, ClusterError> {
        Ok(Objects { file: tempfile::tempfile().map_err(failed)?, places: BTreeMap::new() })
    }

    /// Adds the archive of a bot's folder, and gives its hash.
    pub(crate) fn add_bot(&mut self, folder: &Path) -> Result<String, ClusterError> {
        let (mut packed, hash) = archive::pack(BOT, folder)?;
        self.add(&hash, &mut packed)?;
        Ok(hash)
    }

    /// Adds these bytes, and gives their hash.
    pub(crate) fn add_bytes(&mut self, bytes: &[u8]) -> Result<String, ClusterError> {
        let hash = archive::hash(bytes).map_err(failed)?;
        self.add(&hash, &mut &*bytes)?;
        Ok(hash)
    }

    fn add(&mut self, hash: &str, from: &mut impl io::Read) -> Result<(), ClusterError> {
        if self.places.contains_key(hash) {
            return Ok(());
        }
        let at = self.file.seek(SeekFrom::End(0)).map_err(failed)?;
        let length = io::copy(from, &mut self.file).and_then(|length| self.file.flush().map(|()| length));
        self.places.insert(hash.to_owned(), (at, length.map_err(failed)?));
        Ok(())
    }

    /// The length of this object in eight bytes, and at most so many of its bytes from `offset` on; nothing if there is no such
    /// object, or it cannot be read.
    pub(crate) fn part(&self, hash: &str, offset: u64, most: usize) -> Vec<u8> {
        let Some((at, length)) = self.places.get(hash) else { return Vec::new() };
        let mut part = length.to_be_bytes().to_vec();
        let there = length.saturating_sub(offset).min(most as u64);
        part.resize(part.len() + there as usize, 0);
        let mut file = &self.file;
        let read = file.seek(SeekFrom::Start(at + offset.min(*length))).and_then(|_| file.read_exact(&mut part[8..]));
        read.map_or_else(|_| Vec::new(), |()| part)
    }
}

fn failed(error: io::Error) -> ClusterError {
    ClusterError::disk("write to", &std::env::temp_dir(), error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_object_is_read_in_parts_and_no_further() {
        let mut objects = Objects::new().unwrap();
        let [one, other] = [b"first object".as_slice(), b"second"].map(|bytes| objects.add_bytes(bytes).unwrap());
        let part = |hash: &str, offset, most| {
            let part = objects.part(hash, offset, most);
            part.split_first_chunk().map(|(length, bytes)| (u64::from_be_bytes(*length), bytes.to_vec()))
        };
        assert_eq!(part(&one, 0, 5), Some((12, b"first".to_vec())));
        assert_eq!(part(&one, 6, 100), Some((12, b"object".to_vec())));
        assert_eq!(part(&other, 0, 100), Some((6, b"second".to_vec())));
        for offset in [12, 1000, u64::MAX] {
            assert_eq!(part(&one, offset, 100), Some((12, Vec::new())));
        }
        assert_eq!(part("no hash", 0, 100), None);
    }
}
