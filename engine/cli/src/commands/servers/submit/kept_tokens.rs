//! The tokens of earlier logins, in a file that only the present user can read.

use crate::failure::Failure;
use arena::ArenaError;
use platform::files::{close_to_others, create_private_folder, open_regular};
use rules::json_mistake;
use runner::state_folder;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

/// The name of the file.
const FILE: &str = "submit.json";
/// The most bytes of the file.
const MOST: u64 = 1 << 20;

/// The text by which a server knows a bot. It is never shown.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Token(String);

impl Token {
    /// This text; `None` if it cannot be sent as a token.
    pub(super) fn of(text: &str) -> Option<Token> {
        let text = text.trim();
        let is_token = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
        is_token.then(|| Token(text.to_owned()))
    }

    /// The value of the header that tells who calls.
    pub(super) fn authorization(&self) -> String {
        format!("Bearer {}", self.0)
    }
}

/// A token with what it is for.
#[derive(Serialize, Deserialize)]
struct KeptToken {
    server: String,
    bot: String,
    token: Token,
}

/// The content of the file.
#[derive(Default, Serialize, Deserialize)]
struct Content {
    tokens: Vec<KeptToken>,
}

/// The tokens of earlier logins.
pub(super) struct KeptTokens {
    /// The place of the file, or the reason why there is none.
    path: Result<PathBuf, ArenaError>,
    content: Content,
}

impl KeptTokens {
    /// Reads the tokens of the present user.
    ///
    /// # Errors
    /// As [`KeptTokens::at`].
    pub(super) fn read() -> Result<KeptTokens, Failure> {
        match state_folder("tokens") {
            Ok(folder) => KeptTokens::at(folder.join(FILE)),
            Err(error) => Ok(KeptTokens { path: Err(error), content: Content::default() }),
        }
    }

    /// Reads the tokens in this file; it need not exist.
    ///
    /// # Errors
    /// The file cannot be read, or has something else in it.
    fn at(path: PathBuf) -> Result<KeptTokens, Failure> {
        let content = content(&path)?;
        Ok(KeptTokens { path: Ok(path), content })
    }

    /// The bots on this server of which there is a token.
    pub(super) fn bots(&self, server: &str) -> Vec<&str> {
        let tokens = self.content.tokens.iter();
        tokens.filter(|kept| kept.server == server).map(|kept| kept.bot.as_str()).collect()
    }

    /// The token of this bot on this server.
    pub(super) fn token(&self, server: &str, bot: &str) -> Option<Token> {
        let mut tokens = self.content.tokens.iter();
        tokens.find(|kept| kept.server == server && kept.bot == bot).and_then(|kept| Token::of(&kept.token.0))
    }

    /// Keeps this token in place of an older one, beside those that other programs have kept meanwhile.
    ///
    /// # Errors
    /// There is no place for the file, or it cannot be written.
    pub(super) fn keep(&self, server: &str, bot: &str, token: &Token) -> Result<(), ArenaError> {
        let path = match &self.path {
            Ok(path) => path,
            Err(error) => {
                return Err(ArenaError::disk("find a place for", "tokens", io::Error::other(error.to_string())));
            }
        };
        let failed = |e: io::Error| ArenaError::disk("write", path, e);
        let mut content = content(path).unwrap_or_default();
        content.tokens.retain(|kept| kept.server != server || kept.bot != bot);
        let (server, bot, token) = (server.to_owned(), bot.to_owned(), token.clone());
        content.tokens.push(KeptToken { server, bot, token });
        let folder = path.parent().unwrap_or(path);
        create_private_folder(folder).map_err(|e| ArenaError::disk("make the folder", folder, e))?;
        // The file gets its name when all of it is there.
        let mut file = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
        close_to_others(file.as_file()).map_err(failed)?;
        serde_json::to_writer_pretty(&mut file, &content).map_err(|e| failed(e.into()))?;
        writeln!(file).map_err(failed)?;
        file.persist(path).map_err(|e| failed(e.error))?;
        Ok(())
    }
}

/// The content of this file; nothing if it is not there.
fn content(path: &Path) -> Result<Content, Failure> {
    let unreadable = |e| ArenaError::disk("read", path, e);
    let file: File = match open_regular(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Content::default()),
        Err(error) => return Err(unreadable(error).into()),
    };
    let mut text = Vec::new();
    file.take(MOST).read_to_end(&mut text).map_err(unreadable)?;
    serde_json::from_slice(&text).map_err(|error| Failure::Usage {
        what: format!("{} is broken: {}", path.display(), json_mistake(&error)),
        hint: "remove the file: the password is asked for again".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::PermissionsExt;

    const SERVER: &str = "http://localhost:3000";

    fn token(text: &str) -> Token {
        Token::of(text).unwrap()
    }

    fn found(kept: &KeptTokens, server: &str, bot: &str) -> Option<String> {
        kept.token(server, bot).map(|token| token.0)
    }

    #[test]
    fn a_token_is_kept_for_its_server_and_bot_in_a_private_file() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state/broadside/submit.json");
        let read = || KeptTokens::at(path.clone()).unwrap();
        assert!(read().bots(SERVER).is_empty());
        read().keep(SERVER, "Deep Water", &token("one")).unwrap();
        read().keep(SERVER, "Kraken", &token("two")).unwrap();
        read().keep("https://arena.example", "Kraken", &token("three")).unwrap();
        read().keep(SERVER, "Deep Water", &token("four")).unwrap();
        let kept = read();
        assert_eq!(kept.bots(SERVER), ["Kraken", "Deep Water"]);
        assert_eq!(found(&kept, SERVER, "Deep Water").as_deref(), Some("four"));
        assert_eq!(found(&kept, "https://arena.example", "Kraken").as_deref(), Some("three"));
        assert_eq!(found(&kept, "https://arena.example", "Deep Water"), None);
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(fs::metadata(path.parent().unwrap()).unwrap().permissions().mode() & 0o777, 0o700);
    }

    #[test]
    fn a_broken_file_is_told_with_its_path() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("submit.json");
        fs::write(&path, "{\"tokens\": [{\"server\": 1}]}").unwrap();
        let told = KeptTokens::at(path.clone()).err().unwrap();
        assert!(told.to_string().starts_with(&format!("{} is broken: ", path.display())), "{told}");
    }

    #[test]
    fn a_token_is_one_word() {
        assert!(Token::of(" abc-_. \n").is_some_and(|token| token.0 == "abc-_."));
        assert!(["", " ", "a b", "a\nb", "ä"].iter().all(|text| Token::of(text).is_none()));
    }
}
