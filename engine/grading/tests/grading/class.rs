//! Folders of classes.

use chrono::{DateTime, FixedOffset};
use grading::{ClassFolder, Layout, Source, submissions_in};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

/// The folder of a class, beside a folder for work.
pub(crate) struct Class {
    pub(crate) root: TempDir,
    deadline: Option<DateTime<FixedOffset>>,
}

impl Class {
    /// A class with these files; names that end with a slash are folders.
    pub(crate) fn with(names: &[&str]) -> Class {
        let class = Class { root: tempfile::tempdir().unwrap(), deadline: None };
        fs::create_dir(class.folder()).unwrap();
        for name in names {
            class.write(name, "");
        }
        class
    }

    pub(crate) fn folder(&self) -> PathBuf {
        self.root.path().join("class")
    }

    pub(crate) fn write(&self, name: &str, text: &str) {
        let path = self.folder().join(name);
        if name.ends_with('/') {
            return fs::create_dir_all(path).unwrap();
        }
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    /// Changes the time of a file.
    pub(crate) fn at(self, name: &str, seconds: u64) -> Class {
        let file = File::options().write(true).open(self.folder().join(name)).unwrap();
        file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)).unwrap();
        self
    }

    pub(crate) fn until(mut self, deadline: &str) -> Class {
        self.deadline = Some(DateTime::parse_from_rfc3339(deadline).unwrap());
        self
    }

    pub(crate) fn read(&self) -> ClassFolder {
        self.read_as(None)
    }

    pub(crate) fn read_as(&self, layout: Option<Layout>) -> ClassFolder {
        let found = self.read_at(&self.folder(), layout);
        check_all_is_told(&found);
        found
    }

    pub(crate) fn read_at(&self, path: &Path, layout: Option<Layout>) -> ClassFolder {
        submissions_in(path, &self.root.path().join("work"), layout, self.deadline).unwrap()
    }
}

/// Each submission in one line: the student, the path, `late`, what it is, and what came before.
pub(crate) fn told(class: &ClassFolder) -> Vec<String> {
    let submissions = class.submissions.iter().map(|submitted| {
        let source = match &submitted.source {
            Source::Archive => "archive".to_owned(),
            Source::Folder => "folder".to_owned(),
            Source::Unusable(why) => why.clone(),
        };
        let late = if submitted.is_late { "late " } else { "" };
        let earlier: Vec<_> = submitted.earlier.iter().map(|path| format!(" < {}", path.display())).collect();
        format!("{}: {late}{source} {}{}", submitted.student, submitted.path.display(), earlier.concat())
    });
    submissions.collect()
}

/// Each ignored path with its reason.
pub(crate) fn ignored(class: &ClassFolder) -> Vec<String> {
    class.ignored.iter().map(|ignored| format!("{}: {}", ignored.path.display(), ignored.reason)).collect()
}

/// Checks that every entry of the folder is a submission, an earlier one or ignored, and that no two students have one name.
pub(crate) fn check_all_is_told(class: &ClassFolder) {
    let mut all: Vec<_> = class.ignored.iter().map(|ignored| &ignored.path).collect();
    all.extend(class.submissions.iter().flat_map(|submitted| submitted.earlier.iter().chain([&submitted.path])));
    for entry in fs::read_dir(&class.folder).unwrap() {
        let name = entry.unwrap().file_name();
        assert!(all.iter().any(|path| path.starts_with(&name)), "{name:?} vanished: {class:#?}");
    }
    let mut names: Vec<_> = class.submissions.iter().map(|submitted| submitted.student.to_lowercase()).collect();
    names.sort();
    let count = names.len();
    names.dedup();
    assert_eq!(names.len(), count, "{class:#?}");
}
