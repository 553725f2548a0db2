//! Extra time for the start of a language.

use arena::Interrupt;
use fake_bot::BotFolder;
use players::process::{Calibration, Language, Launch};
use players::{Manifest, find_tool};
use rules::Part;
use std::time::Duration;

fn calibration() -> Calibration {
    let question = vec![Part { name: "state.json", bytes: b"{}".to_vec() }];
    Calibration::new(question, Interrupt::new().unwrap())
}

fn launch(language: &str) -> Launch {
    let manifest = serde_json::json!({ "BotType": language, "ProjectLocation": "", "RunFile": fake_bot::program() });
    Launch::of(&Manifest::read(BotFolder::with_manifest(&manifest.to_string(), "").path()).unwrap()).unwrap()
}

#[test]
fn calibration_adds_the_start_time_of_the_language_and_finds_it_out_once() {
    for (name, tool) in [("Python3", "python3"), ("JavaScript", "node")] {
        if find_tool(tool).is_none() {
            eprintln!("skipped: {tool} is not installed");
            continue;
        }
        let (mut calibration, language) = (calibration(), Language::from_name(name).unwrap());
        assert!(!calibration.knows(language));
        let extra = calibration.extra(language, &launch(name)).unwrap();
        assert!(extra > Duration::ZERO && extra <= Calibration::CAP, "{name}: {extra:?}");
        assert!(calibration.knows(language));
        assert_eq!(calibration.extra(language, &launch(name)).unwrap(), extra);
    }
}

#[test]
fn a_program_that_is_run_directly_needs_no_extra_time() {
    let extra = calibration().extra(Language::from_name("Rust").unwrap(), &launch("Rust")).unwrap();
    assert_eq!(extra, Duration::ZERO);
}
