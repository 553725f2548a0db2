//! Built-in players, in the engine's own process.

mod battleship;
mod bots_arena;
mod entelect_2017;
mod hunt;
mod salvo;
mod sea_battle;

use self::hunt::Pattern;
use analysis::Analysed;
use arena::{ArenaError, Ask, Player, Reply};
use rules::battleship::Battleship;
use rules::bots_arena::BotsArena;
use rules::entelect_2017::Entelect2017;
use rules::salvo::{Order, Salvo, View};
use rules::sea_battle::SeaBattle;
use rules::{Answer, Listed};

/// A built-in player. All games have them, and everywhere they are named `builtin:NAME`.
///
/// ```
/// use players::BuiltIn;
/// use rules::sea_battle::SeaBattle;
/// assert_eq!(BuiltIn::from_name("hunter"), Some(BuiltIn::Hunter));
/// let player = BuiltIn::Hunter.player::<SeaBattle>(7);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BuiltIn {
    /// Fires at random cells that it has not fired at.
    Random,
    /// Fires at random cells until it has hit a ship, and then at cells beside its hits.
    HuntAndTarget,
    /// Does the same, but looks for ships only on cells of one colour of a checkerboard.
    Checkerboard,
    /// Plays as the reference bot of the game does.
    Hunter,
    /// Plays as the hunter, with single shots only: no special weapons and actions, no shield and no radar.
    SingleShots,
    /// Places its ships and does as little harm as the rules allow, so that others can be measured by the shots that sink them.
    Passive,
}

/// A game that has all built-in players.
pub trait WithBuiltIns: Analysed {
    /// A new player; the same seed gives the same moves.
    fn built_in(which: BuiltIn, seed: u64) -> Box<dyn Player<Self>>;
}

impl BuiltIn {
    /// The built-in players that play to win, weakest first.
    pub const ALL: [BuiltIn; 4] = [BuiltIn::Random, BuiltIn::HuntAndTarget, BuiltIn::Checkerboard, BuiltIn::Hunter];
    /// The prefix before the name where a bot's folder is expected.
    pub const PREFIX: &str = "builtin:";

    /// The built-in player with this name, without the prefix.
    pub fn from_name(name: &str) -> Option<BuiltIn> {
        BuiltIn::ALL.into_iter().chain([BuiltIn::SingleShots, BuiltIn::Passive]).find(|one| one.name() == name)
    }

    /// True for the name of the passive player with the prefix.
    pub fn is_passive(named: &str) -> bool {
        named.strip_prefix(BuiltIn::PREFIX).and_then(BuiltIn::from_name) == Some(BuiltIn::Passive)
    }

    /// The names of those that play to win with their prefix, as in `builtin:random, … and builtin:hunter`.
    pub fn listed(conjunction: &str) -> String {
        let names = BuiltIn::ALL.map(|one| format!("{}{}", BuiltIn::PREFIX, one.name()));
        let (last, others) = names.split_last().expect("there are some");
        format!("{} {conjunction} {last}", others.join(", "))
    }

    /// The name after the prefix.
    pub fn name(self) -> &'static str {
        match self {
            BuiltIn::Random => "random",
            BuiltIn::HuntAndTarget => "hunt-and-target",
            BuiltIn::Checkerboard => "checkerboard",
            BuiltIn::Hunter => "hunter",
            BuiltIn::SingleShots => "single-shots",
            BuiltIn::Passive => "passive",
        }
    }

    /// The strategy of a new player of Salvo, for a client that plays without a match of its own.
    pub fn salvo_strategy(self, seed: u64) -> Box<dyn FnMut(&View) -> Order + Send> {
        match self {
            BuiltIn::Random => Box::new(salvo::random(seed)),
            BuiltIn::HuntAndTarget => Box::new(salvo::hunt_and_target(Pattern::All, seed)),
            BuiltIn::Checkerboard => Box::new(salvo::hunt_and_target(Pattern::Checkerboard, seed)),
            BuiltIn::Hunter | BuiltIn::SingleShots => Box::new(salvo::hunter(seed)),
            BuiltIn::Passive => Box::new(salvo::passive(seed)),
        }
    }

    /// A new player; the same seed gives the same moves.
    pub fn player<G: WithBuiltIns>(self, seed: u64) -> Box<dyn Player<G>> {
        G::built_in(self, seed)
    }
}

/// A player that is a function of its view.
struct Strategy<F>(F);

