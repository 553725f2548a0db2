//! The files in `sample-state/battleship` are questions that the engine asks today and answers that it reads, and all of them fit the
//! schema in `docs/protocols`.
//!
//! `BROADSIDE_BLESS=1 cargo test -p arena battleship_messages` writes them anew.

use crate::schemas::schema;
use rules::battleship::{Battleship, Json, Known, Order, Placed, Rules, Target, place_at_random, placed};
use rules::{Answer, AnswerRef, BySeat, Dialect, Fault, Game, Listed, Part, Point, Seat, seat_seed};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::{env, fs};

const SEED: u64 = 38;

/// The choices of each match that is kept, the number of its players, and the turns whose questions to A and B are kept.
fn matches() -> [(&'static str, Value, u8, &'static [u32]); 6] {
    let ship = |name: &str, count: u8, size: u8| json!({ "name": name, "count": count, "size": size });
    let russian = [ship("battleship", 1, 4), ship("cruiser", 2, 3), ship("destroyer", 3, 2), ship("boat", 4, 1)];
    let shapes = json!([
        { "name": "carrier", "shape": ["#.#", "###"] },
        { "name": "cruiser", "count": 2, "size": 3, "armour": 2 },
        { "name": "submarine", "size": 2 }
    ]);
    let specials = json!([
        { "name": "radar", "uses": 2, "kind": "radar", "area": ["###", "###", "###"], "misses": ["submarine"] },
        { "name": "torpedoes", "needs": "submarine", "kind": "area-shot", "area": [".#.", "###", ".#."] },
        { "name": "sonar", "kind": "sonar" }
    ]);
    [
        ("classic", json!({}), 2, &[0, 1, 2, 61]),
        (
            "russian",
            json!({ "name": "russian", "fleet": russian, "touching": "none", "again": "on-hit",
                "told": { "sunk": "around" }, "bad-fleet": "refused", "repeated": "refused" }),
            2,
            &[0, 40],
        ),
        (
            "salvo",
            json!({ "name": "salvo", "turns": "together", "shots": "ships-afloat", "told": { "hit": "total" } }),
            2,
            &[1, 6],
        ),
        ("solo", json!({ "name": "solo", "turns": "solo", "limit": { "turns": 60 } }), 1, &[0, 30]),
        (
            "specials",
            json!({ "name": "specials", "board": { "width": 9, "height": 11 }, "fleet": shapes, "mirror": true,
                "touching": "corners", "specials": specials, "seen": false,
                "limit": { "turns": 80, "then": "hits" } }),
            2,
            &[0, 5, 9, 40],
        ),
        (
            "three-players",
            json!({ "name": "three players", "board": { "width": 7, "height": 6 },
            "fleet": [ship("cruiser", 1, 3), ship("boat", 2, 2)], "first": "drawn", "seats": 4 }),
            3,
            &[0, 1, 34],
        ),
    ]
}

/// Legal orders: special actions while there are some, then the first unknown cells beside a hit, or of a spread over the board. The first
/// fleet of the russian match is refused.
fn order(game: &Battleship, seat: Seat) -> Answer<Order> {
    let view = game.view(seat);
    if view.placing {
        let fleet = place_at_random(&view.rules, &mut rules::random(seat_seed(SEED, seat))).unwrap();
        let mut ships = placed(&view.rules, &fleet);
        if view.turn == 0 && view.rules.choices().name == "russian" && seat == Seat::A {
            ships.pop();
        }
        return Ok(Order::Place(ships));
    }
    let grid = view.rules.grid();
    let known = |at: Seat, cell: Point| grid.index(cell).map(|index| view.boards[at].cells[index]);
    let is_hit = |at: Seat, cell: Option<Point>| {
        let known = cell.and_then(|cell| known(at, cell));
        matches!(known, Some(Known::Hit | Known::Damaged))
    };
    let value = |at: Seat, cell: Point| match known(at, cell) {
        Some(Known::Ship | Known::Damaged) => 0,
        Some(Known::Unknown)
            if [(0, 1), (1, 0), (0, -1), (-1, 0)].iter().any(|(x, y)| is_hit(at, cell.offset(*x, *y))) =>
        {
            1
        }
        Some(Known::Unknown) => 2 + (cell.x * 7 + cell.y * 3) % 11,
        _ => 100,
    };
    let cells = view.targets().flat_map(|at| grid.points().map(move |cell| Target { at: Some(at), cell }));
    let mut cells: Vec<Target> = cells.collect();
    cells.sort_by_key(|target| value(target.at.unwrap(), target.cell));
    let special = view.uses.iter().position(|uses| *uses > 0).filter(|_| view.turn % 6 >= 4);
    Ok(match special {
        Some(nth) => Order::Use { special: view.rules.choices().specials[nth].name.clone(), aim: cells[0] },
        None => Order::Fire(cells.into_iter().take(view.shots as usize).collect()),
    })
}

