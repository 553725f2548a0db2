//! Words for the shell.

use std::borrow::Cow;
use std::ffi::OsStr;

/// A text or a path as one word of a command, for people who copy the command.
///
/// ```
/// assert_eq!(players::shell_word("my-bot"), "my-bot");
/// assert_eq!(players::shell_word("it's my bot"), "\"it's my bot\"");
/// ```
pub fn shell_word(text: impl AsRef<OsStr>) -> String {
    let text = text.as_ref().to_string_lossy();
    // Nothing but a NUL cannot be quoted.
    shlex::try_quote(&text).map_or_else(|_| text.to_string(), Cow::into_owned)
}
