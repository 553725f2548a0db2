//! Values that flags of several commands have, and the parsers of their text.

use arena::NotesLevel;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use match_folder::Keep;
use rules::entelect_2017::MapSize;
use runner::{CpuLimit, KeptGames, MatchOutput, SandboxLevel, TimeLimit};
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::time::Duration;
use tournament::board_of_day;

/// The turns whose files are kept.
pub(super) const KEPT_TURNS: [(&str, Keep); 3] =
    [("none", Keep::Nothing), ("faults", Keep::Faults), ("all", Keep::Everything)];

/// The games whose files are kept.
pub(super) const KEPT_GAMES: [(&str, KeptGames); 3] =
    [("none", KeptGames::Nothing), ("faults", KeptGames::Faults), ("all", KeptGames::All)];

/// The files that a match leaves.
pub(super) const OUTPUTS: [(&str, MatchOutput); 3] =
    [("folder", MatchOutput::Folder), ("compact", MatchOutput::Record), ("none", MatchOutput::Nothing)];

/// The sandbox levels.
pub(super) const SANDBOXES: [(&str, SandboxLevel); 3] =
    [("off", SandboxLevel::Off), ("on", SandboxLevel::On), ("strict", SandboxLevel::Strict)];

/// The parts of what bots leave for people that are kept.
pub(super) const NOTES: [(&str, NotesLevel); 3] =
    [("off", NotesLevel::Off), ("on", NotesLevel::On), ("output", NotesLevel::WithOutput)];

/// A switch: off or on.
pub(super) const SWITCH: [(&str, bool); 2] = [("off", false), ("on", true)];

/// A parser of the names in a list, each of which stands for the value beside it.
pub(super) fn named<T: Copy + Send + Sync>(
    values: &'static [(&'static str, T)],
) -> impl TypedValueParser<Value = T> + use<T> {
    let names = PossibleValuesParser::new(values.iter().map(|(name, _)| *name));
    names.map(|text| values.iter().find(|(name, _)| *name == text).expect("clap refuses other names").1)
}

pub(super) fn size(text: &str) -> Result<MapSize, String> {
    MapSize::ALL
        .into_iter()
        .find(|size| text == size.number().to_string())
        .ok_or_else(|| "the sizes are 1 (7 x 7), 2 (10 x 10) and 3 (14 x 14)".to_owned())
}

/// A seed: a number, a date for the board of that day, or `daily` for that of today (UTC).
pub(super) fn seed(text: &str) -> Result<u64, String> {
    let date = if text == "daily" { chrono::Utc::now().format("%Y-%m-%d").to_string() } else { text.to_owned() };
    let wrong = || "expected a whole number, daily, or a date such as 2026-11-28".to_owned();
    board_of_day(&date).or_else(|| text.parse().ok()).ok_or_else(wrong)
}

pub(super) fn milliseconds(text: &str) -> Result<Duration, String> {
    text.parse().map(Duration::from_millis).map_err(|_| "expected a whole number of milliseconds".to_owned())
}

pub(super) fn cpu_limit(text: &str) -> Result<CpuLimit, String> {
    match text {
        "off" => Ok(CpuLimit::Unlimited),
        number => milliseconds(number)
            .map(CpuLimit::Exactly)
            .map_err(|_| "expected off or a number of milliseconds".to_owned()),
    }
}

pub(super) fn calibration(text: &str) -> Result<TimeLimit, String> {
    match text {
        "auto" => Ok(TimeLimit::Measured),
        "off" => Ok(TimeLimit::Extra(Duration::ZERO)),
        number => milliseconds(number)
            .map(TimeLimit::Extra)
            .map_err(|_| "expected auto, off or a number of milliseconds".to_owned()),
    }
}

/// A variable of the environment of bots, `NAME=VALUE`, or `NAME` with the value that it has here.
pub(super) fn variable(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        _ if text.is_empty() || text.starts_with('=') => Err("expected NAME or NAME=VALUE".to_owned()),
        Some((name, value)) => Ok((name.to_owned(), value.to_owned())),
        None => match std::env::var(text) {
            Ok(value) => Ok((text.to_owned(), value)),
            Err(std::env::VarError::NotPresent) => {
                Err(format!("{text} is not set here: set it, or write {text}=VALUE"))
            }
            Err(std::env::VarError::NotUnicode(_)) => Err(format!("the value of {text} is no text in UTF-8")),
        },
    }
}

/// The address of a server for browsers: a port of this machine, or an address with or without a port.
pub(super) fn web_address(text: &str) -> Result<SocketAddr, String> {
    let of_this_machine = text.parse().map(|port: u16| SocketAddr::from((Ipv4Addr::LOCALHOST, port)));
    let of_any_port = || text.parse().map(|ip: IpAddr| SocketAddr::from((ip, 0)));
    of_this_machine
        .or_else(|_| text.parse())
        .or_else(|_| of_any_port())
        .map_err(|_| "expected a port such as 8080, or an address such as 0.0.0.0 or 192.168.1.5:8080".to_owned())
}
