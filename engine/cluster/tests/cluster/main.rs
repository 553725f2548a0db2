//! Tournaments on a real NATS server, with workers.

#[allow(dead_code, reason = "each test program uses some of it")]
mod nats_server;
mod tournaments;
