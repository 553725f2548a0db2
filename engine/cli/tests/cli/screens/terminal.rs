//! The program on a real (pseudo) terminal, which `script` of util-linux makes.

use crate::table::{Table, USUAL_SIGNALS};
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};

/// The program in a terminal of 80 x 24.
pub struct Terminal {
    process: Child,
    keyboard: ChildStdin,
    screen: String,
}

impl Terminal {
    /// None where there is no `script`.
    pub fn start(folder: &Path, arguments: &str, no_color: bool) -> Option<Terminal> {
        let program = assert_cmd::cargo::cargo_bin!("broadside");
        Terminal::run(folder, &format!("exec env {USUAL_SIGNALS} '{}' {arguments}", program.display()), no_color)
    }

    /// A line of shell in such a terminal. None where there is no `script`.
    pub fn run(folder: &Path, line: &str, no_color: bool) -> Option<Terminal> {
        let line = format!("stty rows 24 cols 80; {line}");
        let mut command = Command::new(test_tools::required("script")?);
        command.args(["--quiet", "--flush", "--return", "--command", &line, "/dev/null"]).current_dir(folder);
        command.env("TERM", "xterm-256color").env_remove("NO_COLOR");
        if no_color {
            command.env("NO_COLOR", "1");
        }
        let started = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let mut process = started.unwrap();
        let keyboard = process.stdin.take().unwrap();
        Some(Terminal { process, keyboard, screen: String::new() })
    }

    /// Reads until these words have been shown.
    pub fn wait_for(&mut self, words: &str) -> &mut Terminal {
        let mut chunk = [0; 4096];
        while !self.screen.contains(words) {
            let count = self.process.stdout.as_mut().unwrap().read(&mut chunk).unwrap();
            assert!(count > 0, "{words:?} was never shown: {}", self.screen);
            self.screen.push_str(&String::from_utf8_lossy(&chunk[..count]));
        }
        self
    }

    pub fn press(&mut self, keys: &str) -> &mut Terminal {
        self.keyboard.write_all(keys.as_bytes()).unwrap();
        self.keyboard.flush().unwrap();
        self
    }

    /// Takes the terminal away from under the program.
    pub fn take_away(mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
    }

    /// Everything that was shown, and the exit code.
    pub fn end(mut self) -> (String, Option<i32>) {
        let mut rest = Vec::new();
        self.process.stdout.as_mut().unwrap().read_to_end(&mut rest).unwrap();
        self.screen.push_str(&String::from_utf8_lossy(&rest));
        (self.screen, self.process.wait().unwrap().code())
    }
}

fn bots(table: &Table) -> String {
    let [a, b] = &table.bots;
    format!("-s 1 -l out -b '{}' '{}'", a.path().display(), b.path().display())
}

const HIDDEN: &str = "\x1b[?25l";
const SHOWN: &str = "\x1b[?25h";
const CLEARED: &str = "\x1b[H\x1b[2J\x1b[3J";

#[test]
fn pretty_redraws_in_place_and_gives_the_cursor_back() {
    let table = Table::new();
    let Some(terminal) = Terminal::start(table.folder.path(), &format!("--pretty --pace 1 {}", bots(&table)), false)
    else {
        return;
    };
    // The keyboard is there, but no key is pressed: the program does not wait for one at the end.
    let (screen, code) = terminal.end();
    assert_eq!(code, Some(0), "{screen}");
    assert!(screen.contains("\x1b[15A"), "each frame is drawn over the last");
    assert!(screen.rfind(HIDDEN).unwrap() < screen.rfind(SHOWN).unwrap());
    assert!(screen.rfind(SHOWN).unwrap() < screen.find(" wins: ").unwrap());
}

#[test]
fn lines_of_a_check_name_the_map() {
    let table = Table::with(["1: exit 1", ""]);
    let arguments = format!("check --calibration off '{}'", table.bots[0].path().display());
    let Some(terminal) = Terminal::start(table.folder.path(), &arguments, false) else { return };
    let (screen, code) = terminal.end();
    assert_eq!(code, Some(4), "{screen}");
    for map in ["7 x 7", "10 x 10", "14 x 14"] {
        assert!(screen.contains(&format!("{map}, round 0: Alpha crashed")), "{map}: {screen}");
    }
}

