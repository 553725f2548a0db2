//! Records and folders of matches: writing, reading, verifying and playing them again.

mod archive;
mod buffer;
mod bundles;
mod checksum;
mod clock;
mod comparing_store;
mod entelect_folder;
mod error;
mod format;
mod growing_file;
mod history;
mod import;
mod open;
mod reader;
mod replay;
mod store;
mod verify;
mod writer;

pub use archive::{Archive, EntelectFiles, SideFiles};
pub use buffer::RecordBuffer;
pub use bundles::{Bundle, Keep};
pub use clock::Clock;
pub use entelect_folder::EntelectFolder;
pub use error::RecordError;
pub use format::{Header, ImportNote, LimitsLine, RecordEnd, RecordedSeat, StartMode, VERSION, milliseconds};
pub use history::{Playback, show};
pub use import::{import, import_different};
pub use open::{OpenedRecord, open};
pub use reader::{MATCH_JSONL, MATCH_JSONL_ZST, Record, compress_record, move_match_aside, save};
pub use replay::{initial_state, replay_record, resume};
pub use store::{DiscardingStore, FolderStore, MatchStore, SpooledStore};
pub use verify::{Verified, expand, verify};
pub use writer::RecordWriter;
