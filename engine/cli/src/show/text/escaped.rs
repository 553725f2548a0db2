//! Text in XML.

use std::fmt;

/// A text as content of an XML 1.0 element or of an attribute in quotes. Characters with a meaning in XML are escaped;
/// characters that must not be shown, or that XML does not allow, become U+FFFD; line breaks stay.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Escaped<'a>(pub(crate) &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write as _;
        for (at, line) in self.0.split('\n').enumerate() {
            out.write_str(if at > 0 { "&#10;" } else { "" })?;
            for letter in rules::printable(line).chars() {
                match letter {
                    '&' => out.write_str("&amp;")?,
                    '<' => out.write_str("&lt;")?,
                    '>' => out.write_str("&gt;")?,
                    '"' => out.write_str("&quot;")?,
                    '\'' => out.write_str("&#39;")?,
                    '\u{fffe}' | '\u{ffff}' => out.write_char('\u{fffd}')?,
                    other => out.write_char(other)?,
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_can_end_the_element_or_attribute_around_it() {
        assert_eq!(
            Escaped("<b a='1' c=\"&\">\u{0}\n").to_string(),
            "&lt;b a=&#39;1&#39; c=&quot;&amp;&quot;&gt;\u{fffd}&#10;"
        );
    }
}
