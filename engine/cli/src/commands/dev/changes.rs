//! Changes in the folder of a bot.

use crate::show;
use arena::{ArenaError, Interrupt};
use notify::{Config, Event, PollWatcher, RecommendedWatcher, RecursiveMode, Watcher};
use platform::locks::lock;
use players::content_hash;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// The time without further events after which a change is complete: editors write a file in several steps.
const CALM: Duration = Duration::from_millis(100);
/// The time between two looks at a folder if the system does not tell of changes.
const LOOK: Duration = Duration::from_secs(1);

/// A watched folder. A change of its content raises an interrupt, unless changes are disregarded.
pub(super) struct Changes {
    folder: PathBuf,
    /// The content that needs no work; `None` while changes are disregarded.
    known: Arc<Mutex<Option<Content>>>,
}

/// The hash of a folder's content; `None` if the folder is gone, or is too large.
type Content = Option<String>;

impl Changes {
    /// Watches a folder until the program ends. Changes are disregarded at first.
    ///
    /// # Errors
    /// The folder cannot be watched, or the system has no thread.
    pub(super) fn watch(folder: &Path, interrupt: Interrupt) -> Result<Changes, ArenaError> {
        let (sender, events) = channel();
        let path = std::path::absolute(folder).map_err(|error| ArenaError::disk("watch", folder, error))?;
        let watcher = watcher(&path, &sender).map_err(|error| ArenaError::disk("watch", folder, cause(error)))?;
        let known = Arc::new(Mutex::new(None));
        let theirs = Arc::clone(&known);
        let thread = thread::Builder::new().name("changes".to_owned());
        let started = thread.spawn(move || raise_after(&events, watcher, &path, &theirs, &interrupt));
        started.map_err(|e| ArenaError::process("start a thread for", "changes", e))?;
        Ok(Changes { folder: folder.to_owned(), known })
    }

    /// True if the folder is not there.
    pub(super) fn is_gone(&self) -> bool {
        !self.folder.is_dir()
    }

    /// The content of the folder, without what builds and tools leave.
    pub(super) fn content(&self) -> Content {
        content(&self.folder)
    }

    /// Raises the interrupt when the content differs from what it is now.
    pub(super) fn expect(&mut self) {
        let now = self.content();
        *lock(&self.known) = Some(now);
    }

    /// Disregards changes until [`Changes::expect`]: the bot is being built.
    pub(super) fn disregard(&mut self) {
        *lock(&self.known) = None;
    }
}

/// A watcher that sends an event for every change of the folder and below: by the system, or by looking once a second, as on
/// network disks and where the system has no watches left.
fn watcher(folder: &Path, events: &Sender<()>) -> notify::Result<Box<dyn Watcher + Send>> {
    let handler = |events: Sender<()>| {
        let folder = folder.to_owned();
        move |event: notify::Result<Event>| {
            // Reading a file is an event as well. After an error, the content tells.
            if event.is_ok_and(|event| event.kind.is_access() || is_elsewhere(&event, &folder)) {
                return;
            }
            // Nobody listens any more at the end of the program.
            let _ = events.send(());
        }
    };
    let by_system = RecommendedWatcher::new(handler(events.clone()), Config::default());
    let by_system = by_system.and_then(|mut watcher| watch_all(&mut watcher, folder).map(|()| watcher));
    match by_system {
        Ok(watcher) => Ok(Box::new(watcher)),
        Err(error) => {
            show::tell(&format!("looking for changes once a second, because {}", show::with_causes(&error)));
            let mut watcher = PollWatcher::new(handler(events.clone()), Config::default().with_poll_interval(LOOK))?;
            watch_all(&mut watcher, folder)?;
            Ok(Box::new(watcher))
        }
    }
}

/// Watches the folder with all below it, and its parent, which tells when the folder is replaced.
fn watch_all(watcher: &mut dyn Watcher, folder: &Path) -> notify::Result<()> {
    if let Some(parent) = folder.parent() {
        watcher.watch(parent, RecursiveMode::NonRecursive)?;
    }
    watcher.watch(folder, RecursiveMode::Recursive)
}

/// True for an event beside the folder. One without paths says that events were lost.
fn is_elsewhere(event: &Event, folder: &Path) -> bool {
    !event.paths.is_empty() && !event.paths.iter().any(|path| path.starts_with(folder))
}

/// Raises the interrupt after events that have changed the content, until the program ends.
fn raise_after(
    events: &Receiver<()>,
    mut watcher: Box<dyn Watcher + Send>,
    folder: &Path,
    known: &Mutex<Option<Content>>,
    interrupt: &Interrupt,
) {
    while events.recv().is_ok() {
        while events.recv_timeout(CALM).is_ok() {}
        // The folder may be another of the same name, which the old watch does not see.
        let _ = watcher.unwatch(folder);
        let watched = watcher.watch(folder, RecursiveMode::Recursive);
        let now = content(folder);
        match watched {
            Err(error) if now.is_some() => {
                show::tell(&format!("cannot watch the folder any more: {}", show::with_causes(&error)));
            }
            // A file has just gone, which is another event.
            Ok(()) if now.is_none() => continue,
            _ => {}
        }
        let mut known = lock(known);
        if known.as_ref().is_some_and(|known| *known != now) {
            *known = None;
            interrupt.raise();
        }
    }
}

/// The manifest stands for the program, which a build may put anywhere.
fn content(folder: &Path) -> Content {
    content_hash(folder, &folder.join("bot.json"))
}

fn cause(error: notify::Error) -> io::Error {
    match error.kind {
        notify::ErrorKind::Io(error) => error,
        _ => io::Error::other(error),
    }
}
