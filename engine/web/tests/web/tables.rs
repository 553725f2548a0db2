//! Matches of Salvo at a live table.

use crate::matches::about;
use arena::{ArenaError, MatchEvent, Observer, Observers, Players, Sequence, play};
use players::BuiltIn;
use rules::salvo::{Salvo, Settings};
use rules::{Game, Outcome, Seats};
use std::io::ErrorKind;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;
use web::wire::LobbyView;
use web::{About, LiveTable};

/// Four teams, two of them with names that a page must not take for something else.
pub(crate) const FOUR: [&str; 4] = ["Ann", "<b>Bob</b>", "Cardinal Crew", "\u{5d3}\u{5df}"];
/// The time limit of a salvo.
pub(crate) const LIMIT: Duration = Duration::from_secs(30);

/// A table without teams on a free port of this machine.
pub(crate) fn table() -> LiveTable<Salvo> {
    let lobby = LobbyView { teams: Vec::new(), how: String::new() };
    LiveTable::open("127.0.0.1:0".parse().unwrap(), &lobby).unwrap()
}

/// Shows a match to a table as `broadside salvo serve --live` does: each salvo starts the clock.
struct Shown<'a, F>(&'a mut LiveTable<Salvo>, F);

impl<F: FnMut(&MatchEvent<'_, Salvo>) -> Result<(), ArenaError>> Observer<Salvo> for Shown<'_, F> {
    fn on(&mut self, event: &MatchEvent<'_, Salvo>) -> Result<(), ArenaError> {
        self.0.on(event)?;
        if let MatchEvent::Opened { game, .. } = event
            && let Some(salvo) = game.salvo().filter(|salvo| salvo.left == salvo.shots)
        {
            self.0.clock(salvo.seat, LIMIT);
        }
        (self.1)(event)
    }
}

/// Plays a match of hunters with these names at a table. The function is called after each event was shown; its error ends
/// the match.
pub(crate) fn played(
    table: &mut LiveTable<Salvo>,
    names: &[&str],
    seed: u64,
    after: impl FnMut(&MatchEvent<'_, Salvo>) -> Result<(), ArenaError>,
) -> Result<Outcome, ArenaError> {
    let seats = names.len() as u8;
    let game = Salvo::start(&Settings::default(), seats, seed).unwrap();
    let hunter = |seat| BuiltIn::Hunter.player::<Salvo>(rules::seat_seed(seed, seat));
    let mut players: Players<Salvo> = Seats::first(seats).iter().map(hunter).collect();
    let names = names.iter().map(|name| (*name).to_owned()).collect();
    let title = "Salvo, 10 x 10".to_owned();
    table.begin(&game, About { names, title, ..about([]) });
    let mut shown = Shown(table, after);
    let mut watch = Observers::new();
    watch.add(&mut shown);
    play(game, &mut players, Sequence::InTurn, &mut watch)
}

/// Plays a match up to a turn, before which it stands still for ever.
pub(crate) fn stopped(table: &mut LiveTable<Salvo>, names: &[&str], seed: u64, stop: u32) {
    let after = |event: &MatchEvent<'_, Salvo>| match event {
        MatchEvent::Opened { turn, .. } if *turn == stop => Err(ArenaError::disk("play on", "here", ErrorKind::Other)),
        _ => Ok(()),
    };
    played(table, names, seed, after).unwrap_err();
}

/// A match that a thread plays, and that stands still before certain turns.
pub(crate) struct Held {
    /// The address of the table.
    pub(crate) url: String,
    reached: Receiver<Salvo>,
    go_on: Sender<()>,
    playing: JoinHandle<(LiveTable<Salvo>, Outcome)>,
}

impl Held {
    /// Begins a match that is held before each of these turns.
    pub(crate) fn begin(names: &'static [&'static str], seed: u64, turns: &'static [u32]) -> Held {
        let mut table = table();
        let url = table.url();
        let ((reach, reached), (go_on, may_go_on)) = (channel(), channel());
        let playing = std::thread::spawn(move || {
            let after = |event: &MatchEvent<'_, Salvo>| {
                if let MatchEvent::Opened { turn, game } = event
                    && turns.contains(turn)
                {
                    reach.send((*game).clone()).unwrap();
                    may_go_on.recv().unwrap();
                }
                Ok(())
            };
            let outcome = played(&mut table, names, seed, after).unwrap();
            (table, outcome)
        });
        Held { url, reached, go_on, playing }
    }

    /// Waits for the next turn before which the match is held, and gives the state.
    pub(crate) fn held(&self) -> Salvo {
        self.reached.recv().unwrap()
    }

    /// Lets the match go on.
    pub(crate) fn go_on(&self) {
        self.go_on.send(()).unwrap();
    }

    /// Waits for the end.
    pub(crate) fn ended(self) -> (LiveTable<Salvo>, Outcome) {
        self.playing.join().unwrap()
    }
}
