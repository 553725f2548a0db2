//! The JSON of the API about marks.

use serde::Serialize;
use utoipa::ToSchema;

/// The marks of a team for its bot, as far as its plan shows them: no criterion that is hidden, and nothing of others.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct MarksView {
    /// The title of the plan.
    pub title: String,
    /// The number of the version that the marks are of: the newest that was accepted; without one, the newest that was rejected. Without
    /// a verdict there is none.
    pub version: Option<u32>,
    /// True while games are played from which marks follow.
    pub is_being_marked: bool,
    /// The number of games so far.
    pub games: u64,
    /// True if it was handed in after the deadline of the plan.
    pub is_late: bool,
    /// The reason why the bot does not play, if so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub failing: Option<String>,
    /// The points so far.
    pub points: f64,
    /// The points for who meets all criteria.
    pub most: f64,
    /// The criteria, in the order of the plan.
    pub criteria: Vec<CriterionView>,
}

/// A criterion, and the mark for it.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CriterionView {
    /// The name.
    pub name: String,
    /// The condition, in words.
    pub condition: String,
    /// The points for who meets it.
    pub most: f64,
    /// The points.
    pub points: f64,
    /// The judgement: `met`, `not-met`, `nearly-met`, `nearly-not-met`, or `open` as long as it is being marked.
    #[schema(value_type = String)]
    pub judgement: grading::Judgement,
    /// The reason, in words.
    pub reason: String,
    /// The mean that was measured: its `unit`, `mean`, `error` (half of the 95 % interval), `bound` and the number of `games`.
    #[schema(value_type = Option<Object>)]
    pub measured: Option<grading::Measured>,
}

/// Marks have changed, in the events of a contest.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub(crate) struct MarksEvent {
    /// The number of teams that have their marks.
    pub marked: usize,
    /// The number of all whose newest version has a verdict.
    pub of: usize,
}

impl CriterionView {
    /// The judgement in words.
    pub(crate) fn words(&self) -> &'static str {
        match self.judgement {
            grading::Judgement::Open => "being marked",
            judged => judged.in_words(),
        }
    }
}
