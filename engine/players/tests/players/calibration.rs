//! Extra time for the start of a language.

use arena::Interrupt;
use fake_bot::BotFolder;
use players::process::{Calibration, Language, Launch};
use players::{Manifest, Tools};
use rules::Part;
use std::time::Duration;

fn calibration() -> Calibration {
    let question = vec![Part { name: "state.json", bytes: b"{}".to_vec() }];
    Calibration::new(question, Tools::on_path(), Interrupt::new().unwrap())
}

fn bot(language: &str) -> (BotFolder, Launch) {
    let manifest = serde_json::json!({ "BotType": language, "ProjectLocation": "", "RunFile": fake_bot::program() });
    let folder = BotFolder::with_manifest(&manifest.to_string(), "");
    let launch = Launch::of(&Manifest::read(folder.path()).unwrap(), &Tools::on_path()).unwrap();
    (folder, launch)
}

#[test]
fn calibration_adds_the_start_time_of_the_language_and_finds_it_out_once() {
    for (name, tool) in [("Python3", "python3"), ("JavaScript", "node")] {
        if test_tools::required(tool).is_none() {
            continue;
        }
        let (mut calibration, language) = (calibration(), Language::from_name(name).unwrap());
        let (_folder, launch) = bot(name);
        assert!(calibration.known(language, &launch).is_none());
        let extra = calibration.extra(language, &launch, &Ok).unwrap();
        assert!(extra > Duration::ZERO && extra <= Calibration::CAP, "{name}: {extra:?}");
        assert!(calibration.known(language, &launch).is_some());
        assert_eq!(calibration.extra(language, &launch, &Ok).unwrap(), extra);
    }
}

#[test]
fn a_program_that_is_run_directly_needs_no_extra_time() {
    let (_folder, launch) = bot("Rust");
    let extra = calibration().extra(Language::from_name("Rust").unwrap(), &launch, &Ok).unwrap();
    assert_eq!(extra, Duration::ZERO);
}
