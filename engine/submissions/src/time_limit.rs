//! The limits of a step on the way to a verdict: its time, and what it writes.

use arena::{ArenaError, Interrupt};
use platform::wait::WaitSet;
use std::thread;
use std::time::{Duration, Instant};

/// The time between two looks at what a step has written, and how much longer it is than a look takes.
const LOOKS: Duration = Duration::from_secs(1);
const TIMES_A_LOOK: u32 = 20;

/// The limit that a step has exceeded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exceeded {
    Time,
    /// As `excess` has told.
    Bytes(u64),
}

/// Does some work that ends soon once `stop` is raised: after this time, when there is an `excess` of bytes, or when the program is
/// `ending`. Gives what it did, and the limit that it exceeded.
///
/// # Errors
/// The system gives no thread.
pub(crate) fn within<T>(
    limit: Duration,
    stop: &Interrupt,
    ending: &Interrupt,
    excess: impl Fn() -> Option<u64> + Sync,
    work: impl FnOnce() -> T,
) -> Result<(T, Option<Exceeded>), ArenaError> {
    let failed = |doing| move |e| ArenaError::process(doing, "a submission", e);
    let done = Interrupt::new().map_err(failed("make a pipe for"))?;
    thread::scope(|scope| {
        let watch = || {
            let (began, mut pause) = (Instant::now(), LOOKS);
            let exceeded = loop {
                let left = limit.saturating_sub(began.elapsed());
                let mut set = WaitSet::new().readable(ending).readable(&done);
                match set.wait(Some(left.min(pause))) {
                    Ok(0) if left <= pause => break Some(Exceeded::Time),
                    Ok(0) => {}
                    _ => break None,
                }
                let looks = Instant::now();
                if let Some(bytes) = excess() {
                    break Some(Exceeded::Bytes(bytes));
                }
                pause = LOOKS.max(looks.elapsed() * TIMES_A_LOOK);
            };
            if !done.is_raised() {
                stop.raise();
            }
            exceeded
        };
        let watch = thread::Builder::new().name("time limit".to_owned()).spawn_scoped(scope, watch);
        let watch = watch.map_err(failed("start a thread for"))?;
        let worked = work();
        done.raise();
        Ok((worked, watch.join().unwrap_or_default()))
    })
}
