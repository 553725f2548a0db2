//! Finals of contests: at a set hour the best bots play a knockout, one game after the other, for everyone to watch.
//!
//! A final is a tournament of the contest. Its games are played as fast as the bots answer, before all other games of the contest, and
//! out of sight; [`broadcast`] has the times at which screens show them. Nothing of a game is told before the screens have shown it.
//! All times follow from the journals, so a server that was killed goes on in the middle of a game; games that the screens would have
//! shown while it was away are told at once.

pub(crate) mod broadcast;
pub(crate) mod final_commands;
pub(crate) mod final_thread;
pub(crate) mod final_views;
pub(crate) mod screen_clock;
