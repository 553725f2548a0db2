//! The files of one turn of a bot: its answer, and what else it leaves.

use super::earlier_rounds::CopiedFiles;
use super::launch::Launch;
use super::private_copy::size_of_copy;
use super::run::unused;
use crate::Delivery;
use arena::folder::{MOST_OF_ANSWER, MatchFolder, OpenFolder, remove_folder};
use arena::{ArenaError, Limits, MOST_OF_NOTES, NOTES_JSON, Notes, NotesLevel, RunEnd, RunReport};
use platform::files::{KeptFile, LeftFiles, free_space};
use rules::{Fault, FolderMessage, Part, Seat};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

/// Limit for all files that a bot leaves in its folder of one round besides its answer, for its author to read, in bytes.
pub(super) const MAX_TOTAL: u64 = 16 << 20;
/// Limit for all these files of a match together, in bytes.
pub(super) const MAX_OF_MATCH: u64 = 64 << 20;
/// The room for what a bot writes to the copy of its folder, in bytes, once the disk is nearly full.
const OWN_ROOM: u64 = 16 << 20;
/// The most files of a bot that are looked at for the name of one of them.
const MOST_LISTED: usize = 100;
/// The most characters of an unfinished line, or of another text of a bot, that are told.
const MOST_SHOWN: usize = 200;
/// Less space than this on a disk, in bytes, means that it is nearly full.
const LITTLE_SPACE: u64 = 8 << 20;

/// The copy of a bot's folder in which it plays, if it has one that it can write to.
#[derive(Debug)]
pub(super) struct OwnCopy {
    folder: Option<PathBuf>,
    /// Its size at the beginning of the match, in bytes.
    size: u64,
    is_removed: bool,
}

impl OwnCopy {
    pub(super) fn of(launch: &Launch) -> OwnCopy {
        let folder = launch.copy().map(Path::to_owned);
        // If it cannot be measured, whatever is there later counts.
        let size = folder.as_ref().and_then(|copy| size_of_copy(copy).ok()).unwrap_or_default();
        OwnCopy { folder, size, is_removed: false }
    }

    /// True once the bot has filled the disk by its copy, which is gone: the bot does not run any more.
    pub(super) fn is_removed(&self) -> bool {
        self.is_removed
    }

    /// Removes the copy if the bot has filled the disk with it, so that everybody else can go on.
    pub(super) fn remove_if_too_large(&mut self) {
        let Some(copy) = &self.folder else { return };
        if has_space(copy, 0) || size_of_copy(copy).is_ok_and(|size| size < self.size + OWN_ROOM) {
            return;
        }
        let removed = remove_folder(copy).inspect_err(|error| log::warn!("cannot remove {}: {error}", copy.display()));
        self.is_removed = removed.is_ok();
    }
}

/// The delivery of a bot that does not run any more, because its copy was removed.
pub(super) fn absent(launch: &Launch, seat: Seat, folder: &Path, limits: Option<Limits>) -> Delivery {
    let why = RunEnd::NotStarted("it filled the disk with files in its folder".to_owned());
    let (text, invocation) = launch.description(seat, folder);
    let run = Some(unused(text, invocation, limits, why));
    Delivery { parts: Vec::new(), fault: None, time: None, run, notes: None }
}

/// True if the disk of this folder has room for a file of so many bytes and more.
pub(super) fn has_space(folder: &Path, length: u64) -> bool {
    free_space(folder).is_ok_and(|free| free >= LITTLE_SPACE + length)
}

/// Removes the files that the bot left besides its answer if they exceed `most` bytes.
pub(super) fn remove_excess(
    place: &MatchFolder,
    asked: &OpenFolder,
    relative: &str,
    message: &FolderMessage,
    room: u64,
) -> Result<LeftFiles, ArenaError> {
    let parts = message.files.iter().map(|part| KeptFile { name: part.name, most: part.bytes.len() as u64 });
    let most = if has_space(place.path(), 0) { room.min(MAX_TOTAL) } else { 0 };
    let answers = message.answers.iter().map(|name| KeptFile { name, most: MOST_OF_ANSWER });
    let kept: Vec<KeptFile<'_>> = parts.chain(answers).collect();
    let remove = |folder: &OpenFolder| {
        folder.folder().remove_excess(&kept, most).unwrap_or_else(|error| {
            // The match can go on. The warning is for whoever looks after the disk.
            log::warn!("what a bot left in {relative} cannot be removed: {error}");
            LeftFiles::default()
        })
    };
    // The bot may have put another folder in its place. This also restores rights that the bot took away.
    let present = place.folder(relative)?;
    let removed = remove(asked);
    let other = !same(asked, &present).map_err(|e| ArenaError::disk("examine", relative, e))?;
    let more = if other { remove(&present) } else { LeftFiles::default() };
    Ok(LeftFiles { left: removed.left + more.left, removed: removed.removed + more.removed })
}

