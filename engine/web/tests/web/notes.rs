//! Notes of bots on the page and in the live view, with the right eyes only.

use crate::browser::{Chromium, SavedPage, Tab};
use crate::matches::{Brain, about, first, match_history, players};
use crate::raw::Raw;
use arena::{ArenaError, Ask, GameHistory, MatchHistory, Notes, Observer, Player, Players, Reply, Sequence, play};
use rules::Eye;
use rules::entelect_2017::{Entelect2017, MapSize, Order};
use web::wire::{Frame, Setup};
use web::{Live, page};

const BRAINS: [Brain; 2] = [Brain::Hunter, Brain::Wild];

/// Plays like another, and leaves notes in every second turn.
struct Noting(Box<dyn Player<Entelect2017>>);

impl Player<Entelect2017> for Noting {
    fn decide(&mut self, ask: &Ask<'_, Entelect2017>) -> Result<Reply<Order>, ArenaError> {
        let reply = self.0.decide(ask)?;
        let json = serde_json::json!({
            "text": format!("<b>{} in {}", ask.seat, ask.turn), "numbers": [[0, 1.23456], [0.5, null]],
            "marks": [[2, 3, "next"], [99, 0, "off the board"]], "fleet": [[[4, 4], [5, 4]]],
        });
        let notes = Notes::read(json.to_string().as_bytes()).unwrap();
        let output = vec!["printed".to_owned()];
        let notes = ask.turn.is_multiple_of(2).then(|| Notes::with_output(Some(notes), output)).flatten();
        Ok(Reply { notes: notes.map(Box::new), ..reply })
    }
}

fn noting(seed: u64) -> Players<Entelect2017> {
    players(BRAINS, seed)
        .into_iter()
        .map(|player| -> Box<dyn Player<Entelect2017>> { Box::new(Noting(player)) })
        .collect()
}

/// Plays a match with notes.
fn play_before(watch: &mut dyn Observer<Entelect2017>) {
    play(first(MapSize::Small), &mut noting(4), Sequence::InTurn, watch).unwrap();
}

fn noted() -> GameHistory<Entelect2017> {
    let mut history = GameHistory::new(first(MapSize::Small), 2);
    play_before(&mut history);
    history
}

/// Fails unless each frame has the notes of the turn before it, and only for the referee and their own seat.
fn assert_hidden(setup: &Setup, frames: &[Frame]) {
    assert!(frames.len() > 10);
    for (at, frame) in frames.iter().enumerate() {
        let turn = at.checked_sub(1).filter(|turn| turn % 2 == 0);
        assert_eq!(frame.notes.len(), if turn.is_some() { 2 } else { 0 }, "frame {at}");
        for (seen, seat) in frame.notes.iter().zip(['A', 'B']) {
            assert_eq!((seen.1.seat, seen.1.text.as_str()), (seat, format!("<b>{seat} in {}", turn.unwrap()).as_str()));
            let eyes: Vec<&str> =
                (0..).zip(&setup.eyes).filter(|(bit, _)| seen.0 & (1 << bit) != 0).map(|(_, eye)| &**eye).collect();
            assert_eq!(eyes, ["referee", seat.to_string().as_str()]);
            assert_eq!(seen.1.numbers, [(0, 0.0, 0), (1, 0.5, 41), (7, 1.235, 100)]);
            assert_eq!((seen.1.marks.len(), &*seen.1.fleet[0]), (1, &[32, 39][..]));
        }
    }
}

