//! Finals: at a set hour the best bots play a knockout, one game after the other, for everyone to watch.
//!
//! The administrator plans a final: when it begins, how many bots take part, and of how many games each meeting is the best. At that
//! time no further match of a tournament begins; when the running ones are over, the bots are taken from the leaderboard of all
//! matches, best first, without those that are parked or have no URL. With fewer bots than planned the bracket is smaller. During
//! the final a bot that does not answer loses by the rules of the game, and a bot that is removed loses its meetings. Games of a
//! final count for no leaderboard. Afterwards the tournament continues.
//!
//! A game is played as fast as its bots answer, but shown at the pace of the screen. Its result is told to nobody before the screens
//! have [shown](crate::state::finals::final_state::FinalGame::shown) it, and the next game begins a little later. All this follows from the journal, so a server
//! that was killed continues with the game that was being played or shown.

pub(crate) mod commands;
pub(crate) mod screens;
pub(crate) mod step;
#[cfg(test)]
mod tests;
pub(crate) mod view;
