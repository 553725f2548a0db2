//! Bots for the examples of this documentation: shell scripts that fire row by row.

use platform::files::make_executable;
use std::fs;
use tempfile::TempDir;

const SCRIPT: &str = r#"#!/bin/sh
case $2 in
*"Phase 1"*) printf '%s\n' 'Carrier 0 0 east' 'Battleship 0 1 east' 'Cruiser 0 2 east' 'Submarine 0 3 east' 'Destroyer 0 4 east' >"$2/place.txt" ;;
*) round=${2##*Round } && round=${round%%/*} && echo "1,$((round % 10)),$((round / 10 % 10))" >"$2/command.txt" ;;
esac
"#;

/// A folder with so many bots in the folders `0`, `1` and so on.
///
/// # Panics
/// The disk failed.
pub fn bots(count: u8) -> TempDir {
    let all = tempfile::tempdir().expect("a temporary folder can be made");
    for number in 0..count {
        let folder = all.path().join(number.to_string());
        let manifest = format!(
            r#"{{"Author": "A", "Email": "", "NickName": "Row {number}", "BotType": "Executable", "ProjectLocation": "", "RunFile": "bot.sh"}}"#
        );
        let script = folder.join("bot.sh");
        let made = fs::create_dir(&folder).and_then(|()| fs::write(folder.join("bot.json"), manifest));
        let made = made.and_then(|()| fs::write(&script, SCRIPT));
        made.and_then(|()| make_executable(&script)).expect("files can be written to a temporary folder");
    }
    all
}
