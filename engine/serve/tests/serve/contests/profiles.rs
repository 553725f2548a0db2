//! The pages of how bots play over many games of a contest.

use crate::accessibility::check;
use crate::browser::Chromium;
use crate::server::contest::{Entry, PLAYS};
use crate::server::{ADMIN, Arena, PASSWORD, Site};
use serde_json::json;
use std::fs::{self, File};

const ANNS: &str = "/c/autumn/bots/Ann/profile";
const BOBS: &str = "/c/autumn/bots/Bob/profile";

/// The sentence of a profile with its number of games.
fn games(site: Site, page: &str) -> String {
    let page = site.get(page);
    assert_eq!(page.status, 200, "{}", page.body);
    let (before, _) = page.body.split_once(" games with a record").expect("it has games");
    before.rsplit('>').next().unwrap().to_owned()
}

#[test]
fn a_profile_is_linked_and_accessible_and_has_another_one_beside_it() {
    let arena = Arena::with_contest(&json!({}));
    let mut ann = Entry::register(arena.site, "Ann");
    assert_eq!(arena.site.get(ANNS).status, 404, "no version plays");
    ann.submit(&[("bot.sh", PLAYS)]);
    ann.plays("Ann v1", 4);
    for nobody in ["Bob/profile", "Ann/profile?beside=Bob", "builtin:hunter/profile"] {
        assert_eq!(arena.site.get(&format!("/c/autumn/bots/{nobody}")).status, 404, "{nobody}");
    }
    assert_eq!(arena.site.get("/c/winter/bots/Ann/profile").status, 404);
    let baseline = arena.site.get("/c/autumn/bots/builtin%3Arandom/profile");
    assert!(baseline.status == 200 && baseline.body.contains("Profile of builtin:random"), "{}", baseline.status);
    let site = format!("http://{}", arena.site.0);
    Chromium::run(|chromium| {
        check(&chromium.open(&format!("{site}/c/autumn")));
        for from in ["/c/autumn", "/c/autumn/bots/Ann"] {
            let tab = chromium.open(&format!("{site}{from}"));
            tab.reach(&format!("a[href='{ANNS}']"));
            tab.write("\r");
            tab.arrive("document.title.startsWith('Profile of Ann v1') && 'ready' in document.body.dataset");
            assert!(
                tab.value::<bool>("document.querySelector('.headline').textContent.includes('4 games with a record')")
            );
        }
        for (query, bots) in [("", 1), ("?beside=builtin%3Arandom", 2), ("?beside=ann", 1)] {
            let tab = chromium.open(&format!("{site}{ANNS}{query}"));
            tab.until(&format!("document.querySelectorAll('.headline').length === {bots}"));
            for (width, height) in [(390, 844), (1600, 1000)] {
                tab.resize(width, height);
                tab.until(&format!("innerWidth === {width} && document.documentElement.scrollWidth <= {width}"));
                tab.assert_accessible();
            }
            tab.assert_calm();
        }
    });
}

#[test]
fn a_record_is_analysed_once_and_left_out_when_it_is_damaged_or_missing() {
    let arena = Arena::with_contest(&json!({}));
    let mut ann = Entry::register(arena.site, "Ann");
    ann.submit(&[("bot.sh", PLAYS)]);
    ann.plays("Ann v1", 4);
    assert_eq!(games(arena.site, ANNS), "4");
    let folder = arena.folder.path().join("contests/autumn/records");
    let mut records: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    let (one, other) = (records.pop().unwrap(), records.pop().unwrap());
    let written = fs::metadata(&one).unwrap().modified().unwrap();
    fs::write(&one, "damaged").unwrap();
    let at = |time| File::options().append(true).open(&one).unwrap().set_modified(time).unwrap();
    at(written);
    assert_eq!(games(arena.site, ANNS), "4", "a record of the same time is not read again");
    at(written + std::time::Duration::from_secs(1));
    assert_eq!(games(arena.site, ANNS), "3");
    fs::remove_file(&other).unwrap();
    assert_eq!(games(arena.site, ANNS), "2");
    assert!(arena.site.get(ANNS).body.contains("Ann v1: without 2 records that cannot be read"));
    records.iter().for_each(|record| fs::remove_file(record).unwrap());
    assert_eq!(arena.site.get(ANNS).status, 404, "none is left");
}

#[test]
fn a_profile_counts_what_everyone_may_open_and_nothing_else() {
    let arena = Arena::with_contest(&json!({"baselines": []}));
    let site = arena.site;
    let [mut ann, mut bob] = ["Ann", "Bob"].map(|name| Entry::register(site, name));
    ann.submit(&[("bot.sh", PLAYS)]);
    bob.submit(&[("bot.sh", &[PLAYS, "# newer\n"].concat())]);
    bob.plays("Bob v1", 4);
    assert_eq!(games(site, BOBS), "4");
    // Those that a team has asked for are for it alone.
    assert_eq!(bob.api("POST", "/requests", &json!({"against": "Ann", "games": 2})).status, 201);
    bob.ends(1);
    assert_eq!(games(site, BOBS), "4");
    let tournament = json!({"format": "round-robin", "games": 2});
    assert_eq!(site.admin_post("contests/autumn/tournaments", &tournament).status, 201);
    bob.ends(2);
    assert_eq!(games(site, BOBS), "6");
    assert!(site.get(BOBS).body.contains("Ann v1"));

    assert_eq!(site.admin_post("contests/autumn/bots/1/hidden", &json!({"on": true})).status, 200);
    for page in [ANNS, "/c/autumn/bots/Bob/profile?beside=Ann"] {
        assert_eq!(site.get(page).status, 404, "{page}");
    }
    let page = site.get(BOBS).body;
    assert!(!page.contains("Ann") && page.contains("<bdi>hidden</bdi>"), "{page}");
    assert_eq!(games(site, BOBS), "6", "games against it count");
    let in_as = |page: &str, action: &str, cookie: &str, fields: &[(&str, &str)]| {
        let answer = site.form(page, action, fields, "");
        format!("{cookie}={}", answer.cookie(cookie).unwrap())
    };
    let team = in_as("/c/autumn", "/team/login", "broadside_team", &[("name", "Ann"), ("password", PASSWORD)]);
    let admin = in_as("/admin", "/admin/login", "broadside_admin", &[("password", ADMIN)]);
    for cookies in [&team, &admin] {
        let page = site.ask("GET", ANNS, &[("Cookie", cookies)], "");
        assert!(page.status == 200 && page.body.contains("Profile of Ann v1"), "{}", page.status);
    }
}
