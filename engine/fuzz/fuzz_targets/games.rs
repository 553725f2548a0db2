//! Whole matches, and what must hold in each of their rounds. The input is a script, see `script.rs`.
#![no_main]

#[path = "../../rules/tests/rules/invariants/rounds.rs"]
mod rounds;
#[path = "games/script.rs"]
mod script;
#[path = "../../rules/tests/rules/invariants/secrets.rs"]
mod secrets;

use rounds::{Accounts, Played};
use rules::PlayerInfo;
use rules::entelect_2017::Entelect2017;
use rules::entelect_2017::files::wire::StateFile;
use rules::entelect_2017::files::{Files, STATE_JSON, engine_log};
use rules::{BySeat, Game, Part, Seat};
use script::{Kind, Script};
use secrets::Twins;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let mut script = Script::new(bytes);
    let size = script.size();
    match script.kind() {
        kind @ (Kind::Open | Kind::Written) => {
            let mut accounts = Accounts::open(size);
            let end = rounds::play(size, std::iter::from_fn(|| script.round(size)), |played| {
                accounts.add_up(played);
                every_round(played);
            });
            if kind == Kind::Written {
                all_can_be_written(&end);
            }
        }
        Kind::Secret => {
            let [a, b, other] = [(); 3].map(|()| script.fleet(size));
            let mut twins = Twins::place(size, &a, script.mixed(b, &other));
            while let Some(round) = script.round(size) {
                if !twins.learn_the_same(round) {
                    break;
                }
            }
        }
    }
});

fn every_round(played: &Played) {
    rounds::fleets_lie_as_placed(played);
    rounds::ships_are_destroyed_exactly_when_all_their_cells_are_hit(played);
    rounds::a_shield_protects_as_it_was_raised(played);
    rounds::a_copy_goes_the_same_way(played);
    rounds::check_foretells_refusals(played);
    rounds::a_match_ends_in_time(played);
    engine_log(&files(), &[], &played.told);
}

fn files() -> Files {
    let bot = PlayerInfo::named("X");
    Files::new(BySeat::from_iter([bot.clone(), bot]))
}

/// The files of a round can be written, and state.json can be read again.
fn all_can_be_written(game: &Entelect2017) {
    let mut parts: Vec<Part> = files().round_files(game);
    parts.extend([Seat::A, Seat::B].into_iter().flat_map(|seat| files().player_files(&game.view(seat))));
    for part in parts.iter().filter(|part| part.name == STATE_JSON) {
        let state: StateFile = serde_json::from_slice(&part.bytes).expect(part.name);
        assert_eq!(serde_json::to_vec(&state).expect(part.name), part.bytes);
    }
}
