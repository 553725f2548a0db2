//! Secrets, limits and hostile requests.

use crate::server::{ADMIN, Arena, PASSWORD, Site, TestBot, options};
use serde_json::{Value, json};
use serve::{ServeError, ServeOptions, TournamentServer};
use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::thread;
use std::time::{Duration, Instant};

const HOSTILE: &str = "<img src=x onerror=alert(1)>";

#[test]
fn every_answer_says_what_a_browser_may_not_do_with_it() {
    let arena = Arena::start();
    for path in ["/", "/view", "/admin", "/bots/nobody", "/assets/pages.css", "/api/bots", "/api/nothing", "/nothing"] {
        let answer = arena.site.get(path);
        let policy = answer.header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self';"), "{path}: {policy}");
        assert!(policy.contains("frame-ancestors 'none'") && policy.contains("form-action 'self'"), "{path}: {policy}");
        assert!(!policy.contains("unsafe"), "{path}: {policy}");
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(answer.header("referrer-policy"), "no-referrer", "{path}");
        assert_eq!(answer.header("cross-origin-resource-policy"), "same-origin", "{path}");
        assert!(answer.header("cache-control").starts_with("no-"), "{path}");
    }
}

#[test]
fn pages_have_nothing_inline_and_hostile_names_are_text() {
    let arena = Arena::start();
    arena.site.register(HOSTILE);
    arena.site.register("a\"b'c&d");
    let log_in = arena.site.form("/admin", "/admin/login", &[("password", ADMIN)], "");
    let cookie = format!("broadside_admin={}", log_in.cookie("broadside_admin").unwrap());
    let bot = "/bots/%3Cimg%20src%3Dx%20onerror%3Dalert%281%29%3E";
    for path in ["/", "/view", "/admin", bot] {
        let page = arena.site.ask("GET", path, &[("Cookie", &cookie)], "");
        assert_eq!(page.status, 200, "{path}");
        let text = page.body.to_ascii_lowercase();
        for bad in ["<img", "onerror=alert(1)>", " style=", "<style", "javascript:"] {
            assert!(
                !text.contains(bad) || (bad.starts_with("onerror") && text.contains("&#60;img src=x onerror")),
                "{path}: {bad}"
            );
        }
        assert!(
            text.matches("<script").count() == text.matches("<script type=\"module\" src=\"/assets/").count(),
            "{path}"
        );
    }
    assert!(arena.site.get("/").body.contains("&#60;img src=x onerror=alert(1)&#62;"));
    assert!(arena.site.get("/").body.contains("a&#34;b&#39;c&#38;d"));
}

#[test]
fn forms_work_without_script() {
    let arena = Arena::start();
    let site = arena.site;
    let join = |name: &str, again: &str| {
        site.form("/", "/join", &[("name", name), ("password", PASSWORD), ("again", again)], "")
    };
    let joined = join("Ann B", PASSWORD);
    assert_eq!((joined.status, joined.header("location")), (303, "/bots/Ann%20B?done=joined"));
    assert!(site.get("/bots/Ann%20B?done=joined").body.contains("The bot has joined. Set its URL, and it takes part."));
    let taken = join("ann b", PASSWORD);
    assert_eq!(taken.status, 409);
    assert!(taken.body.contains("There is a bot called Ann B already."), "{}", taken.body);
    assert!(taken.body.contains("value=\"ann b\""), "what was filled in is still there");
    assert!(join("Bob", "other password").body.contains("The passwords are not the same."));

    let bot = TestBot::plays();
    let page = "/bots/Ann%20B";
    let set = |cookie: &str| {
        let action = "/bots/Ann%20B/url";
        // The log-in form of the page has the token for those who are not logged in.
        site.form(page, action, &[("url", &bot.url)], cookie)
    };
    let early = set("");
    assert!(early.status == 401 && early.body.contains("Log in first."), "{early:?}");
    let log_in =
        |name: &str, password: &str| site.form(page, "/team/login", &[("name", name), ("password", password)], "");
    let wrong = log_in("Ann B", "wrong password");
    assert!(wrong.status == 403 && wrong.body.contains("The password is wrong."), "{wrong:?}");
    assert!(wrong.cookie("broadside_team").is_none());
    assert_eq!(log_in("Nobody", PASSWORD).status, 404);
    let right = log_in("ann b", PASSWORD);
    assert_eq!((right.status, right.header("location")), (303, "/bots/Ann%20B?done=in"));
    let cookie = format!("broadside_team={}", right.cookie("broadside_team").unwrap());
    assert_eq!(set(&cookie).header("location"), "/bots/Ann%20B?done=set");
    assert_eq!(site.bot("Ann B")["hasUrl"], true);
    let tried = site.form(page, "/bots/Ann%20B/test", &[], &cookie);
    // Rarely the other player, which shoots at random, is first.
    let told = ["The bot can play: it made ", " moves without fault and "];
    assert!(tried.status == 200 && told.iter().all(|part| tried.body.contains(part)), "{}", tried.body);
    assert_eq!(site.get("/bots/nobody").status, 404);
}

