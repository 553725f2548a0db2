//! Whole games typed by a person.

use arena::{ArenaError, MatchEvent, Observer, Player, Players, Sequence};
use players::{Console, ConsoleGame, ConsoleOptions, Keyboard};
use rules::battleship::{Battleship, Rules};
use rules::bots_arena::{self, BotsArena};
use rules::entelect_2017::{Entelect2017, MapSize, Settings};
use rules::sea_battle::{self, SeaBattle};
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

impl<G: Game> Observer<G> for Nobody {
    fn on(&mut self, _: &MatchEvent<'_, G>) -> Result<(), ArenaError> {
        Ok(())
    }
}

fn draw(scene: &Scene) -> String {
    scene.boards.iter().map(|board| format!("[{} {}]\n", board.seat, board.deed)).collect()
}

/// Two people at one keyboard who type this.
fn play_with<G: ConsoleGame>(settings: &G::Settings, clear: Option<&str>, typed: &str) -> (Outcome, String) {
    let (reader, mut writer) = std::io::pipe().unwrap();
    let typed = typed.to_owned();
    let typist = thread::spawn(move || writer.write_all(typed.as_bytes()));
    let keyboard = Keyboard::new(OwnedFd::from(reader), arena::Interrupt::new().unwrap());
    let shown = Shown::default();
    let options = ConsoleOptions { is_shared: true, clear: clear.map(str::to_owned) };
    let person = |name: &str, seed| -> Box<dyn Player<G>> {
        let (settings, keyboard) = (settings.clone(), keyboard.clone());
        Box::new(Console::new(name.to_owned(), settings, options.clone(), seed, keyboard, draw, shown.clone()))
    };
    let mut players: Players<G> = BySeat::from_iter([person("Ann", 1), person("Bob", 2)]);
    let game = G::start(settings, 2, 0).unwrap();
    let outcome = arena::play(game, &mut players, Sequence::InTurn, &mut Nobody).unwrap();
    // Who gave up or won leaves the rest unread.
    let _ = typist.join().unwrap();
    let text = String::from_utf8(shown.0.lock().unwrap().clone()).unwrap();
    (outcome, text)
}

