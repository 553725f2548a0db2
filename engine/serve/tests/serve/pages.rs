//! The tournament server in a real browser: two teams join, play and watch, with the keyboard alone.

use crate::browser::{Chromium, Tab};
use crate::server::{ADMIN, Arena, PASSWORD, Site, TestBot, Way};
use serde_json::Value;
use serve::SettingsChange;
use std::collections::BTreeMap;

const HOSTILE: &str = "<img src=x onerror=alert(1)>";
/// The address of a bot's page.
const ITS_PAGE: &str = "/bots/%3Cimg%20src%3Dx%20onerror%3Dalert%281%29%3E";

/// Joins in the lobby, sets the URL and tests the bot there, and logs out: all with the keyboard. Forms that open have the
/// focus.
fn join(chromium: &Chromium, site: &str, name: &str, id: u32, url: &str) {
    let tab = chromium.open(site);
    tab.reach("#join summary");
    tab.write("\r");
    tab.until("document.activeElement.id === 'name'");
    tab.write(name);
    for (field, text) in [("#password", PASSWORD), ("#again", &format!("{PASSWORD}\r"))] {
        tab.reach(field);
        tab.write(text);
    }
    tab.arrive("location.search === '?done=joined' && 'ready' in document.body.dataset");
    assert_eq!(tab.value::<String>("document.querySelector('h1').textContent"), name);

    let tab = chromium.open(site);
    let buttons = "document.querySelectorAll('#bots .deeds').length";
    assert_eq!(tab.value::<u32>(buttons), 1, "a team has buttons in its own row only");
    tab.reach(&format!("#set-{id}"));
    tab.write("\r");
    tab.until(&format!("document.activeElement.id === 'url-{id}'"));
    tab.press("Escape");
    tab.until("document.querySelector(':popover-open') === null");
    tab.reach(&format!("#set-{id}"));
    tab.write("\r");
    tab.until(&format!("document.activeElement.id === 'url-{id}'"));
    tab.write(&format!("{url}\r"));
    tab.arrive("location.search === '?done=set' && 'ready' in document.body.dataset");
    assert_eq!(tab.value::<String>("document.querySelector('#url').value"), url);

    let tab = chromium.open(site);
    tab.reach(&format!("#try-{id}"));
    tab.write("\r");
    tab.until(&format!("document.activeElement.id === 'test-now-{id}'"));
    tab.write("\r");
    tab.arrive("document.querySelector('#report')?.textContent.includes('The bot can play')");
    tab.reach(".who button");
    tab.write("\r");
    tab.arrive("location.search === '?done=out' && document.querySelector('#join') !== null");
    assert!(tab.requests().iter().all(|request| request.starts_with(site)), "{:?}", tab.requests());
}

/// The administrator logs in and starts the tournaments.
fn start(chromium: &Chromium, site: &str) {
    let admin = chromium.open(&format!("{site}/admin"));
    admin.reach("#password");
    admin.write("not this one\r");
    admin.arrive("document.querySelector('[role=alert]') !== null");
    admin.reach("#password");
    admin.write(&format!("{ADMIN}\r"));
    admin.arrive("document.querySelector('#tournaments-title') !== null");
    admin.reach("form[action='/admin/start'] button");
    admin.write("\r");
    admin.arrive("document.querySelector('form[action=\"/admin/pause\"]') !== null");
}

/// The cells of both boards with a trace of a shot.
const SHOTS: &str = "Object.fromEntries([...document.querySelectorAll('.board')].map((board) => [
    board.dataset.seat,
    [...board.querySelectorAll('.cell:is([data-mark=miss], [data-mark=hit], [data-mark=dented])')]
      .map((cell) => `${cell.dataset.x},${cell.dataset.y} ${cell.dataset.mark === 'miss' ? 'miss' : 'hit'}`).sort(),
  ]))";

