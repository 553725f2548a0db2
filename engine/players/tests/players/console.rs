//! Whole games typed by a person.

use arena::{ArenaError, MatchEvent, Observer, Player, Players, Sequence};
use players::{Console, Keyboard};
use rules::entelect_2017::{Entelect2017, MapSize, Settings};
use rules::{BySeat, Ending, Game, Outcome, Scene, Seat};
use std::io::Write;
use std::os::fd::OwnedFd;
use std::sync::{Arc, Mutex};
use std::thread;

/// The text that was shown.
#[derive(Clone, Default)]
struct Shown(Arc<Mutex<Vec<u8>>>);

impl Write for Shown {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

struct Nobody;

impl Observer<Entelect2017> for Nobody {
    fn on(&mut self, _: &MatchEvent<'_, Entelect2017>) -> Result<(), ArenaError> {
        Ok(())
    }
}

fn draw(scene: &Scene) -> String {
    scene.boards.iter().map(|board| format!("[{} {}]\n", board.seat, board.deed)).collect()
}

/// Two people at one keyboard who type this.
fn play(typed: &str) -> (Outcome, String) {
    let (reader, mut writer) = std::io::pipe().unwrap();
    let typed = typed.to_owned();
    let typist = thread::spawn(move || writer.write_all(typed.as_bytes()));
    let keyboard = Keyboard::new(OwnedFd::from(reader), arena::Interrupt::new().unwrap());
    let shown = Shown::default();
    let person = |name: &str, seed| -> Box<dyn Player<Entelect2017>> {
        Box::new(Console::new(name.to_owned(), true, seed, keyboard.clone(), draw, shown.clone()))
    };
    let mut players: Players<Entelect2017> = BySeat::from_iter([person("Ann", 1), person("Bob", 2)]);
    let game = Entelect2017::start(&Settings { size: MapSize::Small }, 2, 0).unwrap();
    let outcome = arena::play(game, &mut players, Sequence::InTurn, &mut Nobody).unwrap();
    // Who gave up or won leaves the rest unread.
    let _ = typist.join().unwrap();
    let text = String::from_utf8(shown.0.lock().unwrap().clone()).unwrap();
    (outcome, text)
}

const FLEET: &str = "carrier 0 0 east\nbattleship 0 1 e\ncru 0 2 e\ns 0 3 e\nd 0 4 e\n";

#[test]
fn a_whole_game_can_be_typed() {
    let mut typed = FLEET.repeat(2);
    let cells = [(0, 5), (1, 4), (2, 3), (3, 3), (4, 2)];
    for (y, length) in cells {
        for x in 0..length {
            // Bob shoots into the water.
            typed += &format!("fire {x} {y}\n1,6,6\n");
        }
    }
    let (outcome, shown) = play(&typed);
    assert_eq!(outcome.winner, Some(Seat::A));
    assert_eq!(outcome.ending, Ending::FleetSunk { seats: vec![Seat::B] });
    assert!(shown.contains("You win, Ann.") && shown.contains("You lose, Bob."), "{shown}");
}

#[test]
fn what_is_typed_wrong_is_explained_and_asked_again_and_costs_nothing() {
    let (outcome, shown) = play(&format!(
        "carrier 4 0 east\ncarrier 0 0 east\ncarrier 0 1 east\nbattleship 0 0 north\nfrigate 1 1 north\nundo\nundo\nhelp\n\
         {FLEET}{FLEET}fire 9 9\nfire x\ncross 3 3\nshield 1 1\nrandom\nhelp\n"
    ));
    for words in [
        "would run off the map, which goes from 0 to 6",
        "is placed already",
        "would lie on the carrier",
        "'frigate' is not a ship",
        "nothing to take back",
        "puts a ship down",
        "the target is off the board",
        "'fire x' is not understood",
        "not enough energy",
        "the shield has no charge",
        "while the ships were placed",
        "cross X Y",
        "28 energy  no: not enough energy",
        "Ann gives up.",
    ] {
        assert!(shown.contains(words), "{words:?} is not in {shown}");
    }
    // All of that was one round each: Ann gave up at the end of what was typed, in her first shot.
    assert_eq!(outcome.turns, 3);
}

#[test]
fn a_person_who_gives_up_loses() {
    let (outcome, shown) = play("random\n");
    assert!(shown.contains("Bob gives up."));
    assert_eq!(outcome.winner, Some(Seat::A));
    assert!(matches!(outcome.ending, Ending::KilledOff { seats } if seats == [(Seat::B, "gave up".to_owned())]));
}
