//! Names of students for pages and files that others may see.

use sha2::{Digest, Sha256};

/// Digits and letters of which none is taken for another, and which make no words.
const LETTERS: &[u8; 20] = b"34679cdfhjkmnprtvwxy";
const LENGTH: usize = 8;

/// A name of eight characters that is the same for the same student and seed. Who knows the seed can compute the names of all whose
/// names they know: a seed that students are told, such as that of games which they repeat, hides nobody from them.
///
/// ```
/// assert_eq!(grading::pseudonym(7, "Ann"), grading::pseudonym(7, "Ann"));
/// assert_ne!(grading::pseudonym(7, "Ann"), grading::pseudonym(8, "Ann"));
/// ```
pub fn pseudonym(seed: u64, student: &str) -> String {
    let hash = Sha256::new().chain_update(b"broadside student").chain_update(seed.to_le_bytes()).chain_update(student);
    let letters = hash.finalize().into_iter().take(LENGTH).map(|byte| LETTERS[usize::from(byte) % LETTERS.len()]);
    letters.map(char::from).collect()
}

/// True for a text that [`pseudonym`] may have made.
pub(super) fn is_pseudonym(text: &str) -> bool {
    text.len() == LENGTH && text.bytes().all(|letter| LETTERS.contains(&letter))
}