impl<G: Listed, F: FnMut(&G::View) -> Answer<G::Order> + Send> Player<G> for Strategy<F> {
    fn decide(&mut self, ask: &Ask<'_, G>) -> Result<Reply<G::Order>, ArenaError> {
        let answer = (self.0)(&ask.view());
        let given = answer.as_ref().map(G::write).unwrap_or_default();
        Ok(Reply { answer, given, time: None, run: None, notes: None })
    }
}

impl WithBuiltIns for Entelect2017 {
    fn built_in(which: BuiltIn, seed: u64) -> Box<dyn Player<Entelect2017>> {
        match which {
            BuiltIn::Random => Box::new(Strategy(entelect_2017::random(seed))),
            BuiltIn::HuntAndTarget => Box::new(Strategy(entelect_2017::hunt_and_target(Pattern::All, seed))),
            BuiltIn::Checkerboard => Box::new(Strategy(entelect_2017::hunt_and_target(Pattern::Checkerboard, seed))),
            BuiltIn::Hunter => Box::new(Strategy(entelect_2017::hunter(seed))),
            BuiltIn::SingleShots => Box::new(Strategy(entelect_2017::single_shots(seed))),
            BuiltIn::Passive => Box::new(Strategy(entelect_2017::passive(seed))),
        }
    }
}

impl WithBuiltIns for SeaBattle {
    fn built_in(which: BuiltIn, seed: u64) -> Box<dyn Player<SeaBattle>> {
        match which {
            BuiltIn::Random => Box::new(Strategy(sea_battle::random(seed))),
            BuiltIn::HuntAndTarget => Box::new(Strategy(sea_battle::hunt_and_target(Pattern::All, seed))),
            BuiltIn::Checkerboard => Box::new(Strategy(sea_battle::hunt_and_target(Pattern::Checkerboard, seed))),
            BuiltIn::Hunter => Box::new(sea_battle::hunter(seed, true)),
            BuiltIn::SingleShots => Box::new(sea_battle::hunter(seed, false)),
            BuiltIn::Passive => Box::new(Strategy(sea_battle::passive(seed))),
        }
    }
}

impl WithBuiltIns for BotsArena {
    fn built_in(which: BuiltIn, seed: u64) -> Box<dyn Player<BotsArena>> {
        match which {
            BuiltIn::Random => Box::new(Strategy(bots_arena::random(seed))),
            BuiltIn::HuntAndTarget => Box::new(Strategy(bots_arena::hunt_and_target(Pattern::All, seed))),
            BuiltIn::Checkerboard => Box::new(Strategy(bots_arena::hunt_and_target(Pattern::Checkerboard, seed))),
            BuiltIn::Hunter | BuiltIn::SingleShots => Box::new(Strategy(bots_arena::hunter(seed))),
            BuiltIn::Passive => Box::new(Strategy(bots_arena::passive(seed))),
        }
    }
}

impl WithBuiltIns for Battleship {
    fn built_in(which: BuiltIn, seed: u64) -> Box<dyn Player<Battleship>> {
        Box::new(Strategy(battleship::player(which, seed)))
    }
}

