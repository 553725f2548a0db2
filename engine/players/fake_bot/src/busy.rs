//! Threads that keep a processor busy, so that a bot has to wait for it.

use rustix::thread::{CpuSet, sched_getaffinity, sched_setaffinity};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

/// The number of the last processor that this thread may use.
///
/// # Panics
/// The system does not tell.
pub fn last_processor() -> usize {
    let own = sched_getaffinity(None).expect("a thread may ask for its processors");
    (0..CpuSet::MAX_CPU).rfind(|processor| own.is_set(*processor)).expect("a thread has a processor")
}

/// Does some work while so many threads keep this processor busy.
///
/// # Panics
/// The threads may not use the processor, or the work panics.
pub fn beside_busy_threads<T>(threads: usize, processor: usize, work: impl FnOnce() -> T) -> T {
    let is_over = AtomicBool::new(false);
    let spin = || {
        let mut only = CpuSet::new();
        only.set(processor);
        sched_setaffinity(None, &only).expect("a thread may choose among its processors");
        while !is_over.load(Ordering::Relaxed) {
            std::hint::spin_loop();
        }
    };
    thread::scope(|scope| {
        (0..threads).for_each(|_| drop(scope.spawn(spin)));
        let _end = End(&is_over);
        work()
    })
}

/// Ends the threads when it is dropped: work that panics would wait for them for ever.
struct End<'a>(&'a AtomicBool);

impl Drop for End<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
