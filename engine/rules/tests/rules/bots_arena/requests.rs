//! The requests to bots, letter by letter. The files in sample-state/bots-arena that begin with `init` or `fight` in the
//! folder `form` are the text's own examples.

use super::{USUAL, both, place, result, settings, start, usual};
use rules::bots_arena::{Body, BotsArena, Order, Requests, Settings};
use rules::{BOUNDARY, BySeat, ContentType, Dialect, Game, HttpRequest, Listed, Part, Point, Seat};

macro_rules! sample {
    ($path:literal) => {
        include_str!(concat!("../../../../../sample-state/bots-arena/", $path))
    };
}

fn requests(body: Body, number: u32) -> Requests {
    Requests::new(body, number, BySeat::from_iter(["StupidsIA".to_owned(), "stupidIA".to_owned()]))
}

fn ask(body: Body, number: u32, game: &BotsArena, seat: Seat) -> HttpRequest {
    requests(body, number).ask(seat, &game.view(seat))
}

fn assert_asks(request: &HttpRequest, answer: &str, content: ContentType, text: &str) {
    assert_eq!((request.path, request.content, request.answer), (None, content, answer));
    assert_eq!(String::from_utf8(request.body.clone()).unwrap(), text);
}

/// The match of the text's examples: what A sees at its first, second and third strike.
fn example() -> [BotsArena; 3] {
    let mut game = start(Settings::default());
    let a = [((0, 0), (4, 0)), ((0, 1), (3, 1)), ((0, 2), (2, 2)), ((0, 3), (2, 3)), ((0, 4), (1, 4))];
    let b = [((3, 5), (3, 9)), ((0, 1), (3, 1)), ((0, 2), (2, 2)), ((0, 3), (2, 3)), ((0, 4), (1, 4))];
    let ends = |ends: [((i32, i32), (i32, i32)); 5]| ends.map(|((x, y), (i, j))| (Point::new(x, y), Point::new(i, j)));
    both(&mut game, place(&ends(a)), place(&ends(b)));
    let first = game.clone();
    result(&mut game, 4, 6);
    result(&mut game, 7, 8);
    let second = game.clone();
    result(&mut game, 3, 9);
    result(&mut game, 7, 8);
    [first, second, game]
}

#[test]
fn the_first_question_is_that_of_the_text() {
    let game = start(Settings::default());
    let message = ask(Body::Form, 828, &game, Seat::A);
    assert_asks(&message, "init", ContentType::Form, sample!("form/init.form"));
    assert_eq!(readable(&message), sample!("form/init.txt"));
}

/// The parameters of a form, as the text lists them.
fn readable(message: &HttpRequest) -> String {
    let body = String::from_utf8(message.body.clone()).unwrap();
    let line = |pair: &str| {
        let (key, value) = pair.split_once('=').unwrap();
        format!("[{key}] => {}\n", decoded(value))
    };
    body.split('&').map(line).collect()
}

fn decoded(value: &str) -> String {
    let mut bytes = value.bytes();
    let mut out = Vec::new();
    while let Some(byte) = bytes.next() {
        out.push(match byte {
            b'+' => b' ',
            b'%' => {
                let digits = [bytes.next().unwrap(), bytes.next().unwrap()];
                u8::from_str_radix(std::str::from_utf8(&digits).unwrap(), 16).unwrap()
            }
            other => other,
        });
    }
    String::from_utf8(out).unwrap()
}

#[test]
fn the_first_three_strikes_are_asked_for_as_in_the_text() {
    let listed = [sample!("form/fight-1.txt"), sample!("form/fight-2.txt"), sample!("form/fight-3.txt")];
    let sent = [sample!("form/fight-1.form"), sample!("form/fight-2.form"), sample!("form/fight-3.form")];
    for ((game, listed), sent) in example().iter().zip(listed).zip(sent) {
        let message = ask(Body::Form, 834, game, Seat::A);
        assert_eq!(readable(&message), listed);
        assert_asks(&message, "fight", ContentType::Form, sent);
    }
}

/// The value of a field of a multipart body.
fn multipart_value(message: &HttpRequest, name: &str) -> String {
    let body = String::from_utf8(message.body.clone()).unwrap();
    let begin = format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n");
    let (_, value) = body.split_once(&begin).unwrap_or_else(|| panic!("{name} is missing in {body}"));
    value.split_once(&format!("\r\n--{BOUNDARY}")).unwrap().0.to_owned()
}

#[test]
fn a_multipart_form_has_the_same_parameters() {
    let [.., game] = example();
    let init = ask(Body::Multipart, 834, &start(Settings::default()), Seat::A);
    let fight = ask(Body::Multipart, 834, &game, Seat::A);
    assert_asks(&init, "init", ContentType::Multipart, sample!("multipart/init.multipart"));
    assert_asks(&fight, "fight", ContentType::Multipart, sample!("multipart/fight-3.multipart"));
    for (message, listed) in
        [(init, sample!("form/init.txt").replace("828", "834")), (fight, sample!("form/fight-3.txt").to_owned())]
    {
        assert!(message.body.ends_with(format!("\r\n--{BOUNDARY}--\r\n").as_bytes()));
        for line in listed.lines() {
            let (name, value) = line.trim_start_matches('[').split_once("] => ").unwrap();
            assert_eq!(multipart_value(&message, name), value, "{name}");
        }
    }
}

