//! The program's log on standard error.

use chrono::Local;
use env_logger::Builder;
use log::{Level, LevelFilter};
use std::io::Write;

/// Starts the log: the engine's own with `clog`, else only what went wrong. `RUST_LOG` may say otherwise.
pub(crate) fn start(clog: bool) {
    let mut builder = Builder::new();
    builder.filter_level(LevelFilter::Warn);
    if clog {
        builder.filter_module("engine", LevelFilter::Debug);
    } else {
        // A refused command is news for its bot, whose log.txt tells it.
        builder.filter_module("engine", LevelFilter::Off);
    }
    builder.parse_default_env();
    builder.format(|out, record| {
        let letter = match record.level() {
            Level::Error | Level::Warn => 'E',
            Level::Info => 'I',
            Level::Debug | Level::Trace => 'D',
        };
        writeln!(
            out,
            "{} - {letter}: {}",
            Local::now().format("%d-%m-%Y %H:%M:%S:%3f"),
            crate::show::printable(&record.args().to_string())
        )
    });
    builder.init();
}
