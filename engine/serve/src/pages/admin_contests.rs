//! The administrator's page of contests, where they begin and get other settings.

use crate::contests::hidden_bots;
use crate::contests::marking::views;
use crate::contests::wire::ContestBotView;
use crate::http::app::{App, AppState};
use crate::http::contest_admin_api::set_contest;
use crate::pages::admin::{actor, log_in_first, login_page};
use crate::pages::contest_marks::MarksTable;
use crate::pages::filled_form::FilledForm;
use crate::pages::response::{Notice, PageResult, form_page, not_found};
use crate::state::contests::contest_settings::ContestSettings;
use crate::state::moderators::AdminAction;
use crate::state::request_error::{RequestError, RequestResult};
use crate::teams::actor::Actor;
use askama::Template;
use axum::Router;
use axum::extract::Path;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Redirect};
use axum::routing::get;
use rules::GameKind;
use std::sync::Arc;
use toml::{Table, Value};

/// The keys of a contest that have a field of their own, besides its name and its baselines.
const TEXTS: [&str; 6] = ["title", "game", "opens", "closes", "registration", "code"];

pub(crate) fn routes() -> Router<Arc<App>> {
    Router::new().route("/admin/contests", get(contests).post(set)).route("/admin/contests/{contest}", get(bots))
}

#[derive(Template)]
#[template(path = "admin_contests.html")]
struct ContestsPage {
    notice: Notice,
    csrf_token: String,
    /// The forms of all contests, and that of a new one.
    forms: Vec<ContestForm>,
}

/// The fields of a form with the settings of a contest.
#[derive(Default)]
struct ContestForm {
    /// The name of the contest; empty in the form of a new one.
    contest: String,
    /// The name that was typed for a new one.
    name: String,
    texts: [String; TEXTS.len()],
    baselines: String,
    /// All other settings, in TOML.
    other: String,
    /// True if it was sent, and could not be taken.
    is_open: bool,
}

impl ContestForm {
    /// The form of a contest with these settings.
    fn of(contest: &str, settings: &ContestSettings) -> ContestForm {
        // Null in the settings of a game has no form in TOML.
        let mut all = Table::try_from(settings).unwrap_or_default();
        let mut text = |key| match all.remove(key) {
            Some(Value::String(text)) => text,
            _ => String::new(),
        };
        let texts = TEXTS.map(&mut text);
        all.remove("baselines");
        let other = toml::to_string(&all).unwrap_or_default();
        let contest = contest.to_owned();
        ContestForm { contest, texts, baselines: settings.baselines.join(" "), other, ..ContestForm::default() }
    }

    /// The form as it was sent.
    fn sent(form: &FilledForm) -> ContestForm {
        let get = |name: &str| form.get(name).to_owned();
        let [contest, name, baselines, other] = ["contest", "name", "baselines", "other"].map(get);
        ContestForm { contest, name, texts: TEXTS.map(get), baselines, other, is_open: true }
    }

    fn is_new(&self) -> bool {
        self.contest.is_empty()
    }

    /// The value of the field of this key.
    fn text(&self, key: &str) -> &str {
        TEXTS.iter().position(|other| *other == key).map_or("", |at| &self.texts[at])
    }

    /// The games of contests: their names, and their titles.
    fn games() -> impl Iterator<Item = (&'static str, &'static str)> {
        let games = [GameKind::Entelect2017, GameKind::SeaBattle, GameKind::BotsArena, GameKind::Battleship];
        games.into_iter().map(|game| (game.name(), game.title()))
    }

    /// The teams that may hand bots in: the values of the setting, with their words.
    fn registrations() -> [(&'static str, &'static str); 3] {
        [
            ("open", "All teams of the server"),
            ("code", "Teams with the code of the contest"),
            ("list", "Teams on the list"),
        ]
    }

    /// The text of a contest file with these settings.
    fn to_toml(&self) -> Result<String, String> {
        let mut all: Table = toml::from_str(&self.other).map_err(|e| format!("other settings: {}", e.message()))?;
        let name = if self.is_new() { &self.name } else { &self.contest };
        let texts = TEXTS.iter().zip(&self.texts).map(|(key, text)| (*key, text.trim()));
        let texts = texts.chain([("name", name.trim())]).filter(|(_, text)| !text.is_empty());
        let baselines: Vec<Value> = self
            .baselines
            .split([' ', ',', '\n', '\r'])
            .map(str::trim)
            .filter(|name| !name.is_empty())
            .map(Value::from)
            .collect();
        let fields = texts.map(|(key, text)| (key, Value::from(text))).chain([("baselines", Value::from(baselines))]);
        for (key, value) in fields {
            if all.insert(key.to_owned(), value).is_some() {
                return Err(format!("other settings: {key} has a field of its own"));
            }
        }
        toml::to_string(&all).map_err(|e| e.to_string())
    }
}

