//! The administrators of a server: their roles, what each role may do, and the last actions.

use crate::state::name::BotName;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, VecDeque};
use utoipa::ToSchema;

/// The number of the last actions that are kept in memory. The journal has all.
const LAST: usize = 50;
/// The name of the administrator, which no moderator has.
pub(crate) const ADMINISTRATOR: &str = "administrator";

/// A role, the one with fewer rights first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Role {
    /// One who helps on the day, and was named by the administrator.
    Moderator,
    /// The one with the password of the server.
    Administrator,
}

/// A kind of action of administrators.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum AdminAction {
    /// Tournaments were started.
    Start,
    /// Tournaments were paused.
    Pause,
    /// Tournaments were resumed.
    Resume,
    /// The present tournament was ended.
    EndTournament,
    /// A match was skipped.
    SkipMatch,
    /// Matches of tournaments were declared void.
    VoidMatches,
    /// A final was planned.
    PlanFinal,
    /// A final was called off.
    CancelFinal,
    /// A bot was removed.
    RemoveBot,
    /// A team got a new password.
    ResetPassword,
    /// The history was cleared.
    ClearHistory,
    /// The settings of the server were changed.
    ChangeSettings,
    /// A contest has begun or got other settings.
    SetContest,
    /// Something was announced in a contest.
    Announce,
    /// Ranked games of a contest were begun or stopped.
    SwitchRanked,
    /// A tournament of a contest has begun.
    BeginTournament,
    /// A tournament of a contest was called off.
    CallOffTournament,
    /// Ranked games of a contest were declared void.
    VoidGames,
    /// A bot plays in a contest no more.
    RetireBot,
    /// A bot that was retired may play again.
    ReturnBot,
    /// A bot of a contest is not shown to everyone.
    HideBot,
    /// A bot that was hidden is shown again.
    ShowBot,
    /// A bot has another name.
    RenameBot,
    /// A moderator was added or got a new password.
    SetModerator,
    /// A moderator was removed.
    RemoveModerator,
}

impl AdminAction {
    /// The least role that may do this.
    pub(crate) fn needs(self) -> Role {
        match self {
            AdminAction::Pause
            | AdminAction::Resume
            | AdminAction::SkipMatch
            | AdminAction::ResetPassword
            | AdminAction::Announce
            | AdminAction::SwitchRanked
            | AdminAction::RetireBot
            | AdminAction::ReturnBot
            | AdminAction::HideBot
            | AdminAction::ShowBot
            | AdminAction::RenameBot
            | AdminAction::VoidGames => Role::Moderator,
            AdminAction::Start
            | AdminAction::EndTournament
            | AdminAction::VoidMatches
            | AdminAction::PlanFinal
            | AdminAction::CancelFinal
            | AdminAction::RemoveBot
            | AdminAction::ClearHistory
            | AdminAction::ChangeSettings
            | AdminAction::SetContest
            | AdminAction::BeginTournament
            | AdminAction::CallOffTournament
            | AdminAction::SetModerator
            | AdminAction::RemoveModerator => Role::Administrator,
        }
    }

    /// The action in words that follow a name, and before that of the thing.
    pub(crate) fn words(self) -> &'static str {
        match self {
            AdminAction::Start => "started tournaments",
            AdminAction::Pause => "paused tournaments",
            AdminAction::Resume => "resumed tournaments",
            AdminAction::EndTournament => "ended the tournament",
            AdminAction::SkipMatch => "skipped",
            AdminAction::VoidMatches => "declared void",
            AdminAction::PlanFinal => "planned a final",
            AdminAction::CancelFinal => "called the final off",
            AdminAction::RemoveBot => "removed",
            AdminAction::ResetPassword => "gave a new password to",
            AdminAction::ClearHistory => "cleared the history",
            AdminAction::ChangeSettings => "changed the settings",
            AdminAction::SetContest => "set the settings of",
            AdminAction::Announce => "announced something in",
            AdminAction::SwitchRanked => "switched ranked games",
            AdminAction::BeginTournament => "began a tournament in",
            AdminAction::CallOffTournament => "called off",
            AdminAction::VoidGames => "declared games void in",
            AdminAction::RetireBot => "retired",
            AdminAction::ReturnBot => "let play again",
            AdminAction::HideBot => "hid",
            AdminAction::ShowBot => "showed again",
            AdminAction::RenameBot => "renamed",
            AdminAction::SetModerator => "set the password of the moderator",
            AdminAction::RemoveModerator => "removed the moderator",
        }
    }
}

