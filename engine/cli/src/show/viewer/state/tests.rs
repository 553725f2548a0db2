//! Tests of keys and time.

use super::super::scripted_history::{ScriptedHistory, entelect};
use super::*;
use rules::Grid;
use rules::entelect_2017::MapSize;
use std::collections::BTreeSet;

const SECOND: Duration = Duration::from_secs(1);

/// Presses the keys of these letters.
fn press(viewer: &mut ViewerState<'_>, letters: &str) -> NextStep {
    letters.chars().map(|letter| viewer.key(Key::Char(letter))).last().unwrap_or(NextStep::Draw)
}

/// Lets this time pass in steps of a millisecond.
fn pass(viewer: &mut ViewerState<'_>, time: Duration) {
    for _ in 0..time.as_millis() {
        viewer.tick(Duration::from_millis(1));
    }
}

/// The position of a viewer after these letters, on a history of scenes 0 to 20 with hits at 3 and 7, a sinking at 7 and 12, and a
/// special weapon at 5.
fn after(letters: &str) -> usize {
    let mut viewer = viewer();
    press(&mut viewer, letters);
    viewer.at
}

/// A viewer of that history.
fn viewer() -> ViewerState<'static> {
    use HighlightKind::{Hit, Sinking, Special};
    let mut turns = vec![None; 20];
    turns[2] = Some(Hit);
    turns[4] = Some(Special);
    turns[6] = Some(Hit);
    turns[11] = Some(Sinking);
    ViewerState::new(Box::leak(Box::new(ScriptedHistory::new(turns))))
}

#[test]
fn it_begins_before_the_first_turn_and_waits() {
    let mut viewer = viewer();
    assert_eq!((viewer.at, viewer.last(), viewer.eye, viewer.playing), (0, 20, Eye::Referee, false));
    assert_eq!(viewer.rest(), None, "nothing has to be drawn until a key is pressed");
    pass(&mut viewer, SECOND);
    assert_eq!(viewer.at, 0);
}

#[test]
fn it_steps_one_and_ten_rounds_and_stops_at_both_ends() {
    assert_eq!(after("l"), 1);
    assert_eq!(after("lllh"), 2);
    assert_eq!(after("h"), 0);
    let mut viewer = viewer();
    for (key, expected) in [
        (Key::PageDown, 10),
        (Key::Right, 11),
        (Key::PageDown, 20),
        (Key::Right, 20),
        (Key::PageUp, 10),
        (Key::Left, 9),
        (Key::PageUp, 0),
        (Key::Left, 0),
        (Key::End, 20),
        (Key::Home, 0),
        (Key::Char('G'), 20),
        (Key::Char('g'), 0),
    ] {
        viewer.key(key);
        assert_eq!(viewer.at, expected, "{key:?}");
        assert_eq!(viewer.scene, viewer.history.scene(expected, Eye::Referee));
    }
}

#[test]
fn it_finds_hits_sinkings_and_special_weapons_both_ways() {
    assert_eq!([after("n"), after("nn"), after("nnp")], [3, 7, 3]);
    assert_eq!([after("N"), after("GP")], [12, 12]);
    assert_eq!([after("s"), after("GS")], [5, 5]);
}

#[test]
fn it_says_so_where_there_is_nothing_to_be_found() {
    let mut viewer = viewer();
    for (keys, at, notice) in [
        ("p", 0, "no hit before this"),
        ("NN", 12, "no sinking after this"),
        ("ss", 12, "no special weapon after this"),
    ] {
        press(&mut viewer, keys);
        assert_eq!((viewer.at, &*viewer.notice), (at, notice));
    }
    press(&mut viewer, "h");
    assert_eq!(viewer.notice, "", "the next key takes it away");
}

