//! All pages in a real browser, light and dark: rules of accessibility, sizes from a phone to a big screen, local times, and
//! what the administrator sees.

use crate::browser::{Chromium, Tab};
use crate::server::{ADMIN, Arena, PASSWORD, TestBot, Way};
use serve::SettingsChange;

/// Checks a page in both colour schemes and in three sizes.
pub(crate) fn check(tab: &Tab<'_>) {
    for scheme in ["light", "dark"] {
        tab.prefers(&[("prefers-color-scheme", scheme), ("prefers-reduced-motion", "reduce")]);
        for (width, height) in [(1920, 1080), (1280, 800), (390, 844)] {
            tab.resize(width, height);
            tab.until(&format!("innerWidth === {width} && document.documentElement.scrollWidth <= {width}"));
            if width != 1280 {
                tab.assert_accessible();
            }
        }
    }
    // Pages about what went wrong have a status that tells so.
    let complaints = tab.complaints();
    assert!(complaints.iter().all(|text| text.contains("the server responded with a status of 40")), "{complaints:?}");
    // A browser opens six connections to a server, and each screen keeps one.
    tab.command("Page.close", serde_json::json!({}));
}

/// Fills a form that is there, with the keyboard.
fn send(tab: &Tab<'_>, fields: &[(&str, &str)]) {
    for (field, text) in fields {
        tab.reach(field);
        tab.write(text);
    }
    tab.write("\r");
}

#[test]
fn all_pages_are_accessible_light_and_dark() {
    let arena = Arena::with(SettingsChange { limit: Some(60_000), pace: Some(0), ..SettingsChange::default() });
    let bots = [TestBot::plays(), TestBot::start(Way::HangsAfter(9))];
    Chromium::run(|chromium| {
        let open = |path: &str| chromium.open(&format!("http://{}{path}", arena.site.0));
        for path in ["/", "/view", "/overlay", "/admin"] {
            check(&open(path));
        }
        arena.join(&[("Ann", &bots[0]), ("Bob", &bots[1])]);
        arena.site.register("Eve");
        arena.site.admin("POST", "tournament/start");
        for path in ["/view", "/overlay"] {
            let tab = open(path);
            tab.until("document.body.dataset.moment >= 12");
            check(&tab);
        }
        check(&open("/nothing"));
        check(&open("/bots/Ann"));
        let tab = open("/bots/Ann");
        tab.reach("#enter summary");
        tab.write("\r");
        tab.until("document.activeElement.id === 'team-password'");
        send(&tab, &[("#team-password", "wrong password")]);
        tab.arrive("document.querySelector('[role=alert]') !== null && 'ready' in document.body.dataset");
        check(&tab);
        let tab = open("/");
        tab.reach("#enter summary");
        tab.write("\r");
        tab.until("document.activeElement.id === 'team-name'");
        send(&tab, &[("#team-name", "Ann"), ("#team-password", PASSWORD)]);
        tab.arrive("location.search === '?done=in' && 'ready' in document.body.dataset");
        check(&tab);
        for button in ["#set-1", "#try-1"] {
            let tab = open("/");
            tab.reach(button);
            tab.write("\r");
            tab.until("document.querySelector(':popover-open') !== null");
            check(&tab);
        }
        let tab = open("/admin");
        send(&tab, &[("#password", ADMIN)]);
        tab.arrive("document.querySelector('#tournaments-title') !== null && 'ready' in document.body.dataset");
        check(&tab);
        for button in ["#remove-1", "#clear"] {
            let tab = open("/admin");
            tab.reach(button);
            tab.write("\r");
            tab.until("document.querySelector(':popover-open') !== null");
            check(&tab);
        }
    });
}

