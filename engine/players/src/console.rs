//! A person at the console, and the keyboard people share.

mod battleship;
mod bots_arena;
mod console_game;
mod entelect_2017;
mod fleet_entry;
mod fleet_plan;
mod input;
mod keyboard;
mod person_game;
mod salvo;
mod salvo_console;
mod salvo_map;
mod sea_battle;

pub use console_game::ConsoleGame;
pub use fleet_entry::FleetEntry;
pub use fleet_plan::{FleetPlan, FleetShip, PlacedShip, ShipWay};
pub use keyboard::Keyboard;
pub use person_game::{Aim, OrderHint, PersonGame};
pub use salvo_console::{SalvoConsole, SalvoScreen};

use arena::{ArenaError, Ask, Player, Reply};
use console_game::{Input, read};
use rules::{Fault, Random, Scene, random};
use std::io::Write;

/// The way in which a console is used.
#[derive(Debug, Clone, Default)]
pub struct ConsoleOptions {
    /// True if another person plays at the same console and must not see this one's board.
    pub is_shared: bool,
    /// The text that clears the screen. `None` for scripts: the console neither pauses nor asks again.
    pub clear: Option<String>,
}

/// A person who plays at the console. Nothing typed wrong costs a turn: it is explained and asked for again.
pub struct Console<G: ConsoleGame, W> {
    name: String,
    settings: G::Settings,
    options: ConsoleOptions,
    random: Random,
    keyboard: Keyboard,
    draw: Box<dyn Fn(&Scene) -> String + Send>,
    out: W,
    greeted: bool,
    /// The order that the person gave last.
    last: Option<G::Order>,
}

impl<G: ConsoleGame, W: Write + Send> Console<G, W> {
    /// A person called `name`. `draw` makes text of what it may see, `seed` places ships where it wants them at random.
    pub fn new(
        name: String,
        settings: G::Settings,
        options: ConsoleOptions,
        seed: u64,
        keyboard: Keyboard,
        draw: impl Fn(&Scene) -> String + Send + 'static,
        out: W,
    ) -> Console<G, W> {
        let random = random(seed);
        Console { name, settings, options, random, keyboard, draw: Box::new(draw), out, greeted: false, last: None }
    }

    fn write(&mut self, text: &str) -> Result<(), ArenaError> {
        let written = self.out.write_all(text.as_bytes()).and_then(|()| self.out.flush());
        written.map_err(|source| ArenaError::Console { doing: "write to", source })
    }

    fn say(&mut self, text: &str) -> Result<(), ArenaError> {
        self.write(&format!("{text}\n"))
    }

    fn prompt(&mut self, text: &str) -> Result<Option<String>, ArenaError> {
        self.write(&format!("{text}> "))?;
        self.keyboard.line()
    }

    /// Asks until there is an order that will be obeyed; `None` if the person gives up.
    fn ask(&mut self, ask: &Ask<'_, G>) -> Result<Option<G::Order>, ArenaError> {
        if self.options.is_shared && self.hand_over()?.is_none() {
            return Ok(None);
        }
        if G::is_placing(&ask.view()) { self.ask_for_fleet(ask) } else { self.ask_for_shot(ask) }
    }

    /// Gives the console to this person: removes what the other one has seen, and waits. `None` if the person gives up.
    fn hand_over(&mut self) -> Result<Option<()>, ArenaError> {
        let Some(clear) = self.options.clear.clone() else {
            self.say(&format!("\n{}\nIt is the turn of {}.", "-".repeat(40), self.name))?;
            return Ok(Some(()));
        };
        self.write(&format!("{clear}{}: press Enter when you sit at the keyboard", self.name))?;
        if self.keyboard.line()?.is_none() {
            return Ok(None);
        }
        self.write(&clear)?;
        Ok(Some(()))
    }

