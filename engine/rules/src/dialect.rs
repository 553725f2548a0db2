//! Dialects: how the values of a game become text for bots, and bots' text becomes orders.

use crate::{Answer, Game, Seat};

/// Turns the values of a game into the text of one protocol and back. Pure: who carries the text is not its business.
pub trait Dialect<G: Game>: Send + Sync {
    /// What `seat` is shown when it is asked for an order.
    fn ask(&self, seat: Seat, view: &G::View) -> Message;

    /// The order in what the player left, or what is wrong with it. `parts` are the named parts that the player gave,
    /// of the names in [`Dialect::answer_parts`]; none at all is [`crate::Fault::NothingWritten`].
    fn read(&self, parts: &[Part]) -> Answer<G::Order>;

    /// The names of the parts an answer may have.
    fn answer_parts(&self) -> &'static [&'static str];
}

/// Text for one player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Where in the protocol's space of names it belongs, e.g. the folder `Phase 2 - Round 7/A`. An answer over a network
    /// has one part, which has the name of the address that was asked.
    pub address: String,
    /// The named parts it consists of.
    pub parts: Vec<Part>,
}

/// A named piece of text, such as a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Its name, e.g. `state.json`.
    pub name: &'static str,
    /// What is in it.
    pub bytes: Vec<u8>,
}