#[test]
fn ctrl_backslash_while_it_draws_gives_the_cursor_back() {
    let table = Table::with(["1: place\n2: hang", "1: place\n2: hang"]);
    let arguments = format!("--pretty --nolimit {}", bots(&table));
    let Some(mut terminal) = Terminal::start(table.folder.path(), &arguments, false) else { return };
    terminal.wait_for("placing the ships").press("\x1c");
    let (screen, code) = terminal.end();
    assert_eq!(code, Some(130), "{screen}");
    assert!(screen.rfind(HIDDEN).unwrap() < screen.rfind(SHOWN).unwrap());
}

#[test]
fn ctrl_c_while_it_draws_gives_the_cursor_back() {
    let table = Table::with(["1: place\n2: hang", "1: place\n2: hang"]);
    let arguments = format!("--pretty --nolimit {}", bots(&table));
    // Several times: Ctrl-C comes at the moment at which the next bots are started, and reaches them, too, or does not.
    for _ in 0..10 {
        let Some(mut terminal) = Terminal::start(table.folder.path(), &arguments, false) else { return };
        terminal.wait_for("placing the ships").press("\x03");
        let (screen, code) = terminal.end();
        assert_eq!(code, Some(130), "{screen}");
        assert!(screen.rfind(HIDDEN).unwrap() < screen.rfind(SHOWN).unwrap());
        assert!(screen.contains("No winner"), "{screen:?}");
    }
}

#[test]
fn no_color_means_no_escapes_at_all() {
    let table = Table::new();
    let Some(terminal) = Terminal::start(table.folder.path(), &format!("--pretty {}", bots(&table)), true) else {
        return;
    };
    let (screen, code) = terminal.end();
    assert_eq!(code, Some(0));
    assert!(!screen.contains('\x1b') && screen.contains(" wins: "), "{screen}");
}

#[test]
fn a_result_has_as_much_of_long_names_as_fits_and_tells_equal_ones_apart() {
    let long = "The long name of a bot whose author has tried many versions, of which this is";
    // Without the progress that was there before.
    let shown = |line: &str| line.rsplit("\x1b[K").next().unwrap().trim_end().to_owned();
    let play = |names: [&str; 2]| {
        let folder = tempfile::tempdir().unwrap();
        let bots = names.map(|name| fake_bot::BotFolder::new(name, fake_bot::PLAYS));
        let paths: Vec<_> = bots.iter().map(|bot| format!("'{}'", bot.path().display())).collect();
        let (screen, code) =
            Terminal::start(folder.path(), &format!("-s 1 -l out -b {}", paths.join(" ")), true)?.end();
        assert_eq!(code, Some(0), "{screen}");
        let result: Vec<String> = screen.lines().map(shown).collect();
        let at = result.iter().position(|line| line.contains(" wins: ")).unwrap();
        let result = result[at..at + 3].to_vec();
        assert!(result.iter().all(|line| line.chars().count() <= 80), "{result:?}");
        // The rows of the two bots, by seat.
        let row = |seat: &str| result.iter().find(|line| line.starts_with(seat)).unwrap().clone();
        Some((result[0].clone(), [row("  A "), row("  B ")]))
    };
    let [first, other] = ["the first", "the other"].map(|end| format!("{long} {end}"));
    let Some((heading, [a, b])) = play([&first, &other]) else { return };
    // Both play in the same way, so the fleets are sunk at once.
    assert!(heading.contains("is the first wins: both"), "{heading}");
    assert!([&heading, &a, &b].iter().all(|line| line.chars().count() == 80), "{heading}\n{a}\n{b}");
    assert!(a.contains("this is the first  ") && b.contains("this is the other  "), "{a}\n{b}");
    let (heading, [a, b]) = play([&first, &first]).unwrap();
    assert!(heading.contains(") wins: "), "{heading}");
    // The end of a name is the folder that tells it from the other.
    assert!(a.contains("(bot folder ") && b.contains("(bot folder "), "{a}\n{b}");
    let (_, [a, b]) = play(["Twin", "Twin"]).unwrap();
    assert!(a.starts_with("  A Twin (bot folder ") && b.starts_with("  B Twin (bot folder "), "{a}\n{b}");
}