/// The lines of one match: each question with its answer behind it.
fn lines(choices: &Value, seats: u8, kept: &[u32]) -> String {
    let rules: Rules = serde_json::from_value(choices.clone()).unwrap();
    let names: BySeat<String> =
        ["Kraken", "Hunter", "Nelson"].iter().take(seats.into()).map(|name| (*name).to_owned()).collect();
    let dialect = Json::new("7c9e6679-7425-40de-944b-e07fc1f90ae7", names);
    let mut game = Battleship::start(&rules, seats, SEED).unwrap();
    let mut lines = String::new();
    while !game.awaited().is_empty() && game.turn() <= kept[kept.len() - 1] + 1 {
        let awaited = game.awaited();
        let answers: Vec<(Seat, Answer<Order>)> = awaited.iter().map(|seat| (seat, order(&game, seat))).collect();
        // A question after a refusal shows it.
        let asked = |seat: Seat| kept.contains(&game.turn()) || game.view(seat).refused.is_some();
        for (seat, answer) in answers.iter().filter(|(seat, _)| asked(*seat)) {
            let question = dialect.ask(*seat, &game.view(*seat));
            let [answer] = &Battleship::write(answer.as_ref().unwrap())[..] else { panic!("one part") };
            assert_eq!(question.answer, answer.name);
            for bytes in [&question.body, &answer.bytes] {
                lines += std::str::from_utf8(bytes).unwrap();
                lines += "\n";
            }
        }
        game.step(|seat| -> AnswerRef<'_, Order> {
            let answer = answers.iter().find(|(who, _)| *who == seat).map(|(_, answer)| answer.as_ref());
            answer.unwrap_or(Err(&Fault::NothingWritten))
        });
    }
    lines
}

fn samples() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sample-state/battleship")
}

#[test]
fn the_samples_are_what_the_engine_asks_and_reads() {
    for (name, choices, seats, kept) in matches() {
        let today = lines(&choices, seats, kept);
        let path = samples().join(format!("{name}.jsonl"));
        if env::var_os("BROADSIDE_BLESS").is_some() {
            fs::write(&path, &today).unwrap();
        }
        assert!(fs::read_to_string(&path).unwrap() == today, "{name}.jsonl is not what the engine asks");
    }
}

#[test]
fn the_samples_show_what_they_promise() {
    let text = |name: &str| fs::read_to_string(samples().join(name)).unwrap();
    let all: String = matches().iter().map(|(name, ..)| text(&format!("{name}.jsonl"))).collect();
    let telling = [
        r#""refused":"the boat is missing""#,
        r#""hits":[{"turn":1,"by":"A","shots":5,"#,
        r#""result":"damaged""#,
        r#""result":"untold""#,
        r#""special":"radar","at":"B","aim":["#,
        r#""distance":"#,
        r#""seat":"A","player":"Kraken","target":true"#,
        r#""seat":"C","player":"Nelson","target":false"#,
        r#""name":"cruiser","cells":[["#,
        r#"{"special":"radar","aim":["#,
        r#"s~"#,
    ];
    for shown in telling {
        assert!(all.contains(shown), "no sample shows {shown}");
    }
}

