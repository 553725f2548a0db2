//! What makes times vary on this machine: swap, the frequency of processors, unequal and shared cores; and room for files.

use crate::show::{Finding, State};
use platform::files::free_space;
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// Less memory than this for the files of bots, in bytes, is a problem.
const LITTLE: u64 = 256 << 20;

/// What was found. `root` is the root folder of the machine; tests have others.
pub(super) fn findings(root: &Path) -> Vec<Finding> {
    let all = [swap(root), governor(root), threads(root), unequal(root), room(root)];
    all.into_iter().flatten().collect()
}

fn swap(root: &Path) -> Option<Finding> {
    let swaps = fs::read_to_string(root.join("proc/swaps")).ok()?;
    let names: Vec<&str> = swaps.lines().skip(1).filter_map(|line| line.split_whitespace().next()).collect();
    Some(if names.is_empty() {
        timing(State::Fine, "swap: none".to_owned(), None)
    } else {
        let text = format!("swap: {}; a bot that is swapped out is late", names.join(", "));
        timing(State::Note, text, Some("swapoff -a, for as long as games are played"))
    })
}

fn processors(root: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(root.join("sys/devices/system/cpu")).into_iter().flatten().flatten();
    let is_processor = |path: &PathBuf| {
        let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        name.strip_prefix("cpu")
            .is_some_and(|digits| !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit()))
    };
    entries.map(|entry| entry.path()).filter(is_processor).collect()
}

/// The different contents of a file that each processor has.
fn values(root: &Path, file: &str) -> BTreeSet<String> {
    let read = |path: PathBuf| fs::read_to_string(path.join(file)).ok().map(|text| text.trim().to_owned());
    processors(root).into_iter().filter_map(read).collect()
}

fn governor(root: &Path) -> Option<Finding> {
    let governors = values(root, "cpufreq/scaling_governor");
    let names: Vec<&str> = governors.iter().map(String::as_str).collect();
    match names[..] {
        // Virtual machines have none to choose.
        [] => None,
        ["performance"] => Some(timing(State::Fine, "frequency of processors: performance".to_owned(), None)),
        _ => {
            let text =
                format!("frequency of processors: {}; they are slow until they have something to do", names.join(", "));
            Some(timing(State::Note, text, Some("cpupower frequency-set -g performance")))
        }
    }
}

fn threads(root: &Path) -> Option<Finding> {
    let active = fs::read_to_string(root.join("sys/devices/system/cpu/smt/active")).ok()?;
    Some(if active.trim() == "1" {
        let text = "cores: each counts as several processors, which slow each other down";
        timing(
            State::Note,
            text.to_owned(),
            Some("-j with the number of cores; or echo off > /sys/devices/system/cpu/smt/control"),
        )
    } else {
        timing(State::Fine, "cores: each is one processor".to_owned(), None)
    })
}

fn unequal(root: &Path) -> Option<Finding> {
    let files = ["cpu_capacity", "cpufreq/cpuinfo_max_freq"];
    let differ = files.iter().any(|file| values(root, file).len() > 1);
    differ.then(|| {
        let text = "processors: not equally fast; who plays where is chance";
        timing(State::Note, text.to_owned(), Some("taskset -c with processors of one kind, as lscpu -e lists them"))
    })
}

/// Memory for the copies of bots in tournaments.
fn room(root: &Path) -> Option<Finding> {
    let free = free_space(&root.join("dev/shm")).ok()?;
    let text = format!("files in memory (/dev/shm): {} MB free", free / 1_000_000);
    Some(if free < LITTLE {
        let text = format!("{text}; tournaments keep copies of the bots there");
        let mend = "mount -o remount,size=1G /dev/shm; in a container, --shm-size=1g";
        Finding { topic: "room", state: State::Problem, text, mend: Some(mend.to_owned()) }
    } else {
        Finding { topic: "room", state: State::Fine, text, mend: None }
    })
}

pub(super) fn timing(state: State, text: String, mend: Option<&str>) -> Finding {
    Finding { topic: "times", state, text, mend: mend.map(str::to_owned) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_makes_times_vary_is_told_with_its_mend() {
        let root = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = root.path().join(path);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        };
        let told = || findings(root.path()).iter().map(|it| (it.state, it.text.clone())).collect::<Vec<_>>();
        assert_eq!(told(), [], "nothing is known of an empty root");
        write("proc/swaps", "Filename Type Size Used Priority\n");
        write("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n");
        write("sys/devices/system/cpu/cpufreq/boost", "1\n");
        write("sys/devices/system/cpu/smt/active", "0\n");
        assert!(told().len() == 3 && told().iter().all(|(state, _)| *state == State::Fine), "{:?}", told());
        write("proc/swaps", "Filename Type Size Used Priority\n/dev/sda2 partition 1 0 -2\n");
        write("sys/devices/system/cpu/cpu1/cpufreq/scaling_governor", "powersave\n");
        write("sys/devices/system/cpu/smt/active", "1\n");
        write("sys/devices/system/cpu/cpu0/cpu_capacity", "1024\n");
        write("sys/devices/system/cpu/cpu1/cpu_capacity", "446\n");
        assert!(told().len() == 4 && told().iter().all(|(state, _)| *state == State::Note), "{:?}", told());
        assert!(findings(root.path()).iter().all(|finding| finding.mend.is_some()));
        assert!(told()[0].1.contains("/dev/sda2") && told()[1].1.contains("performance, powersave"), "{:?}", told());
    }
}