#[test]
fn a_name_with_the_boundary_in_it_ends_no_part() {
    let name = format!("--{BOUNDARY}--\r\n--{BOUNDARY}");
    let requests = Requests::new(Body::Multipart, 7, BySeat::from_iter([name, String::new()]));
    let message = requests.ask(Seat::B, &start(Settings::default()).view(Seat::B));
    assert_eq!(multipart_value(&message, "opponent"), "-- --\r\n-- ");
    assert_eq!(multipart_value(&message, "width"), "10");
}

#[test]
fn json_has_the_same_in_the_later_form() {
    let game = start(Settings::default());
    let init = ask(Body::Json, 1609, &game, Seat::A);
    assert_asks(&init, "init.json", ContentType::Json, sample!("json/init.json"));
    let sent = [sample!("json/play-turn-1.json"), sample!("json/play-turn-2.json"), sample!("json/play-turn-3.json")];
    for (game, sent) in example().iter().zip(sent) {
        assert_asks(&ask(Body::Json, 1609, game, Seat::A), "play-turn", ContentType::Json, sent);
    }
}

#[test]
fn the_second_bot_is_told_so_and_sees_its_own_side() {
    let [.., game] = example();
    let form = readable(&ask(Body::Form, 834, &game, Seat::B));
    assert!(form.contains("[match_id] => 834-2\n[act] => fight\n[opponent] => StupidsIA\n"), "{form}");
    assert!(form.contains(r#"[his_strikes] => [{"target":"4,6","result":""},{"target":"3,9","result":"hit"}]"#));
    let json = ask(Body::Json, 1609, &game, Seat::B).body;
    let json: serde_json::Value = serde_json::from_slice(&json).unwrap();
    assert_eq!((&json["player-index"], &json["board"]["opponent"]), (&1.into(), &"StupidsIA".into()));
    assert_eq!(json["board"]["your_strikes"][1], serde_json::json!({"target": "7,8", "result": ""}));
}

#[test]
fn all_three_results_are_shown() {
    let mut game = usual();
    for (x, y) in [(7, 8), (8, 8), (9, 9)] {
        result(&mut game, x, y);
        result(&mut game, x, y);
    }
    let strikes =
        r#"[{"target":"7,8","result":"hit"},{"target":"8,8","result":"hit and sunk"},{"target":"9,9","result":""}]"#;
    let shown = readable(&ask(Body::Form, 1, &game, Seat::A));
    assert!(shown.ends_with(&format!("[your_strikes] => {strikes}\n[his_strikes] => {strikes}\n")), "{shown}");
}

#[test]
fn names_of_any_kind_reach_the_opponent() {
    let name = "a&b=c+d %\"é\n🚢";
    for body in Body::ALL {
        let requests = Requests::new(body, 7, BySeat::from_iter([name.to_owned(), String::new()]));
        let game = start(settings(9, 8, [1, 0, 0, 0, 0, 0]));
        let message = requests.ask(Seat::B, &game.view(Seat::B));
        let shown = match body {
            Body::Form => {
                let body = String::from_utf8(message.body.clone()).unwrap();
                decoded(body.split('&').find_map(|pair| pair.strip_prefix("opponent=")).unwrap())
            }
            Body::Multipart => multipart_value(&message, "opponent"),
            Body::Json => {
                let json: serde_json::Value = serde_json::from_slice(&message.body).unwrap();
                json["board"]["opponent"].as_str().unwrap().to_owned()
            }
        };
        assert_eq!(shown, name, "{}", body.name());
    }
}

#[test]
fn the_name_of_an_answer_tells_how_it_is_read() {
    let answers = [
        (Body::Form, sample!("form/init.answer"), sample!("form/fight.answer")),
        (Body::Json, sample!("json/init.answer"), sample!("json/play-turn.answer")),
        (Body::Multipart, sample!("form/init.answer"), sample!("form/fight.answer")),
    ];
    let mut names = Vec::new();
    for (body, init, fight) in answers {
        let wanted = [Order::Place(USUAL.to_vec()), Order::Strike(Point::new(6, 9))];
        for ((game, text), order) in [(start(Settings::default()), init), (usual(), fight)].into_iter().zip(wanted) {
            let name = ask(body, 1, &game, Seat::A).answer;
            assert_eq!(crate::started::<BotsArena>().read(&[Part { name, bytes: text.into() }]), Ok(order), "{name}");
            assert!(BotsArena::ANSWER_PARTS.contains(&name));
            names.push(name);
        }
    }
    assert_eq!(names, ["init", "fight", "init.json", "play-turn", "init", "fight"], "JSON and forms have their own");
}
