//! Finals: planned, played, watched without spoilers, and called off.

use crate::browser::{Chromium, Tab};
use crate::server::{ADMIN, Arena, Events, Site, TestBot};
use serde_json::{Value, json};
use serve::{ARENA_JSONL, SettingsChange};
use std::fs;

const HOSTILE: &str = "<img src=x onerror=alert(1)>";

/// Plans a final as the administrator.
fn plan(site: Site, plan: &Value) -> (u16, Value) {
    let headers = [("X-Admin-Password", ADMIN), ("Content-Type", "application/json")];
    let answer = site.ask("POST", "/api/admin/final", &headers, &plan.to_string());
    (answer.status, answer.json())
}

/// A server whose screens show a move for so many milliseconds, with bots that play; tournaments were not started.
fn arena(bots: &[TestBot], pace: u64) -> Arena {
    let arena = Arena::with(SettingsChange { pace: Some(pace), max_moves_each: Some(30), ..SettingsChange::default() });
    let names = [HOSTILE, "Ann", "Bob", "Cid", "Dora", "Eve", "Finn", "Gus"];
    let joining: Vec<(&str, &TestBot)> = names.into_iter().zip(bots).collect();
    arena.join(&joining);
    arena
}

fn playing(count: usize) -> Vec<TestBot> {
    (0..count).map(|_| TestBot::plays()).collect()
}

fn in_an_hour() -> String {
    (chrono::Utc::now() + chrono::TimeDelta::hours(1)).to_rfc3339()
}

fn is_over(view: &Value) -> bool {
    view["state"] == "over"
}

