//! Writes the description of the tournament server's API: `cargo run -p serve --example openapi > docs/openapi.json`.
#![allow(clippy::print_stdout, reason = "that is what it is for")]

fn main() {
    print!("{}", serve::openapi());
}
