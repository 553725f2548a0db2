//! The places of keys in a file.

use std::ops::Range;
use toml::de::{DeTable, DeValue};

/// The keys of a file.
pub(crate) struct Keys(Vec<Key>);

/// A key of a file, or an item of a list.
pub(crate) struct Key {
    /// The path, as in `fleet[2].size`.
    pub(crate) path: String,
    place: Range<usize>,
    /// The place of the value.
    pub(crate) value: Range<usize>,
    /// True if the value is a table.
    pub(crate) is_table: bool,
}

impl Key {
    /// The path without the numbers of items, as in `fleet[].size`.
    pub(crate) fn kind(&self) -> String {
        self.path
            .split('[')
            .map(|part| part.split_once(']').map_or(part, |(_, rest)| rest))
            .collect::<Vec<_>>()
            .join("[]")
    }
}

impl Keys {
    /// The keys of a table.
    pub(crate) fn of(table: &DeTable<'_>) -> Keys {
        let mut keys = Keys(Vec::new());
        keys.add_table("", table);
        keys
    }

    fn add_table(&mut self, before: &str, table: &DeTable<'_>) {
        for (key, value) in table {
            let dot = if before.is_empty() { "" } else { "." };
            self.add(format!("{before}{dot}{}", key.get_ref()), key.span(), value.span(), value.get_ref());
        }
    }

    fn add(&mut self, path: String, key: Range<usize>, at: Range<usize>, value: &DeValue<'_>) {
        self.0.push(Key { path: path.clone(), place: key, value: at, is_table: value.is_table() });
        if let Some(table) = value.as_table() {
            self.add_table(&path, table);
        }
        for (item, nth) in value.as_array().into_iter().flat_map(|items| items.iter()).zip(0..) {
            self.add(format!("{path}[{nth}]"), item.span(), item.span(), item.get_ref());
        }
    }

    /// True if the file has the key.
    pub(crate) fn contains(&self, path: &str) -> bool {
        self.0.iter().any(|key| key.path == path)
    }

    /// The place of the key; of the table in which it would be if the file has that only.
    pub(crate) fn place(&self, path: &str) -> Option<usize> {
        let mut path = path;
        loop {
            if let Some(key) = self.0.iter().find(|key| key.path == path) {
                return Some(key.place.start);
            }
            path = &path[..path.rfind(['.', '['])?];
        }
    }

    /// The innermost key whose value is at the place.
    pub(crate) fn at(&self, place: &Range<usize>) -> Option<&Key> {
        let around = self.0.iter().filter(|key| key.value.start <= place.start && place.end <= key.value.end);
        around.min_by_key(|key| (key.value.len(), std::cmp::Reverse(key.path.len())))
    }

    /// All keys.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &Key> {
        self.0.iter()
    }
}
