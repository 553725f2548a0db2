//! What bot.json says about a bot that matches show.

use serde::{Deserialize, Serialize};

/// Who a player is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct BotDetails {
    /// Who wrote the bot.
    pub author: Option<String>,
    /// What it calls itself.
    pub nick_name: Option<String>,
    /// How to reach its author.
    pub email: Option<String>,
    /// The name of its language.
    pub bot_type: String,
}

impl BotDetails {
    /// A person at the console, or any other player that has no bot.json: the name serves for all, and the type is the
    /// original's `Unkown`.
    pub fn without_bot(name: &str) -> BotDetails {
        let name = Some(name.to_owned());
        BotDetails { author: name.clone(), nick_name: name.clone(), email: name, bot_type: "Unkown".to_owned() }
    }

    /// The name the player goes by: the first that is there of nickname, author and email, even if it is empty.
    pub fn name(&self) -> &str {
        [&self.nick_name, &self.author, &self.email].into_iter().flatten().next().map_or("", String::as_str)
    }
}