#[test]
fn a_final_is_played_to_its_end_and_counts_for_no_leaderboard() {
    let bots = playing(4);
    let arena = arena(&bots, 0);
    let mut events = arena.site.events(None);
    assert_eq!(arena.site.get("/api/final").json()["state"], "none");
    let (status, planned) = plan(arena.site, &json!({"entrants": 4, "bestOf": 3}));
    assert_eq!((status, &planned["number"]), (200, &json!(1)), "{planned}");
    let over = events.until("final", is_over).data;
    assert_eq!((over["ranking"].as_array().unwrap().len(), over["bots"].as_array().unwrap().len()), (4, 4));
    assert_eq!(over["third"]["winner"], over["ranking"][2]);
    assert_eq!(over["rounds"][1]["meetings"][0]["winner"], over["ranking"][0]);
    let matches = arena.site.get("/api/matches").json();
    let matches = matches.as_array().unwrap();
    let wins = |meeting: &Value| {
        meeting["wins"].as_array().unwrap().iter().map(|wins| wins.as_u64().unwrap()).sum::<u64>()
            + meeting["draws"].as_u64().unwrap()
    };
    let meetings = over["rounds"].as_array().unwrap().iter().flat_map(|round| round["meetings"].as_array().unwrap());
    assert_eq!(matches.len() as u64, meetings.map(wins).sum::<u64>() + wins(&over["third"]));
    assert!(matches.iter().all(|game| game["final"]["number"] == 1 && game["tournament"] == 0), "{matches:?}");
    assert_eq!((&matches[0]["final"]["round"], &matches[0]["final"]["bestOf"]), (&json!("final"), &json!(3)));
    for row in arena.site.get("/api/leaderboard").json()["all"].as_array().unwrap() {
        assert_eq!((&row["wins"], &row["draws"], &row["losses"]), (&json!(0), &json!(0), &json!(0)));
    }
    let replay = arena.site.get(&format!("/matches/{}", matches[0]["id"]));
    assert!(replay.body.contains("final 1, final, game"), "{}", replay.status);
    let journal = fs::read_to_string(arena.folder.path().join(ARENA_JSONL)).unwrap();
    assert!(journal.starts_with(r#"{"line":"arena","format":"broadside arena","version":4,"#));
    // Tournaments go on, and a second final has the next number.
    arena.site.admin("POST", "tournament/start");
    events.until("tournament", |told| told["number"] == 1 && told["played"].as_u64() > Some(1));
    plan(arena.site, &json!({"entrants": 2, "bestOf": 1}));
    events.until("final", |view| is_over(view) && view["number"] == 2);
    events.until("tournament", |told| told["number"] == 2);
}

#[test]
fn what_is_no_final_is_refused_in_words() {
    let bots = playing(2);
    let arena = arena(&bots, 0);
    let refused = |wanted: Value| {
        let (status, answer) = plan(arena.site, &wanted);
        (status, answer["error"].as_str().unwrap_or_default().to_owned())
    };
    for (wanted, status, words) in [
        (json!({"entrants": 3, "bestOf": 3}), 400, "a final has 2, 4 or 8 bots, not 3"),
        (
            json!({"entrants": 4, "bestOf": 2}),
            400,
            "a meeting is the best of an odd number of games, at most 15, not 2",
        ),
        (json!({"entrants": 4, "bestOf": 3, "start": "tonight"}), 400, "\"tonight\" is not a time"),
        (json!({"entrants": 4, "bestOf": 3, "start": "2020-01-01T00:00:00Z"}), 400, "the time of the final is over"),
        (
            json!({"entrants": 4, "bestOf": 3, "start": "9999-01-01T00:00:00Z"}),
            400,
            "a final is planned at most a year ahead",
        ),
    ] {
        assert_eq!(refused(wanted), (status, words.to_owned()));
    }
    assert_eq!(arena.site.post("/api/admin/final", &json!({"entrants": 4, "bestOf": 3})).status, 401);
    assert_eq!(arena.site.admin("POST", "final/cancel").error(), "no final is planned or being played");
    let later = json!({"entrants": 8, "bestOf": 1, "start": in_an_hour()});
    assert_eq!(plan(arena.site, &later).0, 200);
    let view = arena.site.get("/api/final").json();
    assert_eq!((&view["state"], view["bots"].as_array().unwrap().len()), (&json!("planned"), 2), "who would play now");
    assert_eq!(refused(later).1, "a final is planned or being played already; cancel it first");
    assert_eq!(arena.site.admin("POST", "final/cancel").status, 200);
    assert_eq!(arena.site.get("/api/final").json()["state"], "none");
}

#[test]
fn a_final_that_is_called_off_leaves_its_games_and_tournaments_go_on() {
    let bots = playing(4);
    let arena = arena(&bots, 10_000);
    let mut events = arena.site.events(None);
    plan(arena.site, &json!({"entrants": 4, "bestOf": 3}));
    // The first game begins some seconds later, because the screens are slow.
    let begun = events.until("match-begun", |begun| begun["final"]["number"] == 1).data;
    assert_eq!(arena.site.get("/api/matches").json(), json!([]), "the screens show it for minutes");
    assert_eq!(arena.site.admin("POST", "final/cancel").status, 200);
    let over = events.until("match-over", |over| over["match"] == begun["match"]).data;
    assert_eq!(over["result"]["final"]["round"], "semi-final", "it was played, and may be told now");
    assert_eq!(events.one("final")["state"], "none");
    arena.site.admin("POST", "tournament/start");
    events.until("match-over", |over| over["result"]["tournament"] == 1);
    // Who leaves during a final loses the rest of it.
    let headers = [("X-Admin-Password", ADMIN), ("Content-Type", "application/json")];
    arena.site.ask("POST", "/api/admin/settings", &headers, &json!({"pace": 0}).to_string());
    for id in 1..=3 {
        arena.site.admin("POST", &format!("bots/{id}/remove"));
    }
    plan(arena.site, &json!({"entrants": 2, "bestOf": 1}));
    let waiting = "a final needs two bots with a URL that are not parked";
    events.until("tournament", |told| told["waiting"] == waiting);
    arena.join(&[("Zoe", &bots[0])]);
    let over = events.until("final", is_over).data;
    assert_eq!((&over["number"], over["ranking"].as_array().unwrap().len()), (&json!(2), 2));
}

#[test]
fn a_server_that_ends_tells_no_result_and_the_next_one_shows_the_rest() {
    let bots = playing(2);
    let mut arena = arena(&bots, 100);
    let mut events = arena.site.events(None);
    plan(arena.site, &json!({"entrants": 2, "bestOf": 1}));
    let begun = events.until("match-begun", |begun| begun["final"]["number"] == 1).data;
    let mut frames = arena.site.events_at(&format!("/matches/{}/events", begun["match"]));
    events.until("turn", |turn| turn["turn"] == 2);
    arena.restart().unwrap();
    while let Some(heard) = events.next() {
        assert_ne!(heard.kind, "match-over", "{}", heard.data);
    }
    while let Some(heard) = frames.next() {
        assert_ne!(heard.kind, "over", "{}", heard.data);
    }
    assert_eq!(arena.site.get("/api/matches").json(), json!([]));
    let mut events = arena.site.events(None);
    let state = events.one("state");
    let begun_again = match state["matches"].as_array().unwrap().first() {
        Some(running) => running["begun"].clone(),
        None => events.one("match-begun"),
    };
    assert_eq!(begun_again, begun);
    let over = events.until("match-over", |over| over["match"] == begun["match"]).data;
    assert_eq!(over["result"]["final"]["round"], "final");
}

#[test]
fn the_administrator_plans_a_final_in_the_time_of_the_browser() {
    let arena = Arena::start();
    let site = format!("http://{}", arena.site.0);
    let tomorrow = (chrono::Utc::now() + chrono::TimeDelta::days(1)).format("%Y-%m-%d").to_string();
    Chromium::run(|chromium| {
        let admin = chromium.open(&format!("{site}/admin"));
        admin.command("Emulation.setTimezoneOverride", json!({ "timezoneId": "Asia/Tokyo" }));
        admin.resize(1920, 1080);
        admin.reach("#password");
        admin.write(&format!("{ADMIN}\r"));
        admin.arrive("document.querySelector('#final-form .zone')?.textContent.startsWith('(your time')");
        let _: String = admin.value(&format!("document.querySelector('#final-start').value = '{tomorrow}T19:30'"));
        admin.reach("#final-form button");
        admin.write("\r");
        admin.arrive("document.querySelector('#final time')?.textContent.includes('7:30')");
        let start = arena.site.get("/api/final").json()["start"].clone();
        assert_eq!(start, format!("{tomorrow}T10:30:00.000Z"), "nine hours before");
        let page = chromium.open(&format!("{site}/final"));
        page.until("/^(1 day, )?\\d\\d:\\d\\d:\\d\\d$/.test(document.querySelector('#countdown').textContent)");
        page.assert_accessible();
        page.assert_calm();
        admin.reach("#cancel-final");
        admin.write("\r");
        admin.until("document.querySelector('#sure-final').matches(':popover-open')");
        admin.reach("#sure-final button");
        admin.write("\r");
        admin.arrive("document.querySelector('#final-form') !== null");
        page.until("document.body.dataset.state === 'none'");
        admin.assert_calm();
    });
}

/// Notes after every change of the page: the match and the number of turns on the boards, the games that the bracket counts,
/// the shown result, the places of the podium, and all text that the page has.
pub(crate) const WATCHED: &str = "(() => {
    window.notes = [];
    const look = () => {
      const scores = [...document.querySelectorAll('.meeting .score')].map((score) => Number(score.lastChild.textContent) || 0);
      const drawn = [...document.querySelectorAll('.meeting .draws')].map((draws) => parseInt(draws.textContent));
      const labels = [...document.querySelectorAll('[aria-label], [title]')].map((one) => one.ariaLabel + one.title);
      const { match, moment, state, places } = document.body.dataset;
      window.notes.push({ match: Number(match ?? 0), moment: Number(moment ?? 0), state, places: Number(places ?? 0),
        games: [...scores, ...drawn].reduce((sum, games) => sum + games, 0),
        result: document.querySelector('#winner').textContent, text: document.body.textContent + labels.join() });
    };
    new MutationObserver(look).observe(document.body, { subtree: true, childList: true, attributes: true, characterData: true });
    return true;
  })()";

