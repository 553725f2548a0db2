//! Builds of bots that are handed in: whose turn it is, and what their teams see of them.

use crate::server::contest::{Entry, PLAYS, archive, with_contest};
use crate::server::{ADMIN, Arena, Site};
use arena::Interrupt;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use players::process::{Purpose, ToolCheck};
use players::{Manifest, Tools};
use rawzip::{CompressionMethod, ZipArchiveWriter};
use serde_json::json;
use serve::{ServeOptions, TournamentServer};
use std::io::Write;
use std::path::{Path, PathBuf};
use walkdir::WalkDir;

/// A bot whose build waits for a line in the pipe `go` in its folder.
fn waiting_for_a_line(marker: &str) -> Vec<u8> {
    let manifest =
        r#"{"Author":"Ann","Email":"","NickName":"N","BotType":"CPlusPlus","ProjectLocation":"","RunFile":"bot"}"#;
    let build = "mkfifo go; echo compiling $(CURDIR)/bot.cpp; read line < go; rm go; echo done; cp bot.sh bot";
    let makefile = format!("bot:\n\t@{build} # {marker}\n");
    archive(&[("bot.json", manifest), ("Makefile", &makefile), ("bot.sh", PLAYS)])
}

fn log(entry: &Entry, version: u32) -> String {
    entry.ask("GET", &format!("/{version}/log"), b"").body
}

/// Waits until the build of a bot waits, and lets it go on.
fn lets_it_build(arena: &Arena, entry: &Entry, bot: u32, version: u32) {
    while !log(entry, version).contains("compiling") {}
    let go = arena.folder.path().join(format!("contests/autumn/versions/{bot}-{version}/bot/go"));
    std::fs::write(go, "\n").unwrap();
}

#[test]
fn what_a_compiler_says_is_told_while_it_runs() {
    if test_tools::required("make").is_none() {
        return;
    }
    let arena = Arena::with_contest(&json!({}));
    let mut ann = Entry::register(arena.site, "Ann");
    assert_eq!(ann.ask("POST", "", &waiting_for_a_line("1")).status, 201);
    while !log(&ann, 1).contains("compiling") {}
    let told = log(&ann, 1);
    assert!(told.ends_with("\ncompiling bot.cpp\n"), "{told}");
    assert_eq!(ann.ask("GET", "/1", b"").json()["state"], "building");
    lets_it_build(&arena, &ann, 1, 1);
    assert_eq!(ann.verdict(1)["state"], "accepted", "{}", log(&ann, 1));
    let told = log(&ann, 1);
    assert!(told.contains("compiling bot.cpp\ndone\nbuilt in "), "{told}");
}

