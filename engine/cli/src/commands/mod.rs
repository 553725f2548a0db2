//! The commands of the program, one file each.

#[cfg(feature = "full")]
mod bridge;
mod check;
mod completions;
mod dev;
mod docs;
mod doctor;
mod embedded;
mod expand;
mod found_matches;
mod fresh_folder;
mod guard;
mod import;
mod languages;
mod man;
mod matches;
mod new;
mod play;
mod replay;
#[cfg(feature = "full")]
pub(crate) mod servers;
mod setup;
mod site;
mod standings;
mod tournament;
mod verify;

pub(crate) use self::tournament::{compare, tournament};
#[cfg(feature = "full")]
pub(crate) use bridge::bridge;
pub(crate) use check::check;
pub(crate) use completions::completions;
pub(crate) use dev::dev;
pub(crate) use docs::docs;
pub(crate) use doctor::doctor;
pub(crate) use expand::expand;
pub(crate) use guard::guard;
pub(crate) use import::import;
pub(crate) use languages::languages;
pub(crate) use man::man;
pub(crate) use matches::matches;
pub(crate) use new::new;
pub(crate) use play::play;
pub(crate) use replay::replay;
pub(crate) use standings::{sprt, standings};
pub(crate) use verify::verify;
