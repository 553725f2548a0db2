//! The server with real clients on real brokers.

mod abuse;
mod games;
mod restarts;
mod table;
