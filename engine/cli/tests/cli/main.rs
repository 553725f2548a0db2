//! The program as its users meet it.
#![allow(
    clippy::unwrap_used,
    clippy::print_stderr,
    clippy::print_stdout,
    missing_docs,
    unreachable_pub,
    reason = "tests"
)]

#[path = "../../../serve/tests/serve/server/mod.rs"]
#[allow(dead_code, unused_imports, reason = "each test program uses some of it")]
mod arena;
mod bad_input;
#[path = "../../../web/tests/web/browser.rs"]
#[allow(dead_code, reason = "other tests use the rest")]
mod browser;
mod builds;
mod bundles;
mod cluster;
mod completions;
mod console;
mod dev;
mod disk;
mod documented;
mod escapes;
mod events;
mod faults;
mod fifos;
mod finals;
mod formats;
mod github_action;
#[path = "../../../players/tests/players/http/server.rs"]
#[allow(dead_code, reason = "each test program uses some of it")]
mod http_server;
mod kills;
mod languages;
mod left_out;
mod line_bots;
mod live;
mod matches;
#[path = "../../../cluster/tests/cluster/nats_server.rs"]
#[allow(dead_code, reason = "each test program uses some of it")]
mod nats_server;
mod networked_builds;
mod notes;
mod over_http;
mod over_http_dialects;
mod over_http_mistakes;
mod over_http_tournaments;
mod people;
mod printable;
mod ready;
mod records;
mod results_json;
mod salvo;
mod salvo_live;
mod salvo_scripts;
mod salvo_server;
mod salvo_starters;
mod salvo_teams;
#[path = "../../../players/tests/players/sample_servers/server.rs"]
#[allow(dead_code, reason = "each test program uses some of it")]
mod sample_server;
mod samples;
mod schemas;
mod screen;
mod serve;
mod site;
mod starters;
mod stopping;
mod table;
mod terminal;
mod text_clients;
mod tournament_folders;
mod tournament_mode;
mod tournaments;
mod viewer;
mod zoo;
