//! Contestants: the players of a match or a tournament before they are seated.

use crate::RunnerError;
use arena::Player;
use arena::record::RecordedSeat;
use players::BuiltIn;
use rules::{Game, PlayerInfo, Seat};
use std::sync::Arc;

/// A player that was named and found: a bot, a built-in player, or a player of the program that uses this library. `B` is
/// a bot of the game: a [`Program`](crate::Program) or an
/// [`HttpBot`](crate::HttpBot).
#[derive(Clone)]
pub struct Contestant<G: Game, B> {
    /// The name under which it was found: a folder, a URL without login and query, or `builtin:NAME`.
    pub source: String,
    /// Its description.
    pub info: PlayerInfo,
    /// The SHA-256 of its folder in hexadecimal digits; `None` without a folder, or if the folder is too large.
    pub content: Option<String>,
    /// The way it plays.
    pub kind: ContestantKind<G, B>,
}

/// The ways a contestant can play.
#[derive(Clone)]
pub enum ContestantKind<G: Game, B> {
    /// A player of the engine.
    BuiltIn(BuiltIn),
    /// A bot.
    Bot(B),
    /// A player of the program that uses this library, such as a person at the console.
    Own(MakePlayer<G>),
}

/// Makes the player in a seat, from the seed of that seat.
pub type MakePlayer<G> = Arc<dyn Fn(Seat, u64) -> Box<dyn Player<G>> + Send + Sync>;

impl<G: Game, B> Contestant<G, B> {
    /// The built-in player of this name, without `builtin:`.
    ///
    /// # Errors
    /// [`RunnerError::NoSuchBuiltIn`].
    pub fn built_in(name: &str) -> Result<Contestant<G, B>, RunnerError> {
        let which = BuiltIn::from_name(name).ok_or_else(|| RunnerError::NoSuchBuiltIn(name.to_owned()))?;
        let source = format!("{}{name}", BuiltIn::PREFIX);
        Ok(Contestant { info: PlayerInfo::named(&source), source, content: None, kind: ContestantKind::BuiltIn(which) })
    }

    /// The same contestant under this name.
    #[must_use]
    pub fn called(self, name: &str) -> Contestant<G, B> {
        let info = PlayerInfo { nick_name: Some(name.to_owned()), ..self.info };
        Contestant { info, ..self }
    }

    /// A player of the calling program.
    pub fn own(name: &str, make: impl Fn(Seat, u64) -> Box<dyn Player<G>> + Send + Sync + 'static) -> Contestant<G, B> {
        let kind = ContestantKind::Own(Arc::new(make));
        Contestant { source: name.to_owned(), info: PlayerInfo::named(name), content: None, kind }
    }

    /// The same contestant with what `change` makes of its bot.
    pub(crate) fn map_bot<C>(self, change: impl FnOnce(B) -> C) -> Contestant<G, C> {
        let kind = match self.kind {
            ContestantKind::Bot(bot) => ContestantKind::Bot(change(bot)),
            ContestantKind::BuiltIn(which) => ContestantKind::BuiltIn(which),
            ContestantKind::Own(make) => ContestantKind::Own(make),
        };
        Contestant { source: self.source, info: self.info, content: self.content, kind }
    }

    /// The bot to be changed, if it is one.
    pub(crate) fn bot_mut(&mut self) -> Option<&mut B> {
        match &mut self.kind {
            ContestantKind::Bot(bot) => Some(bot),
            ContestantKind::BuiltIn(_) | ContestantKind::Own(_) => None,
        }
    }

    /// The bot, if it is one.
    pub fn bot(&self) -> Option<&B> {
        match &self.kind {
            ContestantKind::Bot(bot) => Some(bot),
            ContestantKind::BuiltIn(_) | ContestantKind::Own(_) => None,
        }
    }

    /// Its entry in the header of a record under this name, without time limits.
    pub(crate) fn recorded(&self, name: String) -> RecordedSeat {
        let bot = Some(self.source.clone()).filter(|_| matches!(self.kind, ContestantKind::Bot(_)));
        let content = self.content.clone();
        RecordedSeat { bot, content, ..RecordedSeat::new(self.info.clone()).called(name) }
    }
}