/// The same cells, computed from the server's turns.
fn shots(turns: &[Value]) -> BTreeMap<String, Vec<String>> {
    let mut boards = BTreeMap::from([("A", BTreeMap::new()), ("B", BTreeMap::new())]);
    let deeds = turns.iter().flat_map(|turn| turn["deeds"].as_array().unwrap());
    for deed in deeds.filter(|deed| deed["kind"] == "shot") {
        let other = if deed["seat"] == "A" { "B" } else { "A" };
        let what = if deed["result"] == "miss" { "miss" } else { "hit" };
        // A miss at a destroyed cell does not change it.
        let cell = boards.get_mut(other).unwrap().entry(format!("{},{}", deed["x"], deed["y"])).or_insert(what);
        *cell = if *cell == "hit" { "hit" } else { what };
    }
    let listed = |cells: BTreeMap<String, &str>| {
        let mut cells: Vec<String> = cells.iter().map(|(at, what)| format!("{at} {what}")).collect();
        cells.sort();
        cells
    };
    boards.into_iter().map(|(seat, cells)| (seat.to_owned(), listed(cells))).collect()
}

/// Waits for the end of a match on the screen, and compares it with the server's data.
fn assert_whole_match(view: &Tab, site: Site) -> u64 {
    view.until("!document.querySelector('#winner').hidden");
    let id: String = view.value("document.body.dataset.match");
    let whole = site.get(&format!("/api/matches/{id}")).json();
    let turns = whole["turns"].as_array().unwrap();
    assert!(turns.len() > 50);
    assert_eq!(view.value::<BTreeMap<_, _>>(SHOTS), shots(turns));
    assert_eq!(view.value::<String>("document.body.dataset.moment"), turns.len().to_string());
    let banner: String = view.value("document.querySelector('#winner').textContent");
    let result = &whole["over"]["result"];
    if let Some(winner) = result["winner"].as_str() {
        let name = result["names"][usize::from(winner == "B")].as_str().unwrap();
        assert!(banner.contains(name) && banner.contains("wins"), "{banner}");
    }
    let fleets = "document.querySelectorAll('.cell :is(.violet, .yellow)').length";
    assert_eq!(view.value::<u32>(fleets), 2 * (3 + 2), "both battleships and submarines in their colours");
    id.parse().unwrap()
}

#[test]
fn two_teams_join_play_and_are_watched() {
    // A match of few moves: the screen shows every one of them.
    let arena = Arena::with(SettingsChange {
        max_moves_each: Some(30),
        pause_tournament: Some(60_000),
        pace: Some(1),
        ..SettingsChange::default()
    });
    let bots = [TestBot::plays(), TestBot::plays()];
    let site = format!("http://{}", arena.site.0);
    Chromium::run(|chromium| {
        let view = chromium.open(&format!("{site}/view"));
        view.until("document.querySelector('#connection').hidden");
        for ((name, bot), id) in ["Ann", HOSTILE].into_iter().zip(&bots).zip(1..) {
            join(chromium, &site, name, id, &bot.url);
        }
        // The sums of wins, draws and losses of both.
        let results = "[...document.querySelectorAll('#ranks tbody td:nth-child(n + 3)')]
            .reduce((sum, cell) => sum + Number(cell.textContent), 0)";
        view.until("document.querySelectorAll('#teams li').length === 2");
        assert_eq!(view.value::<u32>(results), 0);
        start(chromium, &site);

        assert_eq!(assert_whole_match(&view, arena.site), 1);
        let names: String = view.value("document.querySelector('#boards').textContent");
        assert!(names.contains(HOSTILE) && names.contains("Ann"), "{names}");
        view.until(&format!("{results} === 2"));
        view.assert_calm();

        // The browser has the administrator's cookie, so it sees the administrator's page.
        for path in ["/", "/admin", "/view", ITS_PAGE, "/matches/1"] {
            let tab = chromium.open(&format!("{site}{path}"));
            for (width, height) in [(390, 844), (1920, 1080)] {
                tab.resize(width, height);
                tab.until(&format!("document.documentElement.scrollWidth <= {width}"));
            }
            assert_eq!(tab.value::<u32>("document.querySelectorAll('img').length"), 0, "{path}");
            tab.assert_calm();
            assert!(tab.requests().iter().all(|request| request.starts_with(&site)), "{:?}", tab.requests());
        }
    });
}

