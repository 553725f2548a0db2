//! The check of layers finds what it is for.

use std::fs;
use std::panic::catch_unwind;
use std::path::Path;

/// The message of the check of a crate with these files in `src`, if it fails.
fn failure(files: &[(&str, &str)]) -> Option<String> {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let file = folder.path().join("src").join(path);
        fs::create_dir_all(file.parent().unwrap()).unwrap();
        fs::write(file, text).unwrap();
    }
    let at = Path::new(folder.path()).to_str().unwrap().to_owned();
    let checked = catch_unwind(|| test_tools::assert_layers(&at, &[("low", &[]), ("high", &["low"])]));
    checked.err().map(|panic| panic.downcast_ref::<String>().cloned().unwrap_or_default())
}

const LOW: [(&str, &str); 2] = [("low/a.rs", "use crate::low::b::B;"), ("low/b.rs", "// crate::low::a\n")];

#[test]
fn steps_down_are_allowed() {
    let high =
        [("high/c.rs", "use crate::low::{a, b::B};\nmod d;"), ("high/c/d.rs", "use super::C;\ncrate::high::c::E")];
    assert_eq!(failure(&[&LOW[..], &high].concat()), None);
}

#[test]
fn a_step_up_a_ring_and_a_path_by_super_are_found() {
    let high = ("high/c.rs", "use crate::low::b;");
    let found = |file: (&str, &str)| failure(&[&LOW[..1], &[high, file]].concat()).unwrap_or_default();
    assert!(found(("low/b.rs", "fn f() { crate::high::c::f() }")).contains("low::b uses high::c"));
    assert!(found(("low/b.rs", "use crate::low::a::A;")).contains("needs itself"));
    assert!(found(("low/b.rs", "use super::a::A;")).contains("by `super`"));
}
