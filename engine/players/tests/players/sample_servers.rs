//! The sample bots that are web services, as real processes: whole matches over HTTP.

mod battleship;
mod server;

use arena::record::{Clock, Header, RecordBuffer, RecordedSeat};
use arena::{ArenaError, Interrupt, MatchEvent, Observer, Observers, Player, Players, Sequence, play};
use match_folder::{open, verify};
use players::http::{AllowedHosts, Client, Http};
use players::{Bot, BuiltIn, Transport};
use rules::PlayerInfo;
use rules::bots_arena::{Body, BotsArena, Requests};
use rules::sea_battle::{Json, Order, SeaBattle, Shot, ShotResult};
use rules::{BySeat, ContentType, Ending, Game, HttpRequest, Listed, Outcome, Seat, bots_arena, sea_battle};
use server::{Server, every_sea_battle_sample};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// The player in a seat.
#[derive(Clone, Copy)]
enum Who<'a> {
    Sample(&'a Server),
    Random,
}

fn http(url: &str) -> Http {
    let client = Arc::new(Client::new(AllowedHosts::default()));
    // Long enough for a machine on which many tests run.
    Http::new(client, url.parse().unwrap(), Some(Duration::from_secs(60)), Interrupt::new().unwrap())
}

fn request(path: Option<&'static str>, body: &[u8]) -> HttpRequest {
    HttpRequest { path, content: ContentType::Json, body: body.to_vec(), answer: path.unwrap_or("init") }
}

fn sea_battle_player(who: Who<'_>, seat: Seat, seed: u64) -> Box<dyn Player<SeaBattle>> {
    match who {
        Who::Sample(server) => Box::new(Bot::new(Json::new(format!("match-{seed}-{seat}")), http(&server.url))),
        Who::Random => BuiltIn::Random.player(rules::seat_seed(seed, seat)),
    }
}

fn bots_arena_player(who: Who<'_>, body: Body, seat: Seat, seed: u64) -> Box<dyn Player<BotsArena>> {
    let names: BySeat<String> = ["Alpha & Ömega", "Bravo"].map(str::to_owned).into_iter().collect();
    match who {
        Who::Sample(server) => {
            let dialect = Requests::new(body, seed as u32, names);
            Box::new(Bot::new(dialect, http(&server.url)))
        }
        Who::Random => BuiltIn::Random.player(rules::seat_seed(seed, seat)),
    }
}

/// Fails where somebody has no order, or an order is refused.
struct Flawless;

impl<G: Listed> Observer<G> for Flawless {
    fn on(&mut self, event: &MatchEvent<'_, G>) -> Result<(), ArenaError> {
        match event {
            MatchEvent::Answered { replies, .. } => {
                for (seat, reply) in *replies {
                    assert!(reply.answer.is_ok(), "{seat}: {:?}", reply.answer);
                }
            }
            MatchEvent::Advanced { told, .. } => {
                assert!(told.iter().all(|told| G::refused(&told.event).is_none()), "{told:?}");
            }
            _ => {}
        }
        Ok(())
    }
}

/// Plays a match, verifies its record, and gives the last state and the outcome.
fn played<G: Listed>(
    settings: &G::Settings,
    players: impl IntoIterator<Item = Box<dyn Player<G>>>,
    seed: u64,
) -> (G, Outcome) {
    let mut players: Players<G> = players.into_iter().collect();
    let recorded = players.seats().map(|seat| RecordedSeat::new(PlayerInfo::named(&seat.to_string())));
    let header = Header::new::<G>(settings, seed, recorded.collect(), Sequence::InTurn);
    let seats = players.len() as u8;
    let mut record = RecordBuffer::begin(&header, Clock::Stopped(None)).unwrap();
    let (mut flawless, mut last) = (Flawless, Last(None));
    let mut observers = Observers::new();
    observers.add(&mut record);
    observers.add(&mut flawless);
    observers.add(&mut last);
    let outcome =
        play(G::start(settings, seats, seed).unwrap(), &mut players, Sequence::InTurn, &mut observers).unwrap();
    drop(observers);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("match.jsonl");
    std::fs::write(&path, record.lines()).unwrap();
    assert_eq!(verify(&open(&path).unwrap()).unwrap().outcome, Some(outcome.clone()));
    (last.0.unwrap(), outcome)
}