#[test]
fn a_team_changes_its_own_bot_only_and_until_it_logs_out() {
    let mut arena = Arena::start();
    let site = arena.site;
    site.register("Bob");
    let fields = [("name", "Ann"), ("password", PASSWORD), ("again", PASSWORD)];
    let joined = site.form("/", "/join", &fields, "");
    let set = joined.headers.iter().find(|(_, value)| value.starts_with("broadside_team=")).unwrap();
    assert!(set.1.contains("HttpOnly") && set.1.contains("SameSite=Strict"), "{set:?}");
    let cookie = format!("broadside_team={}", joined.cookie("broadside_team").unwrap());
    let does = |path: &str, cookie: &str| site.form("/", path, &[("url", "http://localhost:1")], cookie);
    let other = does("/bots/Bob/url", &cookie);
    assert!(other.status == 403 && other.body.contains("You are logged in as Ann; log out first."), "{other:?}");
    assert_eq!(does("/bots/Bob/test", &cookie).status, 403);
    assert_eq!((does("/bots/Bob/url", "").status, does("/bots/Bob/url", "broadside_team=guess").status), (401, 401));
    assert_eq!(does("/bots/Ann/url", &cookie).status, 303);
    assert_eq!((&site.bot("Ann")["hasUrl"], &site.bot("Bob")["hasUrl"]), (&json!(true), &json!(false)));
    // The page of a bot shows its URL to its own team only.
    let page = |cookie: &str| site.ask("GET", "/bots/Ann", &[("Cookie", cookie)], "").body;
    assert!(page(&cookie).contains("http://localhost:1") && !page("").contains("http://localhost:1"));

    let out = does("/team/logout", &cookie);
    assert_eq!(out.header("location"), "/?done=out");
    assert_eq!(does("/bots/Ann/url", &cookie).status, 401);

    // The log-ins of a server end with it, and their teams are told so.
    let again = site.form("/", "/team/login", &[("name", "Ann"), ("password", PASSWORD)], "");
    let cookie = format!("broadside_team={}", again.cookie("broadside_team").unwrap());
    let ended = "Your log-in has ended: the server was started again";
    assert!(!site.ask("GET", "/", &[("Cookie", &cookie)], "").body.contains(ended));
    arena.restart().unwrap();
    for path in ["/", "/bots/Ann"] {
        assert!(arena.site.ask("GET", path, &[("Cookie", &cookie)], "").body.contains(ended), "{path}");
    }
    // A form of a page from before is refused with a page.
    let old = [("Content-Type", "application/x-www-form-urlencoded"), ("Accept", "text/html"), ("Cookie", &*cookie)];
    let refused = arena.site.ask("POST", "/bots/Ann/url", &old, "url=http://localhost:2&csrf_token=old");
    assert!(refused.status == 403 && refused.body.contains("The form is too old"), "{refused:?}");
    assert!(refused.body.starts_with("<!doctype html>"));

    // The log-in of a bot that is removed is worth nothing to a new bot of its name.
    let site = arena.site;
    let bob = site.form("/", "/team/login", &[("name", "Bob"), ("password", PASSWORD)], "");
    let cookie = format!("broadside_team={}", bob.cookie("broadside_team").unwrap());
    site.admin("POST", "bots/1/remove");
    site.register("Bob");
    let late = site.form("/", "/bots/Bob/url", &[("url", "http://localhost:1")], &cookie);
    assert!(late.status == 401 && late.body.contains("Your log-in has ended; log in again."), "{late:?}");
}

