//! The commands of the program, one file each.

#[cfg(feature = "full")]
mod bridge;
mod check;
mod check_folders;
mod completions;
mod dev;
mod docs;
mod doctor;
mod embedded;
mod fresh_folder;
#[cfg(feature = "full")]
mod grade;
mod guard;
mod languages;
mod man;
mod new;
mod play;
mod records;
mod rules;
#[cfg(feature = "full")]
pub(crate) mod servers;
mod setup;
mod standings;
mod tournament;

pub(crate) use self::rules::rules;
pub(crate) use self::tournament::{compare, solo, tournament};
#[cfg(feature = "full")]
pub(crate) use bridge::bridge;
pub(crate) use check::check;
pub(crate) use completions::completions;
pub(crate) use dev::dev;
pub(crate) use docs::docs;
pub(crate) use doctor::doctor;
#[cfg(feature = "full")]
pub(crate) use grade::grade;
pub(crate) use guard::guard;
pub(crate) use languages::languages;
pub(crate) use man::man;
pub(crate) use new::new;
pub(crate) use play::play;
pub(crate) use records::analyse::analyse;
pub(crate) use records::expand::expand;
pub(crate) use records::import::import;
pub(crate) use records::matches::matches;
pub(crate) use records::profile::profile;
pub(crate) use records::replay::replay;
pub(crate) use records::verify::verify;
pub(crate) use standings::{sprt, standings};