/// The notes of one page are free of spoilers: everything comes after the last turn of its game.
fn assert_no_spoilers(tab: &Tab<'_>, site: Site, all: usize) {
    let notes: Vec<Value> = tab.value("window.notes");
    let number = |note: &Value, what: &str| note[what].as_u64().unwrap();
    let mut ids: Vec<u64> = notes.iter().map(|note| number(note, "match")).filter(|id| *id > 0).collect();
    ids.dedup();
    assert_eq!(ids.len(), all, "every game was shown once: {ids:?}");
    for (nth, id) in ids.iter().enumerate() {
        let whole = site.get(&format!("/api/matches/{id}")).json();
        let turns = whole["turns"].as_array().unwrap().len() as u64;
        let why = whole["over"]["result"]["why"].as_str().unwrap();
        let during: Vec<&Value> = notes.iter().filter(|note| number(note, "match") == *id).collect();
        let moments: Vec<u64> = during.iter().map(|note| number(note, "moment")).collect();
        assert!(moments.contains(&turns), "the last turn of {turns}: {moments:?}");
        // The first notes of a game may still have the moment of the one before.
        let from = during.iter().position(|note| number(note, "moment") < turns).unwrap();
        let until = during.iter().rposition(|note| number(note, "moment") < turns).unwrap();
        assert!(until > from, "it was played, not only told: {moments:?}");
        for note in &during[from..=until] {
            assert_eq!((number(note, "games"), &note["result"]), (nth as u64, &json!("")), "match {id}");
            assert!(!note["text"].as_str().unwrap().contains(why), "match {id} has {why:?}");
            assert_eq!((number(note, "places"), &note["state"]), (0, &json!("playing")));
        }
    }
    let places: Vec<u64> = notes.iter().map(|note| number(note, "places")).collect();
    assert!([1, 2, 3].iter().all(|place| places.contains(place)), "one place after the other");
}

