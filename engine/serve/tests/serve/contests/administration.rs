//! The administration of contests while the server runs.

use crate::accessibility::check;
use crate::browser::Chromium;
use crate::server::contest::{Entry, PLAYS};
use crate::server::{ADMIN, Arena};
use serde_json::{Value, json};

/// The contest `autumn` as a body, with these changes.
fn autumn(change: &Value) -> Value {
    let mut body = json!({"name": "autumn", "title": "Autumn", "game": "entelect-2017", "settings": {"size": "small"},
        "baselines": ["builtin:random"], "games": 4});
    for (key, value) in change.as_object().unwrap() {
        body[key] = value.clone();
    }
    body
}

#[test]
fn a_contest_begins_while_the_server_runs() {
    let mut arena = Arena::for_contests();
    let set = |site: crate::server::Site, change: Value| site.admin_post("contests", &autumn(&change));
    let site = arena.site;
    assert_eq!(site.post("/api/admin/contests", &autumn(&json!({}))).status, 401);
    for (change, why) in [
        (json!({"name": "Au tumn"}), "lower-case letters, digits and hyphens"),
        (json!({"titel": "x"}), "unknown field `titel`"),
        (json!({"games": "many"}), "games: invalid type: string \"many\""),
        (json!({"game": "chess"}), "game: unknown value `chess`"),
        (json!({"parallel": 0}), "parallel is a number from 1 to 64, not 0"),
        (json!({"settings": {"seize": "small"}}), "unknown field `seize`"),
        (json!({"baselines": ["builtin:nobody"]}), "no built-in player"),
    ] {
        let refused = set(site, change);
        assert!(refused.status == 400 && refused.error().contains(why), "{refused:?}");
    }
    assert_eq!(site.get("/api/contests").json(), json!([]));

    assert_eq!(set(site, json!({})).status, 201);
    let mut ann = Entry::register(site, "Ann");
    assert_eq!(ann.submit(&[("bot.sh", PLAYS)])["state"], "accepted");
    ann.plays("Ann v1", 4);
    assert_eq!(set(site, json!({"title": "Late autumn", "baselines": ["builtin:hunter"]})).status, 200);
    ann.comes_back("builtin:hunter");
    let other = set(site, json!({"settings": {"size": "large"}}));
    assert!(other.status == 409 && other.error().contains("never change"), "{other:?}");
    assert_eq!(site.admin_post("contests?new=true", &autumn(&json!({}))).status, 409);

    let games = site.get("/api/contests/autumn").json()["games"].as_u64();
    arena.restart_with_contests();
    let contest = arena.site.get("/api/contests/autumn").json();
    assert_eq!(contest["settings"]["title"], "Late autumn");
    assert!(contest["games"].as_u64() >= games, "{contest}");
}

#[test]
fn of_two_requests_that_begin_a_contest_one_comes_first() {
    let arena = Arena::for_contests();
    let site = arena.site;
    let begin = |path: &'static str| {
        std::thread::scope(|scope| {
            let begin = |number: u32| {
                site.admin_post(path, &autumn(&json!({"name": path.len().to_string(), "games": number}))).status
            };
            let sent: Vec<_> = (2..10).map(|number| scope.spawn(move || begin(number))).collect();
            let mut statuses: Vec<u16> = sent.into_iter().map(|sent| sent.join().unwrap()).collect();
            statuses.sort_unstable();
            statuses
        })
    };
    assert_eq!(begin("contests?new=true"), [201, 409, 409, 409, 409, 409, 409, 409]);
    assert_eq!(begin("contests"), [200, 200, 200, 200, 200, 200, 200, 201]);
}

#[test]
fn a_contest_begins_by_the_form() {
    let arena = Arena::for_contests();
    let site = format!("http://{}", arena.site.0);
    Chromium::run(|chromium| {
        let admin = chromium.open(&format!("{site}/admin/contests"));
        admin.reach("#password");
        admin.write(&format!("{ADMIN}\r"));
        admin.arrive("document.querySelector('#contests a') !== null && 'ready' in document.body.dataset");
        admin.reach("#contests a");
        admin.write("\r");
        admin.arrive("location.pathname === '/admin/contests' && 'ready' in document.body.dataset");
        let form = chromium.open(&format!("{site}/admin/contests"));
        form.reach("#settings- summary");
        form.write("\r");
        form.until("document.activeElement.id === 'name-1'");
        check(&form);
        admin.reach("#settings- summary");
        admin.write("\r");
        admin.until("document.activeElement.id === 'name-1'");
        for (field, text) in
            [("#name-1", "autumn"), ("#title-1", "Autumn"), ("#other-1", "games = 4\r[settings]\rsize = \"tiny\"")]
        {
            admin.reach(field);
            admin.write(text);
        }
        admin.reach("#settings- button");
        admin.write("\r");
        admin.arrive("document.querySelector('[role=alert]') !== null && 'ready' in document.body.dataset");
        let alert: String = admin.value("document.querySelector('[role=alert]').textContent");
        assert!(alert.starts_with("The settings of the game: "), "{alert}");
        // All that was typed is still there.
        let _: String = admin.value("document.querySelector('#other-1').value = document.querySelector('#other-1').value.replace('tiny', 'small')");
        admin.reach("#settings- button");
        admin.write("\r");
        admin.arrive("document.querySelector('#settings-autumn') !== null && 'ready' in document.body.dataset");
        check(&chromium.open(&format!("{site}/admin/contests")));
        let mut ann = Entry::register(arena.site, "Ann");
        assert_eq!(ann.submit(&[("bot.sh", PLAYS)])["state"], "accepted");
        ann.plays("Ann v1", 4);

        admin.reach("#settings-autumn summary");
        admin.write("\r");
        admin.until("document.activeElement.id === 'opens-1'");
        let _: String = admin.value("document.querySelector('#title-1').value = 'Late autumn'");
        admin.write("\r");
        admin.arrive("document.querySelector('#settings-autumn summary')?.textContent.includes('Late autumn') && 'ready' in document.body.dataset");
        let settings = arena.site.get("/api/contests/autumn").json()["settings"].clone();
        assert_eq!((&settings["title"], &settings["games"]), (&json!("Late autumn"), &json!(4)), "{settings}");
    });
}
