//! Tournaments on a real NATS server, with workers.

mod nats_server;
mod tournaments;
