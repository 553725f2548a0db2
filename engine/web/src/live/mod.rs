//! The live view: a match in the browser while it is played, or all matches of a lobby one after the other.
//!
//! The server has a thread of its own. The match only appends to a log, which late viewers need in any case, and wakes that
//! thread; the match never waits for a viewer. Each viewer reads the log at its own pace. So a slow viewer does not delay
//! the match, and the memory used depends on the match, not on the number of viewers.

mod error;
mod live_match;
mod live_server;
mod live_table;
mod spectators;

pub use error::LiveError;
pub use live_match::Live;
pub use live_table::LiveTable;
pub use spectators::Spectators;