#[test]
fn the_administrator_sees_the_state_and_does_nothing_by_mistake() {
    let arena = Arena::start();
    arena.site.register("Ann");
    Chromium::run(|chromium| {
        let admin = chromium.open(&format!("http://{}/admin", arena.site.0));
        send(&admin, &[("#password", ADMIN)]);
        let title = "document.querySelector('#tournaments-title')?.textContent";
        admin.arrive(&format!("{title} === 'Not started yet' && 'ready' in document.body.dataset"));
        for (button, words) in [("Start", "Running since "), ("Pause", "Paused since "), ("Resume", "Running since ")] {
            admin.reach("#switch");
            assert_eq!(admin.value::<String>("document.activeElement.textContent"), button);
            admin.write("\r");
            admin.arrive(&format!(
                "{title}.startsWith({words:?}) && document.querySelector('#switch').textContent !== {button:?} \
                 && 'ready' in document.body.dataset"
            ));
        }
        for (width, height) in [(1280, 800), (390, 844)] {
            admin.resize(width, height);
            let apart = "(() => { const [one, other] = ['#switch', '.who button'].map((id) => document.querySelector(id).getBoundingClientRect());
                return Math.hypot(one.x - other.x, one.y - other.y); })()";
            admin.until(&format!("innerWidth === {width}"));
            let apart: f64 = admin.value(apart);
            assert!(apart > 200.0, "{apart} at {width}");
        }
        // Enter twice removes nobody: the first pop-over button keeps the bot.
        admin.reach("#remove-1");
        admin.write("\r");
        admin.until("document.activeElement.textContent === 'Keep it'");
        admin.write("\r");
        admin.until("document.querySelector(':popover-open') === null");
        assert_eq!(arena.site.bot("Ann")["id"], "1");
        admin.reach("#remove-1");
        admin.write("\r");
        admin.until("document.activeElement.textContent === 'Keep it'");
        admin.press("Tab");
        admin.write("\r");
        admin.arrive("document.querySelector('#remove-1') === null && 'ready' in document.body.dataset");
        assert!(arena.site.bot("Ann").is_null());
        // The history is cleared only after the box is ticked.
        admin.reach("#clear");
        admin.write("\r");
        admin.until("document.activeElement.id === 'sure'");
        admin.write("\r");
        assert!(admin.value::<bool>("document.querySelector('#clear-sure').matches(':popover-open')"));
        admin.write(" \r");
        admin.arrive("document.querySelector(':popover-open') === null && 'ready' in document.body.dataset");
        admin.assert_calm();
    });
}

#[test]
fn times_are_those_of_the_visitor_and_do_not_change_on_their_own() {
    let arena = Arena::start();
    arena.site.admin("POST", "tournament/start");
    Chromium::run(|chromium| {
        let login = chromium.open(&format!("http://{}/admin", arena.site.0));
        send(&login, &[("#password", ADMIN)]);
        login.arrive("document.querySelector('#tournaments-title') !== null && 'ready' in document.body.dataset");
        let admin = chromium.open_sped_up(&format!("http://{}/", arena.site.0), 20);
        admin.command("Emulation.setTimezoneOverride", serde_json::json!({ "timezoneId": "Asia/Kolkata" }));
        let _: String = admin.value("location.pathname = '/admin'");
        admin.arrive("document.querySelector('#now time') !== null && document.readyState === 'complete'");
        let shown: String = admin.value("document.querySelector('#now time').textContent");
        let hint: String = admin.value("document.querySelector('#now time').title");
        let expected: String = admin.value(
            "new Date(document.querySelector('#now time').dateTime).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'Asia/Kolkata' })",
        );
        assert!(hint.ends_with(" UTC") && shown == expected && !hint.starts_with(&shown), "{shown} {hint}");
        // The page loads itself again; what did not change is not replaced.
        let _: bool = admin.value("document.querySelector('#now time').isTheFirst = true");
        let _: String = admin.value("(window.looks = 0, new PerformanceObserver((list) => { looks += list.getEntries().filter(({ name }) => name.endsWith('/admin')).length; }).observe({ type: 'resource' }), 'watching')");
        admin.until("looks >= 3");
        assert!(admin.value::<bool>("document.querySelector('#now time').isTheFirst === true"));
        admin.assert_calm();
    });
}
