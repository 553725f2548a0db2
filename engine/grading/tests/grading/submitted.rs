//! The submissions in folders as systems hand them out, and in hostile ones.

use crate::class::{Class, check_all_is_told, ignored, told};
use grading::{Layout, Source, SubmittedError, bot_folder, submissions_in};
use proptest::prelude::*;
use rawzip::path::EntryPath;
use rawzip::time::UtcDateTime;
use rawzip::{CompressionMethod, ZipArchiveWriter};
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::Path;

#[test]
fn moodle_in_folders() {
    let names = [
        "Jane Doe_11_assignsubmission_file_/bot.zip",
        "Jane Doe_22_assignsubmission_file_/bot.zip",
        "Jörg Straße_33_assignsubmission_file_/my bot/bot.json",
        "Jörg Straße_33_assignsubmission_file_/my bot/bot.py",
        "Jörg Straße_33_assignsubmission_onlinetext_/onlinetext.html",
        "Text Only_44_assignsubmission_onlinetext_/onlinetext.html",
        "Rar Red_55_assignsubmission_file_/bot.rar",
        "Empty_66_assignsubmission_file_/",
        "Default group_assignsubmission_file/a/b/bot.tar.gz",
        "marks.csv",
        ".DS_Store",
        "__MACOSX/x",
    ];
    let class = Class::with(&names).read();
    assert_eq!(class.layout, Layout::Moodle);
    assert_eq!(class.recognised, "8 of 9 names are those of Moodle");
    assert_eq!(
        told(&class),
        [
            "Default group: archive Default group_assignsubmission_file/a/b/bot.tar.gz",
            "Empty: there is no file in it Empty_66_assignsubmission_file_",
            "Jane Doe (11): archive Jane Doe_11_assignsubmission_file_/bot.zip",
            "Jane Doe (22): archive Jane Doe_22_assignsubmission_file_/bot.zip",
            "Jörg Straße: folder Jörg Straße_33_assignsubmission_file_/my bot",
            "Rar Red: archive Rar Red_55_assignsubmission_file_/bot.rar",
            "Text Only: it is only a text, without a file Text Only_44_assignsubmission_onlinetext_",
        ]
    );
    assert_eq!(
        ignored(&class),
        [
            ".DS_Store: a system added it",
            "__MACOSX: a system added it",
            "marks.csv: marks.csv is not an archive",
            "Jörg Straße_33_assignsubmission_onlinetext_: it is only a text, without a file; \
             Jörg Straße_33_assignsubmission_file_/my bot counts",
        ]
    );
}

#[test]
fn moodle_without_folders_and_the_latest_archive_counts() {
    let [old, new] = ["Ann Lee_1_assignsubmission_file_z.zip", "Ann Lee_1_assignsubmission_file_a.zip"];
    let report = "Ann Lee_1_assignsubmission_file_report.pdf";
    let class = Class::with(&[old, new, report, "Bo_2_assignsubmission_file_bot.py"]);
    let class = class.at(old, 1_000).at(new, 2_000).at(report, 3_000).read();
    assert_eq!(
        told(&class),
        [
            format!("Ann Lee: archive {new} < {old}"),
            "Bo: bot.py is not an archive Bo_2_assignsubmission_file_bot.py".to_owned()
        ]
    );
    assert_eq!(ignored(&class), [format!("{report}: report.pdf is not an archive; {new} counts")]);
}

#[test]
fn archives_in_a_students_folder_count_by_their_times() {
    let names = ["Ann_1_assignsubmission_file_/b.zip", "Ann_1_assignsubmission_file_/a.zip"];
    let class = Class::with(&names).at(names[0], 1_000).at(names[1], 2_000).read();
    assert_eq!(told(&class), [format!("Ann: archive {} < {}", names[1], names[0])]);
}

/// A zip of files that are not compressed, with the times at which they were handed in.
fn zip(files: &[(&str, i64)]) -> Vec<u8> {
    let mut archive = ZipArchiveWriter::new(Vec::new());
    for (name, seconds) in files {
        let file = archive.new_file(EntryPath::verbatim(name.as_bytes())).compression_method(CompressionMethod::STORE);
        let (mut entry, config) = file.last_modified(UtcDateTime::from_unix(*seconds)).start().unwrap();
        let (_, descriptor) = config.wrap(&mut entry).finish().unwrap();
        entry.finish(descriptor).unwrap();
    }
    archive.finish().unwrap()
}

