//! Commands of the administrator about moderators.

use crate::state::journal_line::{ServerJournalLine, now};
use crate::state::name::BotName;
use crate::state::request_error::{RequestError, RequestResult};
use crate::teams::access::{Access, ClientAddress};

/// The shortest password of a moderator, in characters, as that of an administrator.
const LEAST_OF_PASSWORD: usize = 8;

/// Adds a moderator, or gives one a new password.
pub(crate) async fn set_moderator(
    access: &Access,
    from: ClientAddress,
    name: &str,
    password: String,
) -> RequestResult<()> {
    let name = BotName::new(name).map_err(|e| RequestError::bad(e.to_string().replace("a bot ", "a moderator ")))?;
    if password.chars().count() < LEAST_OF_PASSWORD {
        return Err(RequestError::bad(format!("the password of a moderator has at least {LEAST_OF_PASSWORD} letters")));
    }
    let password = access.passwords.hash(from.network(), password).await?;
    let line = ServerJournalLine::ModeratorSet { name, password, at: now() };
    access.host.enter(|state| state.check(&line).map(|()| line).map_err(RequestError::conflict)).await.map(drop)
}

/// Removes a moderator, whose log-ins end.
pub(crate) async fn remove_moderator(access: &Access, name: &str) -> RequestResult<()> {
    let missing = || RequestError::missing("there is no moderator of this name");
    let name = BotName::registered(name).map_err(|_| missing())?;
    let line = ServerJournalLine::ModeratorRemoved { name, at: now() };
    access.host.enter(move |state| state.check(&line).map(|()| line).map_err(|_| missing())).await.map(drop)
}
