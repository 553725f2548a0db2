//! Colours, where they are wanted.

use anstyle::{AnsiColor, Effects, Style};
use std::env;
use std::fmt::Display;
use std::io::IsTerminal;

/// What a piece of text means.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Meaning {
    Heading,
    Quiet,
    Water,
    Ship,
    Damaged,
    Hit,
    Miss,
    Shield,
}

/// The colours of what a piece of text means; `fresh` stands out.
pub(crate) fn style(meaning: Meaning, fresh: bool, shielded: bool) -> Style {
    let mut style = match meaning {
        Meaning::Heading => Style::new().bold(),
        Meaning::Quiet => Style::new().dimmed(),
        Meaning::Water => AnsiColor::Blue.on_default().dimmed(),
        Meaning::Ship => AnsiColor::White.on_default().bold(),
        Meaning::Damaged => AnsiColor::BrightMagenta.on_default().bold(),
        Meaning::Hit => AnsiColor::BrightRed.on_default().bold(),
        Meaning::Miss => AnsiColor::Cyan.on_default(),
        Meaning::Shield => AnsiColor::BrightYellow.on_default().bold(),
    };
    if shielded {
        style = style.bg_color(Some(AnsiColor::Blue.into())).effects(style.get_effects().remove(Effects::DIMMED));
    }
    if fresh { style.invert() } else { style }
}

/// Paints text, or leaves it as it is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Paint {
    colours: bool,
}

impl Paint {
    /// No colours at all.
    pub(crate) const PLAIN: Paint = Paint { colours: false };

    /// Colours on a terminal, unless `NO_COLOR` is set (no-color.org) or the terminal is dumb.
    pub(crate) fn for_stream(stream: &impl IsTerminal) -> Paint {
        let unwanted = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = env::var_os("TERM").is_some_and(|term| term == "dumb");
        Paint { colours: stream.is_terminal() && !unwanted && !dumb }
    }

    /// Colours wherever it is.
    #[cfg(test)]
    pub(crate) const COLOURED: Paint = Paint { colours: true };

    /// Whether escape sequences may be written at all.
    pub(crate) fn escapes(self) -> bool {
        self.colours
    }

    /// `text` in the colours of what it means; `fresh` stands out.
    pub(crate) fn paint(self, text: impl Display, meaning: Meaning, fresh: bool, shielded: bool) -> String {
        if !self.colours {
            return text.to_string();
        }
        let style = style(meaning, fresh, shielded);
        format!("{style}{text}{style:#}")
    }
}
