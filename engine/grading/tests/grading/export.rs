//! The sources of a class, as JPlag and Dolos read them.

use chrono::DateTime;
use grading::{SourceFolder, export_sources};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use tempfile::TempDir;
use walkdir::WalkDir;

/// A bot with these files.
fn bot(root: &TempDir, student: &str, pseudonym: &str, files: &[(&str, &str)]) -> SourceFolder {
    let folder = root.path().join("bots").join(pseudonym);
    for (name, text) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let (student, pseudonym) = (student.to_owned(), pseudonym.to_owned());
    let submitted = DateTime::parse_from_rfc3339("2026-11-20T12:00:00+01:00").ok();
    SourceFolder { student, pseudonym, folder, submitted, label: String::new() }
}

fn files(folder: &Path) -> Vec<String> {
    let walk = WalkDir::new(folder).sort_by_file_name().into_iter().map(Result::unwrap);
    let files = walk.filter(|entry| !entry.file_type().is_dir());
    files.map(|file| file.path().strip_prefix(folder).unwrap().display().to_string()).collect()
}

const PYTHON: &str = r#"{"BotType": "Python3", "RunFile": "bot.py"}"#;
const STARTERS: [(&str, &[u8]); 3] =
    [("python/bot.py", b"given"), ("rust/src/main.rs", b"given"), ("python/bot.json", b"{}")];

#[test]
fn each_language_has_folders_for_jplag_and_files_for_dolos() {
    let root = tempfile::tempdir().unwrap();
    let zoe =
        [("bot.json", PYTHON), ("bot.py", "import a"), ("lib/a.py", "a = 1\n"), ("big.js", "compiled, and longer")];
    let built = [("target/x.py", ""), ("venv/lib/x.py", ""), ("vendor/x.py", ""), (".git/x.py", ""), ("a.pyc", "")];
    let bots = [
        bot(&root, "Zoë", "seal", &[&zoe[..], &built].concat()),
        bot(&root, "=Bert", "crab", &[("bot.json", "no JSON"), ("src/main.rs", "fn main() {}"), ("x.h", "")]),
        bot(&root, "Empty", "eel", &[("bot.json", PYTHON), ("readme.md", "x")]),
    ];
    fs::write(root.path().join("secret.py"), "secret").unwrap();
    symlink(root.path().join("secret.py"), bots[0].folder.join("link.py")).unwrap();
    symlink(root.path(), bots[0].folder.join("link")).unwrap();
    let to = root.path().join("sources");
    let exported = export_sources(&bots, &STARTERS, false, &to).unwrap();
    assert_eq!(exported.languages.into_iter().collect::<Vec<_>>(), [("python3".to_owned(), 1), ("rust".to_owned(), 1)]);
    assert_eq!(exported.left_out, [("Empty".to_owned(), "there is no source file in it".to_owned())]);
    assert_eq!(
        files(&to),
        [
            "python3/base/python/bot.py",
            "python3/dolos/Zoë.py",
            "python3/dolos/_given.py",
            "python3/dolos/info.csv",
            "python3/submissions/Zoë/bot.py",
            "python3/submissions/Zoë/lib/a.py",
            "rust/base/rust/src/main.rs",
            "rust/dolos/Bert.rs",
            "rust/dolos/_given.rs",
            "rust/dolos/info.csv",
            "rust/submissions/Bert/src/main.rs",
        ]
    );
    let text = |name: &str| fs::read_to_string(to.join(name)).unwrap();
    assert_eq!(text("python3/dolos/Zoë.py"), "# bot.py\nimport a\n# lib/a.py\na = 1\n\n");
    assert_eq!(
        text("python3/dolos/info.csv"),
        "filename,full_name,label,ignored,created_at\n_given.py,,,true,\nZoë.py,Zoë,,,2026-11-20 12:00:00 +0100\n"
    );
    assert!(text("rust/dolos/info.csv").contains("Bert.rs,'=Bert,"), "no spreadsheet computes a name");
    assert!(export_sources(&bots, &STARTERS, false, &to).is_err(), "nothing that is there is changed");
}

#[test]
fn pseudonyms_have_their_key_beside_the_folder() {
    let root = tempfile::tempdir().unwrap();
    let mut bots = [bot(&root, "Zoë", "seal", &[("bot.py", "")]), bot(&root, "Ann", "Crab", &[("bot.py", "")])];
    bots[1].submitted = None;
    let to = root.path().join("sources");
    let key = export_sources(&bots, &[], true, &to).unwrap().key.unwrap();
    assert_eq!(key, root.path().join("sources-key.csv"));
    assert_eq!(fs::read_to_string(&key).unwrap(), "pseudonym,student\nseal,Zoë\nCrab,Ann\n");
    assert_eq!(key.metadata().unwrap().permissions().mode() & 0o077, 0);
    assert_eq!(
        files(&to),
        [
            "python3/dolos/Crab.py",
            "python3/dolos/info.csv",
            "python3/dolos/seal.py",
            "python3/submissions/Crab/bot.py",
            "python3/submissions/seal/bot.py"
        ]
    );
    let csv = fs::read_to_string(to.join("python3/dolos/info.csv")).unwrap();
    assert_eq!(csv, "filename,full_name,label,ignored\nseal.py,seal,,\nCrab.py,Crab,,\n", "a time is unknown");
}
