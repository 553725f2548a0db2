//! `broadside rules`: the rules of any Battleship, in files.

use crate::args::{RulesCheckArgs, RulesCommand, RulesListArgs, RulesShowArgs};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::show;
use rule_files::{Fleets, PRESETS, RulesFileError, first_sentence, fleet_in_words, plays};
use rules::Game;
use rules::battleship::{Battleship, Rules};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// Lists, prints or checks rules.
///
/// # Errors
/// Rules of an unknown name, and a file that cannot be read or has a mistake.
pub(crate) fn rules(command: &RulesCommand) -> Result<Exit, Failure> {
    let text = match command {
        RulesCommand::List(args) => list(args)?,
        RulesCommand::Show(args) => show_preset(args)?,
        RulesCommand::Check(args) => check(args)?,
    };
    show::print(&text)?;
    Ok(Exit::Success)
}

fn list(args: &RulesListArgs) -> Result<String, Failure> {
    let rules = PRESETS.iter().map(|preset| preset.rules()).collect::<Result<Vec<_>, _>>()?;
    if args.json {
        return Ok(show::written_json(&rules));
    }
    let mut text = String::new();
    let longest = PRESETS.iter().map(|preset| preset.name.len()).max().unwrap_or_default();
    for rules in &rules {
        let (choices, fleet) = (rules.choices(), fleet_in_words(rules));
        let board = format!("{} x {}", choices.board.width, choices.board.height);
        let about = first_sentence(&choices.about);
        // Writing to a String cannot fail.
        let _ = writeln!(text, "{:<longest$} {board:>7}  {fleet:<25} {about}", choices.name);
    }
    Ok(text)
}

fn show_preset(args: &RulesShowArgs) -> Result<String, Failure> {
    let preset = PRESETS.iter().find(|preset| preset.name == args.name);
    let unknown = || RulesFileError::Unknown { name: args.name.clone(), file: None };
    Ok(preset.ok_or_else(unknown)?.text.to_owned())
}

fn check(args: &RulesCheckArgs) -> Result<String, Failure> {
    let rules = rule_files::find(&args.file)?;
    let name = &rules.choices().name;
    if !rules.fits() {
        return Err(Failure::Usage {
            what: format!("{}: there is no place for all ships of the fleet", show::printable(&args.file)),
            hint: "make the board larger, or the fleet smaller".to_owned(),
        });
    }
    let fleets = Fleets::of(&rules);
    let bounds = Battleship::bounds(&rules);
    if args.json {
        return Ok(show::written_json(&as_json(&rules, fleets)));
    }
    let mut text = format!("{name} can be played.\n");
    for line in plays(&rules) {
        text += &format!("{line}\n");
    }
    text += &match fleets {
        Fleets::Counted(1) => "There is 1 fleet.\n".to_owned(),
        _ => format!("There are {fleets} fleets.\n"),
    };
    if let Some(bounds) = bounds {
        text += &format!("A match has at most {} turns.\n", bounds.turns);
    }
    Ok(text)
}

fn as_json(rules: &Rules, fleets: Fleets) -> Value {
    let fleets = match fleets {
        Fleets::Counted(fleets) => json!({ "number": fleets, "counted": true, "error": null }),
        Fleets::About(fleets, error) => json!({ "number": fleets, "counted": false, "error": error }),
    };
    let seats = rules.seats();
    json!({
        "format": "broadside rules",
        "version": 1,
        "name": rules.choices().name,
        "rules": rules,
        "plays": plays(rules),
        "seats": { "least": seats.start(), "most": seats.end() },
        "fleets": fleets,
        "turns": Battleship::bounds(rules).map(|bounds| bounds.turns),
    })
}
