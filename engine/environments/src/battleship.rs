//! The encoding of any Battleship: its spaces follow from the rules. Opponents are numbered from the seat on: opponent 1 sits in the next
//! seat, and A follows the last one. In solo the only board is the one that the seat fires at.

mod plan;

use self::plan::{Other, Plan, groups, most_shots};
use crate::encoding::{Encoded, Sight, bit, share};
use crate::{MaskKind, Ship, ShipAt};
use rules::battleship::{
    Battleship, Consequence, Exit, Known, Order, Placed, Rules, ShipType, SpecialKind, Target, Touching, View,
    place_at_random, placed,
};
use rules::{Grid, Point, Random, Seat};

/// The plane of the seat's own ships, which is there if it has any.
const OWN_SHIP: usize = 0;

impl Encoded for Battleship {
    fn grid(rules: &Rules) -> Grid {
        rules.grid()
    }

    fn ships(rules: &Rules) -> Vec<Ship> {
        let ship = |of: &ShipType| match of.shape.is_straight() {
            true => Ship::straight(&*of.name, of.shape.size() as u8),
            false => Ship { name: of.name.to_string(), ways: of.shape.ways().to_vec() },
        };
        rules.ships().iter().map(ship).collect()
    }

    fn touching(rules: &Rules) -> Touching {
        rules.choices().touching
    }

    fn kinds(rules: &Rules, seats: u8) -> Vec<String> {
        let plan = Plan::of(rules, seats.into());
        let specials = rules.choices().specials.iter().map(|special| special.name.as_str());
        let names = ["shot"].into_iter().chain(specials);
        names.flat_map(|name| (0..plan.targets).map(|target| plan.about(target, name)).collect::<Vec<_>>()).collect()
    }

    fn planes(rules: &Rules, seats: u8) -> Vec<String> {
        let plan = Plan::of(rules, seats.into());
        let mut planes = Vec::new();
        if !plan.is_solo {
            planes.push("own ship".to_owned());
        }
        if plan.sees_own {
            planes.extend(plan.known.iter().map(|(_, name)| format!("own board: {name}")));
        }
        for target in 0..plan.targets {
            let names = plan.known.iter().map(|(_, name)| *name).chain(plan.other.iter().map(|(_, name)| *name));
            planes.extend(names.map(|name| plan.about(target, name)));
        }
        planes
    }

    fn scalars(rules: &Rules, seats: u8) -> Vec<String> {
        let plan = Plan::of(rules, seats.into());
        let mut names = ["moves left", "shots left", "hits", "ships sunk"].map(str::to_owned).to_vec();
        if plan.sees_own {
            names.extend(["hits received", "own ships sunk"].map(str::to_owned));
        }
        names.extend(rules.choices().specials.iter().map(|special| format!("{} left", special.name)));
        let groups = groups(rules);
        for target in 0..plan.targets {
            names.push(plan.about(target, "in the game"));
            names.extend(groups.iter().map(|(name, _)| plan.about(target, &format!("{name} afloat"))));
        }
        names
    }

    fn is_placing(&self) -> bool {
        Battleship::is_placing(self)
    }

    /// In solo a player who has sunk all ships waits for the others.
    fn is_in(&self, seat: Seat) -> bool {
        match self.player(seat).out {
            None => true,
            Some((_, Exit::Sunk)) => self.rules().is_solo(),
            Some((_, Exit::Lost(_))) => false,
        }
    }

    fn order(rules: &Rules, seats: u8, seat: Seat, kind: usize, cell: Point) -> Order {
        let plan = Plan::of(rules, seats.into());
        let (action, target) = (kind / plan.targets, kind % plan.targets);
        let at = if plan.targets == 1 { None } else { plan.seat_of(seat, target) };
        let aim = Target { at, cell };
        match action.checked_sub(1).and_then(|nth| rules.choices().specials.get(nth)) {
            Some(special) => Order::Use { special: special.name.clone(), aim },
            None => Order::Fire(vec![aim]),
        }
    }

    /// All shots, or the special action that was taken instead.
    fn joined(orders: Vec<Order>) -> Option<Order> {
        orders.into_iter().reduce(|all, next| match (all, next) {
            (Order::Fire(mut shots), Order::Fire(more)) => {
                shots.extend(more);
                Order::Fire(shots)
            }
            (_, next) => next,
        })
    }

    fn aims_of(rules: &Rules, seats: u8, seat: Seat, order: &Order) -> Option<Vec<(usize, Point)>> {
        let plan = Plan::of(rules, seats.into());
        let kind =
            |action: usize, aim: &Target| Some((action * plan.targets + plan.target_of(seat, aim.at)?, aim.cell));
        match order {
            Order::Fire(shots) => shots.iter().map(|shot| kind(0, shot)).collect(),
            Order::Use { special, aim } => {
                let nth = rules.choices().specials.iter().position(|of| of.name == *special)?;
                Some(vec![kind(1 + nth, aim)?])
            }
            Order::Place(_) => None,
        }
    }

