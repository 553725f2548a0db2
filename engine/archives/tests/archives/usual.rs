//! Archives as people make them.

use crate::written::{FILE, LINK, tar_gz, zip};
use crate::{Desk, SMALL};
use archives::unpack_class;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use tar::EntryType;

/// The files of a bot by their paths, with an `x` before those that can be run.
fn files(folder: &Path) -> Vec<String> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(next) = folders.pop() {
        for entry in fs::read_dir(next).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.is_symlink() {
                folders.push(path);
                continue;
            }
            let runs = fs::metadata(&path).unwrap().permissions().mode() & 0o111 != 0;
            let name = path.strip_prefix(folder).unwrap().display().to_string();
            files.push(format!("{}{name}", if runs { "x " } else { "" }));
        }
    }
    files.sort();
    files
}

fn unpacked(archive: &[u8]) -> Vec<String> {
    let desk = Desk::with(archive);
    desk.unpack(SMALL).unwrap();
    assert_eq!(fs::read_dir(desk.folder.path()).unwrap().count(), 2, "nothing else is left");
    files(&desk.bot())
}

#[test]
fn the_only_folder_of_an_archive_is_the_bot_in_both_formats() {
    let script = b"#!/bin/sh\n";
    let of_zip = zip(&[(b"my bot/", b"", 0o40_755), (b"my bot/bot.json", b"{}", FILE), (b"my bot/run", script, FILE)]);
    let of_tar = tar_gz(&[
        (EntryType::Directory, "./", b""),
        (EntryType::Regular, "./my bot/bot.json", b"{}"),
        (EntryType::Regular, "./my bot/run", script),
    ]);
    for archive in [of_zip, of_tar] {
        assert_eq!(unpacked(&archive), ["bot.json", "x run"]);
    }
    let two = zip(&[(b"a/bot.json", b"{}", FILE), (b"b/other", b"", FILE)]);
    assert_eq!(unpacked(&two), ["a/bot.json", "b/other"]);
}

/// Zips of Windows have no run bits, and those of some programs give them to everything.
#[test]
fn what_begins_as_a_program_or_a_script_can_be_run() {
    let archive = zip(&[
        (b"program", b"\x7fELF\x02", FILE),
        (b"script", b"#!/usr/bin/env python3\n", FILE),
        (b"text", b"print()", 0o100_777),
        (b"tiny", b"#", FILE),
        (b"setuid", b"text", 0o104_755),
    ]);
    assert_eq!(unpacked(&archive), ["setuid", "text", "tiny", "x program", "x script"]);
}

#[test]
fn what_systems_add_is_left_out() {
    let archive = zip(&[
        (b"bot/bot.json", b"{}", FILE),
        (b"bot/.DS_Store", b"", FILE),
        (b"__MACOSX/bot/._bot.json", b"", FILE),
        (b"bot/._bot.json", b"", FILE),
        (b"bot/src/Thumbs.db", b"", FILE),
    ]);
    assert_eq!(unpacked(&archive), ["bot.json"]);
}

#[test]
fn names_of_every_language_and_of_windows_are_taken() {
    let archive =
        zip(&[("b\\größe 日本.py".as_bytes(), b"", FILE), (b"b\\Bot.py", b"", FILE), (b"b\\bot.py", b"", FILE)]);
    assert_eq!(unpacked(&archive), ["Bot.py", "bot.py", "größe 日本.py"]);
}

#[test]
fn links_in_the_folder_stay() {
    let of_zip = zip(&[(b"b/data/table", b"1", FILE), (b"b/src/data", b"../data", LINK)]);
    let of_tar = tar_gz(&[(EntryType::Symlink, "b/src/data", b"../data"), (EntryType::Regular, "b/data/table", b"1")]);
    for archive in [of_zip, of_tar] {
        let desk = Desk::with(&archive);
        desk.unpack(SMALL).unwrap();
        assert_eq!(fs::read_to_string(desk.bot().join("src/data/table")).unwrap(), "1");
    }
}

#[test]
fn a_folder_that_is_there_stays_as_it_is() {
    let desk = Desk::with(&zip(&[(b"bot.json", b"{}", FILE)]));
    desk.unpack(SMALL).unwrap();
    fs::write(desk.bot().join("kept"), "").unwrap();
    assert!(desk.unpack(SMALL).unwrap_err().to_string().contains("cannot make the folder"));
    assert_eq!(files(&desk.bot()), ["bot.json", "kept"]);
}

#[test]
fn the_zip_of_a_class_is_unpacked_without_the_entries_that_are_refused() {
    let archive = zip(&[
        (b"Jane Doe_1_assignsubmission_file_/bot.zip", b"zip", FILE),
        (b"Jane Doe_1_assignsubmission_file_/../../out", b"", FILE),
        (b"Jane Doe_1_assignsubmission_file_/away", b"/etc/passwd", LINK),
        (b"Jane Doe_1_assignsubmission_file_/away/file", b"", FILE),
        (b"Jane Doe_1_assignsubmission_file_/\x1b", b"", FILE),
        (b"__MACOSX/._x", b"", FILE),
    ]);
    let desk = Desk::with(&archive);
    let left_out = unpack_class(&desk.folder.path().join("archive"), &desk.bot(), SMALL).unwrap();
    // The name of the only student is not lifted, and nobody has followed the link.
    let of_jane = |name: &str| format!("Jane Doe_1_assignsubmission_file_/{name}");
    assert_eq!(files(&desk.bot()), [of_jane("away"), of_jane("bot.zip")]);
    let [out, behind, control] = &left_out[..] else { panic!("{left_out:?}") };
    assert!(out.ends_with("leads out of the folder") && behind.ends_with("lies behind a link"), "{left_out:?}");
    assert!(control.contains("has a character in its name"), "{control}");
    let large = zip(&[(b"a", &[0; 100_001], FILE), (b"b", b"", FILE)]);
    let desk = Desk::with(&large);
    let left_out = unpack_class(&desk.folder.path().join("archive"), &desk.bot(), SMALL).unwrap();
    assert_eq!(left_out.len(), 1, "the rest stays within the limit: {left_out:?}");
}