/// The page, with the form that was sent in the place of its own one.
fn page(app: &Arc<App>, headers: &HeaderMap, notice: Notice, sent: Option<ContestForm>) -> PageResult {
    let mut forms: Vec<ContestForm> = app.host.store.look(|state| {
        state.contests.iter().map(|(name, contest)| ContestForm::of(name.as_str(), &contest.settings)).collect()
    });
    forms.push(ContestForm { baselines: "builtin:random".to_owned(), ..ContestForm::default() });
    if let Some(sent) = sent
        && let Some(own) = forms.iter_mut().find(|form| form.contest == sent.contest)
    {
        *own = sent;
    }
    Ok(form_page(&app.access, headers, notice, |notice, csrf_token| ContestsPage { notice, csrf_token, forms }))
}

async fn contests(app: AppState, headers: HeaderMap) -> PageResult {
    let Some(by) = actor(&app, &headers) else { return Ok(login_page(&app, &headers, Notice::Nothing)) };
    by.check(AdminAction::SetContest)?;
    page(&app, &headers, Notice::Nothing, None)
}

async fn set(app: AppState, form: FilledForm) -> PageResult {
    let Some(by) = actor(&app, &form.headers) else { return Ok(log_in_first(&app, &form.headers)) };
    // The page has what only the administrator may see.
    by.check(AdminAction::SetContest)?;
    let sent = ContestForm::sent(&form);
    match set_sent(&app, &by, &sent).await {
        Ok(()) => Ok(Redirect::to("/admin/contests").into_response()),
        Err(error) => page(&app, &form.headers, error.into(), Some(sent)),
    }
}

async fn set_sent(app: &Arc<App>, by: &Actor, sent: &ContestForm) -> RequestResult<()> {
    let text = sent.to_toml().map_err(RequestError::bad)?;
    let (name, settings) = ContestSettings::from_toml(&text, None).map_err(RequestError::bad)?;
    set_contest(app, by, name, settings, sent.is_new()).await.map(drop)
}

#[derive(Template)]
#[template(path = "admin_bots.html")]
struct BotsPage {
    notice: Notice,
    csrf_token: String,
    contest: String,
    title: String,
    bots: Vec<ContestBotView>,
    /// True if the visitor may see marks, and there is a plan for them.
    has_plan: bool,
    marks: Option<MarksTable>,
    /// The time until which versions count.
    closes: Option<String>,
}

/// The bots of a contest, with what administrators may do about them.
async fn bots(app: AppState, Path(contest): Path<String>, headers: HeaderMap) -> PageResult {
    let Some(by) = actor(&app, &headers) else { return Ok(login_page(&app, &headers, Notice::Nothing)) };
    let Ok(name) = app.contests.named(&contest) else { return Ok(not_found("There is no contest of this name.")) };
    let (title, closes, has_plan) = app.contests.look(&name, |contest| {
        let settings = &contest.settings;
        (settings.title.clone(), settings.closes.clone(), settings.plan.is_some())
    })?;
    let bots = hidden_bots::bots(&app.contests, &name)?;
    let has_plan = has_plan && by.may(AdminAction::SetContest);
    let marks = if has_plan { views::all(&app.contests, &name)? } else { None };
    let marks = marks.map(|(marks, versions)| MarksTable { marks, versions });
    let page = |notice, csrf_token| BotsPage { notice, csrf_token, contest, title, bots, has_plan, marks, closes };
    Ok(form_page(&app.access, &headers, Notice::Nothing, page))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_has_all_settings_of_a_contest() {
        let settings = serde_json::json!({"title": "Autumn \"26\"", "game": "entelect-2017", "settings": {"size": "small"},
            "baselines": ["builtin:random", "builtin:hunter"], "opens": "2026-12-01T18:00:00Z", "memory": 512});
        let settings: ContestSettings = serde_json::from_value(settings).unwrap();
        let mut form = ContestForm::of("autumn", &settings);
        assert_eq!(form.text("opens"), "2026-12-01T18:00:00Z");
        let (name, same) = ContestSettings::from_toml(&form.to_toml().unwrap(), None).unwrap();
        assert_eq!((name.as_str(), same), ("autumn", settings));
        form.other = "title = \"Another\"".to_owned();
        assert_eq!(form.to_toml().unwrap_err(), "other settings: title has a field of its own");
        form.other = "memory 512".to_owned();
        assert!(form.to_toml().unwrap_err().starts_with("other settings: "));
    }
}