#[test]
fn the_whole_download_as_one_zip_keeps_the_only_student_and_the_order_of_files() {
    let class = Class::with(&[]);
    let at = class.root.path().join("moodle.zip");
    let [new, old] = ["Ann_1_assignsubmission_file/a.zip", "Ann_1_assignsubmission_file/b.zip"];
    fs::write(&at, zip(&[(new, 1_700_000_100), (old, 1_700_000_000), ("../out", 0)])).unwrap();
    let found = class.read_at(&at, None);
    assert_eq!(told(&found), [format!("Ann: archive {new} < {old}")]);
    assert_eq!(ignored(&found), [format!("{}: ../out leads out of the folder", at.display())]);
    fs::write(&at, "Rar!").unwrap();
    let error = submissions_in(&at, &class.root.path().join("other"), None, None).unwrap_err();
    assert!(error.to_string().contains("moodle.zip: the zip is damaged"), "{error}");
}

#[test]
fn canvas_with_late_repeated_anonymous_and_text_submissions() {
    let names = [
        "doejane_LATE_12345_678901_bot.zip",
        "leeann_22_900_bot.zip",
        "leeann_22_1000_bot-2.zip",
        "leeann_22_1001_report.pdf",
        "teamred_33_5_bot.tar.gz",
        "anon_Ab3dE_77_bot.zip",
        "stein_44_text.html",
        "müller_55_8_bot.json",
        "müller_55_9_bot.py",
    ];
    let class = Class::with(&names).read();
    assert_eq!(class.layout, Layout::Canvas);
    assert_eq!(
        told(&class),
        [
            "anon Ab3dE: archive anon_Ab3dE_77_bot.zip",
            "doejane: late archive doejane_LATE_12345_678901_bot.zip",
            "leeann: archive leeann_22_1000_bot-2.zip < leeann_22_900_bot.zip",
            "müller: bot.py is not an archive müller_55_9_bot.py",
            "stein: it is only a text, without a file stein_44_text.html",
            "teamred: archive teamred_33_5_bot.tar.gz",
        ]
    );
    assert_eq!(class.ignored.len(), 2, "{:?}", class.ignored);
}

const METADATA: &str = "---
submission_1:
  :submitters:
  - :name: Zoë Adams
    :sid: '100'
    :email: zoe@example.org
  :created_at: 2026-11-20 22:59:59.000000000 Z
submission_2:
  :submitters:
  - :name: Bert
    :sid: '200'
    :email: bert@example.org
  - :name: Carl
    :sid: '300'
    :email: carl@example.org
  :created_at: 2026-11-21 00:00:00.500000000 +01:00
submission_9:
  :submitters:
  - :name: Gone
";

#[test]
fn gradescope_names_students_and_times_by_its_metadata() {
    let class = Class::with(&[
        "assignment_7_export/submission_1/bot.json",
        "assignment_7_export/submission_2/bot/bot.json",
        "assignment_7_export/submission_3/bot.py",
        "__MACOSX/x",
    ]);
    class.write("assignment_7_export/submission_metadata.yml", METADATA);
    let found = class.until("2026-11-21T00:00:00+01:00").read();
    assert_eq!((found.layout, found.folder.file_name()), (Layout::Gradescope, Some(OsStr::new("assignment_7_export"))));
    assert_eq!(
        told(&found),
        [
            "Bert, Carl: late folder submission_2/bot",
            "Gone: its files are missing: only the metadata name it submission_9",
            "submission_3: folder submission_3",
            "Zoë Adams: folder submission_1",
        ]
    );
    let bert = &found.submissions[0];
    assert_eq!(bert.email.as_deref(), Some("bert@example.org, carl@example.org"));
    assert_eq!(bert.submitted.unwrap().to_rfc3339(), "2026-11-21T00:00:00.500+01:00");
    assert_eq!(ignored(&found), ["submission_metadata.yml: it is the metadata"]);
}