#[test]
fn teams_take_turns_in_the_queue() {
    if test_tools::required("make").is_none() {
        return;
    }
    let arena = Arena::with_contest(&json!({}));
    let [mut ann, mut bob] = ["Ann", "Bob"].map(|name| Entry::register(arena.site, name));
    for marker in ["1", "2", "3"] {
        assert_eq!(ann.ask("POST", "", &waiting_for_a_line(marker)).status, 201);
    }
    while ann.ask("GET", "/1", b"").json()["state"] != "building" {}
    assert_eq!(bob.ask("POST", "", &waiting_for_a_line("4")).status, 201);
    let place = |entry: &Entry, version: u32| entry.ask("GET", &format!("/{version}"), b"").json()["place"].clone();
    let places = [place(&ann, 1), place(&bob, 1), place(&ann, 2), place(&ann, 3)];
    assert_eq!(places, [json!(null), json!(1), json!(2), json!(3)]);
    let queue = arena.site.get("/api/contests/autumn").json()["queue"].clone();
    let told = queue.as_array().unwrap().iter().map(|waiting| format!("{} {}", waiting["name"], waiting["version"]));
    assert_eq!(told.collect::<Vec<_>>(), [r#""Ann" 1"#, r#""Bob" 1"#, r#""Ann" 2"#, r#""Ann" 3"#]);
    lets_it_build(&arena, &ann, 1, 1);
    lets_it_build(&arena, &bob, 2, 1);
    assert_eq!(ann.ask("GET", "/3", b"").json()["state"], "queued", "the other team was first");
    assert_eq!(bob.verdict(1)["state"], "accepted");
    for version in [2, 3] {
        lets_it_build(&arena, &ann, 1, version);
    }
    assert_eq!(ann.verdict(3)["state"], "accepted");
}

#[test]
fn several_versions_are_built_at_once() {
    let processors = std::thread::available_parallelism().unwrap().get();
    if processors < 2 || test_tools::required("make").is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let options = ServeOptions { builds: 2, ..with_contest(folder.path(), &json!({})) };
    let server = TournamentServer::start(options).unwrap();
    let arena = Arena { site: Site(server.address), server: Some(server), folder };
    let [mut ann, mut bob] = ["Ann", "Bob"].map(|name| Entry::register(arena.site, name));
    for (entry, marker) in [(&ann, "1"), (&bob, "2"), (&ann, "3")] {
        assert_eq!(entry.ask("POST", "", &waiting_for_a_line(marker)).status, 201);
    }
    // Both wait for a line, which none gets.
    for entry in [&ann, &bob] {
        while entry.ask("GET", "/1", b"").json()["state"] != "building" {}
    }
    assert_eq!(ann.ask("GET", "/2", b"").json()["place"], 1);
    lets_it_build(&arena, &bob, 2, 1);
    lets_it_build(&arena, &ann, 1, 2);
    assert_eq!(ann.ask("GET", "/1", b"").json()["state"], "building");
    let states = [bob.verdict(1), ann.verdict(2)].map(|verdict| verdict["state"].clone());
    assert_eq!(states, [json!("accepted"), json!("accepted")]);
    lets_it_build(&arena, &ann, 1, 1);
    assert_eq!(ann.verdict(1)["state"], "accepted");
    let journal = std::fs::read_to_string(arena.folder.path().join("arena.jsonl")).unwrap();
    assert_eq!(journal.matches(r#""what":"judged""#).count(), 3, "none is built twice: {journal}");
}

/// A zip of a sample bot, without what building has left in its folder; without modes, as the libraries for zips leave them out.
fn zipped(sample: &Path) -> Vec<u8> {
    let manifest = Manifest::read(sample).unwrap();
    let is_built = |path: &Path| !manifest.language.builds.is_empty() && path == manifest.run_path();
    let made = ["target", "build", "node_modules", "__pycache__"];
    let mut archive = ZipArchiveWriter::new(Vec::new());
    let entries =
        WalkDir::new(sample).into_iter().filter_entry(|entry| !made.iter().any(|made| entry.file_name() == *made));
    for entry in entries.map(Result::unwrap) {
        let is_script = entry.path().extension().is_some_and(|extension| extension == "py");
        if !entry.file_type().is_file() || is_built(entry.path()) && !is_script {
            continue;
        }
        let name = Path::new("bot").join(entry.path().strip_prefix(sample).unwrap());
        let file = archive.new_file(name.to_str().unwrap()).compression_method(CompressionMethod::DEFLATE);
        let (mut written, config) = file.start().unwrap();
        let mut writer = config.wrap(DeflateEncoder::new(&mut written, Compression::default()));
        writer.write_all(&std::fs::read(entry.path()).unwrap()).unwrap();
        let (encoder, descriptor) = writer.finish().unwrap();
        encoder.finish().unwrap();
        written.finish(descriptor).unwrap();
    }
    archive.finish().unwrap()
}

/// Reports a tool that is missing to build or run the bot. Gives whether all are there.
fn has_its_tools(sample: &Path) -> bool {
    let language = Manifest::read(sample).unwrap().language;
    let check = ToolCheck::new(Tools::on_path(), Interrupt::new().unwrap());
    let missing = check.missing(language, Purpose::Build).unwrap();
    for missing in &missing {
        match &missing.broken {
            Some((_, why)) => test_tools::broken(missing.tool.programs[0], why),
            None => test_tools::missing(missing.tool.programs),
        }
    }
    // The sample of programs that run by themselves is one in Perl.
    missing.is_empty() && (language.name != "Executable" || test_tools::required("perl").is_some())
}

/// The sample bots with a bot.json, those of Battleship by any rules or those of the Entelect Challenge 2017.
fn samples(are_by_rules: bool) -> Vec<PathBuf> {
    let bots = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bots");
    let mut samples: Vec<PathBuf> = std::fs::read_dir(bots).unwrap().map(|entry| entry.unwrap().path()).collect();
    samples.retain(|path| {
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let is_of = |game| name.starts_with(game);
        let is_wanted = is_of("battleship") == are_by_rules && !is_of("sea-battle") && !is_of("bots-arena");
        is_wanted && path.join("bot.json").is_file()
    });
    samples.sort();
    samples
}

#[test]
fn samples_of_all_languages_are_accepted_as_zips() {
    let samples = samples(false);
    assert!(samples.len() >= 17, "{samples:?}");
    are_accepted(&samples, &json!({"buildTime": 1_000_000}));
}

#[test]
fn starters_of_battleship_are_accepted_in_a_contest_by_rules() {
    let samples = samples(true);
    assert!(samples.len() >= 4, "{samples:?}");
    let settings = json!({"board": {"width": 8, "height": 8}, "again": "on-hit", "touching": "none",
        "fleet": [{"name": "cruiser", "size": 4}, {"name": "bent", "shape": ["#..", "###"]}, {"name": "boat", "count": 2, "size": 2}]});
    are_accepted(&samples, &json!({"game": "battleship", "settings": settings}));
}

/// Hands the samples in to a contest with these settings, whose games each must play.
fn are_accepted(samples: &[PathBuf], change: &serde_json::Value) {
    let folder = tempfile::tempdir().unwrap();
    let contest = with_contest(folder.path(), change);
    let server = TournamentServer::start(ServeOptions { builds: 2, ..contest }).unwrap();
    let site = Site(server.address);
    std::thread::scope(|scope| {
        for (team, share) in ["Ann", "Bob"].into_iter().zip(samples.chunks(samples.len().div_ceil(2))) {
            scope.spawn(move || {
                let mut entry = Entry::register(site, team);
                for sample in share.iter().filter(|sample| has_its_tools(sample)) {
                    let handed_in = entry.ask("POST", "?activate=false", &zipped(sample));
                    assert_eq!(handed_in.status, 201, "{}: {handed_in:?}", sample.display());
                    let version = handed_in.json()["version"].as_u64().unwrap();
                    let verdict = entry.verdict(version);
                    let told = log(&entry, version as u32);
                    assert_eq!(verdict["state"], "accepted", "{}: {verdict}\n{told}", sample.display());
                }
            });
        }
    });
}

#[test]
fn the_oldest_versions_give_way_when_a_team_has_no_room_on_the_disk() {
    if test_tools::required("make").is_none() {
        return;
    }
    let mut arena = Arena::with_contest(&json!({"teamDisk": 64}));
    let headers = [("X-Admin-Password", ADMIN), ("Content-Type", "application/json")];
    let stop = arena.site.ask("POST", "/api/admin/contests/autumn/ranked", &headers, r#"{"on": false}"#);
    assert_eq!(stop.status, 200, "{stop:?}");
    let mut ann = Entry::register(arena.site, "Ann");
    let manifest = r#"{"NickName":"N","BotType":"CPlusPlus","ProjectLocation":"","RunFile":"bot"}"#;
    let large = |number: u32| {
        let makefile = format!("bot:\n\ttruncate -s 40M data; cp bot.sh bot # {number}\n");
        archive(&[("bot.json", manifest), ("Makefile", &makefile), ("bot.sh", PLAYS)])
    };
    for number in [1, 2] {
        assert_eq!(ann.ask("POST", "", &large(number)).status, 201);
        assert_eq!(ann.verdict(number.into())["isActive"], true);
    }
    // The line follows the verdict.
    while ann.ask("GET", "/1", b"").json()["state"] != "removed" {}
    let why = "the versions of a team have 64 MiB of the disk, and this was the oldest that did not play";
    assert_eq!(ann.ask("GET", "/1", b"").json()["reason"], why);
    let activated = ann.ask("POST", "/1/activate", b"");
    assert_eq!((activated.status, activated.error().ends_with(why)), (409, true), "{activated:?}");
    assert!(log(&ann, 1).ends_with("accepted\n"), "what is known of it stays");
    let page = arena.site.get("/c/autumn/bots/Ann?version=1").body;
    assert!(page.contains("removed from the disk") && page.contains(why), "{page}");

    // The same archive again is another version.
    let again = ann.ask("POST", "?activate=false", &large(1));
    assert_eq!((again.status, &again.json()["version"]), (201, &json!(3)), "{again:?}");
    assert_eq!(ann.verdict(3)["state"], "accepted", "it is the newest, and the second one plays");

    arena.server = None;
    let bots = |version: u32| arena.folder.path().join(format!("contests/autumn/versions/1-{version}/bot")).exists();
    assert_eq!([bots(1), bots(2), bots(3)], [false, true, true]);
    let archives = std::fs::read_dir(arena.folder.path().join("contests/autumn/archives")).unwrap();
    assert_eq!(archives.count(), 2);
    let server = TournamentServer::start(with_contest(arena.folder.path(), &json!({"teamDisk": 64}))).unwrap();
    let told = Site(server.address).get("/api/contests/autumn/bots/Ann").json();
    let active: Vec<_> = told["versions"].as_array().unwrap().iter().map(|version| &version["isActive"]).collect();
    assert_eq!(active, [&json!(false), &json!(true), &json!(false)], "{told}");
}
