//! The time limit of a step on the way to a verdict.

use arena::{ArenaError, Interrupt};
use platform::wait::WaitSet;
use std::thread;
use std::time::Duration;

/// Does some work that ends soon once `stop` is raised: after this time, or when the server is `ending`. Gives what it did, and whether it
/// took longer.
///
/// # Errors
/// The system gives no thread.
pub(crate) fn within<T>(
    limit: Duration,
    stop: &Interrupt,
    ending: &Interrupt,
    work: impl FnOnce() -> T,
) -> Result<(T, bool), ArenaError> {
    let failed = |doing| move |e| ArenaError::process(doing, "a submission", e);
    let done = Interrupt::new().map_err(failed("make a pipe for"))?;
    thread::scope(|scope| {
        let watch = || {
            let mut set = WaitSet::new().readable(ending).readable(&done);
            let is_late = matches!(set.wait(Some(limit)), Ok(0));
            if !done.is_raised() {
                stop.raise();
            }
            is_late
        };
        let watch = thread::Builder::new().name("time limit".to_owned()).spawn_scoped(scope, watch);
        let watch = watch.map_err(failed("start a thread for"))?;
        let worked = work();
        done.raise();
        Ok((worked, watch.join().unwrap_or_default()))
    })
}
