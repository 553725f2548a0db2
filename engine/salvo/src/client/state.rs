//! The state of a match as far as a team may know it, collected from messages.

use rules::salvo::{OwnSalvo, OwnShot, PlayerView, ReceivedShot, ShipKind, ShotResult, View};
use rules::{BySeat, Mover, Point, SalvoTotal, Seat};

/// The state of a match as far as a team may know it.
#[derive(Debug)]
pub(super) struct ClientState {
    /// The team's name.
    name: String,
    /// True if the team is in the list of players.
    pub(super) takes_part: bool,
    /// All players. Their seats follow the list, and need not be those of the server.
    pub(super) names: BySeat<String>,
    pub(super) view: View,
}

impl ClientState {
    pub(super) fn new(name: &str) -> ClientState {
        let view = View {
            seat: Seat::A,
            turn: 0,
            round: 0,
            salvo: None,
            last: None,
            players: Vec::new().into_iter().collect(),
            fleet: Vec::new(),
            received: Vec::new(),
            own_salvos: Vec::new(),
            own_shots: Vec::new(),
        };
        ClientState { name: name.to_owned(), takes_part: false, names: BySeat::default(), view }
    }

    pub(super) fn seat(&self, name: &str) -> Option<Seat> {
        self.names.iter().find(|(_, known)| *known == name).map(|(seat, _)| seat)
    }

    /// Takes in the list of players; false if nothing is new.
    pub(super) fn players(&mut self, names: &[String]) -> bool {
        let names: BySeat<String> = names.iter().cloned().collect();
        if names == self.names {
            return false;
        }
        let fresh = || PlayerView { is_in: true, afloat: ShipKind::ALL.to_vec() };
        let known = |name: &String| self.seat(name).map_or_else(fresh, |seat| self.view.players[seat].clone());
        self.view.players = names.map(known);
        self.names = names;
        self.takes_part = self.seat(&self.name).is_some();
        self.view.seat = self.seat(&self.name).unwrap_or(Seat::A);
        true
    }

    /// Begins the salvo of a player.
    pub(super) fn turn(&mut self, name: &str) {
        let shots = std::mem::take(&mut self.view.own_shots);
        if !shots.is_empty() {
            // The result of the salvo before was missed.
            self.view.own_salvos.push(OwnSalvo { shots, hits: 0 });
        }
        self.view.turn += 1;
        self.view.salvo = self.seat(name).map(|seat| {
            let shots = self.view.players[seat].afloat.len() as u8;
            Mover { seat, shots, left: shots }
        });
    }

    pub(super) fn is_ours(&self) -> bool {
        self.takes_part && self.view.salvo.is_some_and(|salvo| salvo.seat == self.view.seat)
    }

    pub(super) fn has_shots(&self) -> bool {
        self.is_ours() && self.view.salvo.is_some_and(|salvo| salvo.left > 0)
    }

    pub(super) fn fired(&mut self, target: Seat, at: Point) {
        self.view.own_shots.push(OwnShot { target, at, sank: None });
        self.view.turn += 1;
        if let Some(salvo) = &mut self.view.salvo {
            salvo.left -= 1;
        }
    }

    /// Takes the last shot back, which did not count; false if there is none.
    pub(super) fn take_back(&mut self) -> bool {
        let taken = self.is_ours() && self.view.own_shots.pop().is_some();
        if let (true, Some(salvo)) = (taken, &mut self.view.salvo) {
            salvo.left += 1;
        }
        taken
    }

    /// Ends the salvo.
    pub(super) fn hits(&mut self, hits: u32) {
        let hits = hits.min(u32::from(u8::MAX)) as u8;
        let Some(salvo) = self.view.salvo.take() else { return };
        self.view.last = Some(SalvoTotal { seat: salvo.seat, shots: salvo.shots, hits });
        if self.takes_part && salvo.seat == self.view.seat {
            let shots = std::mem::take(&mut self.view.own_shots);
            self.view.own_salvos.push(OwnSalvo { shots, hits });
        }
    }

    /// Takes in a shot at the team's board.
    pub(super) fn received(&mut self, at: Point) {
        let Some(by) = self.view.salvo.map(|salvo| salvo.seat) else { return };
        let ship = self.view.fleet.iter().find(|ship| ship.covers(at));
        let found = match ship {
            None => ShotResult::Water,
            Some(_) if self.view.received.iter().any(|shot| shot.at == at) => ShotResult::Again,
            Some(_) => ShotResult::Hit,
        };
        self.view.received.push(ReceivedShot { by, at, found });
    }

    /// Takes in a sinking; false if it was known.
    pub(super) fn sunk(&mut self, player: &str, ship: ShipKind) -> bool {
        let Some(seat) = self.seat(player) else { return false };
        let afloat = &mut self.view.players[seat].afloat;
        let before = afloat.len();
        afloat.retain(|kind| *kind != ship);
        afloat.len() < before
    }

    /// Takes in a defeat; false if it was known.
    pub(super) fn defeated(&mut self, player: &str) -> bool {
        let Some(seat) = self.seat(player) else { return false };
        std::mem::replace(&mut self.view.players[seat].is_in, false)
    }
}
