//! A contest in a real browser: a student joins with a code, hands a bot in that cannot be built, and one that can, sees it
//! play, and goes back to it from a later one. With the keyboard alone, but for the files that are dropped.

use crate::accessibility::check;
use crate::browser::{Chromium, Tab};
use crate::contests::logged_in;
use crate::server::contest::{Entry, PLAYS, archive, with_contest};
use crate::server::{Arena, PASSWORD, Site};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};
use serve::{ServeOptions, TournamentServer};
use std::fs;
use test_tools::pause;

/// A bot whose build fails with a message of a compiler, once somebody has written a line to the pipe `go` in its folder.
const BROKEN: [(&str, &str); 2] = [
    (
        "bot.json",
        r#"{"Author":"Ann","Email":"","NickName":"N","BotType":"CPlusPlus","ProjectLocation":"","RunFile":"bot"}"#,
    ),
    (
        "Makefile",
        "bot:\n\t@mkfifo go; echo 'bot.cpp:7: expected <semicolon>'; read line < go; echo \"$$line\"; exit 2\n",
    ),
];

/// Drops the archive of a version on the form, and sends it.
fn hand_in(tab: &Tab<'_>, version: u32, archive: &[u8]) {
    let bytes = BASE64_STANDARD.encode(archive);
    let drop = format!(
        "(() => {{
            const bytes = Uint8Array.from(atob('{bytes}'), (letter) => letter.charCodeAt(0));
            const dataTransfer = new DataTransfer();
            dataTransfer.items.add(new File([bytes], 'bot.tgz', {{ type: 'application/gzip' }}));
            const form = document.querySelector('form.drop');
            for (const kind of ['dragover', 'drop']) {{
                form.dispatchEvent(new DragEvent(kind, {{ bubbles: true, cancelable: true, dataTransfer }}));
            }}
            return document.activeElement.id + form.archive.files.length;
        }})()"
    );
    assert_eq!(tab.value::<String>(&drop), "archive1");
    tab.reach("#submit button");
    tab.write("\r");
    tab.arrive(&format!("location.search === '?version={version}&done=submitted' && 'ready' in document.body.dataset"));
}

/// True of an element with exactly this text.
fn is(selector: &str, text: &str) -> String {
    format!("document.querySelector({selector:?})?.textContent === {text:?}")
}

/// True of an element with this text in it.
fn says(selector: &str, text: &str) -> String {
    format!("document.querySelector({selector:?})?.textContent.includes({text:?})")
}

#[test]
fn a_student_hands_in_fixes_climbs_and_goes_back() {
    if test_tools::required("make").is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let contest = with_contest(folder.path(), &json!({"baselines": ["builtin:hunter"], "games": 8}));
    let options = ServeOptions { join_code: Some("autumn leaves".to_owned()), ..contest };
    let server = TournamentServer::start(options).unwrap();
    let site = format!("http://{}", Site(server.address).0);
    Chromium::run(|chromium| {
        let lobby = chromium.open(&site);
        lobby.reach("#contests-title + ul a");
        lobby.write("\r");
        lobby.arrive("location.pathname === '/c/autumn' && 'ready' in document.body.dataset");
        check(&lobby);

        let tab = chromium.open(&format!("{site}/c/autumn"));
        tab.reach("#join summary");
        tab.write("\r");
        tab.until("document.activeElement.id === 'name'");
        tab.write("Ann");
        for (field, text) in [("#password", PASSWORD), ("#again", PASSWORD), ("#code", "autumn leaves\r")] {
            tab.reach(field);
            tab.write(text);
        }
        tab.arrive("location.pathname === '/c/autumn/bots/Ann' && 'ready' in document.body.dataset");
        assert!(tab.value::<bool>(&says("[role=status]", "Your bot has joined")));

        hand_in(&tab, 1, &archive(&BROKEN));
        tab.until(&says("#log", "bot.cpp:7: expected <semicolon>"));
        assert!(tab.value::<bool>(&is("#version-title", "Version 1: being built")), "the log grows while it is built");
        fs::write(folder.path().join("contests/autumn/versions/1-1/bot/go"), "1 error\n").unwrap();
        tab.until(&says("#log", "1 error"));
        tab.until(&says("#version-title", "rejected"));
        check(&chromium.open(&format!("{site}/c/autumn/bots/Ann")));

        hand_in(&tab, 2, &archive(&[("bot.sh", PLAYS)]));
        tab.until(&is("#version-title", "Version 2: plays"));
        tab.until("document.querySelector('#games td.loss') !== null");
        hand_in(&tab, 3, &archive(&[("bot.sh", &[PLAYS, "# worse\n"].concat())]));
        tab.until(&is("#version-title", "Version 3: plays"));
        tab.reach("#play-2");
        tab.write("\r");
        tab.arrive("location.search === '?version=2&done=activated' && 'ready' in document.body.dataset");
        assert!(tab.value::<bool>(&is("#version-title", "Version 2: plays")));
        check(&chromium.open(&format!("{site}/c/autumn/bots/Ann?version=2")));

        tab.reach("#games tr:has(.loss) a");
        tab.write("\r");
        tab.arrive("location.pathname.startsWith('/c/autumn/games/') && document.title.includes('Ann v2')");
        assert!(tab.requests().iter().all(|request| request.starts_with(&site)), "{:?}", tab.requests());

        let admin = logged_in(chromium, &site);
        admin.reach("#announce-autumn");
        admin.write("The contest ends at six.\r");
        admin.arrive("document.querySelector('#announce-autumn')?.value !== '' && 'ready' in document.body.dataset");
        check(&chromium.open(&format!("{site}/admin")));
        admin.reach("#void-autumn summary");
        admin.write("\r");
        admin.until("document.activeElement.id === 'void-bot-autumn'");
        admin.write("Ann\r");
        admin.arrive("location.pathname === '/c/autumn/void' && 'ready' in document.body.dataset");
        assert_eq!(admin.value::<Option<String>>("document.querySelector('[role=alert]')?.textContent ?? null"), None);
        assert!(admin.value::<bool>(&says("main", "games of Ann would count no more")));
        admin.reach("#why");
        admin.write("the test says so\r");
        admin.arrive("location.pathname === '/admin' && document.querySelector('#contests') !== null");
        let page = Site(server.address).get("/c/autumn").body;
        assert!(page.contains("The contest ends at six."), "{page}");

        // Who is not logged in sees the versions that play or may, and nothing of the others.
        server_tells_others_nothing(Site(server.address));
    });
}

