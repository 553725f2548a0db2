//! What observations and actions mean.

use crate::{Setup, action_match, all_options, any, for_all_games, observed, play, usual_match};
use environments::{Action, Encoded, MaskKind, Options, Placement, Sight, encode_state_file};
use rules::entelect_2017::files::Files;
use rules::entelect_2017::{Entelect2017, Order, Weapon};
use rules::sea_battle::SeaBattle;
use rules::{Game, GameKind, PlayerInfo, Point, Seat};

fn numbers_and_actions_are_the_same<G: Encoded>(setup: &Setup<G>) {
    for options in all_options() {
        let action_match = action_match(setup, options);
        let layout = action_match.layout();
        for number in 0..layout.actions() {
            let action = layout.action(number).unwrap();
            assert_eq!(layout.number(action), Some(number), "{action:?}");
        }
        assert_eq!(layout.action(layout.actions()), None);
        assert_eq!(layout.actions(), 1 + layout.kinds.len() * layout.grid.len());
        let off = Point::new(layout.grid.width(), 0);
        assert_eq!(layout.number(Action::Order { kind: 0, cell: off }), None);
    }
}

#[test]
fn every_number_is_one_action() {
    for_all_games!(numbers_and_actions_are_the_same);
}

fn orders_are_read_back<G: Encoded>(setup: &Setup<G>) {
    let options = Options { placement: Placement::Agents, mask: MaskKind::Useful, ..Options::default() };
    let mut action_match = action_match(setup, options);
    action_match.reset(4).unwrap();
    play(&mut action_match, &mut rules::random(8), 300, |action_match, seat, action| {
        if let Some(Action::Order { kind, cell }) = action_match.layout().action(action) {
            let order = G::order(&setup.settings, setup.seats, seat, kind, cell);
            assert_eq!(action_match.actions_of(seat, &order), Some(vec![action]));
            assert!(action_match.game().check(seat, &order).is_ok(), "{order:?}");
        }
    });
    action_match.reset(4).unwrap();
    if !action_match.game().is_placing() {
        return;
    }
    // The fleet that is placed at random can be placed by actions, and lies in the same cells.
    let order = G::placing_at_random(action_match.settings(), &mut rules::random(9));
    let mut other = crate::action_match(setup, options);
    other.reset(4).unwrap();
    let actions = other.actions_of(Seat::A, &order).unwrap();
    assert_eq!(actions.len(), other.layout().ships.len());
    for action in actions {
        assert_eq!(observed(&other, Seat::A).2[action], 1);
        other.act(Seat::A, action).unwrap();
    }
    let (planned, grid) = (observed(&other, Seat::A).0, other.layout().grid);
    let fleet = G::placed(other.settings(), &order).unwrap();
    let in_order =
        |cell| fleet.iter().zip(G::ships(other.settings())).any(|(at, ship)| at.cells(&ship).any(|own| own == cell));
    for (cell, value) in grid.points().zip(planned) {
        assert_eq!(value == 1, in_order(cell), "{cell:?}");
    }
}

#[test]
fn actions_stand_for_the_orders_that_give_them() {
    for_all_games!(orders_are_read_back);
}

/// A policy sees no more than a bot: two states that differ in what is hidden give the same observation.
fn hidden_ships_change_nothing<G: Encoded>(setup: &Setup<G>) {
    let options = Options { placement: Placement::Agents, mask: MaskKind::Useful, ..Options::default() };
    let mut compared = 0;
    for seed in 0..40 {
        // Only the fleets of the others differ.
        let mut action_matches = [0, 1].map(|_| action_match(setup, options));
        for (nth, action_match) in (0..).zip(&mut action_matches) {
            action_match.reset(3).unwrap();
            if !action_match.game().is_placing() {
                return;
            }
            for seat in action_match.seats().collect::<Vec<_>>() {
                let own = if seat == Seat::A { seed } else { 1000 * (nth + 1) + seed };
                let order =
                    G::placing_at_random(action_match.settings(), &mut rules::random(own + 77 * seat.index() as u64));
                action_match.answer(seat, G::write(&order)).unwrap();
            }
        }
        let mut random = rules::random(seed);
        for _ in 0..60 {
            let [one, other] = &action_matches;
            // What A is told is the same so far, or the two matches are no longer alike.
            if one.game().view(Seat::A) != other.game().view(Seat::A)
                || one.outcome().is_some()
                || other.outcome().is_some()
            {
                break;
            }
            assert!(observed(one, Seat::A) == observed(other, Seat::A), "{} seed {seed}", G::KIND.name());
            compared += 1;
            let Some(seat) = one.seats().find(|seat| one.is_to_act(*seat)) else { break };
            let action = any(&observed(one, seat).2, &mut random);
            if observed(other, seat).2[action] == 0 {
                break;
            }
            action_matches.iter_mut().for_each(|action_match| action_match.act(seat, action).unwrap());
        }
    }
    assert!(compared > 100, "{compared}");
}

#[test]
fn observations_depend_on_what_the_seat_may_know() {
    for_all_games!(hidden_ships_change_nothing);
}

