//! The manifest of the sample bots.

use serde::{Deserialize, Serialize};

/// bot.json, with its fields in the order of the published specification.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub(super) struct BotJson {
    pub(super) author: String,
    pub(super) email: String,
    pub(super) nick_name: String,
    pub(super) bot_type: String,
    pub(super) project_location: String,
    pub(super) run_file: String,
    pub(super) run_args: String,
    /// True if the bot stays, which is no field of that specification.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) stay: bool,
}