#[test]
fn a_running_match_is_shown_without_its_fleets() {
    let arena = Arena::with(SettingsChange {
        limit: Some(60_000),
        pace: Some(4),
        reveal_fleets: Some(false),
        ..SettingsChange::default()
    });
    let bots = [TestBot::plays(), TestBot::start(Way::HangsAfter(6))];
    arena.join(&[("Ann", &bots[0]), ("Bob", &bots[1])]);
    Chromium::run(|chromium| {
        let address = format!("http://{}/view", arena.site.0);
        let early = chromium.open(&address);
        let mut events = arena.site.events(None);
        arena.site.admin("POST", "tournament/start");
        let is_last = |turn: &Value| turn["turn"].as_u64() >= Some(12);
        let mut turns = Vec::new();
        while !turns.last().is_some_and(is_last) {
            turns.push(events.one("turn"));
        }
        let late = chromium.open(&address);
        for view in [&early, &late] {
            view.until(&format!("document.body.dataset.moment >= {}", turns.len()));
            // The first to move may have made one move more, even between two looks.
            let seen = format!("[Number(document.body.dataset.moment), {SHOTS}]");
            let (shown, drawn): (usize, BTreeMap<_, _>) = view.value(&seen);
            while turns.len() < shown {
                turns.push(events.one("turn"));
            }
            assert_eq!(drawn, shots(&turns[..shown]));
            let ships = "document.querySelectorAll('.board .hull').length";
            assert_eq!(view.value::<u32>(ships), 0, "bots could look, too");
            view.until("document.querySelector('.board.mover')?.textContent.includes('Bob')");
            assert!(view.value::<bool>("document.querySelector('#winner').hidden"));
            view.assert_calm();
        }
    });
}

#[test]
fn the_screen_has_everything_in_sight_and_obeys_the_keys() {
    // Without a pace, the screen shows the last move of a match at once.
    let arena =
        Arena::with(SettingsChange { pause_tournament: Some(60_000), pace: Some(0), ..SettingsChange::default() });
    let bots = [TestBot::plays(), TestBot::plays(), TestBot::plays()];
    arena.join(&[("Ann", &bots[0]), ("Bob", &bots[1]), (HOSTILE, &bots[2])]);
    let mut events = arena.site.events(None);
    arena.site.admin("POST", "tournament/start");
    events.until("tournament", |told| told["number"] == 1 && told["over"] == true);
    arena.site.admin("POST", "tournament/pause");
    Chromium::run(|chromium| {
        let address = format!("http://{}/view", arena.site.0);
        // A visitor who comes when no match is played sees the last one.
        let view = chromium.open(&address);
        view.resize(1920, 1080);
        assert_eq!(assert_whole_match(&view, arena.site), 3);
        assert!(!view.value::<bool>("document.querySelector('#again').hidden"));
        let overlaps = "(() => {
            const boxes = ['.top', '.board', '.board + .board', 'aside', '.remote', '#winner']
              .map((selector) => document.querySelector(selector).getBoundingClientRect());
            const outside = boxes.filter((box) => box.left < 0 || box.top < 0 || box.right > innerWidth || box.bottom > innerHeight);
            const apart = (one, other) => one.right <= other.left || other.right <= one.left
              || one.bottom <= other.top || other.bottom <= one.top;
            const over = boxes.flatMap((one, at) => boxes.slice(at + 1).filter((other) => !apart(one, other)));
            return outside.length + over.length;
          })()";
        assert_eq!(view.value::<u32>(overlaps), 0);
        assert!(view.value::<bool>("document.documentElement.scrollHeight <= 1080"));
        assert!(view.value::<f64>("document.querySelector('.board .grid').getBoundingClientRect().width") > 600.0);

        view.visit("#match=1");
        view.until("document.body.dataset.match === '1' && !document.querySelector('#winner').hidden");
        assert_whole_match(&view, arena.site);
        let last: u32 = view.value::<String>("document.body.dataset.moment").parse().unwrap();
        view.press("ArrowLeft");
        view.until(&format!(
            "document.body.dataset.moment === '{}' && document.querySelector('#winner').hidden",
            last - 1
        ));
        view.press("ArrowRight");
        view.until("!document.querySelector('#winner').hidden");
        view.press("+");
        view.until("document.querySelector('#tempo').textContent === '2×'");
        view.press("m");
        view.until("document.querySelectorAll('#matches a').length === 3");
        view.reach("#matches a[href='#match=2']");
        view.write("\r");
        view.until("document.body.dataset.match === '2' && !document.querySelector('#list').open");
        view.press("?");
        view.until("document.querySelector('#keys').open");
        view.assert_calm();

        let phone = chromium.open(&address);
        phone.resize(390, 844);
        phone.prefers(&[("prefers-reduced-motion", "reduce")]);
        phone.until("!document.querySelector('#winner').hidden");
        let boards = "[...document.querySelectorAll('.board .grid')].map((grid) => grid.getBoundingClientRect())
            .filter((box) => box.width > 140 && box.left >= 0 && box.right <= 390 && box.bottom <= 844).length";
        assert_eq!(phone.value::<u32>(boards), 2);
        assert!(phone.value::<bool>("document.documentElement.scrollWidth <= 390"));
        assert_eq!(phone.value::<u32>("document.getAnimations().length"), 0);
        phone.press("ArrowLeft");
        phone.press("ArrowRight");
        phone.until("document.querySelector('.effects g') !== null");
        assert_eq!(phone.value::<u32>("document.getAnimations().length"), 0, "nothing moves");
        phone.assert_calm();
    });
}

