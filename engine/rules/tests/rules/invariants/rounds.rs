//! Assertions that hold in every round of every match.

use rules::entelect_2017::{
    Entelect2017, Event, ImpactResult, MapSize, Order, POINTS_HIT, POINTS_KILL, POINTS_SINK, Phase, PlayerState,
    Refusal, Settings, Ship, Weapon,
};
use rules::{Answer, Answers, Fault, Game, Seat, Told};

/// The answers of A and B in one round.
pub(crate) type Round = (Answer<Order>, Answer<Order>);

/// The round of two players who say nothing.
pub(crate) const SILENCE: Round = (Err(Fault::NothingWritten), Err(Fault::NothingWritten));

const SEATS: [Seat; 2] = [Seat::A, Seat::B];

/// One round that was played.
pub(crate) struct Played {
    pub(crate) before: Entelect2017,
    pub(crate) round: Round,
    pub(crate) after: Entelect2017,
    pub(crate) told: Vec<Told<Event>>,
}

impl Played {
    fn events(&self) -> impl Iterator<Item = &Event> {
        self.told.iter().map(|told| &told.event)
    }

    fn answer(&self, seat: Seat) -> &Answer<Order> {
        if seat == Seat::A { &self.round.0 } else { &self.round.1 }
    }

    fn is_killed_off(&self, seat: Seat) -> bool {
        self.events().any(|event| matches!(event, Event::KilledOff { seat: whose, .. } if *whose == seat))
    }

    fn refusal(&self, seat: Seat) -> Option<Refusal> {
        self.events().find_map(|event| match event {
            Event::Refused { seat: whose, why, .. } if *whose == seat => Some(*why),
            _ => None,
        })
    }
}

/// A match for two before its first round.
pub(crate) fn start(size: MapSize) -> Entelect2017 {
    Entelect2017::start(&Settings { size }, 2, 0).expect("it is a game for two")
}

/// The answers of both.
pub(crate) fn both((a, b): Round) -> Answers<Order> {
    [(Seat::A, a), (Seat::B, b)].into_iter().collect()
}

/// Plays to the end, looking at every round. When the rounds run out, both players fall silent.
pub(crate) fn play(
    size: MapSize,
    rounds: impl IntoIterator<Item = Round>,
    mut watch: impl FnMut(&Played),
) -> Entelect2017 {
    let mut game = start(size);
    let mut rounds = rounds.into_iter();
    while game.outcome().is_none() {
        assert!(game.round() <= size.last_round(), "a match must end");
        let before = game.clone();
        let round = rounds.next().unwrap_or(SILENCE);
        let told = game.advance(both(round.clone()));
        let played = Played { before, round, after: game, told };
        watch(&played);
        game = played.after;
    }
    game
}

/// The points, energy and counters that a player must have, counted from the events alone.
#[derive(Debug, Default, PartialEq, Eq)]
struct Account {
    points: u32,
    energy: u32,
    shots_fired: u32,
    shots_hit: u32,
}

impl Account {
    fn of(player: &PlayerState) -> Account {
        Account {
            points: player.points,
            energy: player.energy,
            shots_fired: player.shots_fired,
            shots_hit: player.shots_hit,
        }
    }
}

/// The accounts of both players.
pub(crate) struct Accounts([Account; 2]);

impl Accounts {
    pub(crate) fn open(size: MapSize) -> Accounts {
        Accounts([(); 2].map(|()| Account { energy: size.energy(), ..Account::default() }))
    }

    /// Points, energy and counters are what the events add up to.
    pub(crate) fn add_up(&mut self, played: &Played) {
        self.book(played);
        for seat in SEATS {
            let player = played.after.player(seat);
            assert_eq!(Account::of(player), self.0[seat.index()], "{seat}: {:?}", played.told);
            if !played.is_killed_off(seat.opponent()) {
                assert_eq!(player.shots_hit, damaged(played.after.player(seat.opponent())));
            }
        }
    }

    fn book(&mut self, played: &Played) {
        let size = played.before.size();
        for event in played.events() {
            match event {
                Event::Fired { seat, weapon, impacts, .. } => {
                    let account = &mut self.0[seat.index()];
                    account.shots_fired += 1;
                    account.energy = account.energy.checked_sub(weapon.energy(size)).expect("nobody fires on credit");
                    for impact in impacts.iter() {
                        if let ImpactResult::Hit { completes } = impact.result {
                            let sinks = completes && *weapon != Weapon::SeekerMissile;
                            account.shots_hit += 1;
                            account.points += POINTS_HIT + if sinks { POINTS_SINK } else { 0 };
                        }
                    }
                }
                Event::KilledOff { seat, .. } => self.0[seat.index()].points = 0,
                Event::Killed { seat } => self.0[seat.opponent().index()].points += POINTS_KILL,
                _ => {}
            }
        }
        if played.before.phase() == Phase::Two && !played.before.awaited().is_empty() {
            for account in &mut self.0 {
                account.energy += size.energy();
            }
        }
    }
}

fn damaged(player: &PlayerState) -> u32 {
    player.board.cells().filter(|cell| cell.occupied && cell.hit).count() as u32
}

