//! Registering, setting URLs and testing bots.

use crate::server::{ADMIN, Arena, PASSWORD, Site, TestBot, Way, options};
use serde_json::{Value, json};
use serve::{ServeOptions, SettingsChange, TournamentServer};

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
        (
            "a\u{202e}b",
            PASSWORD,
            PASSWORD,
            400,
            "a name cannot have the letter U+202E, which cannot be seen or looks like another letter",
        ),
        ("Bob", PASSWORD, "hunter43", 400, "the passwords are not the same"),
        ("Bob", "abc", "abc", 400, "a password has at least 4 letters and at most 128 bytes"),
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
        (
            "Ann",
            PASSWORD,
            "http://localhost:1/api/placement/?code=1",
            400,
            "leave out /placement at the end of the URL: the server adds /placement and /move itself",
        ),
        (
            "Ann",
            PASSWORD,
            "http://localhost:1/move",
            400,
            "leave out /move at the end of the URL: the server adds /placement and /move itself",
        ),
        ("Ann", PASSWORD, " ", 400, "a URL is needed, such as http://192.168.0.7:4000"),
        (
            "Ann",
            PASSWORD,
            "http://0.0.0.0:4000",
            400,
            "0.0.0.0 is an address to listen on, and not that of a machine: write http://127.0.0.1:4000",
        ),
    ] {
        assert_eq!(set(name, password, url), (status, words.to_owned()));
    }
    let broken = site.ask("POST", "/api/bots/register", &[("Content-Type", "application/json")], "{\"name\": 1}");
    assert_eq!(broken.status, 400);
    assert!(broken.error().starts_with("the body is not valid: "), "{}", broken.error());
    let json = [("Content-Type", "application/json")];
    for (body, kind) in [(r#"["Eve", "hunter42", "hunter42", null]"#, "an array"), ("\"Eve\"", "a text")] {
        let answer = site.ask("POST", "/api/bots/register", &json, body);
        let words = format!("the body must be a JSON object, {{…}}, and is {kind}");
        assert_eq!((answer.status, answer.error()), (400, words));
    }
    let wide = site.ask("POST", "/api/bots/register", &json, "{\0}\0");
    assert_eq!(wide.error(), "the body is not valid: it is saved as UTF-16; save it as UTF-8");
    let marked = json!({"name": "Zoe", "password": PASSWORD, "confirmPassword": PASSWORD});
    let marked = site.ask("POST", "/api/bots/register", &json, &format!("\u{feff}{marked}\r\n"));
    assert_eq!(marked.status, 200, "{marked:?}");
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
    // The player that shoots at random rarely wins before the limit, but it can.
    let moves = good["moves"].as_u64().unwrap();
    assert!((20..=120).contains(&moves), "{good}");
    let told = format!("The bot can play: it made {moves} moves without fault");
    assert!(good["summary"].as_str().unwrap().starts_with(&told), "{good}");
    assert_eq!((&good["steps"][0]["asked"], &good["steps"][0]["ok"]), (&json!("placement"), &json!(true)));
    assert_eq!(good["steps"].as_array().unwrap().len(), 5, "the rest is summed up");
    assert_eq!(bot.asked() as u64, moves + 1);
    let tried = arena.site.bot("Ann");
    assert_eq!((&tried["state"], &tried["latencyMs"]), (&json!("reachable"), &good["medianMs"]));
    assert_eq!(arena.site.get("/api/matches").json(), json!([]), "it counts for nothing");
}

#[test]
fn a_team_can_test_only_bots_on_its_own_machine_and_on_listed_hosts() {
    let folder = tempfile::tempdir().unwrap();
    let start = |test_hosts: Option<&str>| {
        let test_hosts = test_hosts.map(|hosts| hosts.parse().unwrap());
        let server = TournamentServer::start(ServeOptions { test_hosts, ..options(folder.path()) }).unwrap();
        (Site(server.address), server)
    };
    let bot = TestBot::plays();
    let credentials = json!({"name": "Ann", "password": PASSWORD}).to_string();
    let (site, server) = start(None);
    site.register("Ann");
    assert_eq!(site.set_url("Ann", &bot.url).status, 200);
    // The server thinks that the request comes from this machine, but a proxy tells that it does not.
    let json = ("content-type", "application/json");
    let proxied = [json, ("x-forwarded-for", "203.0.113.9")];
    let refused = site.ask("POST", "/api/bots/test", &proxied, &credentials);
    assert_eq!(refused.status, 403, "{refused:?}");
    assert!(refused.error().contains("is not an allowed host"), "{refused:?}");
    // A URL in the organiser's network that is not the address of the team.
    for url in ["http://192.168.77.1:22", "http://10.0.0.1", "http://[fd00::1]:8080"] {
        assert_eq!(site.set_url("Ann", url).status, 200);
        let refused = site.ask("POST", "/api/bots/test", &[json], &credentials);
        assert_eq!(refused.status, 403, "{refused:?}");
    }
    assert_eq!(bot.asked(), 0);
    assert_eq!(site.set_url("Ann", &bot.url).status, 200);
    assert_eq!(site.ask("POST", "/api/bots/test", &[json], &credentials).status, 200, "it is the own machine");
    drop(server);
    // Whoever comes by a proxy or tunnel seems to be on this machine.
    let public_hosts = vec!["arena.example".to_owned()];
    let server = TournamentServer::start(ServeOptions { public_hosts, ..options(folder.path()) }).unwrap();
    let refused = Site(server.address).ask("POST", "/api/bots/test", &[json], &credentials);
    assert_eq!(refused.status, 403, "{refused:?}");
    drop(server);
    let (site, _server) = start(Some("127.0.0.0/8"));
    assert_eq!(site.ask("POST", "/api/bots/test", &proxied, &credentials).status, 200, "the host is listed");
}

