//! The submissions of a class, in the folder or zip that a system for courses hands out.
//!
//! # How it works
//!
//! The names of all entries tell the system. An entry belongs to a student by its name or by the metadata; entries of one student are
//! candidates, of which the latest usable one is the submission. Every entry is told: it is a submission, an earlier one, or ignored for
//! a reason. A student whose entry cannot be used has a submission that says why. Nothing is written, and no link is followed.

mod entries;
mod error;
mod gradescope;
mod inside;
mod layout;
mod students;

pub use error::SubmittedError;
pub use inside::bot_folder;
pub use layout::{Layout, NoSuchLayout};

use archives::{ArchiveLimits, unpack_class};
use arena::ArenaError;
use chrono::{DateTime, FixedOffset};
use entries::{Entry, EntryKind, archive_stem};
use gradescope::Handing;
use inside::{Inside, look_inside, unreadable};
use layout::{METADATA, OF_ASSIGNMENT, SystemName, assignment_prefix};
use platform::files::Folder;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use students::{Candidate, students_of};

/// The largest metadata that is read, in bytes: it has what programs printed for each student.
const MOST_OF_METADATA: u64 = 256 << 20;

/// The submissions of a class.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassFolder {
    /// The folder whose entries they are.
    pub folder: PathBuf,
    /// The system that handed them out.
    pub layout: Layout,
    /// The reason for which that is the system, in words.
    pub recognised: String,
    /// The submissions, one for each student, sorted by the students' names.
    pub submissions: Vec<Submitted>,
    /// All entries that belong to no submission, and what the zip of the class lost.
    pub ignored: Vec<Ignored>,
}

impl ClassFolder {
    /// A class of one: the bot in this folder, by whose name the student is known.
    pub fn of_one(bot: &Path) -> ClassFolder {
        let real = bot.canonicalize().unwrap_or_else(|_| bot.to_owned());
        let name = real.file_name().unwrap_or_default();
        let submission = Submitted {
            student: rules::printable(&name.to_string_lossy()),
            email: None,
            path: PathBuf::from(name),
            source: Source::Folder,
            submitted: None,
            is_late: false,
            earlier: Vec::new(),
        };
        ClassFolder {
            folder: real.parent().unwrap_or(&real).to_owned(),
            layout: Layout::Plain,
            recognised: "it is the folder of one bot".to_owned(),
            submissions: vec![submission],
            ignored: Vec::new(),
        }
    }
}

/// The submission of a student.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submitted {
    /// The student's name: printable, on one line, and different from that of each other student in more than the case of letters.
    pub student: String,
    /// The student's e-mail addresses, as far as the metadata tell them: a group has more than one.
    pub email: Option<String>,
    /// The path of the archive or of the bot's folder, in the folder of the class.
    pub path: PathBuf,
    /// The kind of what was handed in.
    pub source: Source,
    /// The time at which it was handed in; `None` if the system does not tell. Times of files do not count: unpacking and copying change
    /// them.
    pub submitted: Option<DateTime<FixedOffset>>,
    /// True if the system says so, or if it was handed in after the deadline.
    pub is_late: bool,
    /// Paths of earlier submissions, which do not count.
    pub earlier: Vec<PathBuf>,
}

/// The kind of what a student handed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// An archive, by its name. It need not be one that can be unpacked.
    Archive,
    /// A folder with a bot, or with files of which none is a bot.json. Links in it may lead anywhere.
    Folder,
    /// Nothing that can be a bot, for this reason.
    Unusable(String),
}

/// An entry that does not count.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ignored {
    /// The path in the folder of the class.
    pub path: PathBuf,
    /// The reason.
    pub reason: String,
}

