//! The sample bots, embedded in the program.

use rust_embed::RustEmbed;
use serde::{Deserialize, Serialize};

/// The files of `bots/` without build results.
#[derive(RustEmbed)]
#[folder = "../../bots/"]
#[include = "*/bot.json"]
#[include = "*/README.md"]
#[include = "*/.gitignore"]
#[include = "*/Makefile"]
#[include = "*/*.c"]
#[include = "*/*.cpp"]
#[include = "*/*.cs"]
#[include = "*/*.go"]
#[include = "*/go.mod"]
#[include = "*/*.java"]
#[include = "*/*.js"]
#[include = "*/*.kt"]
#[include = "*/*.lua"]
#[include = "*/package.json"]
#[include = "*/*.php"]
#[include = "*/*.pl"]
#[include = "*/*.py"]
#[include = "*/*.rb"]
#[include = "*/*.scala"]
#[include = "*/*.ts"]
#[include = "*/tsconfig.json"]
#[include = "rust/Cargo.toml"]
#[include = "rust/Cargo.lock"]
#[include = "rust/src/*.rs"]
#[include = "*/requirements.txt"]
#[include = "salvo-rust/Cargo.toml"]
#[include = "salvo-rust/src/*.rs"]
#[include = "sea-battle-rust/Cargo.toml"]
#[include = "sea-battle-rust/src/*.rs"]
#[exclude = "*/target/*"]
#[exclude = "*/venv/*"]
#[exclude = "typescript/*.js"]
pub(super) struct Samples;

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