#[test]
fn the_page_of_a_final_tells_no_result_before_it_has_shown_the_game() {
    let bots = playing(4);
    // Slower than a busy machine opens pages.
    let arena = arena(&bots, 300);
    let site = arena.site;
    Chromium::run(|chromium| {
        let address = format!("http://{site}/final", site = site.0);
        let tab = chromium.open(&address);
        assert_eq!(tab.value::<String>("document.querySelector('#words').textContent"), "No final is planned.");
        assert!(tab.value::<bool>(WATCHED));
        let mut events = site.events(None);
        plan(site, &json!({"entrants": 4, "bestOf": 1}));
        let begun = events.until("match-begun", |begun| begun["final"]["number"] == 1).data;
        let id = &begun["match"];
        assert_eq!(begun["screening"]["pace"], 300);
        // The game is over, and no turn is told before its time.
        let first = chrono::DateTime::parse_from_rfc3339(begun["screening"]["begunAt"].as_str().unwrap()).unwrap();
        for turn in 0..=5 {
            let told = events.one("turn");
            assert_eq!((&told["match"], &told["turn"]), (id, &json!(turn)));
            assert!(chrono::Utc::now() >= first + chrono::TimeDelta::milliseconds(turn * 300), "turn {turn}");
            // The bots are not playing any more, so their ships may be seen.
            assert!(turn > 0 || told["deeds"][0]["ships"].is_array(), "{told}");
        }
        tab.until("document.body.dataset.moment > 5");
        // Who comes late continues where the others are, and nobody is told the result by another way.
        let late = chromium.open(&address);
        late.until("document.body.dataset.moment > 5");
        assert!(late.value::<bool>("document.querySelector('#winner').hidden"));
        // So do the other screens that are opened late, whatever is pressed.
        for path in ["view", "overlay"] {
            let other = chromium.open(&format!("http://{}/{path}", site.0));
            other.until("document.querySelectorAll('#boards .board').length === 2");
            (0..5).for_each(|_| other.press("ArrowRight"));
            let move_number = "Number(/Move (\\d+)/.exec(document.body.textContent)[1])";
            let [on_other, on_late] =
                [other.value::<usize>(move_number), late.value("Number(document.body.dataset.moment)")];
            assert!(on_other < on_late, "{path} shows move {on_other} before turn {on_late} of the page of the final");
            // A browser keeps few connections to one server.
            other.command("Page.navigate", json!({ "url": "about:blank" }));
        }
        let is_unknown = |events: &mut Events| {
            let known = site.get(&format!("/api/matches/{id}")).status;
            let listed = site.get("/api/matches").json().as_array().unwrap().len();
            let pages = site.get(&format!("/matches/{id}")).status;
            let over = events.one("match-over");
            (known, listed, pages, over["match"] == *id && over["result"]["id"] == *id)
        };
        assert_eq!(is_unknown(&mut events), (404, 0, 404, true));
        // The big screen shows games of a final, too.
        let view = chromium.open(&format!("http://{}/view", site.0));
        view.until("document.querySelector('#title').textContent.startsWith('Final: ')");
        assert_eq!(site.get(&format!("/api/matches/{id}")).status, 200, "now everybody may know");
        // The other games may be shorter, but last for longer than a busy browser takes to show two of their turns.
        let headers = [("X-Admin-Password", ADMIN), ("Content-Type", "application/json")];
        assert_eq!(site.ask("POST", "/api/admin/settings", &headers, &json!({"pace": 60}).to_string()).status, 200);
        events.until("final", is_over);
        tab.until("document.body.dataset.places === '3'");
        // A game without a winner is followed by another one.
        assert_no_spoilers(&tab, site, site.get("/api/matches").json().as_array().unwrap().len());
        late.until("document.body.dataset.places === '3'");
        let podium = "[...document.querySelectorAll('.place .name')].map((name) => name.textContent)";
        let view = site.get("/api/final").json();
        let best: Vec<&Value> =
            (0..3).map(|nth| &view["bots"][view["ranking"][nth].as_u64().unwrap() as usize - 1]["name"]).collect();
        for page in [&tab, &late, &chromium.open(&address)] {
            page.until("document.body.dataset.places === '3'");
            assert_eq!(json!(page.value::<Vec<String>>(podium)), json!(best));
            assert!(page.requests().iter().all(|request| request.starts_with(&address[..address.len() - 6])));
            page.assert_calm();
        }
    });
}
