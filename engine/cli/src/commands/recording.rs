//! What is left of a match, and where its bots play.

use crate::args::{MatchArgs, Recording};
use crate::failure::Failure;
use crate::show;
use arena::folder::{MatchFolder, Spool, remove_folder};
use arena::record::{
    Archive, Clock, EntelectFolder, FolderStore, Header, MatchStore, RecordedSeat, SpooledStore, compress_record,
};
use arena::{ArenaError, Sequence};
use rules::entelect_2017::files::{Entry, Files};
use rules::{BySeat, Game};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Whether what is wanted of a record makes sense.
pub(super) fn check(args: &MatchArgs) -> Result<(), Failure> {
    let useless = [("--log", args.log.is_some()), ("--zstd", args.zstd)];
    match useless.iter().find(|(_, given)| *given && args.record == Recording::None) {
        None => Ok(()),
        Some((flag, _)) => Err(Failure::Usage {
            what: format!("{flag} and --record none contradict each other"),
            hint: "with --record none nothing is kept of a match".to_owned(),
        }),
    }
}

/// The folder in which what is left of a match is to stay, if anything is.
pub(super) struct Remains(Option<Arc<MatchFolder>>);

impl Remains {
    /// As the command line wants it. `made` makes the folder.
    pub(super) fn of(
        recording: Recording,
        made: impl FnOnce() -> Result<MatchFolder, ArenaError>,
    ) -> Result<Remains, ArenaError> {
        Ok(Remains(if recording == Recording::None { None } else { Some(Arc::new(made()?)) }))
    }

    /// The folder.
    pub(super) fn folder(&self) -> Option<&Arc<MatchFolder>> {
        self.0.as_ref()
    }

    /// Compresses the record.
    pub(super) fn compress(&self) -> Result<(), ArenaError> {
        self.0.as_ref().map_or(Ok(()), |folder| compress_record(folder))
    }

    /// Where the record is, or will be, for people.
    pub(super) fn shown(&self) -> Option<&Path> {
        self.0.as_ref().map(|folder| folder.path())
    }
}

/// The folders of a match whose players have files.
pub(super) struct Place {
    /// Where the players' files are while the match is played.
    pub(super) played: Arc<MatchFolder>,
    /// Where what is left stays.
    pub(super) kept: Remains,
    scratch: Option<Scratch>,
}

/// A folder for what is not to stay: in memory, where there is such a place. It is removed at the end, whatever bots have
/// done in it.
pub(super) struct Scratch(PathBuf);

impl Scratch {
    pub(super) fn make() -> Result<Scratch, ArenaError> {
        let in_memory = Path::new("/dev/shm");
        let mut builder = tempfile::Builder::new();
        builder.prefix("broadside-");
        let made = builder.tempdir_in(in_memory).or_else(|_| builder.tempdir());
        made.map(|folder| Scratch(folder.keep()))
            .map_err(|e| ArenaError::disk("make a folder in", std::env::temp_dir(), e))
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if let Err(e) = remove_folder(&self.0) {
            show::say(&format!("{} is left behind: {e}", self.0.display()));
        }
    }
}

impl Place {
    /// As the command line wants it. `kept` makes the folder that stays.
    pub(super) fn of(
        recording: Recording,
        kept: impl FnOnce() -> Result<MatchFolder, ArenaError>,
    ) -> Result<Place, ArenaError> {
        let kept = Remains::of(recording, kept)?;
        match (recording, kept.folder()) {
            (Recording::Folder, Some(folder)) => Ok(Place { played: Arc::clone(folder), kept, scratch: None }),
            _ => {
                let scratch = Scratch::make()?;
                let played = Arc::new(MatchFolder::open(scratch.path())?);
                Ok(Place { played, kept, scratch: Some(scratch) })
            }
        }
    }

    /// The folder that is to be removed.
    pub(super) fn scratch(&self) -> Option<&Path> {
        self.scratch.as_ref().map(Scratch::path)
    }

    /// All its folders, which bots have no business in.
    pub(super) fn folders(&self) -> impl Iterator<Item = PathBuf> {
        [Some(&self.played), self.kept.folder()].into_iter().flatten().map(|folder| folder.path().to_owned())
    }
}

/// Writes what is wanted of the match.
pub(super) fn archive(
    args: &MatchArgs,
    place: &Place,
    journal: Option<Spool>,
    files: &Files,
    preamble: Vec<Entry>,
    seats: u8,
) -> Option<Archive> {
    let kept = Arc::clone(place.kept.folder()?);
    let shelf: Box<dyn MatchStore> = match journal {
        Some(journal) => Box::new(SpooledStore::new(kept, journal)),
        None => Box::new(FolderStore::new(kept)),
    };
    let archive = Archive::new(shelf).with_bundles(files.clone(), args.bundles.into());
    Some(match args.record {
        Recording::Folder => archive.with_folder(EntelectFolder::new(files.clone(), Clock::Running, seats, preamble)),
        Recording::Compact | Recording::None => archive,
    })
}

/// The state before a match of so many.
pub(super) fn start<G: Game>(settings: &G::Settings, seats: u8, seed: u64) -> Result<G, Failure> {
    G::start(settings, seats, seed).map_err(|error| Failure::Usage {
        what: error.to_string(),
        hint: "change what is agreed before the match: see broadside play --help".to_owned(),
    })
}

/// What the record says of a match before anything of it is there.
pub(super) fn header<G: Game>(
    settings: &G::Settings,
    seed: u64,
    seats: BySeat<RecordedSeat>,
    sequence: Sequence,
) -> Header {
    Header {
        game: G::KIND,
        settings: serde_json::to_value(settings).expect("settings have string keys"),
        seed,
        seats,
        sequence: Some(sequence),
        sandbox: None,
        engine: concat!("broadside ", env!("CARGO_PKG_VERSION")).to_owned(),
        started: Clock::Running.stamp(),
    }
}
