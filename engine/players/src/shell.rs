//! Words for the shell.

use std::borrow::Cow;
use std::path::Path;

/// A path as one word of a command, for people who copy the command.
pub(crate) fn shell_word(path: &Path) -> String {
    let text = path.to_string_lossy();
    // Nothing but a NUL cannot be quoted.
    shlex::try_quote(&text).map_or_else(|_| text.to_string(), Cow::into_owned)
}
