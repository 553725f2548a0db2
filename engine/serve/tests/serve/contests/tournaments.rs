//! Tournaments within a contest, and games that teams ask for.

use crate::accessibility::check;
use crate::browser::Chromium;
use crate::contests::logged_in;
use crate::server::contest::{Entry, PLAYS, with_contest};
use crate::server::{ADMIN, Answer, Arena, PASSWORD, Site};
use serde_json::{Value, json};
use serve::TournamentServer;

/// A request of the administrator, with this body.
fn admin(site: Site, path: &str, body: &Value) -> Answer {
    let headers = [("X-Admin-Password", ADMIN), ("Content-Type", "application/json")];
    site.ask("POST", &format!("/api/admin/contests/autumn/{path}"), &headers, &body.to_string())
}

#[test]
fn a_team_asks_for_games_that_only_it_sees() {
    let arena = Arena::with_contest(&json!({"play": "tournaments"}));
    let site = arena.site;
    let [mut ann, bob] = ["Ann", "Bob"].map(|name| Entry::register(site, name));
    let ask = |body: Value| ann.api("POST", "/requests", &body);
    let refused = ask(json!({"against": "builtin:random", "games": 2}));
    assert_eq!((refused.status, refused.error().contains("hand one in first")), (409, true));
    ann.submit(&[("bot.sh", PLAYS)]);
    let ask = |body: Value| ann.api("POST", "/requests", &body);
    for (wrong, status, why) in [
        (json!({"against": "builtin:random", "games": 1}), 400, "a number from 2 to 400"),
        (json!({"games": 2}), 400, "give one of them"),
        (json!({"against": "Bob", "games": 2}), 404, "no bot of this name plays"),
        (json!({"againstVersion": 7, "games": 2}), 404, "there is no version 7"),
        (json!({"againstVersion": 1, "games": 2}), 400, "does not play against itself"),
        (json!({"against": "builtin:random", "games": 2, "sprt": [50, 0]}), 409, "the smaller one first"),
    ] {
        let refused = ask(wrong);
        assert!(refused.status == status && refused.error().contains(why), "{refused:?}");
    }
    let begun = ask(json!({"against": "builtin:random", "games": 2}));
    assert_eq!((begun.status, &begun.json()["number"]), (201, &json!(1)), "{begun:?}");
    ann.ends(1);
    let results = ann.api("GET", "/requests/1", &json!({})).json();
    let result = results["tournament"]["result"].as_str().unwrap();
    assert!(result.contains("won") && result.contains("lost by Ann v1"), "{results}");
    assert_eq!(results["games"].as_array().unwrap().len(), 2);
    assert_eq!(site.get("/api/contests/autumn").json()["games"], 0, "they do not count, and the ladder does not play");

    let game = format!("/c/autumn/tournaments/1/games/{}", results["games"][0]["id"].as_str().unwrap());
    let as_team = |name: &str| {
        let log_in = site.form("/c/autumn", "/team/login", &[("name", name), ("password", PASSWORD)], "");
        format!("broadside_team={}", log_in.cookie("broadside_team").unwrap())
    };
    let [anns, bobs] = ["Ann", "Bob"].map(as_team);
    for (cookie, status) in [(anns.as_str(), 200), (bobs.as_str(), 404), ("", 404)] {
        for page in [game.as_str(), "/c/autumn/tournaments/1"] {
            assert_eq!(site.ask("GET", page, &[("Cookie", cookie)], "").status, status, "{page} for {cookie}");
        }
    }
    assert_eq!(bob.api("GET", "/requests/1", &json!({})).status, 404);
    assert_eq!(site.get("/api/contests/autumn/tournaments/1").status, 404);
    assert_eq!(site.get("/api/contests/autumn/tournaments").json(), json!([]));

    // The form of the page, for an old version against a new one, until the test knows.
    ann.submit(&[("bot.sh", &[PLAYS, "# newer\n"].concat())]);
    let page = "/c/autumn/bots/Ann/requests";
    let fields = [("version", "2"), ("against_version", "1"), ("games", "4"), ("test", "yes")];
    assert_eq!(site.form(page, page, &fields, &anns).header("location"), page);
    ann.ends(2);
    let listed = ann.api("GET", "/requests", &json!({})).json();
    assert_eq!(listed[0]["entrants"], json!(["Ann v2", "Ann v1"]), "{listed}");
    assert!(listed[0]["isOver"] == true && listed[0]["sprt"] == json!([0.0, 50.0]), "{listed}");
    assert!(site.ask("GET", page, &[("Cookie", &anns)], "").body.contains("Ann v2"));
}

