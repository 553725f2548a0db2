//! A seat is told only of what it may know; and the sums that must agree in every match.

use super::{A, B, c};
use proptest::collection::vec;
use proptest::prelude::*;
use rules::salvo::{BOARD, CELLS, Event, Order, Placement, Salvo, Settings, ShotResult, View, random_fleet};
use rules::{Eye, Fault, Game, Point, Scene, Seat};

/// All that a seat gets to know in a turn.
type Known = (View, [Scene; 2], Vec<Event>);

fn known(game: &Salvo, seat: Seat, told: &[rules::Told<Event>]) -> Known {
    let told = told.iter().filter(|told| told.to.includes(seat)).map(|told| told.event.clone()).collect();
    (game.view(seat), [Eye::Seat(seat), Eye::Everyone].map(|eye| game.scene(eye)), told)
}

fn start(fleets: &[Vec<Placement>; 3], seed: u64) -> Salvo {
    let mut game = Salvo::start(&Settings { rounds_without_sinking: 40 }, 3, seed).unwrap();
    let answers = [A, B, c()].into_iter().zip(fleets.clone()).map(|(seat, fleet)| (seat, Ok(Order::Place(fleet))));
    game.advance(answers.collect());
    game
}

/// Three at the table, and the same table where the ships of B and C lie elsewhere.
struct Twins {
    games: [Salvo; 2],
    fleets: [[Vec<Placement>; 3]; 2],
}

impl Twins {
    fn place(seeds: [u64; 5], seed: u64) -> Twins {
        let [a, b, c, other_b, other_c] = seeds.map(|seed| random_fleet(&mut rules::random(seed)));
        let fleets = [[a.clone(), b, c], [a, other_b, other_c]];
        Twins { games: [start(&fleets[0], seed), start(&fleets[1], seed)], fleets }
    }

    /// True if a shot there may have another result in the other match, as far as A is told in the end.
    fn tells_apart(&self, target: Seat, at: Point) -> bool {
        let [one, other] =
            self.fleets.each_ref().map(|fleets| fleets[target.index()].iter().find(|ship| ship.covers(at)));
        one != other
    }

    /// Plays a turn in both. A must learn the same. Where others fire at each other it does not learn the cell, so that
    /// they may fire at different ones.
    fn learn_the_same(&mut self, target: Seat, at: Point, elsewhere: Point) -> Result<(), TestCaseError> {
        let Some(shooter) = self.games[0].awaited().iter().next() else { return Ok(()) };
        let targets: Vec<Seat> = self.games[0].seats_in().iter().filter(|seat| *seat != shooter).collect();
        let target = if targets.contains(&target) { target } else { targets[0] };
        let is_hidden = shooter != A && target != A;
        let alike = |at: Point| target == A || !self.tells_apart(target, at);
        let alike_at = if alike(at) { at } else { BOARD.points().find(|at| alike(*at)).unwrap() };
        let water = |game: usize| {
            let fleet = &self.fleets[game][target.index()];
            let is_water = |at: &Point| fleet.iter().all(|ship| !ship.covers(*at));
            if is_water(&elsewhere) { elsewhere } else { BOARD.points().find(is_water).unwrap() }
        };
        let cells = if is_hidden && at.x % 2 == 0 { [water(0), water(1)] } else { [alike_at; 2] };
        let mut seen = Vec::new();
        for (game, at) in self.games.iter_mut().zip(cells) {
            let told = game.advance([(shooter, Ok(Order::Fire { target, at }))].into_iter().collect());
            seen.push(known(game, A, &told));
        }
        prop_assert_eq!(&seen[0], &seen[1]);
        Ok(())
    }
}

fn cell() -> impl Strategy<Value = Point> {
    (0..10, 0..10).prop_map(|(x, y)| Point::new(x, y))
}

fn seat() -> impl Strategy<Value = Seat> {
    (0..3_u8).prop_map(|seat| Seat::new(seat).unwrap())
}

