//! Tournaments on a real NATS server, with workers.
#![allow(clippy::unwrap_used, missing_docs, unreachable_pub, reason = "tests")]

mod audits;
mod by_hand;
mod hostile;
mod kept;
mod layers;
mod logins;
#[allow(dead_code, reason = "each test program uses some of it")]
mod nats_server;
mod other_machines;
#[allow(dead_code, reason = "each test program uses some of it")]
mod simulated;
mod slow_network;
mod support;
mod tournaments;
mod trouble;
