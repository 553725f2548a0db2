//! The plan by which the bots of a contest are marked. It is kept whole: a restart needs no file.

use super::{ContestSettings, Entries, is_built_in, none};
use grading::{Baseline, Plan, PlanLimits};
use rules::GameKind;
use std::path::Path;

/// The settings with the plan in this file, which begins in the folder, or with the plan that they have. It gets the game of the contest.
///
/// # Errors
/// The file cannot be read, or the plan is one for another game.
pub(crate) fn with_plan(
    mut contest: ContestSettings,
    file: Option<&str>,
    folder: Option<&Path>,
) -> Result<ContestSettings, String> {
    let wrong = |why: String| format!("plan: {why}");
    let plan = match (file, folder) {
        (None, _) => contest.plan.take().map(|plan| *plan),
        (Some(file), Some(folder)) => Some(read(&folder.join(file)).map_err(wrong)?),
        (Some(_), None) => {
            return Err(wrong(
                "the path of a file is for contest files; here it is the plan itself, as a table".into(),
            ));
        }
    };
    let plan = plan.map(|plan| of_contest(plan, &contest, file.is_some())).transpose().map_err(wrong)?;
    contest.plan = plan.map(Box::new);
    Ok(contest)
}

/// The plan in a file.
fn read(path: &Path) -> Result<Plan, String> {
    let plan = Plan::read(path).map_err(|error| runner::with_causes(&error))?;
    // Paths begin there whatever folder the server is started in, and the journal is text.
    let folder = std::path::absolute(&plan.folder).map_err(|error| error.to_string())?;
    folder.to_str().ok_or_else(|| format!("the name of the folder {} is not Unicode", folder.display()))?;
    Ok(Plan { folder, rules: None, ..plan })
}

/// The plan with the game of the contest, from whose settings it follows.
fn of_contest(plan: Plan, contest: &ContestSettings, is_file: bool) -> Result<Plan, String> {
    if plan.rules.is_some() {
        return Err("leave rules out: they are those of the contest".to_owned());
    }
    let game = if is_file { plan.game() } else { plan.game.unwrap_or(contest.game) };
    let title = GameKind::title;
    if game != contest.game {
        return Err(format!("its game is {}, and that of the contest is {}", title(game), title(contest.game)));
    }
    if is_file || plan.settings != none() {
        let own = ContestSettings { settings: plan.settings, plan: None, ..contest.clone() };
        if own.whole_rules()? != contest.whole_rules()? {
            return Err("its rules or settings of the game are not those of the contest".to_owned());
        }
    }
    Ok(Plan { game: Some(game), settings: none(), ..plan })
}

/// The plan of a contest with the settings and the limits of that.
pub(crate) fn plan_of(contest: &ContestSettings) -> Option<Plan> {
    let plan = contest.plan.as_deref()?.clone();
    let limits = PlanLimits {
        memory: contest.memory,
        build_time: contest.build_time / 1000,
        build_network: contest.build_network,
        ..plan.limits
    };
    Some(Plan { game: Some(contest.game), settings: contest.settings.clone(), limits, ..plan })
}

/// The baselines of the plan that are folders.
pub(crate) fn folders(contest: &ContestSettings) -> impl Iterator<Item = (&Plan, &Baseline)> {
    let all = contest
        .plan
        .as_deref()
        .into_iter()
        .flat_map(|plan| plan.baselines.iter().map(move |baseline| (plan, baseline)));
    all.filter(|(_, baseline)| !is_built_in(&baseline.bot))
}

/// Checks the plan of a contest.
pub(crate) fn check(contest: &ContestSettings) -> Result<(), String> {
    let Some(plan) = plan_of(contest) else { return Ok(()) };
    if contest.entries != Entries::Upload {
        return Err("only bots that are handed in as code are marked; entries is upload".to_owned());
    }
    plan.check()?;
    match folders(contest).find(|(plan, _)| plan.folder.as_os_str().is_empty()) {
        Some((_, Baseline { bot, .. })) => Err(format!(
            "there is no built-in player {bot:?}; a folder needs a plan in a file beside that of the contest"
        )),
        None => Ok(()),
    }
}

/// Checks that the baselines of the plan that are folders are there.
pub(crate) fn check_folders(contest: &ContestSettings) -> Result<(), String> {
    for (plan, Baseline { name, bot, .. }) in folders(contest) {
        let folder = plan.folder.join(bot);
        if !folder.join("bot.json").is_file() {
            return Err(format!("plan: the baseline {name:?} has no bot.json in {}", folder.display()));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::ContestName;
    use super::*;
    use std::fs;

    const CONTEST: &str = r#"
        name = "autumn"
        title = "Autumn"
        game = "entelect-2017"
        plan = "plan.toml"
        memory = 512
        [settings]
        size = "small"
    "#;
    const PLAN: &str = r#"
        title = "Assignment"
        seed = 1
        settings = { size = "small" }
        [[baseline]]
        name = "weak"
        bot = "builtin:random"
        [[baseline]]
        name = "own"
        bot = "own"
        hidden = true
        [[criterion]]
        name = "wins"
        points = 3
        against = "weak"
        score = 0.6
    "#;

    fn read_in(folder: &Path, contest: &str, plan: &str) -> Result<(ContestName, ContestSettings), String> {
        fs::write(folder.join("plan.toml"), plan).unwrap();
        ContestSettings::from_toml(contest, Some(folder))
    }

    #[test]
    fn a_plan_is_kept_whole_with_the_limits_of_the_contest_and_shown_to_nobody() {
        let folder = tempfile::tempdir().unwrap();
        let (_, settings) = read_in(folder.path(), CONTEST, PLAN).unwrap();
        fs::remove_file(folder.path().join("plan.toml")).unwrap();
        let text = serde_json::to_string(&settings).unwrap();
        assert_eq!(serde_json::from_str::<ContestSettings>(&text).unwrap(), settings);
        let table = toml::Table::try_from(&settings).unwrap();
        assert_eq!(table.try_into::<ContestSettings>().unwrap(), settings, "as the page of the administrator has it");
        let plan = plan_of(&settings).unwrap();
        assert_eq!((plan.limits.memory, plan.settings["size"].as_str()), (512, Some("small")));
        assert_eq!(plan.folder, folder.path());
        assert!(settings.for_all().plan.is_none());
        assert!(check_folders(&settings).unwrap_err().contains("the baseline \"own\" has no bot.json in "));
    }

    #[test]
    fn a_plan_of_something_else_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let refused = |contest: &str, plan: &str| read_in(folder.path(), contest, plan).unwrap_err();
        for (plan, why) in [
            (PLAN.replace("small", "large"), "not those of the contest"),
            (PLAN.replace("settings = { size = \"small\" }", ""), "not those of the contest"),
            (PLAN.replace("settings = { size = \"small\" }", "game = \"sea-battle\""), "its game is Sea Battle"),
            (PLAN.replace("0.6", "6"), "score is 0.01 to 1"),
        ] {
            let told = refused(CONTEST, &plan);
            assert!(told.starts_with("plan: ") && told.contains(why), "{told}");
        }
        let services =
            CONTEST.replace("entelect-2017", "sea-battle").replace("[settings]\n", "").replace("size = \"small\"", "");
        let services = services.replace("memory", "entries = \"both\"\nmemory");
        let plan = PLAN.replace("settings = { size = \"small\" }", "game = \"sea-battle\"");
        assert!(refused(&services, &plan).contains("entries is upload"));
        assert!(ContestSettings::from_toml(CONTEST, None).unwrap_err().contains("for contest files"));
    }
}
