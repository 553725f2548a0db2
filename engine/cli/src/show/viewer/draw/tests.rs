//! Tests of the viewer's screen.

use super::super::key::Key;
use super::super::scripted_history::{ScriptedHistory, entelect};
use super::*;
use crate::show::text::colours::Colours;
use analysis::MatchAnalyst;
use arena::{GameHistory, MatchHistory, Observers, Player, Sequence};
use players::BuiltIn;
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Cell;
use rules::entelect_2017::{Entelect2017, MapSize, Settings};
use rules::{BySeat, Game, Grid};

const ESCAPES: &str = "\x1b[31mred\r\n";

/// A viewer on a terminal.
struct TestScreen {
    terminal: Terminal<TestBackend>,
    viewer: ViewerState<'static>,
    names: Names,
    colours: Colours,
}

impl TestScreen {
    fn new(history: impl MatchHistory + 'static, columns: u16, rows: u16) -> TestScreen {
        let terminal = Terminal::new(TestBackend::new(columns, rows)).unwrap();
        let names = Names::of_players(["Alpha", "Bravo"].into_iter().chain([""; 14]));
        TestScreen { terminal, viewer: ViewerState::new(Box::leak(Box::new(history))), names, colours: Colours::PLAIN }
    }

    /// The text on the screen after these letters were pressed.
    fn after(&mut self, letters: &str) -> String {
        for letter in letters.chars() {
            self.viewer.key(Key::Char(letter));
        }
        self.text()
    }

    fn text(&mut self) -> String {
        let renderer = Renderer::new("out/Alpha against Bravo", &self.names, Palette(self.colours));
        let viewer = &self.viewer;
        self.terminal
            .draw(|frame| {
                let area = frame.area();
                renderer.draw(frame.buffer_mut(), area, viewer);
            })
            .unwrap();
        let buffer = self.terminal.backend().buffer();
        let area = buffer.area;
        let row = |y| (0..area.width).map(|x| buffer[(x, y)].symbol()).collect::<String>().trim_end().to_owned();
        (0..area.height).map(row).collect::<Vec<_>>().join("\n")
    }
}

#[test]
fn a_large_game_fits_on_the_usual_terminal() {
    insta::assert_snapshot!(TestScreen::new(entelect(MapSize::Large, 1), 80, 24).after("nnnn"));
}

#[test]
fn a_large_terminal_shows_the_log_and_the_shots_as_well() {
    insta::assert_snapshot!(TestScreen::new(entelect(MapSize::Large, 1), 140, 45).after("Nd"));
}

#[test]
fn the_help_names_all_keys_on_the_smallest_terminal() {
    insta::assert_snapshot!(TestScreen::new(entelect(MapSize::Large, 1), 40, 19).after("?"));
}

#[test]
fn the_end_is_told_at_the_end_only() {
    let mut screen = TestScreen::new(entelect(MapSize::Small, 1), 80, 24);
    let told = |text: &str| text.lines().next().unwrap().contains(" wins: all ships of ");
    assert!(!told(&screen.after("Gh")));
    assert!(told(&screen.after("l")), "{}", screen.text());
}

#[test]
fn a_match_that_was_cut_off_says_so() {
    assert!(
        TestScreen::new(ScriptedHistory::quiet(2, Grid::new(7, 7), 3), 80, 24)
            .after("G")
            .contains("Scene 3 · the match was not played to its end")
    );
}

#[test]
fn the_last_line_tells_what_goes_on() {
    let mut screen = TestScreen::new(ScriptedHistory::quiet(3, Grid::new(14, 14), 30), 80, 24);
    let mut last = |letters: &str| screen.after(letters).lines().last().unwrap().to_owned();
    assert_eq!(last(""), format!("{:49} space: play  ?: keys  q: leave", "paused 5/s  start  eyes: referee  page 1/2"));
    assert!(last("llb+").starts_with("paused 10/s  round 1/29  eyes: B  page 1/2"));
    assert!(last(" ").starts_with("playing 10/s  round 1/29"));
    assert_eq!(last("n"), "no hit after this");
    assert_eq!(last(":12"), "go to round: 12_  (Enter: go, Esc: cancel)");
}

#[test]
fn what_does_not_fit_on_the_last_line_is_left_out_as_a_whole() {
    let text = TestScreen::new(ScriptedHistory::quiet(2, Grid::new(14, 14), 3000), 40, 19).after("G");
    assert_eq!(text.lines().last(), Some("paused 5/s  round 2999/2999      ?: keys"));
}

