//! The colours of `--pretty` as styles of ratatui.

use crate::show::text::colours::{self, Colours, TextRole};
use anstyle::Effects;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};

/// The styles of all roles, or no styles.
#[derive(Debug, Clone, Copy)]
pub(super) struct Palette(pub(super) Colours);

impl Palette {
    /// `text` in the style of its role.
    pub(super) fn span<'a>(self, text: impl Into<std::borrow::Cow<'a, str>>, role: TextRole) -> Span<'a> {
        Span::styled(text, self.style(role, false, false))
    }

    /// The same style as [`colours::style`]; without colours an empty one.
    pub(super) fn style(self, role: TextRole, fresh: bool, shielded: bool) -> Style {
        if !self.0.escapes() {
            return Style::new();
        }
        let style = colours::style(role, fresh, shielded);
        let effects =
            [(Effects::BOLD, Modifier::BOLD), (Effects::DIMMED, Modifier::DIM), (Effects::INVERT, Modifier::REVERSED)];
        let modifiers = effects.into_iter().filter(|(effect, _)| style.get_effects().contains(*effect));
        Style {
            fg: style.get_fg_color().and_then(colour),
            bg: style.get_bg_color().and_then(colour),
            add_modifier: modifiers.map(|(_, modifier)| modifier).collect(),
            ..Style::new()
        }
    }
}

/// One of the terminal's sixteen colours; the program uses no others.
fn colour(colour: anstyle::Color) -> Option<Color> {
    match colour {
        anstyle::Color::Ansi(colour) => Some(Color::Indexed(anstyle::Ansi256Color::from_ansi(colour).index())),
        anstyle::Color::Ansi256(colour) => Some(Color::Indexed(colour.index())),
        anstyle::Color::Rgb(_) => None,
    }
}

/// Writes a line into row `row` of `area`, cut to the width of the area.
pub(super) fn write<'a>(buffer: &mut Buffer, area: Rect, row: usize, line: impl Into<Line<'a>>) {
    if let Ok(row) = u16::try_from(row)
        && row < area.height
    {
        buffer.set_line(area.x, area.y + row, &line.into(), area.width);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_colours_nothing_is_painted() {
        assert_eq!(Palette(Colours::PLAIN).style(TextRole::Hit, true, true), Style::new());
    }
}