#[test]
fn frames_have_notes_for_the_eyes_that_may_see_them_only() {
    let html = page(&noted(), &about(["one", "two"]));
    let (_, rest) = html.split_once(r#"<script id="match" type="application/json">"#).unwrap();
    let told: serde_json::Value = serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap();
    let setup = serde_json::from_value(told["setup"].clone()).unwrap();
    assert_hidden(&setup, &serde_json::from_value::<Vec<Frame>>(told["frames"].clone()).unwrap());
}

#[test]
fn the_live_stream_has_them_in_the_same_way() {
    let mut live = Live::start(&first(MapSize::Small), &about(["one", "two"]), 0).unwrap();
    let mut raw = Raw::ask(&live.url(), "/events", "");
    play_before(&mut live);
    let lines = raw.until("event: over");
    // The time of the server, the setup, and the frames.
    let data: Vec<&str> = lines.iter().filter_map(|line| line.strip_prefix("data: ")).collect();
    let frames = data[2..].iter().filter(|data| data.starts_with(r#"{"titles":"#));
    let frames: Vec<Frame> = frames.map(|frame| serde_json::from_str(frame).unwrap()).collect();
    assert_hidden(&serde_json::from_str(data[1]).unwrap(), &frames);
    live.finish();
}

#[test]
fn a_page_without_notes_has_no_frame_with_the_word() {
    let history = match_history(MapSize::Small, BRAINS, 4);
    assert!((0..history.scenes()).all(|at| history.notes(at, Eye::Referee).is_empty()));
    assert!(!page(&history, &about(["one", "two"])).contains("\"notes\":"));
}

/// The texts of the notes on the page.
fn texts(tab: &Tab) -> Vec<String> {
    tab.value("[...document.querySelectorAll('.thought p')].map((text) => text.textContent)")
}

/// The numbers of heat cells, guessed cells and marks on the boards of A and B.
fn drawn(tab: &Tab) -> Vec<[usize; 3]> {
    tab.value(
        "['A', 'B'].map((seat) => ['.guess', '.guessed', '.note'].map((part) =>
           document.querySelectorAll(`.board[data-seat=${seat}] ${part}`).length))",
    )
}

#[test]
fn the_page_shows_notes_beside_the_truth_at_their_turn() {
    let saved = SavedPage::new(&page(&noted(), &about(["one", "two"])));
    Chromium::run(|chromium| {
        let tab = chromium.open(&saved.address("#turn=2"));
        let at = |moment: usize| tab.until(&format!("document.body.dataset.moment === '{moment}'"));
        for key in ["Home", "ArrowRight"] {
            tab.press(key);
        }
        at(1);
        assert!(tab.value::<bool>("document.querySelector('#thoughts').hidden"));
        assert_eq!(drawn(&tab), [[0; 3]; 2], "they are not shown before they are asked for");
        tab.click("#notes");
        tab.until("document.querySelector('#notes').ariaPressed === 'true'");
        // In the order of the boards that they are about.
        assert_eq!(texts(&tab), ["<b>B in 0", "<b>A in 0"]);
        assert_eq!(drawn(&tab), [[3, 2, 1], [3, 2, 1]]);
        let meaning: Vec<String> = tab
            .value("[...document.querySelectorAll('.thought h3, .meanings > *')].map((part) => part.innerText.trim())");
        let own = |author, board| {
            [&format!("{author} notes on the board of {board}"), "0  1.235", "guessed ship", "ne mark"]
                .map(str::to_owned)
        };
        assert_eq!(meaning, [own("B", "A"), own("A", "B")].concat());
        // Each text is below the board that it is about.
        for (nth, seat) in ['A', 'B'].into_iter().enumerate() {
            let [text, board]: [f64; 2] = tab.value(&format!(
                "[document.querySelectorAll('.thought')[{nth}], document.querySelector('.board[data-seat={seat}]')]
                   .map((element) => element.getBoundingClientRect().left)",
            ));
            assert!((text - board).abs() < 2.0, "{seat}: {text}, {board}");
        }
        let colours: Vec<String> = tab.value(
            "[0, 1, 7].map((cell) => getComputedStyle(document.querySelectorAll('.board[data-seat=A] .cell')[cell].firstChild.nextSibling).fill)",
        );
        assert!(colours[0] != colours[1] && colours[1] != colours[2], "one colour for each number: {colours:?}");
        tab.press("ArrowRight");
        at(2);
        assert_eq!((texts(&tab).len(), drawn(&tab)), (0, vec![[0; 3]; 2]), "there are none for this turn");
        let coloured = "document.querySelectorAll('.cell[style], .noted').length";
        assert_eq!(tab.value::<u32>(coloured), 0);
        tab.press("ArrowRight");
        at(3);
        assert_eq!(texts(&tab), ["<b>B in 2", "<b>A in 2"]);
        tab.assert_accessible_in_both_themes();

        // With the eyes of A: the notes of A, which are on the board of B.
        tab.press("1");
        tab.until("document.querySelectorAll('.thought').length === 1");
        assert_eq!((texts(&tab), drawn(&tab)), (vec!["<b>A in 2".to_owned()], vec![[0; 3], [3, 2, 1]]));
        tab.press("2");
        tab.until("document.querySelector('.thought p').textContent === '<b>B in 2'");
        assert_eq!((texts(&tab).len(), drawn(&tab)), (1, vec![[3, 2, 1], [0; 3]]));
        tab.press("t");
        tab.until("document.querySelector('#notes').ariaPressed === 'false'");
        assert_eq!(tab.value::<u32>(coloured), 0);
        assert_eq!((texts(&tab).len(), drawn(&tab)), (0, vec![[0; 3]; 2]));
        tab.assert_calm();
    });
}

#[test]
fn a_page_without_notes_has_no_button_for_them() {
    let saved = SavedPage::new(&page(&match_history(MapSize::Small, BRAINS, 4), &about(["one", "two"])));
    Chromium::run(|chromium| {
        let tab = chromium.open(&saved.address(""));
        tab.press("End");
        tab.until("document.body.dataset.moment !== '0'");
        assert!(
            tab.value::<bool>("document.querySelector('#notes').hidden && document.querySelector('#thoughts').hidden")
        );
    });
}