#[test]
fn it_goes_to_the_round_that_is_typed() {
    let mut viewer = viewer();
    press(&mut viewer, "j0");
    assert_eq!(viewer.at, 0, "only Enter goes there");
    viewer.key(Key::Enter);
    assert_eq!(viewer.at, 1, "scene 0 comes before round 0");
    press(&mut viewer, "j12x");
    assert_eq!(viewer.mode, ViewerMode::Asking("12".to_owned()), "letters are no digits");
    viewer.key(Key::Backspace);
    viewer.key(Key::Enter);
    assert_eq!((viewer.at, &viewer.mode), (2, &ViewerMode::Watching));
    press(&mut viewer, ":");
    viewer.key(Key::Enter);
    assert_eq!((viewer.at, &viewer.mode), (2, &ViewerMode::Watching), "nothing was typed");
    press(&mut viewer, ":9");
    viewer.key(Key::Escape);
    assert_eq!((viewer.at, &viewer.mode), (2, &ViewerMode::Watching), "Esc takes it back");
    press(&mut viewer, ":99999999999999999999999999");
    assert_eq!(viewer.mode, ViewerMode::Asking("999999999".to_owned()));
    viewer.key(Key::Enter);
    assert_eq!((viewer.at, &*viewer.notice), (20, "there is no round 999999999"));
}

#[test]
fn it_plays_five_rounds_a_second_at_first() {
    let mut viewer = viewer();
    press(&mut viewer, " ");
    assert_eq!(viewer.rest(), Some(SECOND / 5));
    pass(&mut viewer, SECOND / 5 - Duration::from_millis(1));
    assert_eq!((viewer.at, viewer.rest()), (0, Some(Duration::from_millis(1))));
    pass(&mut viewer, Duration::from_millis(1));
    assert_eq!((viewer.at, viewer.rest()), (1, Some(SECOND / 5)));
    pass(&mut viewer, SECOND);
    assert_eq!(viewer.at, 6);
}

#[test]
fn its_speed_has_five_steps() {
    let history = ScriptedHistory::quiet(2, Grid::new(7, 7), 100);
    let mut viewer = ViewerState::new(&history);
    let mut speeds = Vec::new();
    for keys in ["-----", "+", "+", "+", "+", "+", "=", "_"] {
        press(&mut viewer, keys);
        speeds.push(viewer.speed());
    }
    assert_eq!(speeds, [1, 2, 5, 10, 20, 20, 20, 10]);
    press(&mut viewer, "+ ");
    pass(&mut viewer, SECOND);
    assert_eq!(viewer.at, 20);
}

#[test]
fn a_slow_terminal_slows_it_down_but_misses_nothing() {
    let mut viewer = viewer();
    press(&mut viewer, " ");
    let seen: Vec<usize> = (0..5)
        .map(|_| {
            viewer.tick(600 * SECOND);
            viewer.at
        })
        .collect();
    assert_eq!(seen, [1, 2, 3, 4, 5]);
}

#[test]
fn it_stops_at_the_end_and_plays_again_from_the_start() {
    let mut viewer = viewer();
    press(&mut viewer, " ");
    pass(&mut viewer, 5 * SECOND);
    assert_eq!((viewer.at, viewer.playing, viewer.rest()), (20, false, None));
    press(&mut viewer, " ");
    assert_eq!((viewer.at, viewer.playing), (0, true));
}

#[test]
fn whoever_moves_by_hand_stays_there() {
    for keys in ["l", "h", "n", "N", "s", "g", "G", " "] {
        let mut viewer = viewer();
        press(&mut viewer, " ");
        assert!(viewer.playing);
        press(&mut viewer, keys);
        assert!(!viewer.playing, "{keys}");
    }
    let mut viewer = viewer();
    press(&mut viewer, " +edtv?");
    assert!(viewer.playing, "what does not move does not stop it");
}

#[test]
fn a_history_without_turns_cannot_be_played() {
    let history = ScriptedHistory::new([]);
    let mut viewer = ViewerState::new(&history);
    press(&mut viewer, " lhGgnNspP:3");
    viewer.key(Key::Enter);
    pass(&mut viewer, SECOND);
    assert_eq!((viewer.at, viewer.last(), viewer.playing), (0, 0, false));
}

#[test]
fn eyes_go_round_from_the_referee_over_all_seats() {
    let history = ScriptedHistory::quiet(3, Grid::new(7, 7), 1);
    let mut viewer = ViewerState::new(&history);
    let mut eyes = Vec::new();
    for _ in 0..4 {
        press(&mut viewer, "e");
        eyes.push(viewer.eye);
    }
    let c = Eye::Seat(Seat::new(2).unwrap());
    assert_eq!(eyes, [Eye::Seat(Seat::A), Eye::Seat(Seat::B), c, Eye::Referee]);
    press(&mut viewer, "b");
    assert_eq!(viewer.eye, Eye::Seat(Seat::B));
    press(&mut viewer, "a");
    assert_eq!(viewer.eye, Eye::Seat(Seat::A));
    press(&mut viewer, "r");
    assert_eq!(viewer.eye, Eye::Referee);
}

