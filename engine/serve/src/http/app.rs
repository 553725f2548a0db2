//! The parts of the server, as the handlers of requests get them.

use crate::contests::contest_host::ContestHost;
use crate::contests::profiles::AnalysedGames;
use crate::http::reach::Reach;
use crate::matches::host::MatchHost;
use crate::matches::house_match::HouseMatches;
use crate::teams::access::Access;
use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

/// The parts of the server as the handlers of requests get them.
pub(crate) type AppState = State<Arc<App>>;

/// The parts of the server that requests need.
#[derive(Debug)]
pub(crate) struct App {
    pub(crate) host: Arc<MatchHost>,
    pub(crate) contests: Arc<ContestHost>,
    /// The games that were analysed for profiles.
    pub(crate) analysed: Arc<AnalysedGames>,
    pub(crate) access: Access,
    pub(crate) house_matches: Arc<HouseMatches>,
    pub(crate) reach: Reach,
    /// The time for the body of a request.
    pub(crate) request_time: Duration,
}

/// The host of matches, for handlers of requests that need nothing else.
pub(crate) struct Host(pub(crate) Arc<MatchHost>);

impl FromRequestParts<Arc<App>> for Host {
    type Rejection = Infallible;

    async fn from_request_parts(_: &mut Parts, app: &Arc<App>) -> Result<Host, Infallible> {
        Ok(Host(Arc::clone(&app.host)))
    }
}