#[test]
fn nobody_guesses_the_passwords_of_teams_without_end() {
    let arena = Arena::start();
    arena.site.register("Ann");
    let page = arena.site.get("/");
    let cookie = format!("broadside_form={}", page.cookie("broadside_form").unwrap());
    let headers = [("Content-Type", "application/x-www-form-urlencoded"), ("Cookie", cookie.as_str())];
    // There is no bot of this name, so no time is spent on hashes.
    let body = format!("csrf_token={}&name=Eve&password=guess", page.csrf_token());
    let answers: Vec<u16> = (0..60).map(|_| arena.site.ask("POST", "/team/login", &headers, &body).status).collect();
    assert_eq!((answers[0], answers[39]), (404, 404));
    assert!(answers.contains(&429), "{answers:?}");
}

#[test]
fn forms_of_other_sites_do_nothing() {
    let arena = Arena::start();
    let site = arena.site;
    let body = format!("name=Eve&password={PASSWORD}&again={PASSWORD}");
    let form = ("Content-Type", "application/x-www-form-urlencoded");
    let refused = |headers: &[(&str, &str)], body: &str| {
        let answer = site.ask("POST", "/join", headers, body);
        assert_eq!(answer.status, 403, "{headers:?}");
        answer.error()
    };
    assert!(refused(&[form], &body).starts_with("the form is too old"));
    let page = site.get("/");
    let cookie = format!("broadside_form={}", page.cookie("broadside_form").unwrap());
    let others = site.get("/").csrf_token();
    assert!(
        refused(&[form, ("Cookie", &cookie)], &format!("{body}&csrf_token={others}"))
            .starts_with("the form is too old")
    );
    let with_token = format!("{body}&csrf_token={}", page.csrf_token());
    for header in [("Origin", "http://evil.example"), ("Origin", "null"), ("Sec-Fetch-Site", "cross-site")] {
        let why = refused(&[form, ("Cookie", &cookie), header], &with_token);
        assert!(why.starts_with("the request comes from a page of another site"), "{why}");
    }
    let api = json!({"name": "Eve", "password": PASSWORD, "confirmPassword": PASSWORD}).to_string();
    let json = ("Content-Type", "application/json");
    assert_eq!(site.ask("POST", "/api/bots/register", &[json, ("Origin", "http://evil.example")], &api).status, 403);
    assert_eq!(site.get("/api/bots").json(), serde_json::json!([]));
    let same = format!("http://{}", site.0);
    assert_eq!(site.ask("POST", "/join", &[form, ("Cookie", &cookie), ("Origin", &same)], &with_token).status, 303);
}

#[test]
fn only_the_administrator_administers() {
    let arena = Arena::start();
    let site = arena.site;
    site.register("Ann");
    assert!(!site.get("/admin").body.contains("Clear history"));
    let wrong = site.form("/admin", "/admin/login", &[("password", "wrong")], "");
    assert!(wrong.status == 401 && wrong.cookie("broadside_admin").is_none());
    let early = site.form("/admin", "/admin/remove", &[("bot", "1")], "broadside_admin=guess");
    assert_eq!(early.status, 401);

    let right = site.form("/admin", "/admin/login", &[("password", ADMIN)], "");
    assert_eq!((right.status, right.header("location")), (303, "/admin"));
    let set = right.headers.iter().find(|(_, value)| value.starts_with("broadside_admin=")).unwrap();
    assert!(set.1.contains("HttpOnly") && set.1.contains("SameSite=Strict"), "{set:?}");
    let cookie = format!("broadside_admin={}", right.cookie("broadside_admin").unwrap());
    let does = |deed: &str, fields: &[(&str, &str)]| site.form("/admin", &format!("/admin/{deed}"), fields, &cookie);
    assert_eq!(does("start", &[]).status, 303);
    assert_eq!(site.get("/api/tournament").json()["mode"], "running");
    assert_eq!(does("pause", &[]).status, 303);
    assert_eq!(does("settings", &[("limit", "500"), ("revealFleets", "yes")]).status, 303);
    let settings = site.admin("GET", "settings").json();
    assert_eq!((&settings["limit"], &settings["revealFleets"]), (&json!(500), &json!(true)));
    assert!(does("settings", &[("limit", "1")]).body.contains("Limit is a number from 10 to 60000, not 1."));
    assert!(does("clear", &[]).body.contains("Tick the box"));
    assert_eq!(does("clear", &[("sure", "yes")]).status, 303);
    assert_eq!(does("remove", &[("bot", "1")]).status, 303);
    assert_eq!(site.get("/api/bots").json(), json!([]));
    assert_eq!(does("nothing", &[]).status, 404);
    does("logout", &[]);
    assert_eq!(site.form("/admin", "/admin/start", &[], &cookie).status, 401);
}