#[test]
fn a_terminal_too_small_says_what_it_needs_and_recovers() {
    let mut screen = TestScreen::new(entelect(MapSize::Large, 1), 39, 18);
    let text = screen.after("l");
    assert!(text.starts_with("This terminal is too small.\nIt has 39 x 18;\n40 x 19 are needed.\nq leaves"), "{text}");
    screen.terminal.backend_mut().resize(80, 24);
    let text = screen.text();
    assert!(text.contains("Round 0 · placing the ships") && !text.contains("too small"), "{text}");
    screen.terminal.backend_mut().resize(10, 2);
    assert_eq!(screen.text(), "This termi\nIt has 10");
    screen.terminal.backend_mut().resize(0, 0);
    assert_eq!(screen.text(), "");
}

#[test]
fn every_size_can_be_drawn_in_every_way() {
    let large = TestScreen::new(entelect(MapSize::Large, 1), 1, 1);
    let many = TestScreen::new(ScriptedHistory::quiet(16, Grid::new(10, 10), 5), 1, 1);
    for mut screen in [large, many] {
        for (nth, columns) in (0..220).step_by(13).enumerate() {
            for rows in (0..70).step_by(7) {
                screen.terminal.backend_mut().resize(columns, rows);
                screen.after(["n", "d", "v", "l", "?", "e", ":", "t"][(nth + usize::from(rows)) % 8]);
                screen.viewer.key(Key::Tab);
            }
        }
    }
}

#[test]
fn sixteen_boards_are_paged_through() {
    let mut screen = TestScreen::new(ScriptedHistory::quiet(16, Grid::new(14, 14), 3), 80, 24);
    assert!(screen.text().contains("A Alpha") && !screen.text().contains("C (no name)"));
    screen.viewer.key(Key::Tab);
    assert!(screen.text().contains("C (no name)") && screen.text().contains("page 2/8"));
    screen.viewer.key(Key::BackTab);
    screen.viewer.key(Key::BackTab);
    assert!(screen.text().contains("P (no name)") && screen.text().contains("page 8/8"));
}

#[test]
fn a_seat_sees_no_ships_but_its_own() {
    let mut screen = TestScreen::new(entelect(MapSize::Large, 1), 80, 24);
    let ships = |text: &str, columns: std::ops::Range<usize>| {
        let rows = text.lines().skip(2).take(14).map(|row| row.chars().skip(columns.start).take(columns.len()));
        rows.flatten().filter(char::is_ascii_uppercase).count()
    };
    let (a, b) = (0..31, 35..66);
    let text = screen.after("l");
    assert!(ships(&text, a.clone()) > 10 && ships(&text, b.clone()) > 10);
    let text = screen.after("a");
    assert!(ships(&text, a.clone()) > 10 && ships(&text, b.clone()) == 0, "{text}");
    let text = screen.after("b");
    assert!(ships(&text, a) == 0 && ships(&text, b) > 10, "{text}");
}

#[test]
fn hostile_names_and_titles_stay_in_their_place() {
    let mut screen =
        TestScreen::new(ScriptedHistory { deed: ESCAPES, ..ScriptedHistory::quiet(2, Grid::new(14, 14), 3) }, 80, 24);
    screen.names = Names::of_players([ESCAPES, "很".repeat(99).as_str()]);
    let text = screen.after("l");
    assert!(!text.contains(|c: char| c.is_control() && c != '\n'));
    let name = text.lines().nth(1).unwrap();
    assert!(name.starts_with("A \u{fffd}[31mred") && name.contains("B 很"), "{name}");
    let rows: Vec<&str> = text.lines().skip(2).take(14).collect();
    assert!(rows.iter().all(|row| row.len() == 66), "the boards are where they should be: {text}");
    let help = screen.after("?");
    assert!(help.contains("│ space"), "{help}");
}

#[test]
fn colours_are_those_of_pretty() {
    let mut screen = TestScreen::new(entelect(MapSize::Large, 1), 80, 24);
    screen.colours = Colours::COLOURED;
    let text = screen.after("n");
    assert!(!text.contains('>'), "the colours tell what was shot at last");
    let palette = Palette(Colours::COLOURED);
    let style = |role, fresh| Cell::EMPTY.style().patch(palette.style(role, fresh, false));
    let cells = screen.terminal.backend().buffer().content();
    for (role, fresh) in [(TextRole::Water, false), (TextRole::Ship, false), (TextRole::Hit, true)] {
        assert!(cells.iter().any(|cell| cell.style() == style(role, fresh)), "{role:?}");
    }
}

