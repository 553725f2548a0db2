//! Text that may be shown: the one place that makes foreign text safe for a terminal, a log, a report or a page.

use unicode_normalization::char::is_combining_mark;

/// `text` with every character replaced by U+FFFD that would move the cursor, change colours, or reverse or hide the text
/// beside it: control characters, Unicode's format characters (category Cf) and tag characters. Of the marks on one letter the
/// first eight stay: more are no language's, cover the lines around, and take a drawing program seconds.
///
/// Every byte that comes from a bot, a client or a file passes here before anybody sees it. Escaping for HTML is a
/// second step, where HTML is made.
///
/// ```
/// assert_eq!(rules::printable("\u{1b}[31mred\u{202e}"), "\u{fffd}[31mred\u{fffd}");
/// ```
pub fn printable(text: &str) -> String {
    with_few_marks(text).map(|c| if is_unprintable(c) { '\u{FFFD}' } else { c }).collect()
}

/// The most marks (accents, vowel signs) that stay on one letter.
const MOST_MARKS: usize = 8;

/// The characters of a text, of which no more than [`MOST_MARKS`] marks follow each other.
fn with_few_marks(text: &str) -> impl Iterator<Item = char> {
    let mut marks = 0;
    text.chars().filter(move |&c| {
        // No mark comes before U+0300, and most text does.
        marks = if c >= '\u{300}' && is_combining_mark(c) { marks + 1 } else { 0 };
        marks <= MOST_MARKS
    })
}

/// [`printable`] text of several lines: line feeds and tabs stay, and a carriage return before a line feed is dropped.
///
/// ```
/// assert_eq!(rules::printable_text("a\tb\r\nc\u{1b}]0;d\n"), "a\tb\nc\u{fffd}]0;d\n");
/// ```
pub fn printable_text(text: &str) -> String {
    let shown = |c: char| if is_unprintable(c) && !matches!(c, '\n' | '\t') { '\u{FFFD}' } else { c };
    with_few_marks(&text.replace("\r\n", "\n")).map(shown).collect()
}

/// [`printable`] text of at most `most` characters; an ellipsis marks that the rest was cut off.
///
/// ```
/// assert_eq!(rules::printable_prefix("a\nbcdef", 3), "a\u{fffd}b…");
/// assert_eq!(rules::printable_prefix("abc", 3), "abc");
/// ```
pub fn printable_prefix(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        None => printable(text),
        Some((end, _)) => format!("{}…", printable(&text[..end])),
    }
}

/// The beginning of foreign bytes as [`printable_prefix`] text on one line: any white space becomes one space.
///
/// ```
/// assert_eq!(rules::printable_line(b"<h1>\r\n  Bad\x1b</h1>\n", 8), "<h1> Bad…");
/// ```
pub fn printable_line(bytes: &[u8], most: usize) -> String {
    let text = String::from_utf8_lossy(bytes);
    printable_prefix(&text.split_whitespace().collect::<Vec<_>>().join(" "), most)
}

/// The beginning of `text` in quotes, with escapes such as `\t` and `\u{202e}` for what is not printable: for texts in
/// which white space matters. An escape counts for as many of the `most` characters as it has; an ellipsis marks that the
/// rest was cut off.
pub(crate) fn quoted(text: &str, most: usize) -> String {
    let mut width = 0;
    let fits = |character: &char| {
        width += character.escape_debug().count();
        width <= most
    };
    let short: String = text.chars().take_while(fits).collect();
    format!("{short:?}{}", if short.len() < text.len() { "…" } else { "" })
}

fn is_unprintable(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{AD}' | '\u{600}'..='\u{605}' | '\u{61C}' | '\u{6DD}' | '\u{70F}' | '\u{180E}' | '\u{200B}'..='\u{200F}'
                | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{206F}' | '\u{FEFF}' | '\u{FFF9}'..='\u{FFFB}'
                | '\u{E0000}'..='\u{E007F}'
        )
}

/// A text as a field of a table of comma-separated values. One that begins as a formula would is given a `'` before it, as OWASP
/// advises against CSV injection: spreadsheets would compute it, and formulas can start programs and send cells to a server.
///
/// ```
/// assert_eq!(rules::csv_field("Deep Water"), "Deep Water");
/// assert_eq!(rules::csv_field("=1+1, \"2\""), "\"'=1+1, \"\"2\"\"\"");
/// assert_eq!(rules::csv_field("two\rlines"), "\"two\rlines\"");
/// ```
pub fn csv_field(text: &str) -> String {
    let is_formula = text.starts_with(['=', '+', '-', '@', '\t', '\r', '＝', '＋', '－', '＠']);
    let text = &if is_formula { format!("'{text}") } else { text.to_owned() };
    if text.contains([',', '"', '\n', '\r']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}
