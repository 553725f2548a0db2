//! Measurements of a worker's machine: its speed, and how late its threads wake up.

use crate::wire::link::Link;
use arena::{Observers, Players, Sequence, play};
use players::BuiltIn;
use rules::Game;
use rules::entelect_2017::{Entelect2017, Settings};
use std::collections::VecDeque;
use std::env::consts::{ARCH, OS};
use std::fs;
use std::time::{Duration, Instant};

/// The time of the measurement of speed.
const MEASURED: Duration = Duration::from_millis(200);
/// The time over which games are counted.
const WINDOW: Duration = Duration::from_secs(30);

/// The kind of this machine: its processors, its system, and the distribution with its version. A program that was built on one
/// machine runs on another of the same kind, as a rule.
pub fn machine_kind() -> String {
    kind_of(
        &fs::read_to_string("/etc/os-release")
            .or_else(|_| fs::read_to_string("/usr/lib/os-release"))
            .unwrap_or_default(),
    )
}

/// The kind of the machine with this file `os-release`.
fn kind_of(release: &str) -> String {
    let value = |key: &str| {
        let found = release.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix('='));
        found.unwrap_or_default().trim_matches(['"', '\'']).to_owned()
    };
    format!("{ARCH} {OS} {} {}", value("ID"), value("VERSION_ID")).trim_end().to_owned()
}

/// Whole games between built-in players a second, on one processor.
pub(crate) fn speed() -> f64 {
    let began = Instant::now();
    let mut games = 0_u32;
    while began.elapsed() < MEASURED {
        let mut players: Players<Entelect2017> =
            [BuiltIn::Random; 2].into_iter().map(|built_in| built_in.player(u64::from(games))).collect();
        let game = Entelect2017::start(&Settings::default(), 2, u64::from(games)).expect("two players can play");
        play(game, &mut players, Sequence::InTurn, &mut Observers::new()).expect("built-in players do not fail");
        games += 1;
    }
    f64::from(games) / began.elapsed().as_secs_f64()
}

/// Drops times that are too old to count.
pub(crate) fn forget_old(finished: &mut VecDeque<Instant>) {
    while finished.front().is_some_and(|at| at.elapsed() > WINDOW) {
        finished.pop_front();
    }
}

/// Games a second, of those that ended at these times.
pub(crate) fn per_second(finished: &mut VecDeque<Instant>) -> f64 {
    forget_old(finished);
    let since = finished.front().map_or(WINDOW, Instant::elapsed);
    finished.len() as f64 / since.max(Duration::from_secs(1)).as_secs_f64()
}

/// Measures from now on how late a timer is, and tells the worst of the last half minute again and again.
pub(crate) fn watch_lag(link: &Link, tell: impl Fn(Duration) + Send + Sync + 'static) {
    const STEP: Duration = Duration::from_millis(100);
    link.spawn(async move {
        let mut seen: VecDeque<(Instant, Duration)> = VecDeque::new();
        loop {
            let before = Instant::now();
            tokio::time::sleep(STEP).await;
            seen.push_back((before, before.elapsed().saturating_sub(STEP)));
            while seen.front().is_some_and(|(at, _)| at.elapsed() > WINDOW) {
                seen.pop_front();
            }
            tell(seen.iter().map(|(_, lag)| *lag).max().unwrap_or_default());
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machines_with_other_systems_are_of_another_kind() {
        let debian = "NAME=\"Debian GNU/Linux\"\nVERSION_ID=\"12\"\nID=debian\n";
        assert_eq!(kind_of(debian), format!("{ARCH} {OS} debian 12"));
        assert_ne!(kind_of(debian), kind_of(&debian.replace("12", "13")));
        assert_eq!(kind_of("ID=arch\n"), format!("{ARCH} {OS} arch"));
        assert!(!machine_kind().is_empty());
    }
}