/// Two people who type this through a pipe.
fn play(typed: &str) -> (Outcome, String) {
    play_with::<Entelect2017>(&Settings { size: MapSize::Small }, None, typed)
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
        "would run off the board, which goes from 0 to 6",
        "is placed already",
        "would lie on the carrier",
        "'frigate' is not a ship",
        "nothing to take back",
        "puts a ship down",
        "the target is off the board",
        "'fire x' is not understood",
        "Not now: 26 energy missing",
        "the shield has no charge",
        "while the ships were placed",
        "cross X Y",
        "upright cross, 5        28 energy  no: 26 energy missing",
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

#[test]
fn two_people_at_a_terminal_do_not_see_each_others_boards() {
    let settings = Settings { size: MapSize::Small };
    let (_, shown) = play_with::<Entelect2017>(&settings, Some("<clear>"), "\nrandom\n\nrandom\n\n1 1\n\n2 2\n\n");
    let asked = |name: &str| format!("<clear>{name}: press Enter when you sit at the keyboard<clear>");
    let [ann, bob] = ["Ann", "Bob"].map(asked);
    let turns: Vec<usize> =
        [&ann, &bob].iter().flat_map(|asked| shown.match_indices(*asked)).map(|(at, _)| at).collect();
    assert_eq!(turns.len(), 5, "{shown}");
    let boards = shown.match_indices("[A ").map(|(at, _)| at);
    // Between a board and the one of another person the screen is cleared: a person sees two of the fleet, one of a shot.
    assert_eq!(boards.count(), 2 + 2 + 3 + 2, "{shown}");
    assert!(shown.find("Bob, place your ships").unwrap() > shown.find(&bob).unwrap());
}

#[test]
fn who_leaves_instead_of_sitting_down_gives_up() {
    let (outcome, shown) = play_with::<SeaBattle>(&sea_battle::Settings::default(), Some("<clear>"), "\nrandom\n");
    assert!(shown.contains("Bob gives up."), "{shown}");
    assert_eq!(outcome.winner, Some(Seat::A));
}

#[test]
fn a_second_shot_at_a_cell_is_asked_about_at_a_terminal_only() {
    let turns = ["1 1", "5 5", "B1\nn\n1,1\n\n1,1\n2 2", "6 6", "fire 1 1\nyes"];
    let settings = Settings { size: MapSize::Small };
    let typed: String =
        [FLEET, FLEET].into_iter().chain(turns).map(|turn| format!("\n{}\n", turn.trim_end())).collect();
    let (outcome, shown) = play_with::<Entelect2017>(&settings, Some("<clear>"), &typed);
    assert_eq!(shown.matches("You fired at 1,1 already: again? y/N").count(), 4, "{shown}");
    // Ann's third shot went to 1,1, and it is Bob's turn, who leaves.
    assert!(shown.contains("Bob gives up.") && outcome.winner == Some(Seat::A), "{shown}");
    let (_, shown) = play(&format!("{FLEET}{FLEET}1 1\n2 2\n1 1\n2 2\n"));
    assert!(!shown.contains("again?") && shown.contains("Ann round 3"), "{shown}");
}

#[test]
fn sea_battle_can_be_typed_with_shots_and_radar() {
    let ships = ["fourdeck 0 0 east", "battleship 0 2 e", "three 5 2 e", "sub 0 4 e", "two 3 4 e", "two 6 4 e"];
    let single = ["one 0 6", "one c6", "one e6", "one 6,6"];
    let fleet = [&ships[..], &single].concat().join("\n") + "\n";
    let settings = sea_battle::Settings::of(sea_battle::Profile::PublicServer);
    let mut typed = format!("one 4 1\nundo\n{}", fleet.repeat(2).replacen("battle", "one 1 1 e\nbattle", 1));
    typed += "radar 1 2\nradar 9 9\nradar 0 0\nhelp\nd2\n9 9\n";
    let cells = [(0, 0, 4), (0, 2, 3), (0, 2, 3), (5, 2, 3), (0, 4, 2), (3, 4, 2), (6, 4, 2), (0, 6, 1), (2, 6, 1)];
    for (x, y, length) in cells.into_iter().chain([(4, 6, 1), (6, 6, 1)]) {
        for x in x..x + length {
            typed += &format!("{x} {y}\n9 9\n");
        }
    }
    let (outcome, shown) = play_with::<SeaBattle>(&settings, None, &typed);
    for words in [
        "to place: fourdeck (4), battleship (3), threeship (3), submarine (2),\n2 x twoship (2), 4 x oneship (1)",
        "The oneship would touch the fourdeck.",
        "Your radar around 1, 2 sees 0,2 1,2 2,2.",
        "Not now: the radar can be used once only",
        "radar X Y",
        "Your shot at 0, 0: hit.",
        "Your shot at 3, 0: sunk.",
        "Your shot at 9, 9: miss.",
        "You win, Ann.",
    ] {
        assert!(shown.contains(words), "{words:?} is not in {shown}");
    }
    assert!(matches!(outcome.ending, Ending::FleetSunk { seats } if seats == [Seat::B]));
}

#[test]
fn bots_arena_can_be_typed() {
    let settings = bots_arena::Settings::new(4, 3, [1, 1, 0, 0, 0, 0]).unwrap();
    let fleet = "ship2 0 0 e\nship1 3 2\n";
    let (outcome, shown) = play_with::<BotsArena>(&settings, None, &format!("{fleet}{fleet}a0\n1,1\n1 0\n1 1\nd2\n"));
    assert!(shown.contains("Your strike at 0, 0: hit.") && shown.contains("Your strike at 1, 1: miss."), "{shown}");
    assert_eq!((outcome.winner, outcome.turns), (Some(Seat::A), 6));
    assert!(matches!(outcome.ending, Ending::FleetSunk { seats } if seats == [Seat::B]));
}

#[test]
fn battleship_by_any_rules_can_be_typed_with_shapes_salvos_and_specials() {
    let rules: Rules = serde_json::from_value(serde_json::json!({
        "board": { "width": 6, "height": 4 },
        "fleet": [{ "name": "Patrol Boat", "size": 2 }, { "name": "crown", "shape": ["#.#", "###"] }],
        "touching": "none",
        "shots": 2,
        "specials": [{ "name": "Big Radar", "kind": "radar", "area": ["###", "###", "###"] }],
    }))
    .unwrap();
    let fleet = "patrol 0 0 h\ncrown 3 0 1\n";
    let wrong = "help\ncrown 0 0 up\ncrown 0 3 1\nunknown 1 1\np 0 0 h\ncrown 2 0 1\nundo\n";
    let ann = ["big 1 1", "help\nfire a0 1 0", "1 2 3\n1 1 2 2 3 3\n3 0 f0", "3 1 4 1", "5 1"];
    let bob = ["0 3 1 3", "1 1 9 9\n2 3 3 3", "0 2 1 2", "2 2 3 2"];
    let turns = ann.iter().zip(bob.iter().chain([&""])).map(|(ann, bob)| format!("{ann}\n{bob}\n"));
    let (outcome, shown) =
        play_with::<Battleship>(&rules, None, &format!("{wrong}{fleet}{fleet}{}", turns.collect::<String>()));
    for words in [
        "to place: patrol-boat (2), crown (5)",
        "  crown X Y NUMBER: X Y is the upper left corner of what is drawn here\n    1 # #  2 ##   3 ###  4 ##\n      ###    #      # #     #\n             ##            ##\n",
        "'up' is not a way to lie; there are 1, 2, 3, 4.",
        "The crown has 5 cells and would run off the board, which goes from 0, 0 to 5, 3.",
        "'unknown' is not a ship; there are patrol-boat, crown.",
        "The crown would touch the patrol-boat.",
        "Fire, e.g.: D4 E5 or 3 4 4 5 ",
        "Ann turn 1, 2 shots> ",
        "Your Big Radar at 1,1 sees 0,0 1,0.",
        "  fire X Y X Y …       at up to 2 cells\n",
        "looks for ships, 0 uses left\n                       ###\n                       #O#\n                       ###\n",
        "Your shots at 0,0: hit; 1,0: sunk.",
        "Not now: 9,9 is off the board",
        "'1' is not a command; there are fire, big-radar.",
        "There are 3 cells where there may be 2.",
        "You win, Ann.",
    ] {
        assert!(shown.contains(words), "{words:?} is not in {shown}");
    }
    assert_eq!((outcome.winner, outcome.turns), (Some(Seat::A), 10));
}

#[test]
fn who_plays_alone_fires_at_its_own_board_and_sees_no_ship_there() {
    let rules = serde_json::json!({
        "board": { "width": 3, "height": 2 }, "turns": "solo", "fleet": [{ "name": "boat", "size": 3 }],
    });
    let rules: Rules = serde_json::from_value(rules).unwrap();
    // Both move at once, and the fleet is the same.
    let all: String = ["0 0", "1 0", "2 0", "0 1", "1 1", "2 1"].map(|cell| format!("{cell}\n{cell}\n")).concat();
    let (outcome, shown) = play_with::<Battleship>(&rules, None, &all);
    assert!(shown.contains("Your shot at 0,0: "), "{shown}");
    assert!(matches!(&outcome.ending, Ending::Solved { seats } if seats.len() == 2), "{outcome:?}");
}

#[test]
fn a_draw_is_nobodys_defeat() {
    let settings = sea_battle::Settings::moves(1);
    let (outcome, shown) = play_with::<SeaBattle>(&settings, None, "random\nrandom\n5 5\n5 5\n");
    assert_eq!(outcome.winner, None);
    assert!(shown.contains("A draw, Ann.") && shown.contains("A draw, Bob."), "{shown}");
}