proptest! {
    #![proptest_config(crate::properties::cases(120))]

    #[test]
    fn hidden_fleets_and_shots_between_others_do_not_show(
        seeds in any::<[u64; 5]>(),
        seed in any::<u64>(),
        shots in vec((seat(), cell(), cell()), 0..200),
    ) {
        let mut twins = Twins::place(seeds, seed);
        for (target, at, elsewhere) in shots {
            twins.learn_the_same(target, at, elsewhere)?;
        }
    }

    /// Only its total tells a salvo with a hit from one without, and that to everyone at once.
    #[test]
    fn which_shot_of_a_salvo_hit_shows_to_its_target_only(seeds in any::<[u64; 3]>(), nth in 0..5_usize, ship in 0..5_usize) {
        let fleets = seeds.map(|seed| random_fleet(&mut rules::random(seed)));
        let seed = (0..).find(|seed| start(&fleets, *seed).salvo().unwrap().seat == A).unwrap();
        let part = fleets[1][ship].cells().flatten().next().unwrap();
        let water: Vec<Point> =
            BOARD.points().filter(|at| fleets[1].iter().all(|ship| !ship.covers(*at))).take(5).collect();
        let salvo = |hit: usize| {
            let mut game = start(&fleets, seed);
            for (shot, water) in water.iter().enumerate() {
                let at = if shot == hit { part } else { *water };
                game.advance([(A, Ok(Order::Fire { target: B, at }))].into_iter().collect());
            }
            game
        };
        let (one, other) = (salvo(nth), salvo((nth + 1) % 5));
        prop_assert_eq!(one.view(c()), other.view(c()));
        prop_assert_eq!(one.scene(Eye::Seat(c())), other.scene(Eye::Seat(c())));
        prop_assert_eq!(one.view(A).own_salvos[0].hits, 1);
        prop_assert!(one.view(A).own_salvos[0].shots.iter().all(|shot| shot.sank.is_none()));
    }

    #[test]
    fn in_every_match_shots_ships_and_hits_add_up(
        seats in 2..=16_u8,
        seed in any::<u64>(),
        answers in vec((0..17_u8, -1..11_i32, -1..11_i32, 0..30_u8), 1..600),
    ) {
        let mut game = Salvo::start(&Settings { rounds_without_sinking: 5 }, seats, seed).unwrap();
        let fleet = |seat: Seat| Ok(Order::Place(random_fleet(&mut rules::random(seed ^ seat.index() as u64))));
        game.advance(game.awaited().iter().map(|seat| (seat, fleet(seat))).collect());
        let mut salvo = game.salvo();
        for (target, x, y, fault) in answers {
            let Some(now) = game.salvo() else { break };
            prop_assert!(now.left > 0 && now.left <= now.shots);
            if salvo.map(|salvo| salvo.seat) != Some(now.seat) {
                prop_assert_eq!(now.shots, game.player(now.seat).ships_afloat(), "a shot for each ship afloat");
                prop_assert_eq!(now.left, now.shots);
            }
            salvo = Some(now);
            let answer = match fault {
                0 => Err(Fault::NothingWritten),
                1 => Err(Fault::GaveUp),
                _ => Ok(Order::Fire { target: Seat::new(target % Seat::MAX).unwrap(), at: Point::new(x, y) }),
            };
            let allowed = answer.as_ref().is_ok_and(|order| game.check(now.seat, order).is_ok());
            let told = game.advance([(now.seat, answer)].into_iter().collect());
            let found: Vec<ShotResult> = told.iter().filter_map(|told| match told.event {
                Event::Incoming { found, .. } => Some(found),
                _ => None,
            }).collect();
            prop_assert_eq!(found.len(), usize::from(allowed), "one turn is one shot, if it is allowed");
            adds_up(&game)?;
        }
    }
}

fn adds_up(game: &Salvo) -> Result<(), TestCaseError> {
    let seats = || (0..Seat::MAX).filter_map(Seat::new).take(game.stats().len());
    let mut lost = 0;
    for seat in seats() {
        let player = game.player(seat);
        let cells: Vec<Point> = player.fleet.iter().flat_map(|ship| ship.cells()).flatten().collect();
        prop_assert_eq!(cells.len() as u32, CELLS);
        let whole = cells.iter().filter(|at| !player.is_struck(**at)).count() as u32;
        prop_assert_eq!(player.whole_parts(), whole);
        let afloat = player.fleet.iter().filter(|ship| ship.cells().flatten().any(|at| !player.is_struck(at))).count();
        prop_assert_eq!(usize::from(player.ships_afloat()), afloat);
        if afloat == 0 {
            prop_assert!(!player.is_in());
        }
        lost += CELLS - whole;
    }
    let (hits, sunk) = seats().fold((0, 0), |(hits, sunk), seat| {
        let stats = game.player(seat).stats;
        (hits + stats.hits, sunk + stats.sinkings)
    });
    let counted: u32 = seats().map(|seat| 5 - u32::from(game.player(seat).ships_afloat())).sum();
    let is_between_salvos = game.salvo().is_none_or(|salvo| salvo.left == salvo.shots);
    prop_assert!(hits <= lost && sunk <= counted);
    if is_between_salvos {
        prop_assert_eq!((hits, sunk), (lost, counted), "every whole part is hit once, and each ship sunk once");
    }
    Ok(())
}
