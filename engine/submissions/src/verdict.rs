//! The verdict on a submission.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The verdict on a submission.
pub type Verdict = Result<Acceptance, Rejection>;

/// Facts of a bot that was accepted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Acceptance {
    /// The language in its bot.json; empty for a web service.
    pub language: String,
    /// The author in its bot.json, as it is written there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// The SHA-256 of its built folder, in hexadecimal digits; `None` if that is too large.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// The bytes of its built folder; `None` for a web service.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder_bytes: Option<u64>,
    /// The longest answer when it was tried, in milliseconds, beside the limit.
    pub slowest: Option<[u64; 2]>,
}

/// The reason why a bot was rejected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Rejection {
    /// The step at which it failed.
    pub step: JudgeStep,
    /// The reason, in words.
    pub reason: String,
    /// True if this machine lacks a tool that builds or runs the bot: that says nothing about the bot.
    #[serde(skip)]
    pub lacks_tool: bool,
}

/// A step between a submission and its verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum JudgeStep {
    /// Its archive is unpacked.
    Unpacking,
    /// It is built.
    Building,
    /// It plays games against a player of the engine.
    Probing,
}

impl JudgeStep {
    /// The name of what it gives, for people.
    pub fn name(self) -> &'static str {
        match self {
            JudgeStep::Unpacking => "unpacking",
            JudgeStep::Building => "build",
            JudgeStep::Probing => "trial",
        }
    }
}
