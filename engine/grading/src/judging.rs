//! Judges the submissions of a class: several at once, and each content once.

use crate::GradingError;
use crate::submitted::{Source, Submitted, bot_folder};
use archives::{ArchiveError, ArchiveLimits, unpack_upload};
use arena::folder::remove_folder;
use arena::{ArenaError, Interrupt, hex, open_regular};
use platform::locks::lock;
use players::http::Client;
use rules::printable;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::VecDeque;
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::thread;
use submissions::{Handed, JudgeSettings, JudgeStep, Rejection, Submission, SubmissionFolder, Verdict, judge};
use walkdir::WalkDir;

/// The file, in the folder of a submission, with its verdict.
const VERDICT: &str = "verdict.json";
/// The most bytes that are read of a submission; one with more is refused when it is unpacked.
const MOST_BYTES: u64 = 256 << 20;
/// The longest part of a student's name in the name of a folder, in bytes.
const LONGEST_SLUG: usize = 40;

/// The verdict on what a student has handed in.
#[derive(Debug)]
pub struct Judged {
    /// The folder with the bot and the log; `None` for what can be no bot.
    pub folder: Option<SubmissionFolder>,
    /// A text that is another one for other contents, such as the beginning of a hash.
    pub content: String,
    /// The verdict.
    pub verdict: Verdict,
}

/// The terms and the place of verdicts.
pub(crate) struct Judging<'a> {
    pub(crate) to: &'a Path,
    pub(crate) settings: &'a JudgeSettings,
    pub(crate) seed: u64,
    pub(crate) interrupt: &'a Interrupt,
    pub(crate) client: Arc<Client>,
}

/// A verdict that is kept, with what it depends on.
#[derive(Serialize, Deserialize)]
struct KeptVerdict {
    engine: String,
    terms: String,
    verdict: Verdict,
}

/// A step on the way to the verdicts of a class.
#[derive(Debug, Clone, Copy)]
pub struct JudgedSoFar<'a> {
    /// The number of submissions with a verdict.
    pub judged: usize,
    /// The number of all.
    pub of: usize,
    /// The student whose submission has it since now.
    pub student: &'a str,
}