#[test]
fn nobody_sees_through_eyes_that_are_not_there() {
    let history = ScriptedHistory::quiet(1, Grid::new(7, 7), 1);
    let mut viewer = ViewerState::new(&history);
    press(&mut viewer, "b");
    assert_eq!((viewer.eye, &*viewer.notice), (Eye::Referee, "there is no seat B"));
}

#[test]
fn other_eyes_find_only_what_they_may_know() {
    let mut viewer = viewer();
    press(&mut viewer, "an");
    assert_eq!((viewer.at, &*viewer.notice), (0, "no hit after this"));
    press(&mut viewer, "rn");
    assert_eq!(viewer.at, 3);
}

#[test]
fn other_eyes_see_the_same_moment() {
    let history = entelect(MapSize::Small, 1);
    let mut viewer = ViewerState::new(&history);
    press(&mut viewer, "nnb");
    assert_eq!(viewer.scene, history.scene(viewer.at, Eye::Seat(Seat::B)));
}

#[test]
fn help_is_read_until_any_key() {
    for key in [Key::Char('?'), Key::Escape, Key::Char('q'), Key::Char('n')] {
        let mut viewer = viewer();
        press(&mut viewer, "?");
        assert_eq!(viewer.mode, ViewerMode::Reading);
        assert_eq!(viewer.key(key), NextStep::Draw);
        assert_eq!((&viewer.mode, viewer.at), (&ViewerMode::Watching, 0), "{key:?} does nothing else");
    }
}

#[test]
fn q_escape_and_ctrl_c_leave() {
    for key in [Key::Char('q'), Key::Escape, Key::Ctrl('c')] {
        assert_eq!(viewer().key(key), NextStep::Leave);
    }
    for keys in ["?", ":12"] {
        let mut viewer = viewer();
        press(&mut viewer, keys);
        assert_eq!(viewer.key(Key::Ctrl('c')), NextStep::Leave, "Ctrl-C always does");
    }
}

#[test]
fn ctrl_l_draws_anew() {
    for keys in ["", "?", ":12"] {
        let mut viewer = viewer();
        press(&mut viewer, keys);
        assert_eq!(viewer.key(Key::Ctrl('l')), NextStep::DrawAnew, "{keys}");
    }
}

#[test]
fn density_notes_log_and_pages_are_switched() {
    let mut viewer = viewer();
    press(&mut viewer, "dv");
    assert!(viewer.wanted.overlay == Some(Overlay::Density) && viewer.wanted.log);
    press(&mut viewer, "t");
    assert_eq!(viewer.wanted.overlay, Some(Overlay::Notes), "in place of the shots");
    press(&mut viewer, "tv");
    assert!(viewer.wanted.overlay.is_none() && !viewer.wanted.log);
    viewer.key(Key::Tab);
    viewer.key(Key::BackTab);
    viewer.key(Key::BackTab);
    assert_eq!(viewer.wanted.page, -1);
}

#[test]
fn a_key_without_meaning_is_answered() {
    let mut viewer = viewer();
    assert_eq!(viewer.key(Key::Char('z')), NextStep::Draw);
    assert_eq!((viewer.at, &*viewer.notice), (0, "this key is not bound; ? lists all keys"));
}

#[test]
fn every_key_in_any_order_leaves_it_on_a_scene_there_is() {
    let mut viewer = viewer();
    let keys = "lhnNpPsSgG:j0123456789+-erabdtv? \t".chars().map(Key::Char).chain([
        Key::Left,
        Key::Right,
        Key::PageUp,
        Key::PageDown,
        Key::Home,
        Key::End,
        Key::Tab,
        Key::BackTab,
        Key::Enter,
        Key::Backspace,
    ]);
    let keys: Vec<Key> = keys.collect();
    let mut seen = BTreeSet::new();
    // A walk that comes to every pair of keys.
    for first in &keys {
        for second in &keys {
            viewer.key(*first);
            viewer.key(*second);
            viewer.tick(SECOND / 20);
            assert!(viewer.at <= viewer.last());
            assert_eq!(viewer.scene, viewer.history.scene(viewer.at, viewer.eye));
            seen.insert(viewer.at);
        }
    }
    assert!(seen.len() > 15, "{seen:?}");
}
