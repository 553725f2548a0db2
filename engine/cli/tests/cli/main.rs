//! The program as its users meet it.
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    clippy::print_stdout,
    missing_docs,
    unreachable_pub,
    reason = "tests"
)]

mod analysis;
#[path = "../../../serve/tests/serve/server/mod.rs"]
#[allow(dead_code, unused_imports, reason = "each test program uses some of it")]
mod arena;
mod bad_input;
mod bots;
#[path = "../../../web/tests/web/browser.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod browser;
mod dev;
mod disk;
mod documented;
mod escapes;
mod fifos;
mod github_action;
mod grading;
mod hints;
mod http;
#[path = "../../../players/tests/players/http/server.rs"]
#[allow(dead_code, reason = "each test program uses some of it")]
mod http_server;
mod kills;
#[path = "../../../cluster/tests/cluster/nats_server.rs"]
#[allow(dead_code, reason = "each test program uses some of it")]
mod nats_server;
mod profiles;
mod rules;
mod salvo;
#[path = "../../../players/tests/players/sample_servers/server.rs"]
#[allow(dead_code, reason = "each test program uses some of it")]
mod sample_server;
mod screens;
mod serve;
mod shared_folders;
mod shell_limits;
mod stopping;
mod submit;
mod table;
mod tournaments;
mod zoo;
