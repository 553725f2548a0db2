//! The server with real clients on real brokers.
#![allow(clippy::unwrap_used, clippy::print_stderr, missing_docs, unreachable_pub, reason = "tests")]

mod absence;
mod abuse;
mod admin;
mod fixture;
mod games;
mod logins;
mod overload;
mod restarts;
mod samples;
mod scripted_team;
mod strangers;
mod subscribing_first;
mod text_clients;
mod wrong_topics;
