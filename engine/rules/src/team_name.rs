//! The letters that names of teams and bots may have, so that no name looks like another one.

use super::printable;
use unicode_security::{GeneralSecurityProfile, RestrictionLevel, RestrictionLevelDetection, skeleton};

/// The reason why a text cannot be a name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TeamNameError {
    /// A character that cannot be seen, is not in use today, or is a variant of another one.
    #[error("a name cannot have the letter U+{0:04X}, which cannot be seen or looks like another letter")]
    Letter(u32),
    /// Letters of scripts that do not occur together, such as Latin and Cyrillic.
    #[error("a name cannot mix letters of several scripts, such as Latin and Cyrillic")]
    Scripts,
}

/// Checks the letters of a new name by the security profile of Unicode (UTS 39): letters, marks and digits that are in use
/// today, of one script or of those that Chinese, Japanese and Korean write together with Latin. Spaces, the punctuation of
/// ASCII, and common symbols and emoji may stand between them.
///
/// ```
/// use rules::check_team_name;
///
/// assert!(check_team_name("Ann & Bob_2 🚀").is_ok());
/// assert!(check_team_name("\u{410}nn").is_err(), "the first letter is Cyrillic");
/// ```
///
/// # Errors
/// [`TeamNameError`] with the first letter that is not allowed, or for letters of several scripts.
pub fn check_team_name(name: &str) -> Result<(), TeamNameError> {
    let name = &without_colour(name);
    let letters: String = name.chars().filter(|letter| !is_sign(*letter)).collect();
    let is_wrong = |letter: &char| !GeneralSecurityProfile::identifier_allowed(*letter);
    if let Some(letter) = letters.chars().find(is_wrong).or_else(|| unprintable(name)) {
        return Err(TeamNameError::Letter(letter.into()));
    }
    let is_one_script = letters.is_empty() || letters.check_restriction_level(RestrictionLevel::HighlyRestrictive);
    if is_one_script { Ok(()) } else { Err(TeamNameError::Scripts) }
}

/// Tells whether two names look alike: by the confusables of Unicode (UTS 39), without the accents, blanks and punctuation that
/// people read over, as they are or in upper or lower case. A name that has nothing else is compared as a whole.
///
/// ```
/// assert!(rules::look_alike("APE", "\u{430}\u{440}\u{435}"), "the second name is Cyrillic");
/// assert!(rules::look_alike("Kraken mil", "Krakén-mil."));
/// assert!(!rules::look_alike("Ann", "Anna"));
/// ```
pub fn look_alike(one: &str, other: &str) -> bool {
    let forms = |name: &str| [name.to_owned(), name.to_uppercase(), name.to_lowercase()];
    let read = |name: &str| {
        // The skeleton makes letters of some signs, and signs of some letters.
        let signs_apart: String = name.chars().filter(|letter| !is_read_over(*letter)).collect();
        let read: String = skeleton(&signs_apart).filter(|letter| !is_read_over(*letter)).collect();
        if read.is_empty() { skeleton(name).collect() } else { read }
    };
    forms(one).iter().zip(&forms(other)).any(|(one, other)| read(one) == read(other))
}

/// True for what people read over, in a name whose letters are apart from their accents.
fn is_read_over(letter: char) -> bool {
    match letter {
        // The blocks of accents; vowel signs of other scripts are letters.
        '\u{300}'..='\u{36F}' | '\u{1AB0}'..='\u{1AFF}' | '\u{1DC0}'..='\u{1DFF}' | '\u{20D0}'..='\u{20FF}' => true,
        // They make another name, as in C, C++ and C#.
        '#' | '$' | '%' | '&' | '+' | '@' => false,
        ' ' | '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{205E}' | '\u{2212}' => true,
        '\u{A1}'..='\u{BF}' => is_sign(letter),
        _ => letter.is_ascii_punctuation(),
    }
}

/// The name without the marks by which telephones ask for the coloured form of the sign before.
fn without_colour(name: &str) -> String {
    const COLOURED: char = '\u{FE0F}';
    let before = std::iter::once(' ').chain(name.chars());
    before
        .zip(name.chars())
        .filter(|(before, letter)| *letter != COLOURED || !is_sign(*before) || before.is_ascii())
        .map(|(_, letter)| letter)
        .collect()
}

fn unprintable(name: &str) -> Option<char> {
    name.chars().find(|letter| printable(letter.encode_utf8(&mut [0; 4])) != letter.to_string())
}

/// True for a sign that can stand in a name of any script. All of them can be seen, but for the space.
fn is_sign(letter: char) -> bool {
    match letter {
        ' ' => true,
        '\u{A1}'..='\u{BF}' => !matches!(letter, '\u{AA}' | '\u{AD}' | '\u{B5}' | '\u{BA}'),
        // Punctuation, currency, arrows and mathematics, shapes, punctuation of East Asia, emoji.
        '×' | '÷' | '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{205E}' | '\u{20A0}'..='\u{20C0}' => true,
        '\u{2190}'..='\u{23FF}' | '\u{2500}'..='\u{27BF}' | '\u{2B00}'..='\u{2B59}' | '\u{3001}'..='\u{3003}' => true,
        '\u{3008}'..='\u{3011}' | '\u{1F1E6}'..='\u{1F1FF}' | '\u{1F300}'..='\u{1F6FF}' => true,
        '\u{1F900}'..='\u{1FAFF}' => true,
        _ => letter.is_ascii_punctuation(),
    }
}
