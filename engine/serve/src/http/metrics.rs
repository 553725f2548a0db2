//! The figures of the server for Prometheus.

use crate::contests::views;
use crate::contests::wire::VersionState;
use crate::http::app::{App, AppState};
use crate::http::contest_api::blocking;
use crate::matches::host::MatchHost;
use crate::state::contests::contest::Contest;
use crate::state::contests::version::Progress;
use crate::state::request_error::{RequestError, RequestResult};
use axum::Router;
use axum::http::header::CONTENT_TYPE;
use axum::response::IntoResponse;
use axum::routing::get;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::registry::Registry;
use std::sync::Arc;

/// Labels of a figure: their names and values.
type Labels = Vec<(String, String)>;

pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new().route("/metrics", get(metrics))
}

/// The figures in the text format of OpenMetrics. They tell nothing that pages do not tell everyone.
async fn metrics(app: AppState) -> RequestResult<impl IntoResponse> {
    let host = Arc::clone(&app.host);
    let text = blocking(&app, move |contests| {
        let mut registry = Registry::with_prefix("broadside");
        of_server(&host, &mut registry);
        let contest = |name, help: &str, registry: &mut Registry| {
            let family = Family::<Labels, Gauge>::default();
            registry.register(name, help, family.clone());
            family
        };
        let games = contest("contest_games", "Ranked games of a contest that were played", &mut registry);
        let playing = contest("contest_playing", "Ranked games of a contest that are being played", &mut registry);
        let entrants = contest("contest_entrants", "Entrants of the ladder of a contest", &mut registry);
        let versions = contest("contest_versions", "Versions of a contest by their states", &mut registry);
        for summary in views::contests(contests) {
            let of = |more: Option<(&str, &str)>| -> Labels {
                let labels = [("contest", summary.name.as_str())].into_iter().chain(more);
                labels.map(|(name, value)| (name.to_owned(), value.to_owned())).collect()
            };
            let name = contests.named(&summary.name)?;
            // One that could not be opened, which is told as trouble.
            let Ok(ladder) = contests.ladder(&name) else { continue };
            let (playing_now, active) = ladder.look(|ladder| {
                let retired = ladder.table.retirements().len();
                (ladder.playing.len(), ladder.table.entrants().len() - retired)
            });
            games.get_or_create(&of(None)).set(summary.games as i64);
            playing.get_or_create(&of(None)).set(playing_now as i64);
            entrants.get_or_create(&of(None)).set(active as i64);
            let counts = contests.look(&name, by_state)?;
            for (state, count) in
                [VersionState::Queued, VersionState::Accepted, VersionState::Rejected].iter().zip(counts)
            {
                versions.get_or_create(&of(Some(("state", state.words())))).set(count);
            }
        }
        let mut text = String::new();
        encode(&mut text, &registry).map_err(RequestError::internal)?;
        Ok(text)
    });
    let kind = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    Ok(([(CONTENT_TYPE, kind)], text.await?))
}

fn of_server(host: &MatchHost, registry: &mut Registry) {
    let (bots, matches) = host.store.look(|state| (state.bots().count(), state.last_match));
    let figures = [
        ("bots", "Registered bots", bots as i64),
        ("matches", "Matches of tournaments that were played", matches as i64),
        ("listeners", "Streams of events that are open", host.events.viewers() as i64),
        (
            "trouble",
            "1 while the server cannot do something; /admin tells what",
            i64::from(host.running.lock().trouble.is_some()),
        ),
    ];
    for (name, help, value) in figures {
        let gauge = Gauge::<i64>::default();
        gauge.set(value);
        registry.register(name, help, gauge);
    }
}

/// The numbers of versions that wait, were accepted, and were rejected.
fn by_state(contest: &Contest) -> [i64; 3] {
    let mut counts = [0; 3];
    for version in contest.bots().flat_map(|(_, bot)| &bot.versions) {
        counts[match version.progress {
            Progress::Queued | Progress::Judged { .. } => 0,
            Progress::Accepted(_) => 1,
            Progress::Rejected(_) => 2,
        }] += 1;
    }
    counts
}
