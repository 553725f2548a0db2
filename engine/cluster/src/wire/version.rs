//! The version of this program and of its rules: a worker plays only for heads with the same.

use arena::record::{Clock, Header, RecordBuffer, RecordedSeat};
use arena::{Players, Sequence, play};
use players::{BuiltIn, WithBuiltIns};
use rules::battleship::Battleship;
use rules::bots_arena::BotsArena;
use rules::entelect_2017::Entelect2017;
use rules::sea_battle::SeaBattle;
use rules::{Listed, PlayerInfo};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::sync::LazyLock;

/// The version, and the beginning of a hash of matches that built-in players play by these rules: one of each game that is played
/// on clusters.
pub(crate) fn version() -> &'static str {
    static ENGINE: LazyLock<String> =
        LazyLock::new(|| format!("{} {}", arena::ENGINE.trim_start_matches("broadside "), rules_of(&fingerprints())));
    &ENGINE
}

/// The fingerprint of each game that is played on clusters.
fn fingerprints() -> [String; 4] {
    let (entelect, sea_battle) = (fingerprint::<Entelect2017>(), fingerprint::<SeaBattle>());
    [entelect, sea_battle, fingerprint::<BotsArena>(), fingerprint::<Battleship>()]
}

/// The beginning of a hash of these fingerprints.
fn rules_of(games: &[String]) -> String {
    beginning(Sha256::digest(games.concat()))
}

/// A turn of a record, as far as it tells what the rules have made of it.
#[derive(Deserialize)]
struct Turn {
    state: String,
}

/// The beginning of a hash of all states of a match between built-in players.
fn fingerprint<G: WithBuiltIns + Listed>() -> String
where
    G::Settings: Default,
{
    const SEED: u64 = 1;
    let built_ins = [BuiltIn::Hunter, BuiltIn::Random];
    let mut players: Players<G> = built_ins.into_iter().map(|built_in| built_in.player(SEED)).collect();
    let seat = |_| RecordedSeat::new(PlayerInfo::named("built-in"));
    let settings = G::Settings::default();
    let header = Header::new::<G>(&settings, SEED, built_ins.map(seat).into_iter().collect(), Sequence::InTurn);
    let mut record = RecordBuffer::begin(&header, Clock::Stopped(None)).expect("a header can be written");
    let game = G::start(&settings, 2, SEED).expect("two players can play");
    play(game, &mut players, Sequence::InTurn, &mut record).expect("built-in players do not fail");
    let lines = record.lines();
    let turns = lines.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice::<Turn>(line).ok());
    beginning(turns.fold(Sha256::new(), |hasher, turn| hasher.chain_update(turn.state)).finalize())
}

/// The beginning of a hash, in hexadecimal digits.
fn beginning(hash: impl AsRef<[u8]>) -> String {
    arena::hex(&hash.as_ref()[..4])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rules_are_told_apart_by_what_they_make_of_a_match() {
        let all = fingerprints;
        assert_eq!(all(), all());
        assert!(version().ends_with(&rules_of(&all())), "{}", version());
        let nothing = beginning(Sha256::new().finalize());
        assert!(all().iter().all(|one| *one != nothing), "each game has states in its turns");
        let mut changed = all();
        for game in 0..changed.len() {
            changed[game] = nothing.clone();
            assert_ne!(rules_of(&changed), rules_of(&all()), "the rules of game {game} count");
            changed = all();
        }
        assert!(version().starts_with(env!("CARGO_PKG_VERSION")), "{}", version());
    }
}