impl WithBuiltIns for Salvo {
    fn built_in(which: BuiltIn, seed: u64) -> Box<dyn Player<Salvo>> {
        let mut strategy = which.salvo_strategy(seed);
        Box::new(Strategy(move |view: &View| Ok(strategy(view))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena::record::{Clock, Header, RecordBuffer, RecordWriter, RecordedSeat};
    use arena::{ArenaError, MatchEvent, Observer, Observers, Players, Sequence, play};
    use match_folder::{open, verify};
    use rules::PlayerInfo;
    use rules::entelect_2017::{MapSize, Settings};
    use rules::{Ending, Outcome, Seat, bots_arena, salvo, sea_battle};

    /// Fails where somebody has no order, or an order is refused.
    struct Orders;

    impl<G: WithBuiltIns> Observer<G> for Orders {
        fn on(&mut self, event: &MatchEvent<'_, G>) -> Result<(), ArenaError> {
            match event {
                MatchEvent::Answered { replies, .. } => {
                    assert!(replies.iter().all(|(_, reply)| reply.answer.is_ok() && !reply.given.is_empty()));
                }
                MatchEvent::Advanced { told, .. } => {
                    assert!(told.iter().all(|told| G::refused(&told.event).is_none()), "{told:?}");
                }
                _ => {}
            }
            Ok(())
        }
    }

    /// The record of a match, written turn by turn.
    struct Written {
        writer: RecordWriter,
        lines: Vec<u8>,
    }

    impl<G: WithBuiltIns> Observer<G> for Written {
        fn on(&mut self, event: &MatchEvent<'_, G>) -> Result<(), ArenaError> {
            self.lines.extend(self.writer.write(event));
            Ok(())
        }
    }

    /// Plays a match and verifies its record, which is made after the match.
    pub(super) fn played<G: WithBuiltIns>(settings: &G::Settings, seated: &[BuiltIn], seed: u64) -> Outcome {
        let recorded = seated.iter().map(|who| RecordedSeat::new(PlayerInfo::named(who.name()))).collect();
        let header = Header::new::<G>(settings, seed, recorded, Sequence::InTurn);
        let seats = (0..Seat::MAX).filter_map(Seat::new).zip(seated);
        let mut players: Players<G> = seats.map(|(seat, who)| who.player(rules::seat_seed(seed, seat))).collect();
        let mut record = RecordBuffer::begin(&header, Clock::Stopped(None)).unwrap();
        let (writer, lines) = RecordWriter::begin(&header, Clock::Stopped(None)).unwrap();
        let mut written = Written { writer, lines };
        let mut orders = Orders;
        let mut observers = Observers::new();
        observers.add(&mut record);
        observers.add(&mut written);
        observers.add(&mut orders);
        let game = G::start(settings, seated.len() as u8, seed).unwrap();
        let outcome = play(game, &mut players, Sequence::InTurn, &mut observers).unwrap();
        drop(observers);
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("match.jsonl");
        let lines = record.lines();
        assert!(lines == written.lines, "the record is the one that is written turn by turn");
        std::fs::write(&path, lines).unwrap();
        assert_eq!(verify(&open(&path).unwrap()).unwrap().outcome, Some(outcome.clone()));
        outcome
    }

    /// The share of these matches that the stronger player wins, in percent, from changing seats.
    fn share<G: WithBuiltIns>(settings: &G::Settings, stronger: BuiltIn, weaker: BuiltIn, matches: u64) -> u64 {
        let won = |seed: &u64| {
            let (seated, seat) =
                if seed.is_multiple_of(2) { ([stronger, weaker], Seat::A) } else { ([weaker, stronger], Seat::B) };
            let players = [Seat::A, Seat::B].into_iter().zip(seated);
            let mut players: Players<G> =
                players.map(|(seat, who)| who.player(rules::seat_seed(*seed, seat))).collect();
            let game = G::start(settings, 2, *seed).unwrap();
            let outcome = play(game, &mut players, Sequence::InTurn, &mut Observers::new()).unwrap();
            if *seed < 5 {
                assert_eq!(played::<G>(settings, &seated, *seed), outcome, "the same seed gives the same match");
            }
            outcome.winner == Some(seat)
        };
        (0..matches).filter(won).count() as u64 * 100 / matches
    }

    /// The shares of each player against the one before it in the list.
    pub(super) fn shares<G: WithBuiltIns>(settings: &G::Settings) -> [u64; 3] {
        [0, 1, 2].map(|nth| share::<G>(settings, BuiltIn::ALL[nth + 1], BuiltIn::ALL[nth], 100))
    }

    #[test]
    fn no_built_in_player_is_weaker_than_the_one_before_it_in_the_list() {
        // Even is 50. A checkerboard gains nothing where ships have one cell, as in Sea Battle, or totals are told only, as in Salvo.
        let shares = [
            ("entelect 2017", shares::<Entelect2017>(&Settings { size: MapSize::Small }), [85, 50, 90]),
            ("sea battle", shares::<SeaBattle>(&sea_battle::Settings::default()), [95, 40, 80]),
            ("botsArena", shares::<BotsArena>(&bots_arena::Settings::default()), [90, 55, 55]),
            ("salvo", shares::<Salvo>(&salvo::Settings::default()), [90, 40, 60]),
        ];
        for (game, shares, least) in shares {
            assert!(
                shares.iter().zip(least).all(|(share, least)| *share >= least),
                "{game}: {shares:?}, not {least:?}"
            );
        }
    }

    /// Lets the hunter play against the passive player in both seats, and gives the most that the passive one made of its turns.
    fn hunted<G: WithBuiltIns>(settings: &G::Settings) -> u32 {
        let seats = [[BuiltIn::Hunter, BuiltIn::Passive], [BuiltIn::Passive, BuiltIn::Hunter]];
        let points = seats.iter().zip([Seat::B, Seat::A]).flat_map(|(seated, passive)| {
            (0..20).map(move |seed| {
                let outcome = played::<G>(settings, seated, seed);
                assert_eq!(outcome.ending, Ending::FleetSunk { seats: vec![passive] });
                outcome.points[passive]
            })
        });
        points.max().unwrap_or_default()
    }

    #[test]
    fn the_passive_player_is_sunk_and_hits_one_cell_at_most() {
        assert_eq!(hunted::<Entelect2017>(&Settings { size: MapSize::Large }), 0);
        assert_eq!(hunted::<Battleship>(&Default::default()), 1);
        assert!(hunted::<SeaBattle>(&Default::default()) <= 2, "armour takes two hits");
        assert_eq!(hunted::<BotsArena>(&Default::default()), 1);
        assert!(hunted::<Salvo>(&Default::default()) <= 1);
    }

    #[test]
    fn one_with_single_shots_uses_no_special_weapon() {
        struct Single;
        impl<G: WithBuiltIns> Observer<G> for Single {
            fn on(&mut self, event: &MatchEvent<'_, G>) -> Result<(), ArenaError> {
                let MatchEvent::Advanced { told, .. } = event else { return Ok(()) };
                assert!(
                    told.iter().all(|told| <G as Listed>::fired(&told.event).is_none_or(|(_, special)| !special)),
                    "{told:?}"
                );
                Ok(())
            }
        }
        fn outcome<G: WithBuiltIns>(settings: &G::Settings) -> Outcome {
            let seated = [BuiltIn::SingleShots, BuiltIn::Passive];
            let mut players: Players<G> = seated.into_iter().map(|who| who.player(3)).collect();
            let game = G::start(settings, 2, 3).unwrap();
            play(game, &mut players, Sequence::InTurn, &mut Single).unwrap()
        }
        let sonar = r#"{"specials": [{"name": "ping", "kind": "sonar"}]}"#;
        let outcomes = [
            outcome::<Entelect2017>(&Settings::default()),
            outcome::<SeaBattle>(&sea_battle::Settings::default()),
            outcome::<Battleship>(&serde_json::from_str(sonar).unwrap()),
        ];
        assert!(outcomes.iter().all(|outcome| outcome.winner == Some(Seat::A)), "{outcomes:?}");
    }

    #[test]
    fn one_hunter_of_salvo_among_two_random_players_mostly_wins() {
        let won = |seed: &u64| {
            let nth = *seed as usize % 3;
            let mut seated = [BuiltIn::Random; 3];
            seated[nth] = BuiltIn::Hunter;
            let outcome = played::<Salvo>(&salvo::Settings::default(), &seated, *seed);
            outcome.winner.is_some_and(|winner| winner.index() == nth)
        };
        let wins = (0..15).filter(won).count();
        assert!(wins >= 10, "{wins} of 15, where 5 are a third");
    }

    #[test]
    fn tables_of_all_sizes_play_salvo_to_its_end() {
        for (seats, rounds_without_sinking) in [(2, 100), (5, 100), (16, 3)] {
            let seated: Vec<BuiltIn> = BuiltIn::ALL.into_iter().cycle().take(seats).collect();
            let outcome = played::<Salvo>(&salvo::Settings { rounds_without_sinking }, &seated, 1);
            assert_eq!(outcome.ranking.len(), seats);
            assert!(seats > 5 || matches!(outcome.ending, Ending::FleetSunk { .. }), "{outcome:?}");
        }
    }

    #[test]
    fn hunters_sink_all_ships_on_boards_of_all_kinds() {
        for (width, height, ships) in
            [(1, 12, [1, 1, 1, 0, 0, 0]), (30, 4, [10, 6, 3, 1, 0, 1]), (6, 6, [2, 2, 4, 0, 0, 0])]
        {
            let settings = bots_arena::Settings::new(width, height, ships).unwrap();
            let outcome = played::<BotsArena>(&settings, &[BuiltIn::Hunter; 2], 1);
            assert!(matches!(outcome.ending, Ending::FleetSunk { .. }), "{outcome:?}");
            assert!(outcome.turns <= 2 * u32::from(width) * u32::from(height) + 1);
        }
        for seed in 0..20 {
            let outcome = played::<SeaBattle>(&sea_battle::Settings::moves(125), &[BuiltIn::Hunter; 2], seed);
            assert!(matches!(outcome.ending, Ending::FleetSunk { .. }), "{outcome:?}");
        }
    }

    #[test]
    fn they_are_found_by_their_names() {
        assert_eq!(BuiltIn::from_name("hunter"), Some(BuiltIn::Hunter));
        assert_eq!(BuiltIn::from_name("Hunter"), None);
        assert!(BuiltIn::is_passive("builtin:passive") && !BuiltIn::is_passive("passive"));
        let all = "builtin:random, builtin:hunt-and-target, builtin:checkerboard and builtin:hunter";
        assert_eq!(BuiltIn::listed("and"), all);
    }
}