/// Keeps the last state.
struct Last<G>(Option<G>);

impl<G: Game> Observer<G> for Last<G> {
    fn on(&mut self, event: &MatchEvent<'_, G>) -> Result<(), ArenaError> {
        if let MatchEvent::Finished { game, .. } = event {
            self.0 = Some((*game).clone());
        }
        Ok(())
    }
}

/// Plays a match of Sea Battle and looks at all shots of the samples.
fn sea_battle(seated: [Who<'_>; 2], max_moves: u32, seed: u64) -> Outcome {
    let seats = [Seat::A, Seat::B];
    let players = [0, 1].map(|at| sea_battle_player(seated[at], seats[at], seed));
    let (game, outcome) = played(&sea_battle::Settings::moves(max_moves), players, seed);
    for (seat, who) in seats.into_iter().zip(seated) {
        if let Who::Sample(server) = who {
            let view = game.view(seat);
            assert_fires_well(&view.own_shots, &server.name);
            assert!(view.radar_used, "{}: never used its radar", server.name);
        }
    }
    outcome
}

/// No shot goes to a cell that is known to have nothing left to hit.
fn assert_fires_well(shots: &[Shot], name: &str) {
    for (nth, shot) in shots.iter().enumerate() {
        let mut before = shots[..nth].iter().filter(|before| before.at == shot.at);
        assert!(before.clone().count() < 2, "{name}: a third shot at {}", shot.at);
        assert!(before.all(|before| before.result == ShotResult::Hit), "{name}: a shot in vain at {}", shot.at);
    }
    let again = |(nth, shot): &(usize, &Shot)| shots[..*nth].iter().any(|before| before.at == shot.at);
    let in_vain = shots.iter().enumerate().filter(again).filter(|(_, shot)| !shot.result.is_hit()).count();
    assert!(in_vain <= 1, "{name}: fired again at {in_vain} cells without armour");
}

/// The two from changing seats.
fn seated<T: Copy>(pair: [T; 2], seed: u64) -> ([T; 2], Seat) {
    if seed.is_multiple_of(2) { (pair, Seat::A) } else { ([pair[1], pair[0]], Seat::B) }
}

#[test]
fn every_sample_of_sea_battle_beats_the_random_player() {
    for server in &every_sea_battle_sample() {
        let won = |seed: &u64| {
            let (seated, seat) = seated([Who::Sample(server), Who::Random], *seed);
            sea_battle(seated, 120, *seed).winner == Some(seat)
        };
        let wins = (0..12).filter(won).count();
        assert!(wins >= 11, "{} won {wins} of 12", server.name);
    }
}

#[test]
fn samples_of_sea_battle_play_each_other_until_a_fleet_is_sunk() {
    let servers = every_sea_battle_sample();
    let pairs = servers.iter().flat_map(|one| servers.iter().map(move |other| [one, other]));
    for (seed, pair) in (0..).zip(pairs) {
        let outcome = sea_battle(pair.map(Who::Sample), 300, seed);
        assert!(matches!(outcome.ending, Ending::FleetSunk { .. }), "{}: {outcome:?}", pair[0].name);
    }
}

#[test]
fn a_sample_of_sea_battle_plays_several_matches_at_the_same_time_and_each_as_if_alone() {
    for server in &every_sea_battle_sample() {
        let alone: Vec<Outcome> = (0..3).map(|seed| sea_battle([Who::Sample(server); 2], 120, seed)).collect();
        let together: Vec<Outcome> = thread::scope(|scope| {
            let play = |seed| scope.spawn(move || sea_battle([Who::Sample(server); 2], 120, seed));
            let matches: Vec<_> = (0..3).map(play).collect();
            matches.into_iter().map(|one| one.join().unwrap()).collect()
        });
        assert_eq!(alone, together, "{}", server.name);
    }
}

#[test]
fn what_a_sample_of_sea_battle_cannot_understand_is_no_end_of_it() {
    for server in &every_sea_battle_sample() {
        let mut connection = http(&server.url);
        for body in ["", "{}", "[]", "7", "\"", "{\"gameId\":\"m\",\"yourShots\":7}"] {
            let delivery = connection.exchange(Seat::A, &request(Some("move"), body.as_bytes())).unwrap();
            assert!(delivery.fault.is_some(), "{}: {body:?} was answered", server.name);
        }
        let fleet = sea_battle_player(Who::Sample(server), Seat::A, 1)
            .decide(&arena::Ask::new(&SeaBattle::start(&sea_battle::Settings::default(), 2, 1).unwrap(), Seat::A, 0))
            .unwrap();
        assert!(matches!(fleet.answer, Ok(Order::Place(_))));
    }
}

#[test]
fn samples_answer_under_urls_with_paths_and_secrets_and_never_repeat_them() {
    let says = |url: &str, request: HttpRequest| http(url).exchange(Seat::A, &request).unwrap();
    let body = br#"{"gameId":"m","boardSize":10}"#;
    for server in &every_sea_battle_sample() {
        for path in ["/", "/api", "/my/bot/"] {
            let url = format!("{}{path}?code=secret", server.url);
            let found = says(&url, request(Some("placement"), body));
            assert!(found.fault.is_none(), "{} at {path}: {:?}", server.name, found.fault);
            let lost = says(&url, request(Some("nowhere"), body)).fault.unwrap().to_string();
            assert!(lost.contains("status 40") && !lost.contains("secret"), "{}: {lost}", server.name);
        }
    }
    let Some(server) = Server::python("bots-arena-python") else { return };
    let form = b"match_id=1-1&act=init&width=10&height=10&ship1=0&ship2=1&ship3=0&ship4=0&ship5=0&ship6=0";
    let request = HttpRequest { content: ContentType::Form, ..request(None, form) };
    let found = says(&format!("{}/bot?code=secret", server.url), request);
    assert!(found.fault.is_none(), "{:?}", found.fault);
}

#[test]
fn the_sample_of_bots_arena_plays_in_every_dialect_and_beats_the_random_player() {
    let Some(server) = Server::python("bots-arena-python") else { return };
    let usual = bots_arena::Settings::default();
    for body in Body::ALL {
        let won = |seed: &u64| {
            let (seated, seat) = seated([Who::Sample(&server), Who::Random], *seed);
            let players =
                [(0, Seat::A), (1, Seat::B)].map(|(at, seat)| bots_arena_player(seated[at], body, seat, *seed));
            played::<BotsArena>(&usual, players, *seed).1.winner == Some(seat)
        };
        let wins = (0..10).filter(won).count();
        assert!(wins >= 9, "{}: {wins} of 10", body.name());
    }
}

#[test]
fn the_sample_of_bots_arena_sinks_all_ships_on_boards_of_all_kinds_and_strikes_no_cell_twice() {
    let Some(server) = Server::python("bots-arena-python") else { return };
    let kinds = [
        (1, 2, [1, 0, 0, 0, 0, 0]),
        (1, 12, [1, 1, 1, 0, 0, 0]),
        (30, 4, [10, 6, 3, 1, 0, 1]),
        (6, 6, [2, 2, 4, 0, 0, 0]),
    ];
    for (seed, (width, height, ships)) in (0..).zip(kinds) {
        let settings = bots_arena::Settings::new(width, height, ships).unwrap();
        let players = [(Seat::A, Body::Form), (Seat::B, Body::Json)];
        let players = players.map(|(seat, body)| bots_arena_player(Who::Sample(&server), body, seat, seed));
        let (game, outcome) = played(&settings, players, seed);
        assert!(matches!(outcome.ending, Ending::FleetSunk { .. }), "{outcome:?}");
        for seat in [Seat::A, Seat::B] {
            let mut targets: Vec<_> = game.view(seat).own_strikes.iter().map(|strike| strike.target).collect();
            targets.sort();
            assert!(targets.windows(2).all(|pair| pair[0] != pair[1]));
        }
    }
}