    fn is_whole(view: &View, aims: &[(usize, Point)]) -> bool {
        is_whole(&view.rules, view.boards.len(), view.shots, aims)
    }

    fn is_whole_at(&self, seat: Seat, aims: &[(usize, Point)]) -> bool {
        is_whole(self.rules(), self.players().len(), self.shots(seat), aims)
    }

    fn placing(rules: &Rules, ships: &[ShipAt]) -> Order {
        let ship = |(of, at): (Ship, &ShipAt)| Placed { name: Some(of.name.clone()), cells: at.cells(&of).collect() };
        Order::Place(Self::ships(rules).into_iter().zip(ships).map(ship).collect())
    }

    fn placed(rules: &Rules, order: &Order) -> Option<Vec<ShipAt>> {
        let Order::Place(ships) = order else { return None };
        let mut left: Vec<&Placed> = ships.iter().collect();
        let next = |of: &ShipType| {
            let is_named = |ship: &Placed| ship.name.as_deref().is_none_or(|name| name == &*of.name);
            let place = |ship: &Placed| of.shape.place_of(&ship.cells).filter(|_| is_named(ship));
            let (nth, (start, way)) = left.iter().enumerate().find_map(|(nth, ship)| Some((nth, place(ship)?)))?;
            let ship = left.remove(nth);
            if of.shape.is_straight() {
                ShipAt::of_cells(ship.cells.iter().copied())
            } else {
                Some(ShipAt { start, way })
            }
        };
        rules.ships().iter().map(next).collect()
    }

    fn placing_at_random(rules: &Rules, random: &mut Random) -> Order {
        Order::Place(placed(rules, &place_at_random(rules, random).unwrap_or_default()))
    }

    fn progress(&self, seat: Seat) -> f32 {
        let plan = Plan::of(self.rules(), self.players().len());
        share(self.player(seat).hits, self.rules().hits_of_fleet() * plan.targets as u32)
    }

    fn encode(view: &View, own: &[ShipAt], mut sight: Sight<'_>) {
        let plan = Plan::of(&view.rules, view.boards.len());
        if !plan.is_solo {
            sight.ships(OWN_SHIP, own);
            let fleet = view.fleet.iter().flatten().flatten();
            fleet.for_each(|cell| sight.set(OWN_SHIP, *cell, |_| 1));
        }
        if plan.sees_own {
            write_known(&plan, 1, &view.boards[view.seat].cells, &mut sight);
        }
        for target in 0..plan.targets {
            let Some(at) = plan.seat_of(view.seat, target) else { continue };
            write_known(&plan, plan.planes_of(target), &view.boards[at].cells, &mut sight);
            for (nth, (other, _)) in plan.other.iter().enumerate() {
                let plane = plan.planes_of(target) + plan.known.len() + nth;
                write_other(&plan, *other, plane, (view, at, target), &mut sight);
            }
            if !view.placing && view.boards[at].is_in {
                allow(&plan, view, at, target, &mut sight);
            }
        }
        if !sight.aims.is_empty() && (sight.mask_kind == MaskKind::Legal || !sight.mask.contains(&1)) {
            sight.mask[0] = 1;
        }
        let scalars = scalars(&plan, view, sight.aims.len() as u32);
        sight.write_scalars(scalars);
    }
}

/// True if a move of so many shots is complete with these actions.
fn is_whole(rules: &Rules, seats: usize, shots: u32, aims: &[(usize, Point)]) -> bool {
    let targets = if rules.is_solo() { 1 } else { seats - 1 };
    aims.len() as u64 >= u64::from(shots) || aims.last().is_some_and(|(kind, _)| *kind >= targets)
}

/// Writes the planes of what is known of a board, from this one on.
fn write_known(plan: &Plan, first: usize, cells: &[Known], sight: &mut Sight<'_>) {
    for (nth, (wanted, _)) in plan.known.iter().enumerate() {
        for (value, known) in sight.plane(first + nth).iter_mut().zip(cells) {
            *value = u8::from(known == wanted);
        }
    }
}