    fn ask_for_fleet(&mut self, ask: &Ask<'_, G>) -> Result<Option<G::Order>, ArenaError> {
        let mut entry = FleetEntry::new(G::plan(&self.settings));
        let example = entry.example();
        self.say(&format!("{}, place your ships, e.g.: {example}   (or: random, undo, help)", self.name))?;
        loop {
            self.say(&(self.draw)(&entry.drawn(ask.scene(), ask.seat)))?;
            if entry.is_complete() {
                let order = G::place(&self.settings, entry.placed());
                match ask.check(&order) {
                    Ok(()) => return Ok(Some(order)),
                    Err(illegal) => self.say(&format!("That fleet is refused: {illegal}"))?,
                }
                entry.clear();
            }
            // The board is drawn again only when it has changed.
            loop {
                let Some(line) = self.prompt(&format!("to place: {}\n", entry.left()))? else { return Ok(None) };
                match entry.take(&line, || G::random_fleet(&self.settings, &mut self.random)) {
                    Some(said) => self.say(&said)?,
                    None => break,
                }
            }
        }
    }

    fn ask_for_shot(&mut self, ask: &Ask<'_, G>) -> Result<Option<G::Order>, ArenaError> {
        let view = ask.view();
        self.say(&(self.draw)(&ask.scene()))?;
        if let Some(result) = self.last.as_ref().and_then(|last| G::result(&view, last)) {
            self.say(&result)?;
        }
        if !self.greeted {
            self.greeted = true;
            let example = G::example(&view);
            self.say(&format!("Fire, e.g.: {example}   (help lists all commands, Ctrl-D gives up)"))?;
        }
        let prompt = format!("{} {}", self.name, G::moment(&view));
        // The order that the person was asked about.
        let mut doubted: Option<G::Order> = None;
        loop {
            let Some(line) = self.prompt(&prompt)? else { return Ok(None) };
            let doubted_before = doubted.take();
            match (doubted_before, line.trim().to_lowercase().as_str()) {
                (Some(order), "y" | "yes") => return Ok(Some(order)),
                (Some(_), "n" | "no") => continue,
                _ => {}
            }
            match read::<G>(&view, &line) {
                Input::Order(order) => match (ask.check(&order), G::wasted(&view, &order)) {
                    (Ok(()), Some(at)) if self.options.clear.is_some() => {
                        self.say(&format!("You fired at {},{} already: again? y/N", at.x, at.y))?;
                        doubted = Some(order);
                    }
                    (Ok(()), _) => return Ok(Some(order)),
                    (Err(illegal), _) => self.say(&format!("Not now: {illegal}"))?,
                },
                Input::Help => self.say(&format!("{}\n{TARGETS}", G::help(ask)))?,
                Input::Nothing => {}
                Input::Wrong(why) => self.say(&why)?,
            }
        }
    }
}

/// The help about targets, the same for all games.
const TARGETS: &str = "\
X Y is column and row, as the boards are labelled. D4, 3 4 and 3,4 are one cell
(column D is 3, because A is 0); without a word it is fired at. Ctrl-D gives up.";

impl<G: ConsoleGame, W: Write + Send> Player<G> for Console<G, W> {
    fn decide(&mut self, ask: &Ask<'_, G>) -> Result<Reply<G::Order>, ArenaError> {
        let Some(order) = self.ask(ask)? else {
            self.say(&format!("\n{} gives up.", self.name))?;
            return Ok(Reply { answer: Err(Fault::GaveUp), given: Vec::new(), time: None, run: None, notes: None });
        };
        let given = G::write(&order);
        self.last = Some(order.clone());
        Ok(Reply { answer: Ok(order), given, time: None, run: None, notes: None })
    }

    fn over(&mut self, last: &Scene, won: Option<bool>) -> Result<(), ArenaError> {
        let drawn = (self.draw)(last);
        let verdict = match won {
            Some(true) => "You win",
            Some(false) => "You lose",
            // Who plays alone has no opponent to share the points with.
            None if last.boards.len() == 1 => "You lose",
            None => "A draw",
        };
        self.say(&format!("{drawn}\n{verdict}, {}.\n", self.name))
    }
}