#[test]
fn the_right_password_of_the_administrator_counts_however_often_others_guess() {
    let arena = Arena::start();
    let guess = |password: &str| arena.site.ask("GET", "/api/admin/status", &[("X-Admin-Password", password)], "");
    assert_eq!(arena.site.get("/api/admin/status").status, 401);
    assert_eq!(guess(ADMIN).status, 200);
    let guesses: Vec<u16> = (0..10).map(|number| guess(&format!("guess {number}")).status).collect();
    assert_eq!(guesses, [401; 10]);
    // The next guesses take seconds each, also at the same time.
    let begun = Instant::now();
    let (wrong, right) = thread::scope(|scope| {
        let wrong: Vec<_> = (0..20).map(|_| scope.spawn(|| guess("another guess"))).collect();
        let right = guess(ADMIN).status;
        (wrong.into_iter().map(|guess| guess.join().unwrap()).collect::<Vec<_>>(), right)
    });
    assert_eq!(right, 200);
    assert!(begun.elapsed() > Duration::from_secs(2), "{:?}", begun.elapsed());
    assert!(wrong.iter().all(|answer| answer.status == 429), "{wrong:?}");
    assert!(wrong[0].header("retry-after").parse::<u64>().unwrap() >= 1);
    let form = arena.site.form("/admin", "/admin/login", &[("password", ADMIN)], "");
    assert_eq!(form.status, 303, "so does that of the form");
}

#[test]
fn guesses_of_many_addresses_for_one_bot_take_longer_and_the_team_gets_in() {
    let arena = Arena::start();
    arena.site.register("Ann");
    let from = |number: u8, password: &str| {
        let body = json!({"name": "Ann", "password": password, "url": "http://127.0.0.1:1"}).to_string();
        let (address, json) = (Ipv4Addr::new(127, 0, 1, number), [("Content-Type", "application/json")]);
        arena.site.ask_from(address, "POST", "/api/bots/set-url", &json, &body).status
    };
    let mut guesses = (0..99).map(|number| from(number, "guess"));
    assert!(guesses.by_ref().take(20).all(|status| status == 403));
    let begun = Instant::now();
    // On a busy machine the first ones may have taken so long that one more is answered.
    assert_eq!(guesses.find(|status| *status != 403), Some(429));
    assert_eq!(from(99, PASSWORD), 200);
    assert!(begun.elapsed() > Duration::from_secs(5), "{:?}", begun.elapsed());
}

#[test]
fn who_has_not_the_code_does_not_join() {
    let folder = tempfile::tempdir().unwrap();
    let join_code = Some("torpedo".to_owned());
    let server = TournamentServer::start(ServeOptions { join_code, ..options(folder.path()) }).unwrap();
    let site = Site(server.address);
    let join = |name: &str, code: Value| {
        let body = json!({"name": name, "password": PASSWORD, "confirmPassword": PASSWORD, "code": code});
        site.post("/api/bots/register", &body)
    };
    for code in [Value::Null, json!(""), json!("Torpedo"), json!("torpedos")] {
        let refused = join("Eve", code);
        assert_eq!((refused.status, &*refused.error()), (403, "the code for joining is wrong; the organiser has it"));
    }
    assert_eq!(join("Ann", json!(" torpedo ")).status, 200);
    assert!(site.get("/").body.contains("id=\"code\""));
    let fields = [("name", "Bob"), ("password", PASSWORD), ("again", PASSWORD), ("code", "torpedo")];
    assert_eq!(site.form("/", "/join", &fields, "").status, 303);
    assert_eq!(site.form("/", "/join", &[("name", "Eve"), fields[1], fields[2]], "").status, 403);
    assert_eq!(site.get("/api/bots").json().as_array().unwrap().len(), 2);
}

#[test]
fn nobody_registers_bots_without_end() {
    let arena = Arena::start();
    let register = |number: u32| {
        let body = json!({"name": format!("bot {number}"), "password": "abc", "confirmPassword": "abc"});
        arena.site.post("/api/bots/register", &body).status
    };
    let answers: Vec<u16> = (0..60).map(register).collect();
    assert_eq!((answers[0], answers[39]), (400, 400));
    assert!(answers.contains(&429), "{answers:?}");
}

