//! Files of the repository in the program: sample bots and pages. `build.rs` lists them.

include!(concat!(env!("OUT_DIR"), "/embedded.rs"));

/// The content of a file of the sample bots.
pub(crate) fn sample_file(path: &str) -> Option<&'static [u8]> {
    SAMPLES.iter().find(|(name, _)| *name == path).map(|(_, bytes)| *bytes)
}
