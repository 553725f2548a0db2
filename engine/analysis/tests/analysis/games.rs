//! The games and rules that are played in tests.

use rules::battleship::Rules;

/// Rules of a file in JSON, by name: what presets do not have.
const OTHERS: [&str; 8] = [
    r#"{"name": "nothing told of sinkings", "told": {"sunk": "nothing"}, "touching": "corners"}"#,
    r#"{"name": "cells of sinkings", "told": {"sunk": "cells"}, "touching": "none", "shots": 3}"#,
    r#"{"name": "totals of sinkings of a size", "seats": 3, "shots": 4, "told": {"hit": "total", "sunk": "size"}}"#,
    r#"{"name": "totals without sinkings", "shots": "own-cells-afloat", "told": {"hit": "total", "sunk": "nothing"},
        "board": {"width": 7, "height": 6}, "fleet": [{"name": "one", "size": 1, "count": 2}, {"name": "two", "size": 3}]}"#,
    r####"{"name": "armour and radar", "told": {"sunk": "that"}, "seats": 3, "board": {"width": 8, "height": 8}, "fleet": [
        {"name": "soft", "size": 3, "count": 2}, {"name": "hard", "size": 2, "armour": 3}, {"name": "harder", "size": 2, "armour": 2}],
        "specials": [{"name": "look", "kind": "radar", "area": ["###", "#.#", "###"], "uses": 3, "misses": ["soft"]}]}"####,
    r####"{"name": "sonar and areas", "turns": "together", "told": {"sunk": "name"}, "specials": [
        {"name": "listen", "kind": "sonar", "uses": 4}, {"name": "bomb", "kind": "area-shot", "area": ["#.#", ".#.", "#.#"], "uses": 3},
        {"name": "line", "kind": "area-shot", "area": ["###"], "uses": 3}]}"####,
    r####"{"name": "shapes", "mirror": true, "told": {"sunk": "size"}, "touching": "corners", "fleet": [
        {"name": "hook", "shape": ["#..", "###"], "count": 2}, {"name": "square", "shape": ["##", "##"]}, {"name": "line", "size": 3}]}"####,
    r####"{"name": "armour and totals", "shots": 3, "told": {"hit": "total", "sunk": "name"}, "fleet": [
        {"name": "soft", "size": 4}, {"name": "hard", "size": 3, "armour": 2}], "board": {"width": 6, "height": 6},
        "specials": [{"name": "listen", "kind": "sonar", "uses": 2}]}"####,
];

/// Rules in which a seat knows all shots at the boards at which it fires, each with a number of players.
pub(crate) fn open() -> Vec<(Rules, u8)> {
    let presets =
        ["classic", "russian", "salvo-classic", "sea-battle", "brainjar", "stack-overflow-salvo", "kogan-hackday"];
    let presets = presets.map(|name| rule_files::find(name).unwrap());
    let others = OTHERS.map(|text| serde_json::from_str::<Rules>(text).unwrap());
    presets.into_iter().chain(others).map(|rules| (rules.clone(), rules.choices().seats.min(3))).collect()
}

/// Rules in which each player fires at the same fleet, which is drawn.
pub(crate) fn solo() -> Vec<(Rules, u8)> {
    let presets = ["areno", "panaxeo-2023", "itechmeat", "gym-battleship", "month-challenges"];
    presets.map(|name| (rule_files::find(name).unwrap(), 2)).into()
}

/// Rules for three players that do not see the shots of others.
pub(crate) fn unseen() -> Vec<(Rules, u8)> {
    let each = |told: &str| {
        format!(
            r#"{{"seats": 3, "seen": false, "shots": 2, "told": {{{told}}}, "fleet": [
        {{"name": "soft", "size": 3, "count": 2}}, {{"name": "hard", "size": 2, "armour": 2}}], "specials": [
        {{"name": "listen", "kind": "sonar", "uses": 4}}], "board": {{"width": 7, "height": 7}}}}"#
        )
    };
    let texts = [each(r#""sunk": "name""#), each(r#""sunk": "cells""#), each(r#""hit": "total""#)];
    let rules = texts.iter().map(|text| serde_json::from_str(text).unwrap());
    rules.chain([rule_files::find("salvo").unwrap()]).map(|rules| (rules, 3)).collect()
}
