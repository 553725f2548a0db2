//! Profiles of bots as text and as JSON.

mod boards;
mod json;
mod tables;

pub(crate) use json::profile_json;

use crate::show::findings::wrapped;
use crate::show::printable;
use crate::show::text::colours::{Colours, TextRole};
use analysis::profile::Profile;
use platform::terminal;
use std::io;
use web::{ProfileAbout, ProfiledBot};

/// The columns of a text that is not for a terminal.
const COLUMNS: usize = 80;

/// The profiles for people: facts, hints, boards and tables.
pub(crate) fn profile_text(bots: &[ProfiledBot], about: &ProfileAbout) -> String {
    let colours = Colours::for_stream(&io::stdout());
    let columns = terminal::size().map_or(COLUMNS, |size| size.columns);
    let mut text = String::new();
    let grid = about.board.grid;
    let facts = format!("{}, {} x {} cells; {}", about.board.game.title(), grid.width(), grid.height(), about.sources);
    add_lines(&mut text, "", &printable(&facts), columns);
    about.notes.iter().for_each(|note| add_lines(&mut text, "", &format!("Note: {note}."), columns));
    for bot in bots {
        text.push('\n');
        text.push_str(&headline(&bot.profile, colours));
        text.push_str(&hints(&bot.profile, columns));
        if bot.profile.too_large {
            add_lines(&mut text, "", &format!("{}.", web::TOO_LARGE), columns);
        }
        text.push_str(&boards::of(&bot.profile, &about.board, colours, columns));
    }
    text.push_str(&tables::shots(bots));
    text.push_str(&tables::of_each(bots));
    text
}

/// Adds `text` in lines; the first begins with `head`, the others with as many blanks.
fn add_lines(to: &mut String, head: &str, text: &str, columns: usize) {
    for line in wrapped(head, text, columns) {
        to.push_str(&line);
        to.push('\n');
    }
}

fn headline(profile: &Profile, colours: Colours) -> String {
    let Profile { games, won, drawn, lost, .. } = profile;
    let name = colours.apply(printable(&profile.name), TextRole::Heading, false, false);
    format!("{name}: {} with a record, {won} won, {drawn} drawn, {lost} lost\n", rules::counted(*games, "game"))
}

fn hints(profile: &Profile, columns: usize) -> String {
    let tests = rules::counted(profile.tests as u32, "test");
    if profile.hints.is_empty() {
        return format!("No habit that is not chance ({tests}).\n");
    }
    let mut text = format!("Habits that are not chance (p below 0.01, corrected for {tests}):\n");
    for hint in &profile.hints {
        add_lines(&mut text, "  - ", &format!("{}.", printable(&hint.words)), columns);
    }
    text
}
