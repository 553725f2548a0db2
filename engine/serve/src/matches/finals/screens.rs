//! The screens that show a game of a final: what they are told again after a restart, and the result that they are told afterwards.

use crate::matches::host::MatchHost;
use crate::matches::publish;
use crate::matches::records::{about, record_of, whole_match};
use crate::state::journal_line::MatchLine;
use crate::state::request_error::{RequestError, RequestResult};
use crate::state::wire::MatchOver;
use arena::record::replay_record;
use rules::Game;
use rules::sea_battle::SeaBattle;
use web::EventScope;

/// Publishes again the game that the screens were showing when the server before ended.
pub(crate) fn resume_screening(host: &MatchHost) {
    let Some(id) = host.match_on_screen() else { return };
    host.running.lock().on_screen = Some(id);
    if let Err(error) = show_again(host, id) {
        host.running.report_trouble(&error.to_string());
    }
}

fn show_again(host: &MatchHost, id: u64) -> RequestResult<()> {
    let reveals = host.store.look(|state| state.settings.reveal_fleets);
    let line = kept_match(host, id)?;
    let record = record_of(host, &line)?;
    let whole = whole_match(host, line, reveals)?;
    let settings = serde_json::from_value(record.header().settings.clone()).map_err(RequestError::internal)?;
    let first = SeaBattle::start(&settings, 2, record.header().seed).map_err(RequestError::internal)?;
    let about = about(&whole.begun, &record.header().engine);
    let mut stream = host.streams.begin(id, record.header(), first, about, reveals)?;
    replay_record::<SeaBattle>(&record, &mut stream)?;
    stream.hold_back();
    publish::event(host, "match-begun", EventScope::Part(id), &whole.begun);
    whole.turns.iter().for_each(|turn| publish::event(host, "turn", EventScope::Part(id), turn));
    Ok(())
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
    publish::event(host, "match-over", EventScope::End(id), &over);
    host.streams.end(id, None);
    publish::present_final(host);
}

fn kept_match(host: &MatchHost, id: u64) -> RequestResult<MatchLine> {
    let line = host.store.index.match_line(id).map_err(RequestError::internal)?;
    line.ok_or_else(|| match host.store.index.is_behind() {
        true => RequestError::internal("the index cannot be written"),
        false => RequestError::missing("the history was cleared"),
    })
}
