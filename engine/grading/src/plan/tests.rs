//! Tests of plans.

use super::*;

const PLAN: &str = r#"
    title = "Test"
    game = "sea-battle"
    seed = 1
    [[baseline]]
    name = "weak"
    bot = "builtin:random"
    [[baseline]]
    name = "own"
    bot = "baselines/own"
    [[criterion]]
    name = "wins"
    points = 3
    against = "weak"
    score = 0.6
"#;

#[test]
fn mistakes_are_told_in_words() {
    let told = |from: &str, to: &str| {
        assert!(PLAN.contains(from), "{from}");
        Plan::from_toml(&PLAN.replace(from, to), Path::new("a/plan.toml")).unwrap_err().to_string()
    };
    for (from, to, why) in [
        ("points = 3", "points = \"3\"", "a/plan.toml, line 13: invalid type: string"),
        ("score = 0.6", "scores = 0.6", "line 15: unknown field `scores`"),
        ("score = 0.6", "score = 60", "score is 0.01 to 1, not 60"),
        ("score = 0.6", "", "[[criterion]] \"wins\": it has one of score, shots and lost-turns"),
        ("score = 0.6", "score = 0.6\nshots = 4", "it has one of score, shots and lost-turns"),
        ("against = \"weak\"", "against = \"week\"", "there is no baseline \"week\", only weak, own"),
        ("against = \"weak\"", "", "against is one of weak, own"),
        ("name = \"own\"", "name = \"weak\"", "each [[baseline]] has a name of its own"),
        ("name = \"own\"", "name = \"\"", "which is not empty"),
        ("seed = 1", "seed = 1\nconfidence = 1", "confidence is 0.5 to 0.999999, not 1"),
        ("seed = 1", "seed = 1\ngames = { at-most = 3 }", "games.at-most is 20 to 100000, not 3"),
        ("seed = 1", "seed = 1\nsettings = { size = \"small\" }", "the settings of the game: unknown field `size`"),
        ("seed = 1", "seed = 1\nrules = \"russian\"", "the plan has another game"),
        ("sea-battle", "salvo", "the bots of salvo"),
        ("seed = 1", "", "missing field `seed`"),
        ("game = \"sea-battle\"", "limits = { answer = 9 }", "limits.answer is not for entelect-2017"),
        ("seed = 1", "seed = 1\nlimits = { answer = 0 }", "limits.answer is 1 to 600000, not 0"),
        ("seed = 1", "seed = 1\ndeadline = 2026-10-30", "deadline is like 2026-10-30T23:59:00+01:00, not 2026-10-30"),
    ] {
        let told = told(from, to);
        assert!(told.contains(why), "{told}");
    }
    for time in ["2026-10-30 23:59:00+01:00", "\"2026-10-30T22:59:00Z\""] {
        let plan = PLAN.replace("seed = 1", &format!("seed = 1\ndeadline = {time}"));
        let deadline = Plan::from_toml(&plan, Path::new("plan.toml")).unwrap().deadline.unwrap();
        assert_eq!(deadline.to_rfc3339(), "2026-10-30T22:59:00+00:00");
    }
    let none = Plan::from_toml(&PLAN[..PLAN.find("[[criterion]]").unwrap()], Path::new("plan.toml")).unwrap_err();
    assert_eq!(none.to_string(), "plan.toml: there is no [[criterion]]");
    let rules = told("game = \"sea-battle\"", "rules = \"rusian\"");
    assert_eq!(rules, "there are no rules called \"rusian\", and no such file");
}

#[test]
fn rules_and_baselines_are_found_beside_the_plan() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("ours.toml"), "shots = 2").unwrap();
    let path = folder.path().join("plan.toml");
    std::fs::write(&path, PLAN.replace("game = \"sea-battle\"", "rules = \"ours.toml\"")).unwrap();
    let plan = Plan::read(&path).unwrap();
    assert_eq!((plan.game(), &plan.settings["shots"]), (GameKind::Battleship, &serde_json::json!(2)));
    assert_eq!(plan.folder, folder.path());
    assert_eq!(plan.criteria[0].baselines(&plan), [0]);
}