/// An action of an administrator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct AuditEntry {
    /// The name of the moderator, or `administrator`.
    pub by: String,
    /// The kind of the action.
    pub action: AdminAction,
    /// The thing that was changed, such as `match 7`; empty if there is only one.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub of: String,
    /// The time, in RFC 3339.
    pub at: String,
}

impl AuditEntry {
    /// The action in words.
    pub(crate) fn in_words(&self) -> String {
        let AuditEntry { by, action, of, .. } = self;
        // Without a contest the final is that of the server.
        let within = matches!(action, AdminAction::PlanFinal | AdminAction::CancelFinal) && !of.is_empty();
        format!("{by} {}{} {of}", action.words(), if within { " in" } else { "" }).trim_end().to_owned()
    }
}

/// A moderator.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Moderator {
    /// A number that no other moderator has had, nor the same one with another password.
    pub(crate) number: u32,
    pub(crate) name: BotName,
    /// The argon2id hash of the password.
    pub(crate) password: String,
}

/// The moderators, and the last actions of all administrators.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Moderators {
    by_name: BTreeMap<String, Moderator>,
    last_number: u32,
    audit: VecDeque<AuditEntry>,
}

impl Moderators {
    /// All, by their names.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Moderator> {
        self.by_name.values()
    }

    /// The moderator of this name, in upper or lower case.
    pub(crate) fn named(&self, name: &BotName) -> Option<&Moderator> {
        self.by_name.get(&name.key())
    }

    /// The moderator with this number.
    pub(crate) fn numbered(&self, number: u32) -> Option<&Moderator> {
        self.all().find(|moderator| moderator.number == number)
    }

    /// The last actions, the newest first.
    pub(crate) fn audit(&self) -> impl Iterator<Item = &AuditEntry> {
        self.audit.iter()
    }

    /// Takes a moderator, or the new password of one.
    pub(crate) fn set(&mut self, name: &BotName, password: &str) {
        self.last_number += 1;
        let moderator = Moderator { number: self.last_number, name: name.clone(), password: password.to_owned() };
        self.by_name.insert(name.key(), moderator);
    }

    pub(crate) fn remove(&mut self, name: &BotName) {
        self.by_name.remove(&name.key());
    }

    pub(crate) fn note(&mut self, entry: &AuditEntry) {
        self.audit.push_front(entry.clone());
        self.audit.truncate(LAST);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moderator_with_a_new_password_is_another_one() {
        let mut moderators = Moderators::default();
        let name = BotName::new("Bob").unwrap();
        moderators.set(&name, "one");
        moderators.set(&BotName::new("BOB").unwrap(), "two");
        assert_eq!((moderators.all().count(), moderators.numbered(1)), (1, None));
        assert_eq!(moderators.named(&name).unwrap().number, 2);
        moderators.remove(&name);
        moderators.set(&name, "three");
        assert_eq!(moderators.named(&name).unwrap().number, 3, "log-ins of before are worth nothing");
        let entry = |number: u32| AuditEntry {
            by: "Bob".to_owned(),
            action: AdminAction::SkipMatch,
            of: format!("match {number}"),
            at: "then".to_owned(),
        };
        (0..60).for_each(|number| moderators.note(&entry(number)));
        assert_eq!((moderators.audit().count(), moderators.audit().next()), (50, Some(&entry(59))));
        assert_eq!(entry(7).in_words(), "Bob skipped match 7");
    }
}
