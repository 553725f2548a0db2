//! A match as plain text, for pipes and printers.

use super::notes;
use crate::show::text::colours::Colours;
use crate::show::{Names, board, result};
use arena::MatchHistory;
use rules::Eye;

/// The columns of a page.
const PAGE: usize = 80;

/// The scenes of a history in order, as `eye` may see them, and the result of the match; or only scene number `at`. The text
/// has no escape sequences, and no line is wider than 80 columns unless a board is.
///
/// # Panics
/// There is no scene `at`.
pub(crate) fn print(history: &dyn MatchHistory, names: &Names, eye: Eye, at: Option<usize>) -> String {
    let scenes = at.map_or(0..history.scenes(), |at| at..at + 1);
    let mut text = String::new();
    for at in scenes {
        let scene = history.scene(at, eye);
        let columns = scene.boards.iter().map(board::width).max().unwrap_or_default().max(PAGE);
        for line in board::lines(&scene, names, Colours::PLAIN, columns) {
            text.push_str(&line);
            text.push('\n');
        }
        for line in notes::lines(&history.notes(at, eye), &scene.boards, columns) {
            text.push_str(&line);
            text.push('\n');
        }
        if at + 1 == history.scenes() {
            text.push_str(&format!("{}\n", result::ending(history.outcome(), names)));
        } else {
            text.push('\n');
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::super::scripted_history::{ScriptedHistory, entelect};
    use super::*;
    use rules::entelect_2017::MapSize;
    use rules::{Grid, Seat};

    fn names() -> Names {
        Names::of_players(["Alpha", "\x1b[31mBravo"])
    }

    #[test]
    fn all_scenes_follow_each_other_and_the_end_is_told() {
        let history = entelect(MapSize::Large, 1);
        let text = print(&history, &names(), Eye::Referee, None);
        assert!(text.starts_with("Before round 0\n") && text.contains("\n\nRound 0 · placing the ships\n"));
        assert_eq!(text.matches("A Alpha").count(), text.matches("B \u{fffd}[31mBravo").count());
        assert!(text.trim_end().ends_with("are sunk") && text.ends_with('\n'), "{}", &text[text.len() - 200..]);
        assert!(text.lines().all(|line| line.chars().count() <= 80));
        assert!(!text.contains('\x1b'));
    }

    #[test]
    fn one_scene_is_as_the_eye_sees_it() {
        let history = entelect(MapSize::Small, 1);
        let text = print(&history, &names(), Eye::Seat(Seat::A), Some(1));
        let boards: Vec<&str> = text.lines().skip(2).take(7).collect();
        assert!(boards.iter().any(|row| row[..17].contains('C')), "{text}");
        assert!(boards.iter().all(|row| row[17..].trim_end().ends_with("~ ~ ~ ~ ~ ~ ~")), "{text}");
        assert!(!text.contains(" wins: "));
    }

    #[test]
    fn deeds_cannot_paint_the_page() {
        let history =
            ScriptedHistory { deed: "did nothing: \x1b[31m", ..ScriptedHistory::quiet(2, Grid::new(7, 7), 1) };
        let text = print(&history, &names(), Eye::Referee, None);
        assert!(text.contains("A Alpha: did nothing: \u{fffd}[31m\n"), "{text}");
    }

    #[test]
    fn notes_follow_their_scene_for_the_eyes_that_may_see_them() {
        let notes = arena::Notes::read(br#"{"text":"a plan","numbers":[[1,0]]}"#).unwrap();
        let history = ScriptedHistory { notes: Some(notes), ..ScriptedHistory::quiet(2, Grid::new(2, 2), 1) };
        let text = print(&history, &names(), Eye::Seat(Seat::A), None);
        assert!(
            text.contains("A notes on B:\n 1  ~ ~\n 0  9 0\n    0 1\n0 least, 9 most, [ guessed\na plan\n"),
            "{text}"
        );
        assert_eq!(text.matches("A notes").count(), 1);
        assert!(!print(&history, &names(), Eye::Seat(Seat::B), None).contains("notes"));
    }

    #[test]
    fn a_board_wider_than_a_page_is_printed_all_the_same() {
        let history = ScriptedHistory::quiet(2, Grid::new(50, 2), 1);
        let text = print(&history, &names(), Eye::Referee, Some(1));
        assert_eq!(text.matches("~ ".repeat(48).as_str()).count(), 4, "{text}");
        assert!(text.ends_with("A Alpha: fired\nthe match was not played to its end\n"));
    }
}
