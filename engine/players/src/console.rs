//! A person at the console, and the keyboard people share.

mod input;
mod keyboard;

pub use keyboard::Keyboard;

use arena::{ArenaError, Ask, Player, Reply};
use input::Input;
use rules::entelect_2017::{Entelect2017, MapSize, Order, Phase, Placement, Ship, ShipPlacement, Weapon};
use rules::{Fault, Listed, Mark, Point, Random, Scene, Seat, random, straight};
use std::io::Write;

/// A person who plays at the console. Nothing typed wrong costs a turn: it is explained and asked for again.
pub struct Console<W> {
    name: String,
    /// True if another person plays at the same console and must not see this one's board.
    shared: bool,
    random: Random,
    keyboard: Keyboard,
    draw: Box<dyn Fn(&Scene) -> String + Send>,
    out: W,
    greeted: bool,
}

impl<W: Write + Send> Console<W> {
    /// A person called `name`. `draw` makes text of what it may see, `seed` places ships where it wants them at random.
    pub fn new(
        name: String,
        shared: bool,
        seed: u64,
        keyboard: Keyboard,
        draw: impl Fn(&Scene) -> String + Send + 'static,
        out: W,
    ) -> Console<W> {
        Console { name, shared, random: random(seed), keyboard, draw: Box::new(draw), out, greeted: false }
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
    fn ask(&mut self, ask: &Ask<'_, Entelect2017>) -> Result<Option<Order>, ArenaError> {
        if self.shared {
            self.say(&format!("\n{}\nIt is the turn of {}.", "-".repeat(40), self.name))?;
        }
        match ask.view().phase {
            Phase::One => self.ask_for_fleet(ask),
            Phase::Two => self.ask_for_shot(ask),
        }
    }

    fn ask_for_fleet(&mut self, ask: &Ask<'_, Entelect2017>) -> Result<Option<Order>, ArenaError> {
        let mut fleet: Vec<ShipPlacement> = Vec::new();
        self.say(&format!("{}, place your ships, e.g.: carrier 0 3 east   (or: random, undo, help)", self.name))?;
        loop {
            self.say(&(self.draw)(&with_fleet(ask.scene(), ask.seat, &fleet)))?;
            if let Ok(ships) = <[ShipPlacement; 5]>::try_from(fleet.as_slice()) {
                let order = Order::Place(Placement::new(ships));
                match ask.check(&order) {
                    Ok(()) => return Ok(Some(order)),
                    Err(illegal) => self.say(&format!("That fleet is refused: {illegal}"))?,
                }
                fleet.clear();
            }
            let left = Ship::ALL.into_iter().filter(|ship| fleet.iter().all(|placed| placed.ship != *ship));
            let left: Vec<String> =
                left.map(|ship| format!("{} ({})", ship.name().to_lowercase(), ship.length())).collect();
            let Some(line) = self.prompt(&format!("to place: {}\n", left.join(", ")))? else { return Ok(None) };
            match input::fleet(&line) {
                Input::Command(placement) => match placing_error(ask.view().size, &fleet, &placement) {
                    None => fleet.push(placement),
                    Some(why) => self.say(&why)?,
                },
                Input::Random => match Placement::at_random(ask.view().size, &mut self.random) {
                    Some(placement) => fleet = placement.ships.to_vec(),
                    None => self.say("No fleet was found that fits.")?,
                },
                Input::Undo => {
                    if fleet.pop().is_none() {
                        self.say("There is nothing to take back.")?;
                    }
                }
                Input::Help => self.say(input::FLEET_HELP)?,
                Input::Nothing => {}
                Input::Wrong(why) => self.say(&why)?,
            }
        }
    }

    fn ask_for_shot(&mut self, ask: &Ask<'_, Entelect2017>) -> Result<Option<Order>, ArenaError> {
        self.say(&(self.draw)(&ask.scene()))?;
        if !self.greeted {
            self.greeted = true;
            self.say("Fire, e.g.: fire 3 4   (help lists all commands, Ctrl-D gives up)")?;
        }
        loop {
            let prompt = format!("{} round {} ({} energy)", self.name, ask.view().round, ask.view().own.energy);
            let Some(line) = self.prompt(&prompt)? else { return Ok(None) };
            match input::shot(&line) {
                Input::Command(order) => match ask.check(&order) {
                    Ok(()) => return Ok(Some(order)),
                    Err(illegal) => self.say(&format!("Not now: {illegal}"))?,
                },
                Input::Help => self.say(&shot_help(ask))?,
                Input::Nothing => {}
                Input::Random | Input::Undo => self.say("That was possible while the ships were placed.")?,
                Input::Wrong(why) => self.say(&why)?,
            }
        }
    }
}

impl<W: Write + Send> Player<Entelect2017> for Console<W> {
    fn decide(&mut self, ask: &Ask<'_, Entelect2017>) -> Result<Reply<Order>, ArenaError> {
        let Some(order) = self.ask(ask)? else {
            self.say(&format!("\n{} gives up.", self.name))?;
            return Ok(Reply { answer: Err(Fault::GaveUp), given: Vec::new(), time: None, run: None });
        };
        let given = Entelect2017::write(&order);
        Ok(Reply { answer: Ok(order), given, time: None, run: None })
    }

