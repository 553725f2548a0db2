//! The version of this program and of its rules: a worker plays only for heads with the same.

use arena::record::{Clock, Header, RecordBuffer, RecordedSeat};
use arena::{Players, Sequence, play};
use players::{BuiltIn, WithBuiltIns};
use rules::entelect_2017::Entelect2017;
use rules::{Listed, PlayerInfo};
use serde::Deserialize;
use sha2::{Digest, Sha256};
use std::sync::LazyLock;

/// The version, and the beginning of a hash of a match that built-in players play by these rules.
pub(crate) fn engine() -> &'static str {
    static ENGINE: LazyLock<String> = LazyLock::new(|| {
        let rules = fingerprint::<Entelect2017>();
        format!("{} {rules}", arena::ENGINE.trim_start_matches("broadside "))
    });
    &ENGINE
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
    let seat = |_| RecordedSeat { details: PlayerInfo::named("built-in"), content: None, limits: None, start: None };
    let settings = G::Settings::default();
    let header = Header::new::<G>(&settings, SEED, built_ins.map(seat).into_iter().collect(), Sequence::InTurn);
    let mut record = RecordBuffer::begin(&header, Clock::Stopped(None)).expect("a header can be written");
    let game = G::start(&settings, 2, SEED).expect("two players can play");
    play(game, &mut players, Sequence::InTurn, &mut record).expect("built-in players do not fail");
    let lines = record.into_lines();
    let turns = lines.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice::<Turn>(line).ok());
    let digest = turns.fold(Sha256::new(), |hasher, turn| hasher.chain_update(turn.state)).finalize();
    digest[..4].iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rules_are_told_apart_by_what_they_make_of_a_match() {
        assert_eq!(fingerprint::<Entelect2017>(), fingerprint::<Entelect2017>());
        assert_ne!(fingerprint::<Entelect2017>(), fingerprint::<rules::sea_battle::SeaBattle>());
        assert!(engine().starts_with(env!("CARGO_PKG_VERSION")), "{}", engine());
    }
}