#[test]
fn a_probe_shows_nothing_of_what_answered() {
    let arena = Arena::start();
    let service = TestBot::start(Way::Says(r#"{"type": "internal-token-81", "x": "internal-token-81"}"#));
    arena.join(&[("Ann", &service)]);
    for way in [
        Way::Says(r#"{"ships": "internal-token-81"}"#),
        Way::Says("internal-token-81"),
        Way::Says(r#"["internal-token-81"]"#),
        Way::Status(500),
    ] {
        service.changes(way);
        let told = report(&arena, "Ann").to_string();
        assert!(
            told.contains("unreadable answer") && !told.contains("internal-token") && !told.contains("{}"),
            "{told}"
        );
        assert!(!arena.site.bot("Ann").to_string().contains("internal-token"));
    }
}

#[test]
fn names_that_look_alike_are_not_registered_twice() {
    let arena = Arena::start();
    let register = |name: &str| {
        let body = json!({"name": name, "password": PASSWORD, "confirmPassword": PASSWORD});
        arena.site.post("/api/bots/register", &body)
    };
    for (name, status) in [
        ("APE", 200),
        ("\u{410}\u{420}\u{415}", 409),
        ("\u{430}\u{440}\u{435}", 409),
        ("\u{410}nn", 400),
        ("A\u{1d159}nn", 400),
        ("A\u{fff9}nn", 400),
        ("A\u{ad}nn", 400),
        ("A\u{115f}nn", 400),
        ("Корабль", 200),
    ] {
        assert_eq!(register(name).status, status, "{name:?}");
    }
}

#[test]
fn a_probe_tells_what_is_wrong_with_a_bot() {
    let arena = Arena::start();
    let bot = TestBot::plays();
    arena.join(&[("Ann", &bot)]);
    for (way, words) in [
        (Way::Status(503), "503"),
        (Way::Says("hello"), "gave an unreadable answer: placement: not JSON"),
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

#[test]
fn a_bot_that_serves_one_connection_is_told_that_it_plays_now() {
    let arena = Arena::with(SettingsChange { limit: Some(60_000), ..SettingsChange::default() });
    // The other bot never answers, so the match goes on as long as it may.
    let (bot, other) = (TestBot::plays_on_one_connection(), TestBot::start(Way::HangsAfter(0)));
    let mut events = arena.site.events(None);
    arena.join(&[("Ann", &bot), ("Bob", &other)]);
    arena.site.admin("POST", "tournament/start");
    events.one("turn");
    // The match keeps its limit; the test has this one.
    let limit = |limit: u64| {
        let headers = [("Content-Type", "application/json"), ("X-Admin-Password", ADMIN)];
        let changed = arena.site.ask("POST", "/api/admin/settings", &headers, &json!({"limit": limit}).to_string());
        assert_eq!(changed.status, 200, "{changed:?}");
    };
    limit(500);
    let busy = report(&arena, "Ann");
    assert_eq!((&busy["ok"], &busy["moves"], &busy["limitMs"]), (&json!(false), &json!(0), &json!(500)), "{busy}");
    let told = "It is playing a match of the tournament now: a bot that serves one connection at a time can be tested \
                between matches only.";
    assert!(busy["summary"].as_str().unwrap().ends_with(told), "{busy}");
    // Between matches it can be tested, because the server closes its connections at the end of a match.
    assert_eq!(arena.site.admin("POST", "bots/2/remove").status, 200);
    events.until("tournament", |told| told["waiting"] == "two bots with a URL are needed");
    limit(60_000);
    let free = report(&arena, "Ann");
    assert_eq!(free["ok"], true, "{free}");
    assert!(!free["summary"].as_str().unwrap().contains("playing a match"), "{free}");
}