#[test]
fn broken_metadata_is_an_error_that_names_the_file() {
    let class = Class::with(&["submission_1/bot.json"]);
    class.write("submission_metadata.yml", "- 1\n");
    let error = submissions_in(&class.folder(), class.root.path(), None, None).unwrap_err();
    assert!(matches!(error, SubmittedError::Metadata { .. }) && error.to_string().contains("line 1"), "{error}");
    let error = submissions_in(&class.folder().join("none"), class.root.path(), None, None).unwrap_err();
    assert!(matches!(error, SubmittedError::NoFolder(_)), "{error}");
}

#[test]
fn github_classroom_with_and_without_the_folder_of_the_assignment() {
    let below = |start: &str, ends: &[&str]| ends.iter().map(|end| format!("{start}{end}")).collect::<Vec<_>>();
    let ends = ["hw1-ann-a/bot.json", "hw1-ann-a/.git/HEAD", "hw1-ann-b/bot/bot.json", "hw1-ann-b/.git/HEAD"];
    let read = |names: Vec<String>| {
        let class = Class::with(&names.iter().map(String::as_str).collect::<Vec<_>>()).read();
        assert_eq!(class.layout, Layout::GitHubClassroom);
        told(&class)
    };
    assert_eq!(read(below("hw1-submissions/", &ends)), ["ann-a: folder hw1-ann-a", "ann-b: folder hw1-ann-b/bot"],);
    // Without the folder's name, only what many names have in common is not theirs.
    assert_eq!(read(below("", &ends)), ["hw1-ann-a: folder hw1-ann-a", "hw1-ann-b: folder hw1-ann-b/bot"]);
    let third = [&ends[..], &["hw1-bert/bot.json"]].concat();
    assert_eq!(read(below("", &third))[1..], ["ann-b: folder hw1-ann-b/bot", "bert: folder hw1-bert"]);
    assert_eq!(read(below("hw1-submissions/", &ends[..2])), ["ann-a: folder hw1-ann-a"]);
}

#[test]
fn folders_and_archives_by_name_and_what_is_none_of_them() {
    let names = [
        "Anna/bot.json",
        "anna.zip",
        "Bob.TAR.GZ",
        "carl/src/bot.json",
        "carl/node_modules/x/bot.json",
        "dora/one/bot.json",
        "dora/two/bot.json",
        "erik/Bot.JSON",
        "fred.7z",
        "notes.pdf",
        ".git/HEAD",
    ];
    let class = Class::with(&names).read();
    assert_eq!(class.layout, Layout::Plain);
    assert_eq!(
        told(&class),
        [
            "Anna: folder Anna",
            "anna (2): archive anna.zip",
            "Bob: archive Bob.TAR.GZ",
            "carl: folder carl/src",
            "dora: there is more than one bot in it: one/bot.json, two/bot.json dora",
            "erik: folder erik",
            "fred: archive fred.7z",
        ]
    );
    assert_eq!(ignored(&class), [".git: it is hidden", "notes.pdf: notes.pdf is not an archive"]);
}

#[test]
fn a_layout_that_is_named_is_taken() {
    let class = Class::with(&["ann_1_2_bot.zip", "bo_3_4_bot.zip"]);
    let plain = class.read_as(Some(Layout::Plain));
    assert_eq!(told(&plain), ["ann_1_2_bot: archive ann_1_2_bot.zip", "bo_3_4_bot: archive bo_3_4_bot.zip"]);
    assert_eq!(told(&class.read_as(Some(Layout::Canvas)))[0], "ann: archive ann_1_2_bot.zip");
    let one = Class::with(&["ann/one.zip", "ann/two.zip"]);
    assert_eq!(one.read_as(Some(Layout::Plain)).submissions[0].student, "ann");
}

#[test]
fn strange_names_are_told_apart_and_printable() {
    let long = "x".repeat(251);
    let names = [
        "ev\u{202e}il.zip",
        "ev\u{200b}il.zip",
        "a\nb.zip",
        "Mu\u{308}ller/bot.json",
        "M\u{fc}ller.zip",
        &format!("{long}.zip"),
        &format!("{long}y/bot.json"),
        " /bot.json",
    ];
    let class = Class::with(&names);
    for bytes in [b"\xff.zip", b"\xfe.zip"] {
        fs::write(class.folder().join(OsStr::from_bytes(bytes)), "").unwrap();
    }
    let found = class.read();
    let students: Vec<_> = found.submissions.iter().map(|submitted| submitted.student.as_str()).collect();
    assert_eq!(students.len(), 9, "only both forms of Müller are one student: {students:?}");
    assert!(students.contains(&"Müller") && students.contains(&"a b") && students.contains(&"unnamed"), "{students:?}");
    let is_plain = |name: &&str| name.chars().count() < 120 && !name.contains(['\n', '\u{202e}', '\u{200b}']);
    assert!(students.iter().all(is_plain), "{students:?}");
}