/// Gives each submission its verdict, several at once, in folders of their own.
pub(crate) fn judge_all(
    submitted: &[Submitted],
    from: &Path,
    judging: &Judging<'_>,
    threads: usize,
    tell: &(dyn Fn(JudgedSoFar<'_>) + Sync),
) -> Result<Vec<Judged>, GradingError> {
    fs::create_dir_all(judging.to).map_err(|e| ArenaError::disk("make the folder", judging.to, e))?;
    let left: Mutex<VecDeque<usize>> = Mutex::new((0..submitted.len()).collect());
    let done: Mutex<Vec<Option<Judged>>> = Mutex::new(submitted.iter().map(|_| None).collect());
    let failed: Mutex<Option<GradingError>> = Mutex::new(None);
    let next = || lock(&left).pop_front();
    let work = || {
        while let Some(at) = next() {
            match judging.judged(&submitted[at], from) {
                Ok(judged) => {
                    let mut done = lock(&done);
                    done[at] = Some(judged);
                    let judged = done.iter().flatten().count();
                    drop(done);
                    tell(JudgedSoFar { judged, of: submitted.len(), student: &submitted[at].student });
                }
                Err(error) => {
                    lock(&left).clear();
                    lock(&failed).get_or_insert(error);
                }
            }
        }
    };
    thread::scope(|scope| {
        for _ in 1..threads.min(submitted.len()) {
            scope.spawn(work);
        }
        work();
    });
    match lock(&failed).take() {
        Some(error) => Err(error),
        None => Ok(std::mem::take(&mut *lock(&done)).into_iter().flatten().collect()),
    }
}

impl Judging<'_> {
    fn judged(&self, submitted: &Submitted, from: &Path) -> Result<Judged, GradingError> {
        let path = from.join(&submitted.path);
        let (content, source) = match &submitted.source {
            Source::Unusable(reason) => {
                let verdict = refused(reason.clone());
                return Ok(Judged { folder: None, content: String::new(), verdict });
            }
            source => match content_of(&path) {
                Ok(content) => (content, source),
                // That stops nobody else, and says nothing about the bot.
                Err(error) => {
                    let (step, reason) = (JudgeStep::Unpacking, format!("it cannot be read: {error}"));
                    let verdict = Err(Rejection { step, reason, lacks_tool: true });
                    return Ok(Judged { folder: None, content: String::new(), verdict });
                }
            },
        };
        let folder = SubmissionFolder::at(self.to.join(folder_name(&submitted.student, &content)));
        let JudgeSettings { game, settings, bots, build_time, answer } = self.settings;
        // Not the places of tools, which may be others in another shell.
        let (memory, network) = (bots.memory, bots.build_network);
        let terms = format!("{game:?}{settings}{memory}{network}{build_time:?}{answer:?}{:?}", bots.sandbox);
        let terms = hex(&Sha256::digest(terms)[..8]);
        let kept = folder.path().join(VERDICT);
        if let Ok(bytes) = fs::read(&kept)
            && let Ok(found) = serde_json::from_slice::<KeptVerdict>(&bytes)
            && found.engine == arena::ENGINE
            && found.terms == terms
            && (found.verdict.is_err() || folder.bot().is_dir())
        {
            return Ok(Judged { folder: Some(folder), content, verdict: found.verdict });
        }
        let verdict = if *source == Source::Folder {
            self.verdict(path, &folder)?
        } else {
            // The bot may lie deep in it.
            let unpacked = folder.path().with_extension("unpacked");
            let failed = |e| ArenaError::disk("remove the folder", &unpacked, e);
            if unpacked.exists() {
                remove_folder(&unpacked).map_err(failed)?;
            }
            let verdict = match unpack_upload(&path, &unpacked, ArchiveLimits::UPLOAD) {
                Err(ArchiveError::Disk(error)) => return Err(error.into()),
                Err(ArchiveError::Refused(reason)) => refused(reason),
                Ok(()) => match bot_folder(&unpacked) {
                    Err(reason) => refused(reason),
                    Ok(bot) => self.verdict(bot, &folder)?,
                },
            };
            remove_folder(&unpacked).map_err(failed)?;
            fs::create_dir_all(folder.path()).map_err(|e| ArenaError::disk("make the folder", folder.path(), e))?;
            verdict
        };
        if !verdict.as_ref().is_err_and(|rejection| rejection.lacks_tool) {
            let found = KeptVerdict { engine: arena::ENGINE.to_owned(), terms, verdict: verdict.clone() };
            let bytes = serde_json::to_vec(&found).map_err(|e| ArenaError::disk("write", &kept, io::Error::from(e)))?;
            fs::write(&kept, bytes).map_err(|e| ArenaError::disk("write", &kept, e))?;
        }
        Ok(Judged { folder: Some(folder), content, verdict })
    }

    fn verdict(&self, bot: PathBuf, folder: &SubmissionFolder) -> Result<Verdict, GradingError> {
        let Judging { settings, seed, client, interrupt, .. } = self;
        let source = Handed::Folder(bot);
        Ok(judge(&Submission { settings, source, folder, seed: *seed, client, at_step: &|_| {} }, interrupt)?)
    }
}

/// The verdict on what can be no bot, for this reason.
fn refused(reason: String) -> Verdict {
    Err(Rejection { step: JudgeStep::Unpacking, reason, lacks_tool: false })
}

/// The name of the folder for a content of a student. It is another one for each student: several are judged at the same time, who may
/// have handed in the same.
fn folder_name(student: &str, content: &str) -> String {
    format!("{}-{}", slug(student), hex(&Sha256::digest(format!("{content} {student}"))[..4]))
}

/// The name of a student as the beginning of that of a folder.
fn slug(student: &str) -> String {
    let plain = |letter: char| if letter.is_alphanumeric() { letter } else { '-' };
    let mut slug: String = printable(student).chars().map(plain).collect();
    while slug.len() > LONGEST_SLUG {
        slug.pop();
    }
    slug
}

/// The beginning of the SHA-256 of an archive, or of the names and contents of all files and links of a folder, in hexadecimal digits.
fn content_of(path: &Path) -> io::Result<String> {
    let mut hasher = Sha256::new();
    let mut left = MOST_BYTES;
    let walk = WalkDir::new(path).sort_by_file_name().into_iter().filter_entry(|entry| entry.file_name() != ".git");
    for entry in walk {
        let entry = entry?;
        let name = entry.path().strip_prefix(path).unwrap_or(Path::new("")).as_os_str().as_encoded_bytes();
        hasher.update((name.len() as u64).to_le_bytes());
        hasher.update(name);
        if entry.file_type().is_symlink() {
            hasher.update(fs::read_link(entry.path())?.as_os_str().as_encoded_bytes());
        } else if entry.file_type().is_file() {
            hasher.update(entry.metadata()?.len().to_le_bytes());
            let mut bytes = Vec::new();
            left -= open_regular(entry.path())?.take(left).read_to_end(&mut bytes)? as u64;
            hasher.update(&bytes);
        }
    }
    Ok(hex(&hasher.finalize()[..4]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_content_is_that_of_all_files() {
        let root = tempfile::tempdir().unwrap();
        let bot = root.path().join("bot");
        fs::create_dir_all(bot.join("src")).unwrap();
        fs::write(bot.join("src/a"), "1").unwrap();
        let first = content_of(&bot).unwrap();
        fs::create_dir(bot.join(".git")).unwrap();
        fs::write(bot.join(".git/index"), "1").unwrap();
        assert_eq!(content_of(&bot).unwrap(), first, "git keeps times");
        fs::write(bot.join("src/a"), "2").unwrap();
        assert_ne!(content_of(&bot).unwrap(), first);
        fs::write(bot.join("src/a"), "1").unwrap();
        fs::rename(bot.join("src/a"), bot.join("src/b")).unwrap();
        assert_ne!(content_of(&bot).unwrap(), first);
        assert_ne!(content_of(&bot.join("src/b")).unwrap(), first, "a file is its own content");
    }

    #[test]
    fn any_name_is_that_of_a_folder() {
        assert_eq!(slug("Doe, Jane/../x\n"), "Doe--Jane----x-");
        let long = slug(&"ä".repeat(300));
        assert!(long.len() <= LONGEST_SLUG && long.starts_with('ä'));
        assert_ne!(folder_name("Jane-Doe", "1"), folder_name("Jane Doe", "1"), "two students with the same bot");
    }
}
