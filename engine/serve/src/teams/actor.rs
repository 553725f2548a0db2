//! The administrator or moderator who sends a request.

use crate::state::journal_line::{ServerJournalLine, now};
use crate::state::moderators::{ADMINISTRATOR, AdminAction, AuditEntry, Moderator, Role};
use crate::state::request_error::{RequestError, RequestResult};

/// The administrator or moderator who sends a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Actor {
    pub(crate) name: String,
    role: Role,
    /// The number of the moderator.
    pub(crate) moderator: Option<u32>,
}

impl Actor {
    /// The administrator.
    pub(crate) fn administrator() -> Actor {
        Actor { name: ADMINISTRATOR.to_owned(), role: Role::Administrator, moderator: None }
    }

    /// A moderator.
    pub(crate) fn moderator(moderator: &Moderator) -> Actor {
        Actor { name: moderator.name.to_string(), role: Role::Moderator, moderator: Some(moderator.number) }
    }

    /// True if the actor may do this.
    pub(crate) fn may(&self, action: AdminAction) -> bool {
        self.role >= action.needs()
    }

    /// Checks that the actor may do this.
    pub(crate) fn check(&self, action: AdminAction) -> RequestResult<()> {
        if self.may(action) {
            return Ok(());
        }
        Err(RequestError::forbidden("moderators may not do this; the administrator may"))
    }

    /// The line of the journal that tells of an action.
    pub(crate) fn audit_line(&self, action: AdminAction, of: String) -> ServerJournalLine {
        ServerJournalLine::Audit(AuditEntry { by: self.name.clone(), action, of: rules::printable(&of), at: now() })
    }
}