    fn over(&mut self, last: &Scene, won: bool) -> Result<(), ArenaError> {
        let drawn = (self.draw)(last);
        let verdict = if won { "You win" } else { "You lose" };
        self.say(&format!("{drawn}\n{verdict}, {}.\n", self.name))
    }
}

/// The scene with the ships on the board of `seat` that are about to be placed.
fn with_fleet(mut scene: Scene, seat: Seat, fleet: &[ShipPlacement]) -> Scene {
    for board in scene.boards.iter_mut().filter(|board| board.seat == seat) {
        for placed in fleet {
            for point in straight(placed.start, placed.direction, placed.ship.length()).flatten() {
                if let Some(index) = board.grid.index(point) {
                    board.cells[index].mark = Mark::Ship(placed.ship.letter());
                }
            }
        }
    }
    scene
}

/// The reason why this ship cannot be put down beside those; `None` if it can.
fn placing_error(size: MapSize, fleet: &[ShipPlacement], new: &ShipPlacement) -> Option<String> {
    let name = new.ship.name().to_lowercase();
    if fleet.iter().any(|placed| placed.ship == new.ship) {
        return Some(format!("The {name} is placed already; undo takes the last ship back."));
    }
    let cells: Vec<Option<Point>> = straight(new.start, new.direction, new.ship.length()).collect();
    if !cells.iter().all(|cell| cell.is_some_and(|point| size.grid().contains(point))) {
        let side = size.side() - 1;
        return Some(format!(
            "The {name} has {} cells and would run off the map, which goes from 0 to {side}.",
            new.ship.length()
        ));
    }
    let hit = fleet.iter().find(|placed| {
        straight(placed.start, placed.direction, placed.ship.length()).any(|cell| cells.contains(&cell))
    })?;
    Some(format!("The {name} would lie on the {}.", hit.ship.name().to_lowercase()))
}

/// All commands with their energy, and whether each can be used now.
fn shot_help(ask: &Ask<'_, Entelect2017>) -> String {
    let own = ask.view().own;
    // Any point on the map will do to find out whether a weapon can be fired at all.
    let centre = Point::default();
    let usable =
        |order: &Order| ask.check(order).map_or_else(|illegal| format!("no: {illegal}"), |()| "yes".to_owned());
    let mut text = format!("You have {} energy. Commands, with x and y of the target or centre:\n", own.energy);
    for (weapon, word) in Weapon::ALL.into_iter().zip(input::WEAPON_WORDS) {
        let energy = weapon.energy(ask.view().size);
        let now = usable(&Order::Fire { weapon, centre });
        text.push_str(&format!("  {:<14} {:<22} {energy:>3} energy  {now}\n", format!("{word} X Y"), weapon.name()));
    }
    let now = usable(&Order::Shield { centre });
    let shield = own.shield;
    let lasts = format!("for {} rounds, radius {}", shield.charges, shield.radius);
    text.push_str(&format!("  {:<14} {lasts:<22}   0 energy  {now}\n", "shield X Y"));
    text.push_str("  pass           nothing\nA code as in command.txt works too: 1,3,4. Ctrl-D gives up.");
    text
}
