//! The tournament server in a real browser: two teams join, play, and are watched.

use crate::browser::{Chromium, Tab};
use crate::serve::{ADMIN, Arena, PASSWORD, TestBot};
use web::serve::SettingsChange;

const HOSTILE: &str = "<img src=x onerror=alert(1)>";

async fn join(tab: &Tab, name: &str) {
    tab.fill_in("#name", name).await;
    tab.fill_in("#password", PASSWORD).await;
    tab.fill_in("#again", &format!("{PASSWORD}\r")).await;
    tab.arrive("location.search === '?done=joined' && 'ready' in document.body.dataset").await;
    assert_eq!(tab.value::<String>("document.querySelector('h1').textContent").await, name);
}

async fn set_url(tab: &Tab, url: &str, password: &str) {
    tab.fill_in("#url", url).await;
    tab.fill_in("#url-password", &format!("{password}\r")).await;
}

#[test]
fn two_teams_join_play_and_are_watched() {
    let arena = Arena::with(SettingsChange { pause_tournament: Some(60_000), ..SettingsChange::default() });
    let bots = [TestBot::plays(), TestBot::plays()];
    let site = format!("http://{}", arena.site.0);
    Chromium::run(async |chromium| {
        let view = chromium.open(&format!("{site}/view")).await;
        for (name, bot) in ["Ann", HOSTILE].into_iter().zip(&bots) {
            let tab = chromium.open(&site).await;
            join(&tab, name).await;
            set_url(&tab, &bot.url, "wrong password").await;
            tab.arrive("document.querySelector('[role=alert]')?.textContent === 'The password is wrong.'").await;
            // What was filled in is still there, but for the password.
            tab.fill_in("#url-password", &format!("{PASSWORD}\r")).await;
            tab.arrive("location.search === '?done=set' && 'ready' in document.body.dataset").await;
            assert!(tab.requests().iter().all(|request| request.starts_with(&site)), "{:?}", tab.requests());
        }
        let admin = chromium.open(&format!("{site}/admin")).await;
        admin.fill_in("#password", &format!("{ADMIN}\r")).await;
        admin.arrive("document.querySelector('#tournaments-title') !== null").await;
        admin.click("form[action='/admin/start'] button").await;
        admin.arrive("document.querySelector('form[action=\"/admin/pause\"]') !== null").await;

        view.until("document.querySelector('#over').textContent !== ''").await;
        assert!(view.value::<usize>("document.querySelectorAll('#turns li').length").await > 50);
        assert!(view.value::<String>("document.querySelector('#names').textContent").await.contains(HOSTILE));
        view.until("[...document.querySelectorAll('#all tbody tr')].length === 2").await;
        let first = "document.querySelector('#all tbody tr').textContent";
        view.until(&format!("{first}.includes('1')")).await;
        for path in ["/", "/admin", "/view", "/bots/%3Cimg%20src%3Dx%20onerror%3Dalert%281%29%3E"] {
            let tab = chromium.open(&format!("{site}{path}")).await;
            tab.resize(360, 640).await;
            tab.until("document.documentElement.scrollWidth <= 360").await;
            tab.assert_calm();
            assert!(tab.requests().iter().all(|request| request.starts_with(&site)), "{:?}", tab.requests());
        }
        let replay = chromium.open(&format!("{site}/matches/1")).await;
        replay.assert_calm();
        view.assert_calm();
    });
}
