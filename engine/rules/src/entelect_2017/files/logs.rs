//! The entries of engine.log and log.txt about a round; the caller adds the time.

use super::super::{Event, KillOff, OrderKind, Weapon};
use super::Files;
use crate::{Seat, Told};

/// The severity of an entry: D, I and E in the files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// A step of the engine.
    Debug,
    /// Something worth knowing.
    Info,
    /// Something went wrong.
    Error,
}

impl Level {
    /// The letter in the files.
    pub fn letter(self) -> char {
        match self {
            Level::Debug => 'D',
            Level::Info => 'I',
            Level::Error => 'E',
        }
    }
}

/// One entry of a log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The severity.
    pub level: Level,
    /// The text.
    pub text: String,
}

impl Entry {
    /// A step of the engine.
    pub fn debug(text: impl Into<String>) -> Entry {
        Entry { level: Level::Debug, text: text.into() }
    }

    /// Something worth knowing.
    pub fn info(text: impl Into<String>) -> Entry {
        Entry { level: Level::Info, text: text.into() }
    }

    /// Something went wrong.
    pub fn error(text: impl Into<String>) -> Entry {
        Entry { level: Level::Error, text: text.into() }
    }
}

/// engine.log of a round in which these orders were given and this happened.
pub fn engine_log(files: &Files, orders: &[(Seat, OrderKind)], told: &[Told<Event>]) -> Vec<Entry> {
    let mut log: Vec<Entry> = orders
        .iter()
        .map(|(seat, order)| {
            Entry::info(format!("Added Command {} for Player {}", command_name(*order), files.name_in_line(*seat)))
        })
        .collect();
    log.push(Entry::debug("Beginning round processing"));
    log.push(Entry::debug("Processing Player Commands"));
    let mut killed = Vec::new();
    let mut failed = false;
    for Told { event, .. } in told {
        match event {
            Event::Refused { seat, order, why } => log.push(Entry::error(format!(
                "Failed to process command {} for player {}: {why}",
                command_name(*order),
                files.name_in_line(*seat)
            ))),
            Event::KilledOff { seat, why } => {
                log.push(Entry::info(format!("Player {} {why} and is killed off", files.name_in_line(*seat))));
            }
            Event::Killed { seat } => killed.push(Entry::debug(format!("Killed player {}", files.name_in_line(*seat)))),
            Event::PhaseOneFailed { .. } => failed = true,
            _ => {}
        }
    }
    // A failed first phase is not processed any further.
    if !failed {
        log.push(Entry::debug("Killing off players who have no ships left"));
        log.append(&mut killed);
        log.push(Entry::debug("Round processing complete"));
    }
    log
}

/// The entries about a round with which the next log.txt of one player begins.
pub fn player_news(seat: Seat, told: &[Told<Event>]) -> Vec<Entry> {
    let entries = told.iter().filter_map(|Told { event, .. }| match event {
        Event::Refused { seat: whose, order, why } if *whose == seat => {
            Some(format!("Player Command {} failed because {why}", command_name(*order)))
        }
        Event::PhaseOneFailed { .. } => {
            Some("The first round has failed due to a bot's ships not all being placed".to_owned())
        }
        Event::WarnedIdle { seat: whose, count } if *whose == seat => {
            Some(format!("Bot has done nothing {count} times in a row; after 20 times it is killed off"))
        }
        Event::KilledOff { seat: whose, why } if *whose == seat => Some(match why {
            KillOff::GaveUp => "Player gave up".to_owned(),
            why => format!("Bot {why}. It is killed off and all its ships are destroyed"),
        }),
        _ => None,
    });
    entries.map(Entry::info).collect()
}

fn command_name(order: OrderKind) -> &'static str {
    match order {
        OrderKind::DoNothing => "DoNothingCommand",
        OrderKind::Place => "PlaceShipCommand",
        OrderKind::Fire(Weapon::SingleShot) => "FireSingleShotCommand",
        OrderKind::Fire(Weapon::DoubleShotVertical | Weapon::DoubleShotHorizontal) => "FireDoubleShotCommand",
        OrderKind::Fire(Weapon::CornerShot) => "FireCornerShotCommand",
        OrderKind::Fire(Weapon::DiagonalCrossShot | Weapon::CrossShot) => "FireCrossShotCommand",
        OrderKind::Fire(Weapon::SeekerMissile) => "FireSeekerMissileCommand",
        OrderKind::Shield => "PlaceShieldCommand",
    }
}
