//! The screens that show a game of a final: what they are told again after a restart, and the result that they are told afterwards.

use crate::matches::event_stream::EventScope;
use crate::matches::host::MatchHost;
use crate::matches::publish;
use crate::matches::records::whole_match;
use crate::state::journal_line::MatchLine;
use crate::state::request_error::{RequestError, RequestResult};
use crate::state::wire::MatchOver;

/// Publishes again the game that the screens were showing when the server before ended.
pub(crate) fn resume_screening(host: &MatchHost) {
    let Some(id) = host.match_on_screen() else { return };
    host.running.lock().on_screen = Some(id);
    let reveals = host.store.look(|state| state.settings.reveal_fleets);
    let whole = kept_match(host, id).and_then(|line| whole_match(host, line, reveals));
    match whole {
        Ok(whole) => {
            host.events.publish("match-begun", EventScope::MatchBegins(id), &whole.begun);
            for turn in &whole.turns {
                host.events.publish("turn", EventScope::MatchGoesOn(id), turn);
            }
        }
        Err(error) => host.running.report_trouble(&error.to_string()),
    }
}

/// Tells the result of a game of which the screens have shown all, or which nobody waits for any more.
pub(crate) fn reveal(host: &MatchHost, id: u64) {
    let over = kept_match(host, id).and_then(|line| whole_match(host, line, true)).map(|whole| whole.over);
    let over = over.unwrap_or_else(|error| MatchOver {
        r#match: id,
        result: None,
        broken_off: Some(error.to_string()),
        fleets: [None, None],
    });
    host.events.publish("match-over", EventScope::MatchEnds(id), &over);
    publish::present_final(host);
}

fn kept_match(host: &MatchHost, id: u64) -> RequestResult<MatchLine> {
    let line = host.store.index.match_line(id).map_err(RequestError::internal)?;
    line.ok_or_else(|| RequestError::missing("the history was cleared"))
}
