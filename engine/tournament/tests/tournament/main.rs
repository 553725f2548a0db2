//! Tournaments of made-up games: their journals, their scheduler, and what is made of their results.
#![allow(clippy::unwrap_used, missing_docs, unreachable_pub, reason = "tests")]

mod columns;
mod games;
mod headlines;
mod journal;
mod knockouts;
mod ladder;
mod scheduler;
mod schema;
#[path = "../../../arena/tests/arena/schemas.rs"]
mod schemas;
#[path = "../../examples/ladder_order/simulation.rs"]
mod simulation;
mod solo;
mod standings;
mod swiss_rounds;
