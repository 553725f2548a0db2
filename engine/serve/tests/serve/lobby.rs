//! Registering, setting URLs and testing bots.

use crate::server::{Arena, PASSWORD, TestBot, Way};
use serde_json::{Value, json};

#[test]
fn a_team_joins_sets_its_url_and_is_listed() {
    let arena = Arena::start();
    assert_eq!(arena.site.get("/api/bots").json(), json!([]));
    let joined = arena.site.register("Deep Water");
    assert_eq!((&joined["id"], &joined["hasUrl"]), (&json!("1"), &json!(false)));
    let bot = TestBot::plays();
    let set = arena.site.set_url("deep water", &bot.url);
    assert_eq!((set.status, &set.json()["botUrl"]), (200, &json!(bot.url)));
    let listed = arena.site.bot("Deep Water");
    assert_eq!(
        (&listed["hasUrl"], &listed["botUrl"], &listed["state"]),
        (&json!(true), &Value::Null, &json!("unknown"))
    );
    assert_eq!(listed["stats"], json!({"wins": 0, "draws": 0, "losses": 0}));
}

#[test]
fn what_is_not_as_it_should_be_is_refused_in_words() {
    let arena = Arena::start();
    let site = arena.site;
    site.register("Ann");
    let register = |name: &str, password: &str, again: &str| {
        let answer =
            site.post("/api/bots/register", &json!({"name": name, "password": password, "confirmPassword": again}));
        (answer.status, answer.error())
    };
    let long = "x".repeat(33);
    for (name, password, again, status, words) in [
        ("ANN", PASSWORD, PASSWORD, 409, "there is a bot called Ann already"),
        ("", PASSWORD, PASSWORD, 400, "a bot needs a name"),
        (&long, PASSWORD, PASSWORD, 400, "a name has at most 32 letters, not 33"),
        ("a\u{202e}b", PASSWORD, PASSWORD, 400, "a name cannot have the letter U+202E, which cannot be seen"),
        ("Bob", PASSWORD, "hunter43", 400, "the passwords are not the same"),
        ("Bob", "short", "short", 400, "a password has at least 6 letters and at most 128 bytes"),
    ] {
        assert_eq!(register(name, password, again), (status, words.to_owned()));
    }
    let set = |name: &str, password: &str, url: &str| {
        let answer = site.post("/api/bots/set-url", &json!({"name": name, "password": password, "url": url}));
        (answer.status, answer.error())
    };
    for (name, password, url, status, words) in [
        ("Ann", "hunter43", "http://localhost:1", 403, "the password is wrong"),
        ("Bob", PASSWORD, "http://localhost:1", 404, "there is no bot of this name"),
        ("Ann", PASSWORD, "localhost:1", 400, "a bot's URL begins with http:// or https://"),
        ("Ann", PASSWORD, " ", 400, "a URL is needed, such as http://192.168.0.7:4000"),
    ] {
        assert_eq!(set(name, password, url), (status, words.to_owned()));
    }
    let broken = site.ask("POST", "/api/bots/register", &[("Content-Type", "application/json")], "{\"name\": 1}");
    assert_eq!(broken.status, 400);
    assert!(broken.error().starts_with("the body is not valid: "), "{}", broken.error());
    let form = site.ask("POST", "/api/bots/register", &[("Content-Type", "text/plain")], "{}");
    assert_eq!(form.status, 415);
    assert_eq!(site.bot("Ann")["hasUrl"], false);
}

fn report(arena: &Arena, name: &str) -> Value {
    let answer = arena.site.post("/api/bots/test", &json!({"name": name, "password": PASSWORD}));
    assert_eq!(answer.status, 200, "{answer:?}");
    answer.json()
}

#[test]
fn a_probe_tells_what_came_back() {
    let arena = Arena::start();
    let bot = TestBot::plays();
    arena.join(&[("Ann", &bot)]);
    let good = report(&arena, "Ann");
    assert_eq!(good["ok"], true, "{good}");
    assert!(
        good["summary"].as_str().unwrap().starts_with("The bot can play: it made 60 moves without fault"),
        "{good}"
    );
    assert_eq!((&good["steps"][0]["asked"], &good["steps"][0]["ok"]), (&json!("placement"), &json!(true)));
    assert_eq!(good["steps"].as_array().unwrap().len(), 5, "the rest is summed up");
    assert_eq!(bot.asked(), 61);
    let tried = arena.site.bot("Ann");
    assert_eq!((&tried["state"], &tried["latencyMs"]), (&json!("reachable"), &good["medianMs"]));
    assert_eq!(arena.site.get("/api/matches").json(), json!([]), "it counts for nothing");
}

#[test]
fn a_probe_tells_what_is_wrong_with_a_bot() {
    let arena = Arena::start();
    let bot = TestBot::plays();
    arena.join(&[("Ann", &bot)]);
    for (way, words) in [
        (Way::Status(503), "503"),
        (Way::Says("hello"), "hello"),
        (Way::Says("{\"ships\": []}"), "broke the rules: a fleet has 1 of the kind fourdeck, not 0"),
    ] {
        bot.changes(way);
        let bad = report(&arena, "Ann");
        assert_eq!((&bad["ok"], &bad["moves"], bad["steps"].as_array().unwrap().len()), (&json!(false), &json!(0), 1));
        assert!(bad["summary"].as_str().unwrap().contains(words), "{words}: {bad}");
        assert!(arena.site.bot("Ann")["lastFault"].as_str().unwrap().contains(words));
    }
    arena.site.set_url("Ann", &TestBot::nobody());
    let bad = report(&arena, "Ann");
    assert!(bad["summary"].as_str().unwrap().contains("unreachable"), "{bad}");
    assert_eq!(arena.site.bot("Ann")["state"], "unreachable");
    let wrong = arena.site.post("/api/bots/test", &json!({"name": "Ann", "password": "wrong password"}));
    assert_eq!(wrong.status, 403);
    arena.site.register("Bob");
    let early = arena.site.post("/api/bots/test", &json!({"name": "Bob", "password": PASSWORD}));
    assert_eq!((early.status, early.error()), (409, "the bot has no URL yet; set it first".to_owned()));
}