#[test]
fn what_is_too_long_or_makes_no_sense_is_refused() {
    let arena = Arena::start();
    let json = ("Content-Type", "application/json");
    let long = arena.site.ask("POST", "/api/bots/register", &[json], &"x".repeat(20_000));
    assert_eq!((long.status, long.error()), (413, "the body has more than 16384 bytes".to_owned()));
    assert_eq!(arena.site.ask("DELETE", "/api/bots", &[], "").status, 405);
    assert_eq!(arena.site.get("/api/matches?most=many").status, 400);
    assert_eq!(arena.site.get("/api/matches/1").status, 404);
    assert_eq!(arena.site.get("/api/matches/..%2f..%2fetc").status, 404);
    assert_eq!(arena.site.get("/assets/..%2f..%2fCargo.toml").status, 404);
    // Bytes that are not a request.
    let mut stream = TcpStream::connect(arena.site.0).unwrap();
    stream.write_all(b"\x16\x03\x01 hello\r\n\r\n").unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).unwrap();
    assert!(text.starts_with("HTTP/1.1 400"), "{text}");
}

#[test]
fn the_page_of_the_administrator_sets_a_profile_with_what_it_brings() {
    let arena = Arena::start();
    let log_in = arena.site.form("/admin", "/admin/login", &[("password", ADMIN)], "");
    let cookie = format!("broadside_admin={}", log_in.cookie("broadside_admin").unwrap());
    // All fields of the form, as a browser sends them.
    let save = |profile: &str, moves: &str| {
        let numbers =
            [("parallel", "1"), ("pauseMatch", "0"), ("pauseTournament", "0"), ("pace", "0"), ("limit", "2000")];
        let fields: Vec<_> = numbers.into_iter().chain([("profile", profile), ("maxMovesEach", moves)]).collect();
        assert_eq!(arena.site.form("/admin", "/admin/settings", &fields, &cookie).status, 303);
        let settings = arena.site.admin("GET", "settings").json();
        (settings["maxMovesEach"].clone(), settings["limit"].clone())
    };
    assert_eq!(save("public-server", "120"), (json!(107), json!(30_000)));
    assert_eq!(save("public-server", "50"), (json!(50), json!(2000)));
}

#[test]
fn passwords_of_four_letters_can_be_typed_in() {
    let page = Arena::start().site.get("/").body;
    assert_eq!(page.matches("minlength=\"4\"").count(), 2, "{page}");
    assert_eq!(page.matches("minlength=").count(), 2, "{page}");
}

#[test]
fn a_server_for_this_machine_answers_to_its_own_names_only() {
    let arena = Arena::start();
    let named = |host: &str| arena.site.ask("GET", "/api/bots", &[("Host", host)], "").status;
    assert_eq!((named("localhost:3000"), named("127.0.0.1"), named("evil.example")), (200, 200, 403));
}

#[test]
fn a_server_behind_a_proxy_answers_to_the_names_that_it_was_given() {
    let folder = tempfile::tempdir().unwrap();
    let public_hosts = vec!["arena.example".to_owned(), "tunnel.example".to_owned()];
    let server = TournamentServer::start(ServeOptions { public_hosts, ..options(folder.path()) }).unwrap();
    let site = Site(server.address);
    let named = |host: &str| site.ask("GET", "/api/bots", &[("Host", host)], "").status;
    let answered =
        ["localhost", "Arena.Example", "tunnel.example:443", "evil.example", "arena.example.evil"].map(named);
    assert_eq!(answered, [200, 200, 200, 403, 403]);
    server.finish();
}

#[test]
fn others_can_reach_a_server_only_if_it_has_a_password() {
    let folder = tempfile::tempdir().unwrap();
    let open = || ServeOptions { address: "0.0.0.0:0".parse().unwrap(), ..options(folder.path()) };
    for password in [None, Some(String::new())] {
        let error = TournamentServer::start(ServeOptions { password, ..open() }).unwrap_err();
        assert!(matches!(error, ServeError::NoPassword { .. }), "{error}");
    }
    let local = TournamentServer::start(ServeOptions { password: None, ..options(folder.path()) }).unwrap();
    let generated = local.generated_password.clone().unwrap();
    let site = Site(local.address);
    assert_eq!(site.ask("GET", "/api/admin/status", &[("X-Admin-Password", &generated)], "").status, 200);
    assert_eq!(site.ask("GET", "/api/admin/status", &[("X-Admin-Password", "")], "").status, 401);
}
