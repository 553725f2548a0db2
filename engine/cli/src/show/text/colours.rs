//! Colours of text, for terminals that show them.

use anstyle::{AnsiColor, Effects, Style};
use clap::ColorChoice;
use std::env;
use std::fmt::Display;
use std::io::IsTerminal;
use std::sync::OnceLock;

/// The choice of the command line.
static CHOICE: OnceLock<ColorChoice> = OnceLock::new();

/// Colours what is shown from now on as `choice` says.
pub(crate) fn set_colours(choice: ColorChoice) {
    // The command line is read once.
    let _ = CHOICE.set(choice);
}

/// The role of a piece of text, which decides its colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TextRole {
    Heading,
    Quiet,
    Water,
    Ship,
    Damaged,
    Hit,
    Miss,
    Shield,
}

/// The style of a role; `fresh` inverts it, and `shielded` gives it a blue background.
pub(crate) fn style(role: TextRole, fresh: bool, shielded: bool) -> Style {
    let mut style = match role {
        TextRole::Heading => Style::new().bold(),
        TextRole::Quiet => Style::new().dimmed(),
        TextRole::Water => AnsiColor::Blue.on_default().dimmed(),
        TextRole::Ship => AnsiColor::White.on_default().bold(),
        TextRole::Damaged => AnsiColor::BrightMagenta.on_default().bold(),
        TextRole::Hit => AnsiColor::BrightRed.on_default().bold(),
        TextRole::Miss => AnsiColor::Cyan.on_default(),
        TextRole::Shield => AnsiColor::BrightYellow.on_default().bold(),
    };
    if shielded {
        style = style.bg_color(Some(AnsiColor::Blue.into())).effects(style.get_effects().remove(Effects::DIMMED));
    }
    if fresh { style.invert() } else { style }
}

/// Gives text its colours, or leaves it as it is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Colours {
    colours: bool,
}

impl Colours {
    /// No colours.
    pub(crate) const PLAIN: Colours = Colours { colours: false };

    /// Colours as `--color` says, else on a terminal, unless `NO_COLOR` is set (no-color.org) or the terminal is dumb.
    pub(crate) fn for_stream(stream: &impl IsTerminal) -> Colours {
        match CHOICE.get() {
            Some(ColorChoice::Always) => return Colours { colours: true },
            Some(ColorChoice::Never) => return Colours::PLAIN,
            Some(ColorChoice::Auto) | None => {}
        }
        let unwanted = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        let dumb = env::var_os("TERM").is_some_and(|term| term == "dumb");
        Colours { colours: stream.is_terminal() && !unwanted && !dumb }
    }

    /// Colours on any stream.
    #[cfg(test)]
    pub(crate) const COLOURED: Colours = Colours { colours: true };

    /// True if escape sequences may be written.
    pub(crate) fn escapes(self) -> bool {
        self.colours
    }

    /// `text` in the style of its role, as [`style`] says.
    pub(crate) fn apply(self, text: impl Display, role: TextRole, fresh: bool, shielded: bool) -> String {
        if !self.colours {
            return text.to_string();
        }
        let style = style(role, fresh, shielded);
        format!("{style}{text}{style:#}")
    }
}
