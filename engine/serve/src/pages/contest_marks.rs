//! Marks on the pages of contests: files for the administrator, and words.

use crate::contests::marking::wire::{CriterionView, MarksView};
use crate::http::app::{App, AppState};
use crate::http::contest_marks_api::marks_file;
use crate::pages::admin::{actor, log_in_first};
use crate::pages::response::PageResult;
use axum::Router;
use axum::extract::Path;
use axum::http::HeaderMap;
use axum::routing::get;
use grading::{Marks, StudentMarks, figures};
use std::borrow::Borrow;
use std::sync::Arc;

pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new().route("/admin/contests/{contest}/marks/{ending}", get(file))
}

async fn file(app: AppState, Path((contest, ending)): Path<(String, String)>, headers: HeaderMap) -> PageResult {
    let Some(by) = actor(&app, &headers) else { return Ok(log_in_first(&app, &headers)) };
    marks_file(&app, &by, &contest, &ending).await
}

/// The marks of all teams, for the page of the administrator.
pub(crate) struct MarksTable {
    pub(crate) marks: Marks,
    /// The version of each team.
    pub(crate) versions: Vec<Option<u32>>,
}

impl MarksTable {
    pub(crate) fn rows(&self) -> impl Iterator<Item = (&StudentMarks, Option<u32>)> {
        self.marks.students.iter().zip(self.versions.iter().copied())
    }
}

/// A number of games in words.
pub(crate) fn games(marks: &MarksView) -> String {
    rules::counted(u32::try_from(marks.games).unwrap_or(u32::MAX), "game")
}

/// Points as plans have them.
pub(crate) fn points(number: impl Borrow<f64>) -> String {
    figures(*number.borrow())
}

/// The points for a criterion of those that there are.
pub(crate) fn points_of(criterion: &CriterionView) -> String {
    format!("{} of {}", figures(criterion.points), figures(criterion.most))
}
