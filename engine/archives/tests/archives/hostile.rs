//! Archives that mean harm, or are broken.

use crate::written::{Entry, FILE, LINK, tar_gz, zip, zip_with};
use crate::{Desk, SMALL, refusal};
use archives::{ArchiveError, ArchiveLimits};
use proptest::prelude::*;
use rawzip::CompressionMethod;
use std::fs;
use tar::EntryType;

#[test]
fn names_that_lead_out_are_refused() {
    for (name, why) in [
        ("../bot.json", "leads out of the folder"),
        ("a/../../bot.json", "leads out of the folder"),
        ("a/..", "leads out of the folder"),
        ("/etc/passwd", "is an absolute path"),
        ("C:/bot.json", "is an absolute path"),
        ("a\nb", "has a character in its name that no name may have"),
        (&"n".repeat(300), "has a name that is too long"),
    ] {
        assert!(refusal(&zip(&[(name.as_bytes(), b"", FILE)])).ends_with(why), "{name}");
        if name.len() < 100 {
            assert!(refusal(&tar_gz(&[(EntryType::Regular, name, b"")])).ends_with(why), "{name}");
        }
    }
    assert!(refusal(&zip(&[(b"..\\bot.json", b"", FILE)])).ends_with("leads out of the folder"));
    assert!(refusal(&zip(&[(b"\xff\xfe", b"", FILE)])).ends_with("has a name that is not UTF-8"));
}

