//! The description of a player that records, journals and screens show.

use serde::{Deserialize, Serialize};

/// The description of a player, the same for every game: its name, its author, and what it is written in.
///
/// The JSON keys are those of `bot.json` (`Author`, `NickName`, `Email`, `BotType`; files of 2017, "bot.json"), so that
/// records and journals of all versions read alike.
///
/// ```
/// let player = rules::PlayerInfo::named("Hunter");
/// assert_eq!(player.name(), "Hunter");
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct PlayerInfo {
    /// The author of the bot.
    pub author: Option<String>,
    /// The name that the bot gives itself.
    pub nick_name: Option<String>,
    /// The address of the author.
    pub email: Option<String>,
    /// The bot's language, `HTTP` for a web service, or the original's `Unkown` for players that are not bots.
    pub bot_type: String,
}

impl PlayerInfo {
    /// A player without a `bot.json`: a person, a built-in player, a team. As in 2017, the name stands in all three text
    /// fields and the type is the original's `Unkown`.
    pub fn named(name: &str) -> PlayerInfo {
        let name = Some(name.to_owned());
        PlayerInfo { author: name.clone(), nick_name: name.clone(), email: name, bot_type: "Unkown".to_owned() }
    }

    /// A bot that is a web service.
    pub fn web_service(name: &str) -> PlayerInfo {
        PlayerInfo { author: None, nick_name: Some(name.to_owned()), email: None, bot_type: "HTTP".to_owned() }
    }

    /// The name of the player: the first of nickname, author and email that is present, even if it is empty.
    pub fn name(&self) -> &str {
        [&self.nick_name, &self.author, &self.email].into_iter().flatten().next().map_or("", String::as_str)
    }
}