/// The encoding of a state is that of the view.
#[test]
fn states_of_2017_are_encoded_as_their_views() {
    for options in all_options() {
        let mut action_match = usual_match::<Entelect2017>(options);
        for seed in 0..5 {
            action_match.reset(seed).unwrap();
            play(&mut action_match, &mut rules::random(seed), 20_000, |action_match, seat, _| {
                if options.placement == Placement::Agents && action_match.game().is_placing() {
                    return;
                }
                let (planes, scalars, mask) = observed(action_match, seat);
                let (mut planes_too, mut scalars_too, mut mask_too) = action_match.buffers();
                let sight = Sight {
                    layout: action_match.layout(),
                    planes: &mut planes_too,
                    scalars: &mut scalars_too[3..],
                    mask: &mut mask_too,
                    mask_kind: options.mask,
                    aims: &[],
                };
                let view = action_match.game().view(seat);
                Entelect2017::encode(&view, &[], sight);
                assert!(planes == planes_too && scalars[3..] == scalars_too[3..] && mask == mask_too);
                // A bot that reads state.json sees the same.
                let names = ["A", "B"].map(PlayerInfo::named).into_iter().collect();
                let state = Files::new(names).player_files(&view).swap_remove(0);
                let state = serde_json::from_slice(&state.bytes).unwrap();
                planes_too.fill(0);
                mask_too.fill(0);
                let sight = Sight {
                    layout: action_match.layout(),
                    planes: &mut planes_too,
                    scalars: &mut scalars_too[3..],
                    mask: &mut mask_too,
                    mask_kind: options.mask,
                    aims: &[],
                };
                encode_state_file(&state, &[], sight).unwrap();
                assert!(planes == planes_too && scalars[3..] == scalars_too[3..] && mask == mask_too);
            });
        }
    }
}

fn masks_are_of_what_is_obeyed<G: Encoded>(setup: &Setup<G>) {
    for mask in [MaskKind::Legal, MaskKind::Useful] {
        let mut action_match = action_match(setup, Options { mask, ..Options::default() });
        action_match.reset(6).unwrap();
        let mut looked = 0;
        play(&mut action_match, &mut rules::random(6), 2_000, |action_match, seat, _| {
            looked += 1;
            if looked % 20 != 0 {
                return;
            }
            let allowed = observed(action_match, seat).2;
            // After the first shots of a move, the others are judged together with them.
            if G::KIND == GameKind::Battleship && allowed[0] == 1 {
                return;
            }
            for (number, allowed) in allowed.iter().enumerate().skip(1) {
                let Some(Action::Order { kind, cell }) = action_match.layout().action(number) else { continue };
                let is_legal =
                    action_match.game().check(seat, &G::order(&setup.settings, setup.seats, seat, kind, cell)).is_ok();
                match mask {
                    MaskKind::Legal => assert_eq!(*allowed == 1, is_legal, "{} {number}", G::KIND.name()),
                    MaskKind::Useful => assert!(*allowed == 0 || is_legal, "{} {number}", G::KIND.name()),
                }
            }
        });
        assert!(looked > 40);
    }
}

#[test]
fn a_legal_mask_has_exactly_the_orders_that_the_rules_obey() {
    for_all_games!(masks_are_of_what_is_obeyed);
}

#[test]
fn the_planes_of_2017_are_the_cells_of_both_maps() {
    let mut action_match = usual_match::<Entelect2017>(Options::default());
    action_match.reset(7).unwrap();
    let hit = action_match
        .game()
        .player(Seat::B)
        .board
        .ship(rules::entelect_2017::Ship::Carrier)
        .cells()
        .next()
        .unwrap()
        .unwrap();
    let fire = |cell| Order::Fire { weapon: Weapon::SingleShot, centre: cell };
    let actions = action_match.actions_of(Seat::A, &fire(hit)).unwrap();
    assert_eq!(actions, [1 + (hit.x * 10 + hit.y) as usize]);
    action_match.act(Seat::A, actions[0]).unwrap();
    action_match.act(Seat::B, 0).unwrap();
    let (planes, scalars, mask) = observed(&action_match, Seat::A);
    let plane = |nth: usize| planes[nth * 100..][..100].to_vec();
    let index = (hit.x * 10 + hit.y) as usize;
    assert_eq!(plane(0).iter().map(|value| u32::from(*value)).sum::<u32>(), 17);
    assert_eq!((plane(4)[index], plane(4).iter().filter(|value| **value == 1).count()), (1, 1));
    assert_eq!((mask[actions[0]], mask[0]), (0, 0), "there is nothing more to be hit");
    let name = |wanted: &str| action_match.layout().scalars.iter().position(|name| name == wanted).unwrap();
    assert_eq!(scalars[name("own points")], 10.0 / 420.0);
    assert_eq!(scalars[name("energy")], 5.0 / 42.0, "3, less 1, and 3 more");
    let (planes, _, _) = observed(&action_match, Seat::B);
    assert_eq!(planes[100 + index], 1, "B sees it on its own map");
}

#[test]
fn armour_may_be_fired_at_again() {
    let mut action_match = usual_match::<SeaBattle>(Options::default());
    action_match.reset(7).unwrap();
    let mover = action_match.seats().find(|seat| action_match.is_to_act(*seat)).unwrap();
    let (planes, _, _) = observed(&action_match, mover.opponent());
    let armoured = planes[100..200].iter().position(|value| *value == 1).unwrap();
    for times in 0..2 {
        assert_eq!(observed(&action_match, mover).2[1 + armoured], 1);
        action_match.act(mover, 1 + armoured).unwrap();
        let other = any(&observed(&action_match, mover.opponent()).2, &mut rules::random(times));
        action_match.act(mover.opponent(), other).unwrap();
        assert_eq!(observed(&action_match, mover).0[400 + armoured], times as u8 + 1);
    }
    assert_eq!(observed(&action_match, mover).2[1 + armoured], 0, "two hits are enough");
}
