//! The configuration of a NATS server in which heads and workers have the rights that they need, and no others.

use crate::wire::names::{self, ASK, DRAIN, HEADS};
use crate::wire::signing::PublicKey;
use std::fmt::Write as _;

/// The configuration without the logins of workers.
const BEGINNING: &str = include_str!("nats.conf");
/// The place of a password.
const PASSWORD: &str = "{password}";
/// The place of the key of the head.
const HEAD: &str = "{head}";

/// A configuration with a login for heads, and one for each of these workers, whose names have letters, digits, `-` and `_` only.
/// Passwords are drawn. Workers with logins of their own cannot read the messages for others. A comment has the command by which
/// they start and play for the head with this key.
pub fn configuration(head: &PublicKey, workers: &[String]) -> String {
    let mut text = BEGINNING.replace(HEAD, &head.to_string());
    for worker in workers {
        let inbox = names::inbox_of_worker(Some(worker));
        let _ = writeln!(
            text,
            "    {{ user: \"{worker}\", password: \"{PASSWORD}\", permissions: {{\n      publish: $WORKER\n      subscribe: {{ \
             allow: [\"{HEADS}\", \"{ASK}\", \"{DRAIN}\", \"{inbox}.>\"] }}\n    }} }}"
        );
    }
    text.push_str("  ]\n}\n");
    while text.contains(PASSWORD) {
        text = text.replacen(PASSWORD, &password(), 1);
    }
    text
}

/// A password that nobody can guess.
fn password() -> String {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).expect("the system has random numbers");
    arena::hex(&bytes)
}
