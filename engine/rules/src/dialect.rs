//! Dialects: the form in which the players of a game are asked.

use crate::{Game, Seat};

/// Turns a view into the question of one protocol. Pure: a transport carries the question to the player.
///
/// Answers need no dialect: the names of their parts say how they are read ([`Listed::read`](crate::Listed::read)), so that
/// a record can be read without knowing how its players were asked.
///
/// ```
/// use rules::sea_battle::{Json, SeaBattle, Settings};
/// use rules::{Dialect, Game, Seat};
///
/// let game = SeaBattle::start(&Settings::default(), 2, 7)?;
/// let request = Json::new("match 1").ask(Seat::A, &game.view(Seat::A));
/// assert_eq!(request.path, Some("placement"));
/// assert_eq!(request.body, br#"{"gameId":"match 1","boardSize":10}"#);
/// # Ok::<(), rules::SetupError>(())
/// ```
pub trait Dialect<G: Game>: Send + Sync {
    /// The form of a question: [`FolderMessage`] for a program, [`HttpRequest`] for a server.
    type Message;

    /// The question that shows `seat` its `view` and asks for an order.
    fn ask(&self, seat: Seat, view: &G::View) -> Self::Message;
}

/// A question in the form of files. The answer is files in the same folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FolderMessage {
    /// The folder's path below the folder of the match, e.g. `Phase 2 - Round 7/A`.
    pub folder: String,
    /// The line by which a player that stays is asked: the numbers of the phase and the round, e.g. `2 7`.
    pub line: String,
    /// The files that the player is shown.
    pub files: Vec<Part>,
    /// The names of the files that the answer may consist of.
    pub answers: &'static [&'static str],
}

/// A question in the form of an HTTP POST request. The body of the response is the answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpRequest {
    /// The path below the bot's URL, without a slash at its beginning; `None` for the URL itself.
    pub path: Option<&'static str>,
    /// The format of the body.
    pub content: ContentType,
    /// The body of the request.
    pub body: Vec<u8>,
    /// The name of the part that the body of the response becomes.
    pub answer: &'static str,
}

/// The format of a request's body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ContentType {
    /// `application/json`
    Json,
    /// `application/x-www-form-urlencoded`
    Form,
    /// `multipart/form-data` with [`BOUNDARY`].
    Multipart,
}

/// The line between the parts of a [`ContentType::Multipart`] body, without the hyphens before it.
pub const BOUNDARY: &str = "broadside-4f1c8e2a7b6d9035";

impl ContentType {
    /// The value of the header `Content-Type`.
    pub fn mime(self) -> &'static str {
        match self {
            ContentType::Json => "application/json",
            ContentType::Form => "application/x-www-form-urlencoded",
            ContentType::Multipart => "multipart/form-data; boundary=broadside-4f1c8e2a7b6d9035",
        }
    }
}

/// A named piece of text, such as a file or the body of a response.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The name, e.g. `state.json`.
    pub name: &'static str,
    /// The content.
    pub bytes: Vec<u8>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_of_a_multipart_body_names_its_boundary() {
        assert!(ContentType::Multipart.mime().ends_with(&format!("; boundary={BOUNDARY}")));
    }
}
