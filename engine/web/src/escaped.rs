//! Texts that nobody trusts, in HTML and in XML.

use std::fmt;

/// A text as text of an element, or of an attribute in quotes, of HTML or of XML 1.0: what has a meaning there is written
/// otherwise, what must not be there is replaced.
#[derive(Debug, Clone, Copy)]
pub struct Escaped<'a>(pub &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write as _;
        for letter in self.0.chars() {
            match letter {
                '&' => out.write_str("&amp;")?,
                '<' => out.write_str("&lt;")?,
                '>' => out.write_str("&gt;")?,
                '"' => out.write_str("&quot;")?,
                '\'' => out.write_str("&#39;")?,
                '\t' | '\n' => write!(out, "&#{};", u32::from(letter))?,
                '\u{fffe}' | '\u{ffff}' => out.write_str("\u{fffd}")?,
                control if control.is_control() => out.write_str("\u{fffd}")?,
                other => out.write_char(other)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_can_end_what_it_stands_in() {
        assert_eq!(
            Escaped("<b a='1' c=\"&\">\u{0}\n").to_string(),
            "&lt;b a=&#39;1&#39; c=&quot;&amp;&quot;&gt;\u{fffd}&#10;"
        );
    }
}