fn write_other(
    plan: &Plan,
    other: Other,
    plane: usize,
    (view, at, target): (&View, Seat, usize),
    sight: &mut Sight<'_>,
) {
    match other {
        Other::Aimed => {
            let aims = sight.aims;
            aims.iter().filter(|(kind, _)| *kind == target).for_each(|(_, cell)| sight.count(plane, *cell));
        }
        Other::MoveHits | Other::MoveShots => {
            let mut of_moves = view.hits.iter().filter(|hits| hits.by == view.seat).peekable();
            for shot in view.fired[view.seat].iter() {
                while of_moves.next_if(|hits| hits.turn < shot.turn).is_some() {}
                let Some(hits) = of_moves.peek().filter(|_| shot.at == at) else { continue };
                let value = if other == Other::MoveHits { hits.hits } else { hits.shots };
                sight.set(plane, shot.cell, |_| value.min(u8::MAX.into()) as u8);
            }
        }
        Other::Sonar => {
            for found in view.found.iter().filter(|found| plan.target_of(view.seat, Some(found.at)) == Some(target)) {
                let Some(distance) = found.distance else { continue };
                sight.set(plane, found.aim, |_| (distance + 1).min(u8::MAX.into()) as u8);
            }
        }
    }
}

/// Allows the orders that have this board as their target.
fn allow(plan: &Plan, view: &View, at: Seat, target: usize, sight: &mut Sight<'_>) {
    let (rules, grid) = (&view.rules, sight.layout.grid);
    let armour = rules.most_armour();
    let may_repeat = rules.choices().repeated == Consequence::Wasted && sight.mask_kind == MaskKind::Legal;
    let (aims, is_useful) = (sight.aims, sight.mask_kind == MaskKind::Useful);
    let mask = sight.layout.of_kind(target, sight.mask);
    for (mask, known) in mask.iter_mut().zip(&view.boards[at].cells) {
        let is_spent = if *known == Known::Shot { armour == 1 } else { known.is_spent() };
        *mask = i8::from(may_repeat || !is_spent);
    }
    if !may_repeat && armour == 1 {
        let aimed = aims.iter().filter(|(kind, _)| *kind == target).filter_map(|(_, cell)| grid.index(*cell));
        aimed.for_each(|index| mask[index] = 0);
    }
    if !aims.is_empty() {
        return;
    }
    for (nth, special) in rules.choices().specials.iter().enumerate().filter(|(nth, _)| view.uses[*nth] > 0) {
        let mask = sight.layout.of_kind((1 + nth) * plan.targets + target, sight.mask);
        mask.fill(1);
        if is_useful && special.kind == SpecialKind::AreaShot {
            // One that hits nothing but spent cells is of no use.
            for (mask, cell) in mask.iter_mut().zip(grid.points()) {
                let mut area = rules.area_at(nth, cell).filter_map(|cell| grid.index(cell));
                *mask = i8::from(area.any(|index| !view.boards[at].cells[index].is_spent()));
            }
        }
    }
}

/// The scalars in the order of their names.
fn scalars(plan: &Plan, view: &View, aims: u32) -> Vec<f32> {
    let (rules, seat) = (&view.rules, view.seat);
    let (ships, cells) = (rules.ships().len() as u32, rules.hits_of_fleet());
    let targets = plan.targets as u32;
    let hits = |by: Seat, at: Option<Seat>| {
        let shots =
            view.fired[by].iter().filter(|shot| shot.result.is_hit() && at.is_none_or(|at| shot.at == at)).count();
        let totals: u32 = view.hits.iter().filter(|hits| hits.by == by).map(|hits| hits.hits).sum();
        shots as u32 + totals
    };
    let sunk = |is: &dyn Fn(&rules::battleship::Sinking) -> bool| {
        view.sunk.iter().filter(|sinking| is(sinking)).count() as u32
    };
    let mut values = vec![
        share(view.moves_left, rules.limit().turns),
        share(view.shots.saturating_sub(aims), most_shots(rules)),
        share(hits(seat, None), cells * targets),
        share(sunk(&|sinking| sinking.by == seat), ships * targets),
    ];
    if plan.sees_own {
        let received = view.fired.seats().filter(|by| *by != seat).map(|by| hits(by, Some(seat))).sum();
        values.extend([share(received, cells), share(sunk(&|sinking| sinking.at == seat), ships)]);
    }
    values.extend(
        view.uses.iter().zip(&rules.choices().specials).map(|(uses, of)| share((*uses).into(), of.uses.into())),
    );
    let groups = groups(rules);
    for at in (0..plan.targets).filter_map(|target| plan.seat_of(seat, target)) {
        values.push(bit(view.boards[at].is_in));
        for (_, of) in &groups {
            let ship = &rules.ships()[of[0]];
            let is_of = |kind: Option<usize>, size: Option<u32>| match kind {
                Some(kind) => kind == ship.kind,
                None => size == Some(ship.shape.size() as u32),
            };
            let gone = sunk(&|sinking| sinking.at == at && is_of(sinking.kind, sinking.size));
            values.push(1.0 - share(gone, of.len() as u32));
        }
    }
    values
}
