//! The live view: a match in the browser while it is played, or all matches of a lobby one after the other.
//!
//! The server has a thread of its own. The match only appends to a log, which late viewers need in any case, and wakes that
//! thread; the match never waits for a viewer. Each viewer reads the log at its own pace. So a slow viewer does not delay
//! the match, and the memory used depends on the match, not on the number of viewers. The analysis (`live_analysis.rs`) has a thread
//! of its own as well, which gets the states of the match by a queue.

mod error;
mod live_analysis;
mod live_match;
mod live_server;
mod live_table;
mod spectators;

pub use error::LiveError;
pub(crate) use live_analysis::LastEvent;
pub use live_match::Live;
pub use live_table::LiveTable;
pub use spectators::Spectators;
