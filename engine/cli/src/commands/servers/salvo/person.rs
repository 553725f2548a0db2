//! A person who plays at the console.

use super::event_text::event_text;
use crate::show::{self, Names};
use arena::Interrupt;
use players::{SalvoConsole, SalvoScreen};
use rules::salvo::{Order, View};
use rules::{BySeat, Scene, Seat};
use salvo::client::{ClientEvent, Strategy};
use std::io::{self, IsTerminal};

/// A person at the console, in a match of a server.
pub(super) struct Person {
    console: SalvoConsole<StandardError>,
    /// Raised to leave the game.
    leave: Interrupt,
}

impl Person {
    /// A person with this seed for random fleets, who raises `leave` to end the program.
    pub(super) fn new(seed: u64, leave: Interrupt) -> Person {
        Person { console: SalvoConsole::new(seed, StandardError, io::stdin().is_terminal()), leave }
    }
}

impl Strategy for Person {
    fn order(&mut self, view: &View, names: &BySeat<String>) -> Option<Order> {
        self.console.order(view, names)
    }

    fn hear(&mut self, event: &ClientEvent<'_>, view: &View, names: &BySeat<String>) {
        match event {
            ClientEvent::State(_) => self.console.set_has_game(true),
            ClientEvent::NoBroker { .. } | ClientEvent::NoServer { .. } => self.console.set_has_game(false),
            _ => {}
        }
        match event {
            ClientEvent::Line(line) => self.console.typed(line, view, names),
            ClientEvent::NoMoreLines if self.console.end_of_lines() => self.leave.raise(),
            ClientEvent::Turn(_) | ClientEvent::State(_) => self.console.begin_turn(),
            ClientEvent::Error(_) => self.console.refused(),
            _ => {}
        }
        if let Some(text) = event_text(event) {
            show::say(&text);
        }
    }
}

/// Standard error, which shows a person what happens.
struct StandardError;

impl SalvoScreen for StandardError {
    fn say(&self, text: &str) {
        show::say(text);
    }

    fn draw(&self, scene: &Scene, seat: Seat, names: &BySeat<String>) {
        let names = Names::of_players(names.iter().map(|(_, name)| name.as_str()));
        show::say(&show::board::for_person_in_salvo(scene, seat, &names));
    }
}