#[test]
fn the_lobby_keeps_itself_up_to_date() {
    // Without pauses, the matches would slow down the browser.
    let pause = Some(250);
    let arena =
        Arena::with(SettingsChange { pause_match: pause, pause_tournament: pause, ..SettingsChange::default() });
    let away = TestBot::nobody();
    let bot = TestBot::plays();
    Chromium::run(|chromium| {
        // The page loads itself again every four seconds.
        let lobby = chromium.open_sped_up(&format!("http://{}", arena.site.0), 20);
        for name in ["Ann", "Bob"] {
            arena.site.register(name);
        }
        arena.site.set_url("Ann", &away);
        arena.site.set_url("Bob", &bot.url);
        lobby.until("document.querySelectorAll('#bots tbody th').length === 2");
        arena.site.admin("POST", "tournament/start");
        lobby.until("document.querySelector('#bots .parked')?.textContent.startsWith('parked: it failed to place its fleet; asked again in')");
        let row = "document.querySelector('#bots tbody tr').textContent";
        assert!(lobby.value::<String>(row).contains("connection refused"));
        arena.site.set_url("Ann", &bot.url);
        lobby.until("document.querySelector('#bots .parked') === null");
        lobby.assert_calm();
    });
}

#[test]
fn an_open_page_tells_that_its_log_in_has_ended_and_offers_another() {
    let arena = Arena::start();
    arena.site.register("Ann");
    Chromium::run(|chromium| {
        let lobby = chromium.open_sped_up(&format!("http://{}", arena.site.0), 20);
        lobby.reach("#enter summary");
        lobby.write("\r");
        lobby.until("document.activeElement.id === 'team-name'");
        lobby.write("Ann");
        lobby.reach("#team-password");
        lobby.write(&format!("{PASSWORD}\r"));
        lobby.arrive("location.search === '?done=in' && document.readyState === 'complete'");
        let other = chromium.open_sped_up(&format!("http://{}", arena.site.0), 20);
        assert!(
            other
                .value::<bool>("document.querySelector('#set-1') !== null && document.querySelector('#join') === null")
        );
        arena.site.admin("POST", "bots/1/remove");
        let ended = "document.querySelector('#ended').textContent.includes('Your log-in has ended')";
        other.until(&format!(
            "{ended} && document.querySelector('#enter') !== null && document.querySelector('.who button') === null"
        ));
        other.assert_calm();
    });
}

#[test]
fn the_big_screen_tells_who_is_parked_and_why() {
    // Few events, so that a browser on a busy machine keeps up.
    let pause = Some(200);
    let arena =
        Arena::with(SettingsChange { pause_match: pause, pause_tournament: pause, ..SettingsChange::default() });
    let bot = TestBot::plays();
    Chromium::run(|chromium| {
        let screen = chromium.open(&format!("http://{}/view", arena.site.0));
        assert!(screen.value::<bool>("document.querySelector('.parking').hidden"));
        arena.join(&[("Ann", &TestBot::start(Way::Status(500))), ("Bob", &bot)]);
        arena.site.admin("POST", "tournament/start");
        let parked = "document.querySelector('.parking:not([hidden]) #parked li')?.textContent";
        screen.until(&format!("/^Ann gave an unreadable answer: status 500/.test({parked})"));
        arena.site.set_url("Ann", &bot.url);
        screen.until("document.querySelector('.parking').hidden");
        screen.assert_calm();
    });
}
