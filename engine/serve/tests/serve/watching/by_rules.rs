//! A contest of Battleship by rules: its page, its screens, and a match of a visitor.

use crate::accessibility::check;
use crate::browser::Chromium;
use crate::server::Arena;
use crate::server::contest::Entry;
use rules::battleship::Rules;
use serde_json::{Value, json};

/// A bot that fires at the same cells in every move.
const FIRES: [(&str, &str); 2] = [
    ("bot.json", r#"{"NickName":"N","BotType":"Executable","RunFile":"bot.sh","Stay":true}"#),
    ("bot.sh", "#!/bin/sh\nwhile read -r question; do echo '{\"shots\":[[0,0],[1,1],[2,2],[3,3]]}'; done\n"),
];

/// Salvos of four shots at drawn fleets, a radar and torpedoes.
fn salvos() -> Value {
    json!({
        "name": "salvos", "board": {"width": 8, "height": 8}, "fleets": "drawn", "shots": 4,
        "fleet": [{"name": "crown", "shape": ["#.#", "###"]}, {"name": "boat", "count": 2, "size": 3}],
        "specials": [
            {"name": "radar", "kind": "radar", "area": ["###", "###", "###"]},
            {"name": "torpedoes", "kind": "area-shot", "area": [".#.", "###", ".#."]},
        ],
    })
}

#[test]
fn a_contest_tells_its_rules_shows_its_salvos_and_lets_visitors_take_special_actions() {
    let change = json!({"game": "battleship", "settings": salvos(), "people": true, "baselines": ["builtin:hunter"]});
    let arena = Arena::with_contest(&change);
    let site = arena.site;
    let file = site.get("/api/contests/autumn/rules.toml");
    let told = rule_files::read(&file.body, "rules.toml".as_ref()).unwrap();
    assert_eq!(told, serde_json::from_value::<Rules>(salvos()).unwrap());
    let mut ann = Entry::register(site, "Ann");
    let verdict = ann.submit(&FIRES);
    assert_eq!(verdict["state"], "accepted", "{verdict}");
    ann.plays("Ann v1", 2);
    Chromium::run(|chromium| {
        let open = |path: &str| chromium.open(&format!("http://{}/c/autumn{path}", site.0));
        let page = open("");
        let text: String = page.value("document.querySelector('#rules-title').parentElement.innerText");
        let sentences = rule_files::plays(&told);
        assert!(sentences.iter().all(|sentence| text.contains(sentence.as_str())), "{text}");
        check(&page);
        for path in ["/view", "/overlay"] {
            let screen = open(path);
            // The sentence of a salvo is not wider than its place.
            screen.until("document.querySelector('.sentence.long')?.textContent.includes('shots at ')");
            screen.until("document.querySelector('#deed').scrollWidth <= document.querySelector('#deed').clientWidth");
            check(&screen);
        }
        let tab = open("/play");
        tab.reach("form button");
        tab.press("Enter");
        tab.arrive("document.body.dataset.asked === 'order'");
        for (key, special) in [("2", "radar"), ("3", "torpedoes")] {
            tab.until("document.body.dataset.asked === 'order'");
            tab.press(key);
            tab.until(&format!("document.querySelector('#orders input:checked').value === '{special}'"));
            tab.reach(".target .choice");
            tab.press("Enter");
            tab.until(&format!("document.querySelector('#result').textContent.includes('{special} at 0,0')"));
        }
        tab.until("document.body.dataset.asked === 'order'");
        check(&tab);
    });
}