/// The ships on a board are those that were placed: all or none, each on its own cells, and from then on in the same
/// place.
pub(crate) fn fleets_lie_as_placed(played: &Played) {
    for seat in SEATS {
        let [before, after] = [&played.before, &played.after].map(|game| &game.player(seat).board);
        let mut cells: Vec<_> = Ship::ALL
            .into_iter()
            .filter(|&ship| after.ship(ship).placed)
            .flat_map(|ship| after.ship(ship).cells().map(|point| point.expect("a placed ship has its cells")))
            .collect();
        cells.sort_by_key(|&point| after.grid().index(point).expect("a placed ship lies on the board"));
        let occupied = after.grid().points().zip(after.cells()).filter(|(_, cell)| cell.occupied);
        assert_eq!(cells, occupied.map(|(point, _)| point).collect::<Vec<_>>());
        let battle = played.after.phase() == Phase::Two;
        assert_eq!(cells.len(), if battle { 17 } else { 0 });
        if played.before.phase() == Phase::Two {
            assert!(battle, "ships are placed once");
            for ship in Ship::ALL {
                assert!(before.ship(ship).cells().eq(after.ship(ship).cells()));
                assert!(after.ship(ship).destroyed || !before.ship(ship).destroyed, "no ship rises again");
            }
            assert!(before.cells().zip(after.cells()).all(|(old, new)| new.hit || !old.hit));
        }
    }
}

/// A ship is destroyed exactly when all its cells are hit, which is told unless its player is removed.
pub(crate) fn ships_are_destroyed_exactly_when_all_their_cells_are_hit(played: &Played) {
    for seat in SEATS {
        let board = &played.after.player(seat).board;
        for ship in Ship::ALL {
            let state = board.ship(ship);
            let is_hit = |point| board.cell(point).is_some_and(|cell| cell.hit);
            let shot_through = state.placed && state.cells().all(|point| point.is_some_and(is_hit));
            assert!(state.destroyed == shot_through || played.after.phase() == Phase::One);
            let fresh = state.destroyed && !played.before.player(seat).board.ship(ship).destroyed;
            let sunk = played.events().filter(|event| **event == Event::Sunk { seat, ship }).count();
            assert_eq!(sunk, usize::from(fresh && !played.is_killed_off(seat)));
        }
        assert_eq!(played.after.player(seat).killed, board.ships_remaining() == 0);
    }
}

/// The cells a shield protects are those around its centre while it is up.
pub(crate) fn a_shield_protects_as_it_was_raised(played: &Played) {
    for player in SEATS.map(|seat| played.after.player(seat)) {
        let (board, shield) = (&player.board, &player.shield);
        assert!(shield.radius <= shield.max_radius);
        assert!(!shield.active || shield.charges > 0);
        for (point, cell) in board.grid().points().zip(board.cells()) {
            let away = |a: i32, b: i32| (i64::from(a) - i64::from(b)).unsigned_abs();
            let near = away(point.x, shield.centre.x).max(away(point.y, shield.centre.y));
            assert_eq!(cell.shielded, shield.active && near <= u64::from(shield.radius));
            assert!(!cell.shield_hit || cell.shielded);
        }
    }
}

/// The same answers take a copy of the match to the same state, and it tells the same.
pub(crate) fn a_copy_goes_the_same_way(played: &Played) {
    let mut copy = played.before.clone();
    let told = copy.advance(both(played.round.clone()));
    assert_eq!(told, played.told);
    assert_eq!(copy, played.after);
}

/// An order is refused exactly when `check` says so. Two things it cannot know: what a seeker missile aimed off the board
/// will find, and whether a failed placement of the opponent comes first.
pub(crate) fn check_foretells_refusals(played: &Played) {
    let asked = !played.before.awaited().is_empty();
    for seat in SEATS {
        let refusal = played.refusal(seat);
        assert!(asked || refusal.is_none(), "an order that was not asked for is not looked at");
        let Ok(order) = played.answer(seat) else { continue };
        let opponent_failed =
            played.events().any(|event| matches!(event, Event::PhaseOneFailed { seat: who } if *who != seat));
        let looked_at = !opponent_failed || played.events().any(|event| *event == Event::Placed { seat });
        if !asked || !looked_at {
            continue;
        }
        let verdict = played.before.check(seat, order);
        let seeker = matches!(order, Order::Fire { weapon: Weapon::SeekerMissile, .. });
        assert!(
            verdict.is_err() == refusal.is_some() || (seeker && refusal == Some(Refusal::OutOfBounds)),
            "{seat}, {order:?}: {verdict:?}, then {refusal:?}"
        );
    }
}

/// A match goes on while both live and there are rounds left, and then it is over for good.
pub(crate) fn a_match_ends_in_time(played: &Played) {
    let (before, after) = (&played.before, &played.after);
    assert_eq!(after.round(), before.round() + 1);
    let killed: Vec<Seat> = SEATS.into_iter().filter(|&seat| after.player(seat).killed).collect();
    let Some(outcome) = after.outcome() else {
        assert!(killed.is_empty() && after.round() <= after.size().last_round());
        return;
    };
    assert!(!killed.is_empty() || after.round() > after.size().last_round());
    assert_eq!(outcome.turns, after.round());
    assert_eq!(outcome.winner, outcome.ranking.first().copied());
    assert!(matches!(outcome.ranking[..], [Seat::A, Seat::B] | [Seat::B, Seat::A]));
    assert!(killed.len() == 2 || killed.iter().all(|loser| outcome.ranking.last() == Some(loser)));
    assert!(SEATS.into_iter().all(|seat| outcome.points[seat] == after.player(seat).points));
    let mut end = after.clone();
    assert!(end.awaited().is_empty() && end.advance(both(played.round.clone())).is_empty());
    assert_eq!(&end, after);
}
