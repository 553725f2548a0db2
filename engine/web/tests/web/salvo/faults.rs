//! The words of the live table about teams that do not fire.

use crate::browser::Chromium;
use crate::matches::about;
use crate::tables::table;
use arena::{ArenaError, Ask, MatchEvent, Observer, Observers, Player, Players, Reply, Sequence, play};
use players::BuiltIn;
use rules::salvo::{Order, Salvo, Settings};
use rules::{Fault, Game, Seat, Seats};
use web::LiveTable;

/// Places its ships, fires twice, and fails from then on.
struct Weary {
    player: Box<dyn Player<Salvo>>,
    left: u8,
    fault: Fault,
}

impl Player<Salvo> for Weary {
    fn decide(&mut self, ask: &Ask<'_, Salvo>) -> Result<Reply<Order>, ArenaError> {
        let reply = self.player.decide(ask)?;
        match self.left.checked_sub(1) {
            Some(left) => self.left = left,
            None => return Ok(Reply { answer: Err(self.fault.clone()), ..reply }),
        }
        Ok(reply)
    }
}

/// Shows the first round of a match to a table.
struct FirstRound<'a>(&'a mut LiveTable<Salvo>);

impl Observer<Salvo> for FirstRound<'_> {
    fn on(&mut self, event: &MatchEvent<'_, Salvo>) -> Result<(), ArenaError> {
        match event {
            MatchEvent::Opened { game, .. } if game.round() > 1 => Err(ArenaError::Interrupted),
            _ => self.0.on(event),
        }
    }
}

#[test]
fn lost_shots_and_teams_that_leave_are_told_in_words() {
    let mut table = table();
    let game = Salvo::start(&Settings::default(), 3, 7).unwrap();
    let player = |seat: Seat| -> Box<dyn Player<Salvo>> {
        let player = BuiltIn::Random.player::<Salvo>(rules::seat_seed(7, seat));
        match seat.letter() {
            'A' => player,
            'B' => Box::new(Weary { player, left: 3, fault: Fault::NothingWritten }),
            _ => Box::new(Weary { player, left: 1, fault: Fault::GaveUp }),
        }
    };
    let mut players: Players<Salvo> = Seats::first(3).iter().map(player).collect();
    table.begin(&game, about(["Ann", "Bob", "Cy"]));
    let mut shown = FirstRound(&mut table);
    let mut watch = Observers::new();
    watch.add(&mut shown);
    play(game, &mut players, Sequence::InTurn, &mut watch).unwrap_err();
    Chromium::run(|chromium| {
        let tab = chromium.open(&table.url());
        let lines = "[...document.querySelectorAll('.words li')].map((one) => one.textContent)";
        tab.until("document.querySelectorAll('.words li').length > 3");
        let told: Vec<String> = tab.value(lines);
        let has = |line: &str| told.iter().filter(|one| *one == line).count() == 1;
        assert!(has("BBob: wrote nothing: 3 shots lapsed; 0 of 2 shots hit"), "{told:?}");
        assert!(has("CCy: gave up") && told.iter().filter(|line| line.starts_with("CCy: ")).count() == 1, "{told:?}");
        assert!(
            told.last().unwrap().ends_with(" begins") && told.iter().any(|line| line.starts_with("AAnn: 5 shots, "))
        );
        let card: String = tab.value("document.querySelector('.card[data-seat=C]').className");
        assert!(card.contains("out"), "{card}");
        let state: String = tab.value("document.querySelector('.card[data-seat=C] .state').textContent");
        assert_eq!(state, "out: gave up");
        tab.assert_accessible();
        tab.assert_calm();
    });
}
