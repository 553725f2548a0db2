//! Work on many items on several threads, with results in the order of the items.

use arena::ArenaError;
use std::sync::mpsc::sync_channel;
use std::thread;

/// The most results that a thread has ready before they are taken.
const AHEAD: usize = 8;

/// Works on items on as many threads as there are processors. `take` gets the results in the order of the items, so that nothing depends on
/// which is done first. The threads take turns with the items, so that few results wait whatever an item costs. After an error of `take` no new
/// work begins.
///
/// # Errors
/// The error of `take`. No thread can be started.
pub(super) fn in_order<'a, T: Sync, R: Send>(
    items: &'a [T],
    work: impl Fn(&'a T) -> R + Sync,
    mut take: impl FnMut(R) -> Result<(), ArenaError>,
) -> Result<(), ArenaError> {
    let threads = thread::available_parallelism().map_or(1, usize::from).min(items.len());
    thread::scope(|scope| {
        let mut results = Vec::new();
        for nth in 0..threads {
            let (sender, receiver) = sync_channel(AHEAD);
            let work = &work;
            let own = items.iter().skip(nth).step_by(threads);
            let run = move || own.map(work).try_for_each(|result| sender.send(result));
            let thread = thread::Builder::new().name("records".to_owned()).spawn_scoped(scope, run);
            thread.map_err(|e| ArenaError::process("start a thread for", "records", e))?;
            results.push(receiver);
        }
        // A thread that ends early has panicked, and the scope passes its panic on.
        (0..items.len()).map_while(|nth| results[nth % threads].recv().ok()).try_for_each(&mut take)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_items_and_stop_at_an_error() {
        let items: Vec<u64> = (0..200).collect();
        let work = |item: &u64| (0..(item % 7) * 1_000).fold(*item, |sum, _| std::hint::black_box(sum));
        let mut taken = Vec::new();
        let mut take = |item| {
            taken.push(item);
            Ok(())
        };
        in_order(&items, work, &mut take).unwrap();
        assert_eq!(taken, items);
        in_order(&[], work, |_| panic!("there are no items")).unwrap();
        let stopped = in_order(&items, work, |item| if item == 5 { Err(ArenaError::Interrupted) } else { Ok(()) });
        assert!(matches!(stopped, Err(ArenaError::Interrupted)));
    }
}
