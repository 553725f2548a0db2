//! Reading the answer files of a bot.

use arena::folder::{MOST_OF_ANSWER, OpenFolder, read_regular};
use rules::{Fault, Part};

/// The files with these names in `folder`, or the fault if one of them is unreadable.
pub(super) fn read(folder: &OpenFolder, names: &[&'static str]) -> Result<Vec<Part>, Fault> {
    let one = |&name: &&'static str| {
        let read = read_regular(folder, name, MOST_OF_ANSWER).map(|bytes| bytes.map(|bytes| Part { name, bytes }));
        read.map_err(|why| Fault::Unreadable { why: format!("{name} {why}") }).transpose()
    };
    names.iter().filter_map(one).collect()
}
