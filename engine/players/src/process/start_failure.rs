//! One start of a program, which shows whether this machine can run it.

use super::{Launch, run};
use arena::{ArenaError, Interrupt, Limits, RunEnd};
use rules::Seat;
use std::path::Path;
use std::time::Duration;

/// The time after which a program that runs is killed: it has started.
const LIMIT: Duration = Duration::from_secs(1);
/// The exit statuses by which shells and loaders tell that they cannot run a program.
const NOT_RUN: [i32; 2] = [126, 127];
/// The signal of an instruction that the processor does not have.
const ILLEGAL_INSTRUCTION: i32 = 4;
/// The words of the loader of glibc about a library that is older than the program needs.
const OLD_LIBRARY: &str = "' not found (required by ";

impl Launch {
    /// The reason why this machine cannot run the program; `None` if it can. The program is started once, without a question,
    /// with the folder `rounds` as that of its turn.
    ///
    /// # Errors
    /// The machine cannot start, watch or end processes, or the match was interrupted.
    pub fn start_failure(&self, rounds: &Path, interrupt: &Interrupt) -> Result<Option<String>, ArenaError> {
        let request = self.clone().per_round().request(Seat::A, rounds, &[]);
        let report = run::run(request, Some(Limits::exactly(LIMIT, LIMIT)), interrupt)?;
        let said = report.stderr.lines();
        let is_foreign = match &report.end {
            RunEnd::NotStarted(_) | RunEnd::Signalled(ILLEGAL_INSTRUCTION) => true,
            RunEnd::Exited(status) => NOT_RUN.contains(status) || said.iter().any(|line| line.contains(OLD_LIBRARY)),
            _ => false,
        };
        Ok(is_foreign.then(|| match said.first() {
            Some(first) => format!("the program {}: {first}", report.end),
            None => format!("the program {}", report.end),
        }))
    }
}