fn server_tells_others_nothing(site: Site) {
    for page in ["/c/autumn/bots/Ann", "/c/autumn/bots/Ann?version=1", "/c/autumn/bots/Ann/faults/1/trial-1/3"] {
        let body = site.get(page).body;
        assert!(!body.contains("semicolon") && !body.contains("Version 1") && !body.contains("id=\"log\""), "{page}");
    }
}

#[test]
fn a_bots_page_and_the_api_tell_of_all_its_games_also_after_a_restart() {
    let mut arena = Arena::with_contest(&json!({"baselines": ["builtin:random", "builtin:hunter"], "games": 30}));
    let mut ann = Entry::register(arena.site, "Ann");
    ann.submit(&[("bot.sh", PLAYS)]);
    ann.plays("Ann v1", 24);
    ann.submit(&[("bot.sh", &[PLAYS, "# newer\n"].concat())]);
    ann.plays("Ann v2", 2);
    let bot = |site: Site, version: &str| site.get(&format!("/api/contests/autumn/bots/Ann{version}")).json();
    let told = bot(arena.site, "");
    assert_eq!((&told["shown"], &told["versions"].as_array().unwrap().len()), (&json!(2), &2), "{told}");
    assert!(told["versions"][0].get("archive").is_none(), "{told}");
    assert_eq!(arena.site.get("/api/contests/autumn/bots/Ann?version=3").status, 404);

    // The first one plays no more.
    let before = bot(arena.site, "?version=1");
    let count = |row: &Value| ["wins", "draws", "losses"].map(|result| row[result].as_u64().unwrap());
    let sum =
        |rows: &str| before[rows].as_array().unwrap().iter().map(|row| count(row).iter().sum::<u64>()).sum::<u64>();
    let games: u64 = count(&before["versions"][1]).iter().sum();
    assert!(games >= 24 && before["lastGames"].as_array().unwrap().len() == 20, "{before}");
    assert_eq!((sum("endings"), sum("opponents")), (games, games), "{before}");
    let [shortest, median, longest] =
        ["shortest", "median", "longest"].map(|length| before["lengths"][length].as_u64().unwrap());
    assert!(0 < shortest && shortest <= median && median <= longest, "{before}");
    let page = arena.site.get("/c/autumn/bots/Ann?version=1").body;
    let lengths = format!("{shortest} to {longest}, half of the games have at most {median}");
    assert!(page.contains(&lengths), "{lengths}: {page}");
    for ending in before["endings"].as_array().unwrap() {
        assert!(page.contains(ending["ending"].as_str().unwrap()), "{ending}: {page}");
    }
    // Ratings may be those of a moment ago.
    let chart = || arena.site.get("/c/autumn/bots/Ann?version=1").body.contains("<title id=\"chart-title\">");
    while !chart() {
        pause();
    }

    arena.server = None;
    let change = json!({"baselines": ["builtin:random", "builtin:hunter"], "games": 30});
    let server = TournamentServer::start(with_contest(arena.folder.path(), &change)).unwrap();
    let after = bot(Site(server.address), "?version=1");
    for key in ["endings", "lengths", "opponents", "faults", "lastGames", "latency"] {
        assert_eq!(after[key], before[key], "{key}");
    }
}