/// The files with these names in `folder`, or the fault if one of them is unreadable.
fn answer(folder: &OpenFolder, names: &[&'static str]) -> Result<Vec<Part>, Fault> {
    let one = |&name: &&'static str| {
        let read =
            folder.folder().read_regular(name, MOST_OF_ANSWER).map(|bytes| bytes.map(|bytes| Part { name, bytes }));
        read.map_err(|why| Fault::unreadable(&format!("{name} {why}"))).transpose()
    };
    names.iter().filter_map(one).collect()
}

/// As [`answer`], with no files where there is a fault.
pub(super) fn answer_or_fault(folder: &OpenFolder, names: &[&'static str]) -> (Vec<Part>, Option<Fault>) {
    match answer(folder, names) {
        Ok(parts) => (parts, None),
        Err(fault) => (Vec::new(), Some(fault)),
    }
}

/// Writes the question into the folder of a turn, from which answers and notes of an earlier turn are removed first, so that
/// those that exist later were written in this turn.
pub(super) fn prepare(folder: &OpenFolder, message: &FolderMessage, level: NotesLevel) -> Result<(), ArenaError> {
    if !folder.is_new() {
        message.answers.iter().try_for_each(|name| folder.remove(name))?;
        remove_notes(folder, level)?;
    }
    message.files.iter().try_for_each(|part| folder.write(part.name, &part.bytes))
}

/// Copies what the bot left in the folder of a turn, as far as there is `room`, to the folder of the match; with `with_message`
/// also the question and the answer.
pub(super) fn copy_out(
    from: &OpenFolder,
    to: &MatchFolder,
    message: &FolderMessage,
    answer: &[Part],
    with_message: bool,
    room: &mut u64,
) -> Result<CopiedFiles, ArenaError> {
    let known: Vec<&Part> = message.files.iter().chain(answer).collect();
    let folder = to.folder(&message.folder)?;
    for part in known.iter().filter(|_| with_message) {
        folder.write(part.name, &part.bytes)?;
    }
    let mut copied = CopiedFiles::default();
    let is_known = |name: &OsString| known.iter().any(|part| name == part.name);
    copied.copy_changes(from, to, &message.folder, is_known, room)?;
    Ok(copied)
}

/// The notes that the bot left in `folder` beside its answer. Bad ones are dropped, and `run` tells why.
pub(super) fn notes(folder: &OpenFolder, level: NotesLevel, run: &mut RunReport) -> Option<Box<Notes>> {
    if level == NotesLevel::Off {
        return None;
    }
    let read = folder.folder().read_regular(NOTES_JSON, MOST_OF_NOTES);
    let read = read.and_then(|bytes| bytes.map(|bytes| Notes::read(&bytes)).transpose());
    let notes = read.unwrap_or_else(|why| {
        run.bad_notes = Some(why);
        None
    });
    let output = if level == NotesLevel::WithOutput { Notes::last_lines(&run.stdout) } else { Vec::new() };
    Notes::with_output(notes, output).map(Box::new)
}

/// Removes the notes of an earlier turn, so that notes that exist later were written in this one.
pub(super) fn remove_notes(folder: &OpenFolder, level: NotesLevel) -> Result<(), ArenaError> {
    if level == NotesLevel::Off { Ok(()) } else { folder.remove(NOTES_JSON) }
}

fn same(one: &OpenFolder, other: &OpenFolder) -> io::Result<bool> {
    Ok(one.folder().identity()? == other.folder().identity()?)
}

/// The fault of an answer that came too late, whatever it says (Player Rules 5). If the answer is not complete, `arrived` tells what
/// there is of it.
pub(super) fn late(run: &RunReport, arrived: impl FnOnce() -> String) -> Option<Fault> {
    let limits = run.limits?;
    let cpu = limits.cpu().filter(|limit| run.cpu >= *limit).map(|limit| (run.cpu, limit));
    let is_late = run.end == RunEnd::Killed || run.wall >= limits.answer();
    let (used, limit) = cpu.or(is_late.then_some((run.wall, limits.answer())))?;
    let arrived = if run.end == RunEnd::Killed { format!("{}; {}", arrived(), activity(run)) } else { String::new() };
    Some(Fault::timed_out_after(used, limit, &arrived))
}

/// The use of the time by a bot that was stopped, in words: a loop without end computes, and a bot that waits does not.
fn activity(run: &RunReport) -> String {
    let ms = run.cpu.as_millis();
    let stood = run.stood.as_ref().map_or_else(String::new, |stood| format!(", {}", stood.place));
    if (run.cpu + run.waited) * 10 >= run.wall * 8 {
        // Equal on a machine that has more to do.
        format!("it computed all the time that it had a processor ({ms} ms){stood}: a loop that does not end?")
    } else if run.cpu * 10 <= run.wall {
        format!("it waited for something ({ms} ms of processor time){stood}")
    } else {
        format!("it used {ms} ms of processor time{stood}")
    }
}

/// The part of an answer that arrived from a bot that ends with each turn, in words.
pub(super) fn arrived_of_run(files: &[Part], is_unreadable: bool) -> String {
    match files.first() {
        Some(file) => format!("{} was written, but the program did not end", file.name),
        None if is_unreadable => "a file was written, but the program did not end".to_owned(),
        None => "no answer was written".to_owned(),
    }
}

/// The part of an answer that arrived from a bot that stays, in words: files, then this line on its standard output.
pub(super) fn arrived_of_stay(run: &RunReport, files: &[Part], line: &str) -> String {
    let flush = "print it and flush standard output";
    match (files.first(), unfinished(run)) {
        (_, Some(begun)) if begun == line.as_bytes() => {
            format!("the line {line:?} came without its end: end it with a line feed, and flush standard output")
        }
        (Some(file), _) => match last_lines(run).rfind(|line| !line.trim_ascii().is_empty()) {
            Some(last) => {
                let last = rules::printable_line(last, MOST_SHOWN);
                format!("{} was written, but instead of the line {line:?} came {last:?}", file.name)
            }
            None => format!("{} was written, but the line {line:?} did not come back: {flush}", file.name),
        },
        (None, Some(begun)) => {
            let begun = rules::printable_line(begun, MOST_SHOWN);
            format!("no answer was written, and a line without an end came: {begun:?}")
        }
        (None, None) => "no answer was written".to_owned(),
    }
}

/// The thing that a bot did which ended its turn in time without an answer, in words; `None` if nothing is known. A bot that stays was
/// asked by this `line`.
pub(super) fn instead_of_answer(
    launch: &Launch,
    folder: &OpenFolder,
    message: &FolderMessage,
    end: &RunEnd,
    line: Option<&str>,
) -> Option<String> {
    let answers = message.answers.join(" or ");
    let known = message.files.iter().map(|part| part.name).chain([NOTES_JSON]);
    let files = std::fs::read_dir(folder.folder().path()).into_iter().flatten().flatten().take(MOST_LISTED);
    let others = files.map(|file| file.file_name()).filter(|name| !known.clone().any(|known| name == known));
    if let Some(other) = others.min() {
        let other = rules::printable_line(other.as_encoded_bytes(), MOST_SHOWN);
        return Some(format!("{other} is there, but no {answers}"));
    }
    if let Some(name) = message.answers.iter().find(|name| launch.working_folder().join(name).is_file()) {
        return Some(format!("{name} is in the bot's own folder, and not in the folder that is its second argument"));
    }
    match end {
        RunEnd::Answered => line.map(|line| {
            format!("it answered {line:?}, but there is no {answers} in the folder that is its second argument")
        }),
        RunEnd::Exited(status) if line.is_some() => Some(format!("it ended with exit status {status}")),
        _ => None,
    }
}

/// The part of an answer that arrived from a bot that answers by a line on its standard output, in words.
pub(super) fn arrived_of_line(run: &RunReport) -> String {
    match unfinished(run) {
        Some(begun) => {
            let begun = rules::counted(begun.len() as u32, "byte");
            format!("{begun} of a line came without its end: end it with a line feed, and flush standard output")
        }
        None if run.stdout.total() > 0 => "only blank lines came".to_owned(),
        None => "nothing came: print the answer in one line, and flush standard output".to_owned(),
    }
}

/// The line on its standard output that the bot has begun and not ended; of a long one the end.
fn unfinished(run: &RunReport) -> Option<&[u8]> {
    last_lines(run).next_back().filter(|begun| !begun.is_empty())
}

/// The last lines of its standard output that are kept; the last one has no end.
fn last_lines(run: &RunReport) -> impl DoubleEndedIterator<Item = &[u8]> {
    let bytes = if run.stdout.end.is_empty() { &run.stdout.bytes } else { &run.stdout.end };
    bytes.split(|byte| *byte == b'\n')
}
