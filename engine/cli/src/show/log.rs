//! The program's log on standard error.

use arena::record::SHOWN_TIME;
use chrono::Local;
use env_logger::Builder;
use log::{Level, LevelFilter};
use std::io::Write;

/// Starts the log: with the engine's messages if `clog`, else with warnings and errors. `RUST_LOG` overrides both, but shows no bytes
/// of requests.
pub(crate) fn start(clog: bool) {
    let mut builder = Builder::new();
    builder.filter_level(LevelFilter::Warn);
    // A refused command concerns its bot only, and is in the bot's log.txt.
    builder.filter_module("engine", if clog { LevelFilter::Debug } else { LevelFilter::Off });
    builder.parse_default_env();
    // It writes the bytes of requests, which may have passwords and tokens in them.
    builder.filter_module("ureq_proto::util", LevelFilter::Off);
    builder.format(|out, record| {
        let letter = match record.level() {
            Level::Error | Level::Warn => 'E',
            Level::Info => 'I',
            Level::Debug | Level::Trace => 'D',
        };
        let now = Local::now();
        writeln!(
            out,
            "{}.{:03} - {letter}: {}",
            now.format(SHOWN_TIME),
            now.timestamp_subsec_millis(),
            crate::show::printable(&record.args().to_string())
        )
    });
    builder.init();
}