#[test]
fn debug_waits_for_a_key() {
    let table = Table::with(["1: place\nr1: moan one\nr2: moan two\n2: fire", "1: place\n2: fire"]);
    let Some(mut terminal) = Terminal::start(table.folder.path(), &format!("--debug {}", bots(&table)), false) else {
        return;
    };
    terminal.wait_for("one").wait_for("press a key");
    assert!(!terminal.screen.contains("two"));
    terminal.press("x").wait_for("two").press("\n");
    let (screen, code) = terminal.end();
    assert_eq!(code, Some(0), "{screen}");
    assert!(screen.contains(" wins: "));
}

#[test]
fn ctrl_c_stops_it_where_debug_waits() {
    let table = Table::with(["1: place\nr1: moan one\n2: fire", "1: place\n2: fire"]);
    let Some(mut terminal) = Terminal::start(table.folder.path(), &format!("--debug --pretty {}", bots(&table)), false)
    else {
        return;
    };
    terminal.wait_for("press a key").press("\x03");
    let (screen, code) = terminal.end();
    assert_eq!(code, Some(130), "{screen}");
}

#[test]
fn two_people_play_at_a_terminal_when_no_bot_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let Some(mut terminal) = Terminal::start(folder.path(), "-s 1", false) else { return };
    let seat = |terminal: &mut Terminal, name: &str, words: &str| {
        terminal.wait_for(&format!("{CLEARED}{name}: press Enter when you sit at the keyboard"));
        terminal.press("\n").wait_for(words);
        terminal.screen.clear();
    };
    seat(&mut terminal, "Player 1", "to place: ");
    terminal.press("random\n");
    // The next person sees nothing of the fleet, and the one before not the board of the next.
    terminal.wait_for("press Enter");
    let fleet = terminal.screen.clone();
    assert!(fleet[..fleet.find(CLEARED).unwrap()].contains("B"), "{fleet}");
    seat(&mut terminal, "Player 2", "to place: ");
    terminal.press("random\n");
    seat(&mut terminal, "Player 1", "Player 1 round 1");
    terminal.press("b1\n");
    seat(&mut terminal, "Player 2", "Player 2 round 1");
    terminal.press("fire 2 2\n");
    seat(&mut terminal, "Player 1", "Player 1 round 2");
    terminal.press("1,1\n").wait_for("You fired at 1,1 already: again? y/N").press("y\n");
    seat(&mut terminal, "Player 2", "Player 2 round 2");
    // Ctrl-D at the beginning of a line.
    terminal.press("\x04");
    let (screen, code) = terminal.end();
    assert_eq!(code, Some(0), "{screen}");
    assert!(screen.contains("Player 1 wins: Player 2 gave up"), "{screen}");
}

#[test]
fn a_person_alone_keeps_the_screen_and_has_its_own_board_on_the_left() {
    let folder = tempfile::tempdir().unwrap();
    let Some(mut terminal) = Terminal::start(folder.path(), "-s 1 -c 1 builtin:random", true) else { return };
    terminal.wait_for("to place: ").press("random\n");
    terminal.wait_for("Player 1 round 1").press("\x04");
    let (screen, code) = terminal.end();
    assert_eq!(code, Some(0), "{screen}");
    assert!(!screen.contains('\x1b') && !screen.contains("press Enter"), "{screen}");
    let names = screen.lines().find(|line| line.contains("A builtin:random")).unwrap();
    assert!(names.starts_with("B Player 1"), "{names}");
}

#[test]
fn without_escapes_a_screen_that_is_handed_over_is_scrolled_away() {
    let folder = tempfile::tempdir().unwrap();
    let Some(mut terminal) = Terminal::start(folder.path(), "-s 1 -c 2", true) else { return };
    terminal.wait_for("Player 1: press Enter").press("\n").wait_for("to place: ").press("random\n");
    terminal.wait_for("Player 2: press Enter").press("\x04");
    let (screen, _) = terminal.end();
    assert!(!screen.contains('\x1b'), "{screen}");
    let before = &screen[..screen.find("Player 2: press").unwrap()];
    assert!(before.ends_with(&"\r\n".repeat(24)), "{screen:?}");
}