/// Finds the submissions in a folder, or in a zip, which is unpacked to the new folder `work` first. Without `layout`, the names tell
/// the system. A submission is late after `deadline` where its time is known.
///
/// ```
/// # let class = tempfile::tempdir()?;
/// # std::fs::create_dir(class.path().join("Jane Doe_123_assignsubmission_file_"))?;
/// # std::fs::write(class.path().join("Jane Doe_123_assignsubmission_file_/bot.zip"), "")?;
/// use grading::{Layout, submissions_in};
///
/// let found = submissions_in(class.path(), &class.path().join("work"), None, None)?;
/// assert_eq!(found.layout, Layout::Moodle);
/// assert_eq!(found.submissions[0].student, "Jane Doe");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// There is nothing at the path, the zip or the metadata cannot be read, or the disk fails.
pub fn submissions_in(
    submissions: &Path,
    work: &Path,
    layout: Option<Layout>,
    deadline: Option<DateTime<FixedOffset>>,
) -> Result<ClassFolder, SubmittedError> {
    let mut ignored = Vec::new();
    let top = if submissions.is_dir() {
        submissions.to_owned()
    } else if submissions.is_file() {
        let unpacked = unpack_class(submissions, work, ArchiveLimits::CLASS);
        let lost = unpacked.map_err(|why| SubmittedError::Archive { path: submissions.to_owned(), why })?;
        ignored.extend(lost.into_iter().map(|reason| Ignored { path: submissions.to_owned(), reason }));
        work.to_owned()
    } else {
        return Err(SubmittedError::NoFolder(submissions.to_owned()));
    };
    let folder = class_folder(top, layout)?;
    let (mut entries, mut of_systems) = (Entry::all_in(&folder, Path::new(""))?, Vec::new());
    entries.retain(|entry| match entry.of_systems() {
        None => true,
        Some(reason) => {
            of_systems.push(Ignored { path: entry.path.clone(), reason: reason.to_owned() });
            false
        }
    });
    ignored.append(&mut of_systems);
    let (found, fitting) = Layout::found(&name_of(&folder), &entries);
    let recognised = match (layout, found) {
        (Some(layout), _) => format!("{layout} was named"),
        (None, Layout::Plain) => "each folder and archive is that of a student by its name".to_owned(),
        (None, found) => format!("{fitting} of {} names are those of {found}", entries.len()),
    };
    let reader = ClassReader::new(folder, layout.unwrap_or(found), &entries)?;
    let mut candidates = Vec::new();
    for entry in entries {
        match reader.candidate(&entry) {
            Ok(candidate) => candidates.push(candidate),
            Err(reason) => ignored.push(Ignored { path: entry.path, reason }),
        }
    }
    candidates.extend(reader.missing(&candidates));
    let submissions = students_of(candidates, deadline, &mut ignored);
    Ok(ClassFolder { layout: reader.layout, folder: reader.folder, recognised, submissions, ignored })
}

