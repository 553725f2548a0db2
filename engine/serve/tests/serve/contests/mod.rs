//! Contests in which bots are handed in.

use crate::browser::{Chromium, Tab};
use crate::server::ADMIN;

mod administration;
mod bots;
mod builds;
mod finals;
mod ladder;
mod marks;
mod operation;
mod pages;
mod profiles;
mod registration;
mod tournaments;

/// The page of the administrator at this address, who has just logged in.
fn logged_in<'a>(chromium: &'a Chromium, site: &str) -> Tab<'a> {
    let admin = chromium.open(&format!("{site}/admin"));
    admin.reach("#password");
    admin.write(&format!("{ADMIN}\r"));
    admin.arrive("document.querySelector('#contests') !== null && 'ready' in document.body.dataset");
    admin
}