#[test]
fn links_that_lead_out_are_refused_however_they_do() {
    let refused = |links: &[Entry<'_>]| refusal(&zip(links));
    let out = "is a link that leads out of the folder";
    assert!(refused(&[(b"l", b"/etc/passwd", LINK), (b"f", b"", FILE)]).ends_with(out));
    assert!(refused(&[(b"l", b"..", LINK), (b"f", b"", FILE)]).ends_with(out));
    // As text it stays inside: a/b/l leads to d, and from there it is one step to the outside.
    let stairs = [(&b"a/b/l"[..], &b"../../d"[..], LINK), (b"d/f", b"", FILE), (b"l", b"a/b/l/../..", LINK)];
    assert!(refused(&stairs).ends_with(out));
    // Out of the only folder, which becomes the bot.
    assert!(refused(&[(b"top/l", b"../top/f", LINK), (b"top/f", b"", FILE)]).contains("is a link that leads"));
    assert!(refused(&[(b"l", b"nowhere", LINK), (b"f", b"", FILE)]).ends_with("is a link that leads nowhere"));
    assert!(refused(&[(b"l", b"l", LINK), (b"f", b"", FILE)]).ends_with("is a link that leads nowhere"));
    assert!(refused(&[(b"l", b".", LINK), (b"l/f", b"", FILE)]).ends_with("lies behind a link"));
    let hard = tar_gz(&[(EntryType::Regular, "f", b""), (EntryType::Link, "l", b"/etc/passwd")]);
    assert_eq!(refusal(&hard), "l is a hard link; hand in the file itself");
}

#[test]
fn a_name_as_long_as_a_file_is_not_read() {
    let name = vec![b'n'; 3 << 20];
    let long = tar_gz(&[(EntryType::GNULongName, "././@LongLink", &name), (EntryType::Regular, "f", b"")]);
    let refused = Desk::with(&long).unpack(ArchiveLimits::UPLOAD).unwrap_err();
    assert_eq!(refused.to_string(), "the tar.gz is damaged: a name in it is too long");
    let deep = "d/".repeat(10_000);
    assert!(refusal(&zip(&[(format!("{deep}f").as_bytes(), b"", FILE)])).len() < 1000);
    // What is left out may be long.
    let large = vec![b'x'; 3 << 20];
    let tar = [(EntryType::Regular, "__MACOSX/f", &large[..]), (EntryType::Regular, "f", b"1")];
    Desk::with(&tar_gz(&tar)).unpack(ArchiveLimits::UPLOAD).unwrap();
}

#[test]
fn only_files_folders_and_links_are_unpacked() {
    for kind in [EntryType::Char, EntryType::Block, EntryType::Fifo] {
        assert_eq!(refusal(&tar_gz(&[(kind, "d", b"")])), "d is no file, folder or link");
    }
    for mode in [0o20_666, 0o60_666, 0o10_666, 0o140_666] {
        let refused = refusal(&zip(&[(b"d", b"", mode)]));
        assert_eq!(refused, "d is no file, folder or link", "{mode:o}");
    }
    assert_eq!(refusal(&zip(&[(b"f", b"1", FILE), (b"f", b"2", FILE)])), "f is there twice");
    assert_eq!(refusal(&zip(&[(b"f", b"1", FILE), (b"f/g", b"2", FILE)])), "f/g lies in a file");
    assert_eq!(refusal(&zip(&[(b"f", b"1", FILE), (b"f/", b"", 0o40_755)])), "f is there twice");
    assert_eq!(refusal(&zip(&[(b"f/", b"", 0o40_755), (b"f", b"1", FILE)])), "f is there twice");
}

#[test]
fn bombs_are_refused_before_they_fill_anything() {
    let zeros = vec![0; 1 << 20];
    let more = "it has more than 100000 bytes when it is unpacked";
    assert_eq!(refusal(&zip(&[(b"bomb", &zeros, FILE)])), more);
    assert_eq!(refusal(&tar_gz(&[(EntryType::Regular, "bomb", &zeros)])), more);
    let half = vec![0; 60_000];
    assert_eq!(refusal(&zip(&[(b"1", &half, FILE), (b"2", &half, FILE)])), more);
    let names: Vec<String> = (0..10_000).map(|number| number.to_string()).collect();
    let many: Vec<Entry<'_>> = names.iter().map(|name| (name.as_bytes(), &b""[..], FILE)).collect();
    assert_eq!(refusal(&zip(&many)), "there are more than 20 files and folders in it");
    assert!(refusal(&zip(&[(b"a/a/a/a/a/a/a", b"", FILE)])).ends_with("lies in more than 5 folders"));
    // A name of a megabyte, for which a reader would take as much memory.
    let long = tar_gz(&[(EntryType::GNULongName, "n", &zeros), (EntryType::Regular, "f", b"")]);
    assert!(refusal(&long).starts_with("the tar.gz is damaged"));
}

#[test]
fn what_is_no_archive_or_a_strange_one_is_told() {
    assert_eq!(refusal(b""), "an archive is a zip or a tar.gz, and it is empty");
    assert_eq!(refusal(b"Rar!\x1a\x07"), "an archive is a zip or a tar.gz, and it is a RAR archive");
    assert_eq!(refusal(b"print()"), "an archive is a zip or a tar.gz, and it is neither");
    assert_eq!(refusal(&zip(&[])), "there is no file in it");
    let file: &[Entry<'_>] = &[(b"f", b"text", FILE)];
    let strange = zip_with(file, CompressionMethod::ZSTD, false);
    assert!(refusal(&strange).starts_with("f is compressed with "), "{}", refusal(&strange));
    assert_eq!(refusal(&zip_with(file, CompressionMethod::STORE, true)), "f is encrypted");
    let stored = zip_with(file, CompressionMethod::STORE, false);
    let at = stored.windows(4).position(|part| part == b"text").unwrap();
    let mut damaged = stored.clone();
    damaged[at] = b'n';
    assert!(refusal(&damaged).starts_with("f is damaged"));
    let whole = tar_gz(&[(EntryType::Regular, "f", &[7; 5000])]);
    assert!(refusal(&whole[..whole.len() / 2]).contains("damaged"));
    assert!(refusal(&zip(file)[..60]).starts_with("the zip is damaged"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    /// Whatever is changed in an archive, it is unpacked below the folder or refused.
    #[test]
    fn changed_archives_harm_nothing(is_zip: bool, changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..8)) {
        let mut archive = if is_zip {
            zip(&[(b"b/f", b"#!text", FILE), (b"b/d/", b"", 0o40_755), (b"b/d/g", &[7; 300], FILE), (b"b/l", b"d/g", LINK)])
        } else {
            tar_gz(&[(EntryType::Regular, "b/f", b"#!text"), (EntryType::Symlink, "b/l", b"f")])
        };
        for (at, byte) in changes {
            let at = at.index(archive.len());
            archive[at] = byte;
        }
        let desk = Desk::with(&archive);
        match desk.unpack(SMALL) {
            Ok(()) => prop_assert!(desk.bot().is_dir()),
            Err(ArchiveError::Refused(_)) => prop_assert!(!desk.bot().exists()),
            Err(error) => prop_assert!(false, "{error}"),
        }
        prop_assert_eq!(fs::read_dir(desk.folder.path()).unwrap().count(), 1 + usize::from(desk.bot().exists()));
    }
}
