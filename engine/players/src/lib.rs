//! Everything that can sit in a seat: bots as child processes and as servers, people at the console.

mod bot;
mod builtin;
mod console;
mod content;
pub mod http;
mod manifest;
mod over_http;
pub mod process;
mod tool;
mod transport;

pub use bot::Bot;
pub use builtin::{BuiltIn, WithBuiltIns};
pub use console::{Console, Keyboard};
pub use content::content_hash;
pub use manifest::{Manifest, ManifestError};
pub use over_http::{Addressee, Caller, OverHttp};
pub use process::BuildError;
pub use tool::{Tools, find_tool, is_executable};
pub use transport::{Delivery, Transport};