#[test]
fn questions_and_answers_fit_the_schema_and_it_refuses_others() {
    let schema = schema("protocols/battleship.schema.json");
    let mut seen = Vec::new();
    for (name, ..) in matches() {
        let text = fs::read_to_string(samples().join(format!("{name}.jsonl"))).unwrap();
        crate::schemas::assert_fits(&schema, &text);
        seen.extend(text.lines().map(str::to_owned));
    }
    let changes = [
        (r#""act":"place""#, r#""act":"wait""#),
        (r#""moves-left""#, r#""left""#),
        (r#""refused":null,"#, ""),
        (r#""result":"miss""#, r#""result":"water""#),
        (r#""rows":["#, r#""rows":[7,"#),
        (r#""touching":"none""#, r#""touching":"some""#),
        (r#"{"shots":[["#, r#"{"shots":[["C","#),
        (r#"{"ships":[{"#, r#"{"ships":[{"size":3,"#),
    ];
    crate::schemas::assert_refuses(&schema, seen.iter().map(String::as_str), &changes);
}

#[test]
fn answers_of_the_samples_are_read_as_they_were_meant() {
    let game = Battleship::start(&Rules::default(), 2, SEED).unwrap();
    for (name, ..) in matches() {
        let text = fs::read_to_string(samples().join(format!("{name}.jsonl"))).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        for pair in lines.chunks(2) {
            let question: Value = serde_json::from_str(pair[0]).unwrap();
            let act = if question["act"] == "place" { "place" } else { "fire" };
            let read = game.read(&[Part { name: act, bytes: pair[1].as_bytes().to_vec() }]).unwrap();
            assert_eq!(Battleship::write(&read)[0].bytes, pair[1].as_bytes(), "{name}");
        }
    }
}

/// The drawings of a block of `docs/rules-file.md` in columns: the value in the first line, and the rows below it.
fn drawings(test: &str) -> Vec<(String, Vec<String>)> {
    let page = crate::schemas::docs("rules-file.md");
    let (_, block) = page.split_once(&format!("<!-- tested by: {test} -->\n```text\n")).unwrap();
    let (block, _) = block.split_once("```").unwrap();
    let words = |line: &str| line.split_whitespace().map(str::to_owned).collect::<Vec<_>>();
    let rows: Vec<Vec<String>> = block.lines().map(words).collect();
    let column =
        |(nth, value): (usize, &String)| (value.clone(), rows[1..].iter().map(|row| row[nth].clone()).collect());
    rows[0].iter().enumerate().map(column).collect()
}

/// The cells of a drawing with this sign.
fn drawn(rows: &[String], sign: char) -> Vec<Point> {
    let cells =
        rows.iter().zip(0..).flat_map(|(row, y)| row.chars().zip(0..).map(move |(at, x)| (at, Point::new(x, y))));
    cells.filter(|(at, _)| *at == sign).map(|(_, cell)| cell).collect()
}

fn rules(text: &str) -> Rules {
    serde_json::from_str(text).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn the_drawings_of_touching_are_true() {
    let all = drawings("the_drawings_of_touching_are_true");
    let may_lie = |rows: &[String], touching: &str| {
        let fleet = r#"[{"name": "A", "size": 3}, {"name": "B", "size": 2}]"#;
        let rules = rules(&format!(
            r#"{{"board": {{"width": 5, "height": 3}}, "fleet": {fleet}, "touching": {touching}, "bad-fleet": "loses"}}"#
        ));
        let ship = |name: char| Placed { name: Some(name.to_string()), cells: drawn(rows, name) };
        let game = Battleship::start(&rules, 2, SEED).unwrap();
        game.check(Seat::A, &Order::Place(vec![ship('A'), ship('B')])).is_ok()
    };
    assert_eq!(all.len(), 3);
    for (nth, (_, rows)) in all.iter().enumerate() {
        let allowed: Vec<bool> = all.iter().map(|(touching, _)| may_lie(rows, touching)).collect();
        assert_eq!(allowed, (0..3).map(|stricter| stricter <= nth).collect::<Vec<_>>(), "{rows:?}");
    }
}

#[test]
fn the_drawings_of_sunk_ships_are_true() {
    let all = drawings("the_drawings_of_sunk_ships_are_true");
    assert_eq!(all.len(), 6);
    for (told, shown) in all {
        let fleet = r#"[{"name": "boat", "size": 3}, {"name": "other", "size": 1}]"#;
        let rules = rules(&format!(
            r#"{{"board": {{"width": 5, "height": 5}}, "fleet": {fleet}, "touching": "none", "told": {{"sunk": {told}}}}}"#
        ));
        let mut game = Battleship::start(&rules, 2, SEED).unwrap();
        let boat = [1, 2, 3].map(|x| Point::new(x, 1));
        let ship = |cells: &[Point]| Placed { name: None, cells: cells.to_vec() };
        let place = Order::Place(vec![ship(&boat), ship(&[Point::new(0, 4)])]);
        game.step(|_| Ok(&place));
        for cell in [boat[0], boat[2], boat[1]] {
            let fire = Order::Fire(vec![Target::cell(cell)]);
            game.step(|_| Ok(&fire));
            game.step(|_| Ok(&fire));
        }
        let question =
            Json::new("m", BySeat::from_iter([String::new(), String::new()])).ask(Seat::A, &game.view(Seat::A));
        let question: Value = serde_json::from_slice(&question.body).unwrap();
        let rows: Vec<&str> = (0..3).map(|y| question["boards"][1]["rows"][y].as_str().unwrap()).collect();
        assert_eq!(rows, shown, "{told}");
        let sunk = &question["boards"][1]["sunk"];
        assert_eq!(sunk[0]["size"].is_null(), [r#""nothing""#, r#""that""#].contains(&&*told), "{told}: {sunk}");
    }
}

#[test]
fn the_table_of_choices_has_all_of_them_with_their_values_and_defaults() {
    let page = crate::schemas::docs("rules-file.md");
    let schema: Value = serde_json::from_str(&crate::schemas::docs("protocols/battleship.schema.json")).unwrap();
    let defaults = serde_json::to_value(Rules::default()).unwrap();
    let assert_row = |key: &str, of: &Value, default: &Value| {
        let rows: Vec<&str> = page.lines().filter(|line| line.starts_with(&format!("| `{key}` |"))).collect();
        assert!(!rows.is_empty(), "{key} is missing");
        let of = of["$ref"].as_str().map_or(of, |name| &schema["$defs"][name.rsplit('/').next().unwrap()]);
        let lists = [of.clone()].into_iter().chain(of["oneOf"].as_array().cloned().unwrap_or_default());
        for value in lists.flat_map(|of| of["enum"].as_array().cloned().unwrap_or_default()) {
            assert!(rows.iter().any(|row| row.contains(&value.to_string())), "{key}: {value} is missing");
        }
        if default.is_boolean() || default.is_number() || default.is_string() && !["name", "about"].contains(&key) {
            assert!(rows.iter().any(|row| row.ends_with(&format!("| `{default}` |"))), "{key}: {default} is missing");
        }
    };
    let keys = schema["$defs"]["rules"]["properties"].as_object().unwrap();
    for (key, of) in keys.iter().filter(|(key, _)| *key != "told") {
        assert_row(key, of, &defaults[key]);
        for (part, of) in of["items"]["properties"].as_object().into_iter().flatten() {
            assert_row(part, of, &Value::Null);
        }
    }
    for (key, of) in keys["told"]["properties"].as_object().unwrap() {
        assert_row(&format!("told.{key}"), of, &defaults["told"][key]);
    }
    for key in defaults.as_object().unwrap().keys() {
        assert!(keys.contains_key(key), "{key}");
    }
}
