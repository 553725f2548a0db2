//! All systems but Linux. What the standard library does as well is done by it; the rest is missing, and says so.
//!
//! A value of a type without variants cannot be made here, because the function that would make it fails.

pub(crate) mod files;
pub(crate) mod process;
pub(crate) mod sandbox;
pub(crate) mod signals;
pub(crate) mod sockets;
pub(crate) mod terminal;
pub(crate) mod wait;

use std::io;

/// The error of a function that this side lacks: a sentence without an end, and the file where the function belongs.
fn missing<T>(what: &str, file: &str) -> io::Result<T> {
    Err(io::Error::new(io::ErrorKind::Unsupported, format!("{what} on this system: engine/platform/src/other/{file}")))
}

#[cfg(test)]
mod tests {
    use crate::process::{CommandLine, start_bot};
    use crate::sandbox::Sandbox;
    use std::error::Error;
    use std::io::ErrorKind;
    use std::path::Path;

    #[test]
    fn what_is_missing_is_named_with_its_file() {
        let error = start_bot(CommandLine::new("bot", Path::new("/"))).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Unsupported);
        assert!(error.to_string().ends_with("on this system: engine/platform/src/other/process.rs"), "{error}");
        let error = Sandbox::start().unwrap_err();
        assert!(error.source().unwrap().to_string().contains("bots cannot be held in a sandbox"), "{error:?}");
    }
}
