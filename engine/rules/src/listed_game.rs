//! The parts of a game that only programs around it need.

use crate::{Answer, Game, Look, Part, Seat};

/// The way in which the bots of a game are reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// A bot is a program in a folder, which is started for every turn.
    Program,
    /// A bot is a web service, named by its URL.
    Http,
    /// A bot is a client of an MQTT broker, to which the server is connected as well.
    Mqtt,
}

/// A game of the list: the parts of a game that only programs around it need.
pub trait Listed: Game<Settings: Default> {
    /// The way in which bots are reached.
    const REACH: Reach;

    /// The names of the parts that an answer may have.
    const ANSWER_PARTS: &'static [&'static str];

    /// Reads the order in an answer, by the settings of this match. `parts` are named as in [`Listed::ANSWER_PARTS`].
    ///
    /// # Errors
    /// [`Fault::NothingWritten`](crate::Fault::NothingWritten) without parts, and
    /// [`Fault::Unreadable`](crate::Fault::Unreadable) with the part and the mistake in it. Either goes to
    /// [`Game::advance`] as it is.
    fn read(&self, parts: &[Part]) -> Answer<Self::Order>;

    /// True if an earlier version could not read these parts, and this version can. A record of that version has a fault
    /// where there would be an order now, and the fault stands.
    fn is_newly_read(_parts: &[Part]) -> bool {
        false
    }

    /// The answer with which a bot gives `order`: [`Listed::read`] reads the order in it.
    fn write(order: &Self::Order) -> Vec<Part>;

    /// The seat whose order the event says was refused; `None` for other events. A missing order counts as none, not as a
    /// refused one.
    fn refused(event: &Self::Event) -> Option<Seat>;

    /// The seat that has fired, as the event says, and true if it did so with a special weapon, or took another special action instead;
    /// `None` for other events. A special weapon may have further events without it in the same turn.
    fn fired(event: &Self::Event) -> Option<(Seat, bool)>;

    /// The appearance of the game on screens.
    fn look() -> Look;
}

/// Something that can be done with every game of the list, see [`crate::GameKind::with`].
pub trait WithGame {
    /// The result.
    type Output;

    /// Does it with this game.
    fn with<G: Listed>(self) -> Self::Output;
}

/// The settings of a game of which some are given as records have them, and the others are the usual ones. Two players can begin a match
/// by them.
///
/// ```
/// use rules::entelect_2017::{Entelect2017, MapSize};
///
/// let settings = rules::settings_with::<Entelect2017>(&serde_json::json!({"size": "small"})).unwrap();
/// assert_eq!(settings.size, MapSize::Small);
/// ```
///
/// # Errors
/// A setting is unknown, or no match can be played with it, in words.
pub fn settings_with<G: Listed>(given: &serde_json::Value) -> Result<G::Settings, String> {
    let failed = |why: String| format!("the settings of the game: {why}");
    let mut all = serde_json::to_value(G::Settings::default()).map_err(|e| failed(e.to_string()))?;
    let given = given.as_object().ok_or_else(|| failed("they are not a table".to_owned()))?;
    for (key, value) in given {
        all[key] = value.clone();
    }
    let settings: G::Settings = serde_json::from_value(all).map_err(|e| failed(crate::json_mistake(&e)))?;
    G::start(&settings, 2, 0).map_err(|e| failed(e.to_string()))?;
    Ok(settings)
}