#[test]
fn a_sequential_test_ends_games_as_soon_as_it_knows() {
    let arena = Arena::with_contest(&json!({"play": "tournaments", "parallel": 2}));
    let mut ann = Entry::register(arena.site, "Ann");
    ann.submit(&[("bot.sh", PLAYS)]);
    let asked = json!({"against": "builtin:hunter", "games": 400, "sprt": [0, 400]});
    assert_eq!(ann.api("POST", "/requests", &asked).status, 201);
    let again = ann.api("POST", "/requests", &asked);
    assert_eq!((again.status, again.error().contains("not over yet")), (409, true));
    ann.ends(1);
    let results = ann.api("GET", "/requests/1", &json!({})).json();
    assert!(results["tournament"]["result"].as_str().unwrap().starts_with("Ann v1 is not stronger: "), "{results}");
    let row = &results["rows"][0];
    let games: u64 = ["wins", "draws", "losses"].map(|count| row[count].as_u64().unwrap()).into_iter().sum();
    assert!(games < 400, "{row}");
}

#[test]
fn a_tournament_of_the_administrator_goes_on_after_a_restart() {
    let mut arena = Arena::with_contest(&json!({}));
    let site = arena.site;
    for name in ["Ann", "Bob"] {
        Entry::register(site, name).submit(&[("bot.sh", &format!("{PLAYS}# {name}\n"))]);
    }
    let wanted = |format: &str| json!({"format": format, "games": 10, "baselines": true});
    assert_eq!(admin(site, "tournaments", &wanted("ladder")).status, 409);
    let begun = admin(site, "tournaments", &wanted("round-robin"));
    assert_eq!((begun.status, &begun.json()["number"]), (201, &json!(1)), "{begun:?}");
    assert_eq!(admin(site, "tournaments", &wanted("knockout")).json()["number"], 2);
    assert_eq!(admin(site, "tournaments/2/end", &json!({})).status, 200);
    assert_eq!(admin(site, "tournaments/2/end", &json!({})).status, 409, "it is over");
    arena.server = None;
    let server = TournamentServer::start(with_contest(arena.folder.path(), &json!({}))).unwrap();
    let site = Site(server.address);
    let mut events = site.events_at("/api/contests/autumn/events");
    let over = site.get("/api/contests/autumn/tournaments/1").json()["tournament"]["isOver"] == true;
    if !over {
        events.until("tournament", |told| told["number"] == 1 && told["isOver"] == true);
    }
    let results = site.get("/api/contests/autumn/tournaments/1").json();
    let result = results["tournament"]["result"].as_str().unwrap();
    let names = ["Ann v1", "Bob v1", "builtin:random"];
    assert!(result.starts_with("1. ") && names.iter().all(|name| result.contains(name)), "{results}");
    let games = |row: &Value| -> u64 { ["wins", "draws", "losses"].map(|key| row[key].as_u64().unwrap()).iter().sum() };
    assert!(results["rows"].as_array().unwrap().iter().all(|row| games(row) == 20), "{results}");
    assert_eq!(site.get("/api/contests/autumn/tournaments/2").json()["tournament"]["result"], "called off");
    assert!(site.get("/c/autumn/tournaments/1").body.contains("builtin:random"));
}

#[test]
fn games_are_asked_for_and_tournaments_begun_by_keyboard() {
    let arena = Arena::with_contest(&json!({"play": "tournaments"}));
    let mut ann = Entry::register(arena.site, "Ann");
    ann.submit(&[("bot.sh", PLAYS)]);
    let site = format!("http://{}", arena.site.0);
    Chromium::run(|chromium| {
        let tab = chromium.open(&format!("{site}/c/autumn/bots/Ann"));
        tab.reach("#enter summary");
        tab.write("\r");
        tab.until("document.activeElement.id === 'team-password'");
        tab.write(&format!("{PASSWORD}\r"));
        tab.arrive("location.search === '?done=in' && 'ready' in document.body.dataset");
        tab.reach("a[href$='/requests']");
        tab.write("\r");
        tab.arrive("location.pathname === '/c/autumn/bots/Ann/requests' && 'ready' in document.body.dataset");
        tab.reach("#against");
        tab.write("builtin:random");
        tab.reach("#games");
        tab.write("2\r");
        tab.arrive("document.querySelector('#tournament-1') !== null && 'ready' in document.body.dataset");
        check(&chromium.open(&format!("{site}/c/autumn/bots/Ann/requests")));
        ann.ends(1);
        tab.until(
            "document.querySelector('#tournaments td[data-label=Result]').textContent.includes('lost by Ann v1')",
        );
        tab.reach("#tournament-1");
        tab.write("\r");
        tab.arrive("location.pathname === '/c/autumn/tournaments/1' && 'ready' in document.body.dataset");
        check(&chromium.open(&format!("{site}/c/autumn/tournaments/1")));
        tab.reach("#games a");
        tab.write("\r");
        tab.arrive("document.title.includes('Ann v1') && location.pathname.includes('/games/')");

        let _admin = logged_in(chromium, &site);
        check(&chromium.open(&format!("{site}/c/autumn/tournaments")));
        let admin = chromium.open(&format!("{site}/c/autumn/tournaments"));
        admin.reach("#baselines");
        admin.write(" ");
        admin.reach("form.fields button");
        admin.write("\r");
        admin.arrive("location.pathname === '/c/autumn/tournaments/2' && 'ready' in document.body.dataset");
        admin.reach("button.danger");
        admin.write("\r");
        admin.arrive("document.querySelector('#results [role=status]')?.textContent.includes('called off')");
    });
}
