//! The teams that may hand bots in: all of the server, those with a code, or those on a list.

use crate::state::name::BotName;
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The teams that may hand bots in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Registration {
    /// All teams of the server.
    #[default]
    Open,
    /// Those who give the code of the contest with their first version.
    Code,
    /// Those on the list of the contest.
    List,
}

impl Registration {
    /// Checks that there is a code or a list if one is needed, and none if not.
    pub(crate) fn check(self, code: Option<&str>, teams: &[String]) -> Result<(), String> {
        match (self, code.map(str::trim), teams) {
            (Registration::Code, None | Some(""), _) => {
                Err("code is missing, which registration = \"code\" needs".to_owned())
            }
            (Registration::Open | Registration::List, Some(_), _) => {
                Err("code needs registration = \"code\" beside it".to_owned())
            }
            (Registration::Open | Registration::Code, _, [_, ..]) => {
                Err("teams needs registration = \"list\" beside it".to_owned())
            }
            (_, _, teams) => {
                let wrong = teams.iter().find_map(|team| BotName::registered(team).err());
                wrong.map_or(Ok(()), |error| Err(format!("teams: {error}")))
            }
        }
    }

    /// Checks that a team of this name may hand bots in, besides its code; else returns the reason.
    pub(crate) fn admits(self, name: &BotName, teams: &[String]) -> Result<(), String> {
        let is_it = |team: &String| BotName::registered(team).is_ok_and(|team| team.key() == name.key());
        if self != Registration::List || teams.iter().any(is_it) {
            return Ok(());
        }
        Err("your team is not on the list of this contest; the organiser has it".to_owned())
    }
}
