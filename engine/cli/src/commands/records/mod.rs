//! The commands for records and folders of matches.

pub(crate) mod analyse;
pub(crate) mod expand;
pub(crate) mod found_matches;
pub(crate) mod import;
mod in_order;
mod kept_record;
pub(crate) mod matches;
pub(crate) mod profile;
pub(crate) mod replay;
pub(crate) mod site;
pub(crate) mod verify;
