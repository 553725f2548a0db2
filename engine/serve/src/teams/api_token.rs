//! Tokens with which programs of teams come, e.g. to hand a bot in.

use crate::state::journal_line::{ServerJournalLine, now};
use crate::state::random::token;
use crate::state::registered_bot::RegisteredBot;
use crate::state::request_error::{RequestError, RequestResult};
use crate::teams::access::{Access, ClientAddress};
use crate::teams::registration::BotCredentials;
use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use sha2::{Digest, Sha256};

/// Gives a team a new token. The one before is worth nothing any more. The journal has a digest of it only.
pub(crate) async fn new_token(access: &Access, from: ClientAddress, bot: BotCredentials) -> RequestResult<String> {
    let entry = access.authenticate(from, &bot.name, bot.password).await?;
    access.throttles.set_url.count(entry.id)?;
    let token = token();
    let digest = digest(&token);
    let entered = access.host.enter(move |state| {
        state.bot(entry.id).ok_or_else(|| RequestError::missing("the bot was removed"))?;
        Ok(ServerJournalLine::TokenSet { bot: entry.id, token: digest, at: now() })
    });
    entered.await.map(|_| token)
}

/// The bot with this name, if the request has the token of its team.
pub(crate) fn own_by_token(access: &Access, headers: &HeaderMap, name: &str) -> RequestResult<RegisteredBot> {
    let sent = headers.get(AUTHORIZATION).and_then(|value| value.to_str().ok());
    let token = sent.and_then(|sent| sent.strip_prefix("Bearer ")).map(str::trim).filter(|token| !token.is_empty());
    let token = token.ok_or_else(|| {
        RequestError::unauthorized(
            "the header Authorization: Bearer TOKEN is needed; POST /api/bots/token gives a token",
        )
    })?;
    let wanted = access.named(name).ok_or_else(|| RequestError::missing("there is no bot of this name"))?;
    // Digests are compared: the time for that says nothing about the token.
    if wanted.token.as_deref() == Some(&digest(token)) {
        return Ok(wanted);
    }
    Err(RequestError::unauthorized("the token is not that of this bot, or a newer one was given; get a new one"))
}

fn digest(token: &str) -> String {
    arena::hex(&Sha256::digest(token))
}