#[test]
fn without_colours_the_signs_tell_everything() {
    let mut screen = TestScreen::new(entelect(MapSize::Large, 1), 80, 24);
    for letters in ["n", "d", "d?", "v"] {
        let text = screen.after(letters);
        let cells = screen.terminal.backend().buffer().content();
        assert!(cells.iter().all(|cell| cell.style() == Cell::EMPTY.style()), "{text}");
    }
    screen.after("vg");
    assert!(screen.after("vn").contains('>'));
}

#[test]
fn notes_are_beside_the_truth_for_the_eyes_that_may_see_them() {
    let notes =
        arena::Notes::read(br#"{"text":"it is \u001b[31m near","numbers":[[0,5]],"marks":[[2,1,"next"]]}"#).unwrap();
    for (columns, rows) in [(80, 24), (140, 45), (70, 20)] {
        let notes = Some(notes.clone());
        let history = ScriptedHistory { notes, ..ScriptedHistory::quiet(2, Grid::new(7, 7), 3) };
        let mut screen = TestScreen::new(history, columns, rows);
        assert!(screen.after("t").contains("A shows no notes"), "there are none before the first turn");
        let text = screen.after("l");
        let row = |text: &str, label: &str| text.lines().any(|line| line.contains(label));
        assert!(row(&text, "A notes on B") && row(&text, "B shows no notes"), "{text}");
        assert!(row(&text, "0 least, 9 most, [ guessed"), "{text}");
        assert!(row(&text, " 1  ~ ~ n ~ ~ ~ ~") && row(&text, " 0  0 9 ~ ~ ~ ~ ~"), "{text}");
        assert!(text.contains("it is \u{fffd}[31m near"), "{text}");
        assert!(screen.after("a").contains("A notes on B"));
        let other = screen.after("b");
        assert!(!other.contains("A notes") && !other.contains("near"), "{other}");
        assert!(!screen.after("rt").contains("notes on"), "the key hides them");
    }
}

/// A screen with a match between players who fire at random, which is analysed.
fn analysed(columns: u16, rows: u16) -> TestScreen {
    let game = Entelect2017::start(&Settings { size: MapSize::Medium }, 2, 3).unwrap();
    let mut players: BySeat<Box<dyn Player<Entelect2017>>> =
        [3, 4].into_iter().map(|seed| BuiltIn::Random.player(seed)).collect();
    let mut history = GameHistory::new(game.clone(), 2);
    let names = ["Alpha", "\x1b[31mBravo"].map(str::to_owned).into_iter().collect();
    let mut analyst = MatchAnalyst::new(names, true);
    let mut watch = Observers::new();
    watch.add(&mut history);
    watch.add(&mut analyst);
    arena::play(game, &mut players, Sequence::InTurn, &mut watch).unwrap();
    drop(watch);
    let mut screen = TestScreen::new(history, columns, rows);
    screen.viewer.analysed(analyst.finish());
    screen
}

#[test]
fn a_match_that_is_analysed_has_the_graph_the_words_and_the_chances() {
    let mut screen = analysed(80, 24);
    screen.viewer.key(Key::PageDown);
    insta::assert_snapshot!(screen.text());
    insta::assert_snapshot!(screen.after("lllca"));
}

#[test]
fn the_analysis_goes_as_far_as_the_moment_and_as_the_eye_may_know() {
    for (columns, rows) in [(80, 24), (200, 50), (40, 19)] {
        let mut screen = analysed(columns, rows);
        let bar = |text: &str| text.lines().nth_back(1).unwrap().to_owned();
        assert!(!bar(&screen.text()).contains('%'), "no ship is placed yet");
        screen.viewer.key(Key::PageDown);
        let text = screen.text();
        let levels = text.matches(['▁', '▂', '▃', '▄', '▅', '▆', '▇']).count();
        let at = text.lines().nth_back(1).unwrap().chars().position(|sign| sign == '█').unwrap();
        assert!(levels <= at + 1, "{text}");
        assert!(!text.contains('\x1b'));
        let has = |text: &str, words: &str| text.contains(words);
        if columns > 40 {
            assert!(has(&text, "A ") && has(&bar(&text), " %  B ") && has(&bar(&text), "truth "), "{text}");
            assert!(levels > 0, "{text}");
        }
        let own = screen.after("ca");
        assert!(!has(&own, "truth"), "{own}");
        assert!(has(&own, "B chances for A") && has(&own, "A chances not known") || columns == 40, "{own}");
        let other = screen.after("b");
        assert!(!has(&other, "for A"), "{other}");
        assert!(!screen.after("c").contains("chances"), "the key hides them");
    }
}