/// The name of a folder, as far as it is text.
fn name_of(folder: &Path) -> String {
    // The path may be `.`.
    let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
    folder.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The folder of the class: the one at the path, or the only one in it, if that is not a student's.
fn class_folder(top: PathBuf, layout: Option<Layout>) -> Result<PathBuf, ArenaError> {
    let mut entries = Entry::all_in(&top, Path::new(""))?;
    entries.retain(|entry| entry.of_systems().is_none());
    let [only] = &entries[..] else { return Ok(top) };
    let is_a_students = SystemName::of_moodle(&only.name).is_some() || layout == Some(Layout::Plain);
    if only.kind != EntryKind::Folder || is_a_students || only.is_repository {
        return Ok(top);
    }
    let mut inside = Entry::all_in(&top, &only.path)?;
    inside.retain(|entry| entry.of_systems().is_none());
    if inside.iter().any(|entry| entry.name == "bot.json") {
        return Ok(top);
    }
    let of_students = |entry: &&Entry| entry.kind == EntryKind::Folder || archive_stem(&entry.name).is_some();
    let is_class = Layout::found(&only.name, &inside).0 != Layout::Plain
        || only.name.ends_with(OF_ASSIGNMENT)
        || inside.iter().filter(of_students).count() > 1;
    Ok(if is_class { top.join(&only.path) } else { top })
}

/// The reader of a class whose system is known.
struct ClassReader {
    folder: PathBuf,
    layout: Layout,
    /// The metadata of Gradescope, by the names of entries.
    handings: BTreeMap<String, Handing>,
    /// The part of names that is not a student's.
    prefix: String,
}

impl ClassReader {
    fn new(folder: PathBuf, layout: Layout, entries: &[Entry]) -> Result<ClassReader, SubmittedError> {
        let handings = match layout {
            Layout::Gradescope => read_metadata(&folder)?,
            _ => BTreeMap::new(),
        };
        let prefix = match layout {
            Layout::GitHubClassroom => {
                let folders = entries.iter().filter(|entry| entry.kind == EntryKind::Folder);
                assignment_prefix(&name_of(&folder), &folders.map(|entry| entry.name.as_str()).collect::<Vec<_>>())
            }
            _ => String::new(),
        };
        Ok(ClassReader { folder, layout, handings, prefix })
    }

    /// The candidate that an entry is, or the reason why it is none.
    fn candidate(&self, entry: &Entry) -> Result<Candidate, String> {
        if self.layout == Layout::Gradescope && entry.name == METADATA {
            return Err("it is the metadata".to_owned());
        }
        let by_system = match self.layout {
            Layout::Moodle => SystemName::of_moodle(&entry.name),
            Layout::Canvas => SystemName::of_canvas(&entry.name),
            _ => None,
        };
        let handing = self.handings.get(&entry.name);
        let file = by_system.as_ref().map_or(entry.name.as_str(), |name| name.file);
        let inside = match entry.kind {
            _ if by_system.as_ref().is_some_and(|name| name.is_text) => {
                Inside::unusable(&entry.path, "it is only a text, without a file".to_owned())
            }
            EntryKind::Folder => look_inside(&self.folder, &entry.path)
                .unwrap_or_else(|error| Inside::unusable(&entry.path, unreadable(&error))),
            EntryKind::File if archive_stem(file).is_some() => {
                Inside { path: entry.path.clone(), source: Source::Archive, earlier: Vec::new() }
            }
            kind => {
                let why = match kind {
                    EntryKind::Link => "it is a link, and links are not followed".to_owned(),
                    EntryKind::Other => "it is neither a file nor a folder".to_owned(),
                    _ => format!("{} is not an archive", rules::printable_prefix(file, 100)),
                };
                Inside::unusable(&entry.path, why)
            }
        };
        // A file that nothing assigns to a student may be a list of marks or a note of the teacher's.
        let is_anybodys = by_system.is_none() && handing.is_none();
        if let Source::Unusable(why) = &inside.source
            && is_anybodys
            && matches!(entry.kind, EntryKind::File | EntryKind::Other)
        {
            return Err(why.clone());
        }
        let name =
            by_system.unwrap_or_else(|| SystemName { student: self.plain_student(entry), ..SystemName::default() });
        let candidate = Candidate::of(&name, entry, inside);
        Ok(match handing {
            Some(handing) => candidate.with(handing),
            None => candidate,
        })
    }

    /// The student's name in the name of an entry.
    fn plain_student(&self, entry: &Entry) -> String {
        let name = match entry.kind {
            EntryKind::Folder => &entry.name,
            _ => archive_stem(&entry.name).unwrap_or(&entry.name),
        };
        name.strip_prefix(&self.prefix).filter(|rest| !rest.is_empty()).unwrap_or(name).to_owned()
    }

    /// Candidates for those whom the metadata name and who have no entry.
    fn missing(&self, candidates: &[Candidate]) -> Vec<Candidate> {
        let is_there = |name: &String| candidates.iter().any(|candidate| candidate.entry == Path::new(name));
        let missing = self.handings.iter().filter(|(name, handing)| !handing.submitters.is_empty() && !is_there(name));
        missing.map(|(name, handing)| Candidate::missing(name).with(handing)).collect()
    }
}

/// Reads the metadata of Gradescope; none if they are missing.
fn read_metadata(folder: &Path) -> Result<BTreeMap<String, Handing>, SubmittedError> {
    let failed = |why| SubmittedError::Metadata { path: folder.join(METADATA), why };
    let open = Folder::open_linked(folder).map_err(|e| ArenaError::disk("read", folder, e))?;
    let Some(bytes) = open.read_regular(METADATA, MOST_OF_METADATA).map_err(|why| failed(format!("it {why}")))? else {
        return Ok(BTreeMap::new());
    };
    gradescope::handings(&String::from_utf8_lossy(&bytes)).map_err(failed)
}