#[test]
fn nothing_is_read_through_links_and_nothing_waits_for_a_pipe() {
    let class = Class::with(&["ann/readme.txt", "bo/", "cy.zip"]);
    let secret = class.root.path().join("secret");
    fs::create_dir(&secret).unwrap();
    fs::write(secret.join("bot.json"), "").unwrap();
    symlink(&secret, class.folder().join("dan")).unwrap();
    symlink(&secret, class.folder().join("bo/bot")).unwrap();
    symlink(secret.join("bot.json"), class.folder().join("ann/bot.json")).unwrap();
    let made =
        std::process::Command::new("mkfifo").args(["bo/bot.json", "pipe.zip"]).current_dir(class.folder()).status();
    assert!(made.unwrap().success());
    let found = class.read();
    assert_eq!(
        told(&found),
        [
            "ann: folder ann",
            "bo: there is no file in it bo",
            "cy: archive cy.zip",
            "dan: it is a link, and links are not followed dan",
        ]
    );
    assert_eq!(ignored(&found), ["pipe.zip: it is neither a file nor a folder"]);
}

#[test]
fn the_bot_of_an_unpacked_archive_may_lie_deeper() {
    let bot = |names: &[&str]| {
        let class = Class::with(names);
        let found = bot_folder(&class.folder());
        found.map(|path| path.strip_prefix(class.folder()).unwrap().display().to_string())
    };
    assert_eq!(bot(&["bot.json", "old/bot.json"]), Ok(String::new()));
    assert_eq!(bot(&["readme.md", "src/my bot/bot.json"]), Ok("src/my bot".to_owned()));
    assert_eq!(bot(&["bot.py"]), Ok(String::new()), "reading bot.json tells what is missing");
    assert_eq!(bot(&["bot/bot.zip"]), Err("bot/bot.zip is another archive, which is not unpacked".to_owned()));
    assert_eq!(
        bot(&["a/bot.json", "b/bot.json"]).unwrap_err(),
        "there is more than one bot in it: a/bot.json, b/bot.json"
    );
    assert!(bot_folder(Path::new("/nowhere")).unwrap_err().starts_with("it cannot be read: "));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    /// Names made of what systems write, in every mixture.
    #[test]
    fn every_entry_is_a_submission_an_earlier_one_or_ignored(
        names in prop::collection::vec((prop::sample::select(PIECES.to_vec()), prop::sample::select(PIECES.to_vec()),
            prop::sample::select(ENDS.to_vec())), 0..12),
        layout in prop::sample::select(vec![None, Some("moodle"), Some("canvas"), Some("gradescope"), Some("github-classroom"), Some("plain")]),
    ) {
        let class = Class::with(&[]);
        for (one, two, end) in names {
            // A name may be there already, as a file or a folder.
            let path = class.folder().join(format!("{one}{two}{end}"));
            if !class.folder().join(format!("{one}{two}")).exists() && !path.exists() {
                class.write(&format!("{one}{two}{end}"), "");
            }
        }
        let found = class.read_as(layout.map(|word| word.parse().unwrap()));
        check_all_is_told(&found);
        for submitted in &found.submissions {
            let is_there = found.folder.join(&submitted.path).symlink_metadata().is_ok();
            prop_assert!(is_there || matches!(submitted.source, Source::Unusable(_)));
        }
    }
}

const PIECES: [&str; 12] = [
    "",
    "Ann",
    "ann",
    "_1",
    "_2",
    "_LATE",
    "_anon_",
    "_assignsubmission_file_",
    "_assignsubmission_onlinetext",
    "hw-",
    "submission_",
    "\u{202e}ü ",
];
const ENDS: [&str; 12] = [
    "x.zip",
    "_7_bot.zip",
    ".pdf",
    "/bot.json",
    "/a/bot.json",
    "/a.zip",
    "/",
    "/.git/HEAD",
    "_text.html",
    ".DS_Store",
    "x.rar",
    "/src/x.py",
];
