//! The files in `sample-state/entelect-2017` are what the engine writes today.
//!
//! `BROADSIDE_BLESS=1 cargo test -p arena sample_state` writes them anew.

use crate::scripted::{FLEET, play, player};
use arena::Sequence;
use rules::entelect_2017::{MapSize, Phase, View};
use std::path::{Path, PathBuf};
use std::{env, fs};
use tempfile::tempdir;
use walkdir::WalkDir;

/// The rounds that are kept of each match: the first, an early one, one with a shield that was hit, the one after the
/// first use of each special weapon, and the last two.
fn is_telling(round: u32, folder: &Path, weapons: &mut Vec<&str>) -> bool {
    let commands = fs::read_to_string(folder.join("roundCommand.json")).unwrap();
    let first_use = weapons.iter().position(|weapon| commands.contains(&format!("\"CommandIssued\":\"{weapon}")));
    if let Some(at) = first_use {
        weapons.remove(at);
    }
    [0, 3, 9].contains(&round) || first_use.is_some()
}

const WEAPONS: [&str; 5] =
    ["FireDoubleShot", "FireCornerShot", "FireCrossShotDiagonal", "FireCrossShotNormal", "FireSeekerMissile"];

/// A raises its shield in round 8 and B shoots at it; then both use one weapon after the other as soon as they have the
/// energy, and when they have used all they sweep the map.
fn script(first: bool) -> impl FnMut(&View) -> String + Send + 'static {
    let mut weapons = vec![("7,2,2", 12), ("2,4,4", 8), ("4,2,2", 10), ("5,1,1", 12), ("6,3,1", 14)];
    if !first {
        // On the small map nobody lives to fire all of them, but one of the two fires each.
        weapons.reverse();
    }
    move |view| {
        let side = u32::from(view.size.side());
        let n = view.round;
        match (view.phase, n, weapons.last()) {
            (Phase::One, ..) if first => FLEET.to_owned(),
            (Phase::One, ..) => {
                "Destroyer 5 5 north\nSubmarine 6 2 south\nCruiser 1 6 east\nCarrier 0 0 north\nBattleship 2 0 east\n"
                    .to_owned()
            }
            (Phase::Two, 8, _) if first => "8,1,1".to_owned(),
            (Phase::Two, 8, _) => "1,1,1".to_owned(),
            // This sinks the destroyer.
            (Phase::Two, 1..8, _) if first => format!("1,5,{n}"),
            (Phase::Two, 1..8, _) => format!("1,{n},5"),
            (Phase::Two, _, Some((command, rounds))) if view.own.energy >= rounds * view.size.energy() => {
                let command = (*command).to_owned();
                weapons.pop();
                command
            }
            // Refused, so it costs nothing, and it is not nothing.
            (Phase::Two, _, Some(_)) => "1,-1,-1".to_owned(),
            (Phase::Two, _, None) => format!("1,{},{}", n % side, n / side % side),
        }
    }
}

fn made(size: MapSize, into: &Path) {
    let folder = tempdir().unwrap();
    play(size, [player(script(true)), player(script(false))], Sequence::InTurn, folder.path(), None).unwrap();
    let mut all: Vec<(u32, PathBuf)> = fs::read_dir(folder.path())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter_map(|path| Some((path.to_str()?.rsplit_once("Round ")?.1.parse().unwrap(), path)))
        .collect();
    all.sort();
    let last = all.len() - 2;
    let mut weapons = WEAPONS.to_vec();
    let kept = all.iter().enumerate().filter(|(at, (n, folder))| is_telling(*n, folder, &mut weapons) || *at >= last);
    for (_, (_, round)) in kept {
        for file in WalkDir::new(round).into_iter().map(Result::unwrap).filter(|entry| entry.file_type().is_file()) {
            // Logs say when they were written.
            if file.path().extension().is_some_and(|e| e == "log") || file.path().ends_with("log.txt") {
                continue;
            }
            let target = into.join(file.path().strip_prefix(folder.path()).unwrap());
            fs::create_dir_all(target.parent().unwrap()).unwrap();
            fs::copy(file.path(), target).unwrap();
        }
    }
}

fn tree(path: &Path) -> Vec<(PathBuf, String)> {
    let files = WalkDir::new(path).sort_by_file_name().into_iter().map(Result::unwrap);
    let files = files.filter(|entry| entry.file_type().is_file() && entry.file_name() != "README.md");
    files
        .map(|file| (file.path().strip_prefix(path).unwrap().to_owned(), fs::read_to_string(file.path()).unwrap()))
        .collect()
}

#[test]
fn the_sample_files_are_what_the_engine_writes() {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sample-state/entelect-2017");
    let bless = env::var_os("BROADSIDE_BLESS").is_some();
    for size in MapSize::ALL {
        let name = format!("size-{}", size.number());
        let today = tempdir().unwrap();
        made(size, today.path());
        let kept = samples.join(&name);
        if bless {
            let _ = fs::remove_dir_all(&kept);
            for (path, text) in tree(today.path()) {
                fs::create_dir_all(kept.join(&path).parent().unwrap()).unwrap();
                fs::write(kept.join(&path), text).unwrap();
            }
        }
        let (kept, today) = (tree(&kept), tree(today.path()));
        let names = |tree: &[(PathBuf, String)]| tree.iter().map(|(path, _)| path.clone()).collect::<Vec<_>>();
        assert_eq!(names(&kept), names(&today), "{name}");
        for ((path, kept), (_, today)) in kept.iter().zip(&today) {
            assert!(kept == today, "{name}/{} is not what the engine writes", path.display());
        }
    }
}

#[test]
fn the_sample_files_show_what_they_promise() {
    let samples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../sample-state/entelect-2017");
    for size in MapSize::ALL {
        let texts: String =
            tree(&samples.join(format!("size-{}", size.number()))).into_iter().map(|(_, text)| text).collect();
        for telling in
            ["\"Phase\":1", "Status: Activated", "\"ShieldHit\":true", "\"Destroyed\":true", "FireCrossShot", "@"]
        {
            assert!(texts.contains(telling), "{size:?} shows no {telling}");
        }
    }
}
