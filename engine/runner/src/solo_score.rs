//! The scores of players at fleets that the seed has drawn, by the record of the match.

use crate::game_report::GameReport;
use arena::record::{Record, replay_record};
use arena::{ArenaError, Ask, MatchEvent, Observer, Player};
use players::{BuiltIn, WithBuiltIns};
use rules::{Game, Listed, Seat};
use std::sync::Arc;

/// The score of a player that has sunk all ships of a board.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SoloScore {
    /// The seat of the player.
    pub seat: Seat,
    /// The number of the board, which is the seed of the match.
    pub board: u64,
    /// The shots, those with special weapons and actions included.
    pub shots: u32,
    /// The number of these.
    pub specials: u32,
}

/// The scores of a match at the fleet of `builtin:passive`, or by rules in solo; none of other matches, and where the passive player has
/// not done what the seed makes it do. The match is played again.
///
/// # Errors
/// As [`replay_record`].
pub fn solo_scores(record: &Arc<Record>) -> Result<Vec<SoloScore>, ArenaError> {
    let header = record.header();
    let mut seats = header.seats.iter().filter(|(_, seat)| seat.bot.is_none());
    let passive = seats.find(|(_, seat)| BuiltIn::is_passive(seat.details.name())).map(|(seat, _)| seat);
    rules::for_game!(header.game, G => {
        if passive.is_none() && !serde_json::from_value(header.settings.clone()).is_ok_and(|of| G::is_solo(&of)) {
            return Ok(Vec::new());
        }
        let passive = passive.map(|seat| (seat, BuiltIn::Passive.player::<G>(header.seed)));
        let mut watch = BoardWatch { report: GameReport::new(header.seats.len() as u8), passive, is_as_drawn: true };
        replay_record::<G>(record, &mut watch)?;
        let passive = watch.passive.map(|(seat, _)| seat);
        if !watch.is_as_drawn {
            return Ok(Vec::new());
        }
        let players = header.seats.seats().zip(watch.report.players).filter(|(seat, _)| Some(*seat) != passive);
        let score = |(seat, player): (Seat, tournament::PlayerLine)| {
            let (shots, specials) = (player.shots?, player.specials);
            Some(SoloScore { seat, board: header.seed, shots, specials })
        };
        Ok(players.filter_map(score).collect())
    })
}

/// Counts shots, and compares the answers of a passive player with those that the seed gives.
struct BoardWatch<G: WithBuiltIns> {
    report: GameReport,
    passive: Option<(Seat, Box<dyn Player<G>>)>,
    is_as_drawn: bool,
}

impl<G: WithBuiltIns + Listed> Observer<G> for BoardWatch<G> {
    fn on(&mut self, event: &MatchEvent<'_, G>) -> Result<(), ArenaError> {
        self.report.on(event)?;
        if let (MatchEvent::Answered { turn, game, replies }, Some((seat, passive))) = (event, &mut self.passive) {
            for (_, reply) in replies.iter().filter(|(by, _)| by == seat) {
                self.is_as_drawn &= passive.decide(&Ask::new(*game, *seat, *turn))?.answer == reply.answer;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{BuiltInSetup, Contestant, Context, MatchOptions, MatchOutput, PreparedMatch};
    use rules::battleship::Battleship;
    use rules::entelect_2017::Entelect2017;

    /// The scores that the record certifies of a match on board 41, of built-in players under these names.
    fn scores<G: WithBuiltIns>(settings: G::Settings, named: &[(&str, &str)]) -> Vec<SoloScore> {
        let folder = tempfile::tempdir().unwrap();
        let setup = BuiltInSetup::<G> { settings, context: Context::silent().unwrap() };
        let seated = named.iter().map(|(who, name)| Contestant::built_in(who).unwrap().called(name)).collect();
        let path = folder.path().join("match");
        let output = MatchOutput::Record;
        let options = MatchOptions { seed: Some(41), folder: Some(path.clone()), output, ..MatchOptions::default() };
        PreparedMatch::new(setup, seated, options).unwrap().play(&mut ()).unwrap().result.unwrap();
        solo_scores(&match_folder::open(&path.join("match.jsonl")).unwrap().record).unwrap()
    }

    #[test]
    fn a_score_is_that_at_the_fleet_of_the_seed() {
        let hunter = ("hunter", "Me");
        let of = |who| scores::<Entelect2017>(Default::default(), &[(who, "builtin:passive"), hunter]);
        let [SoloScore { seat: Seat::B, board: 41, shots: 20..60, specials: 1.. }] = of("passive")[..] else {
            panic!("{:?}", of("passive"))
        };
        assert_eq!(of("random"), [], "it is not the passive player, whatever it calls itself");
        assert_eq!(scores::<Entelect2017>(Default::default(), &[("random", "Other"), hunter]), []);
    }

    #[test]
    fn a_player_in_solo_needs_no_other() {
        let alone = rules::battleship::Rules::default().alone();
        let scores = scores::<Battleship>(alone, &[("hunter", "Me")]);
        assert!(matches!(scores[..], [SoloScore { seat: Seat::A, board: 41, specials: 0, .. }]), "{scores:?}");
    }
}
