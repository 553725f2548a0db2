//! Luck over many shots.

use analysis::{Analysed, MatchAnalysis, MatchAnalyst};
use arena::{Players, Sequence, play};
use players::{BuiltIn, WithBuiltIns};
use rules::Seat;
use rules::bots_arena::BotsArena;
use rules::entelect_2017::Entelect2017;
use rules::sea_battle::SeaBattle;

/// The analysis of a game between players who place their ships by chance.
fn analysed<G: Analysed + WithBuiltIns>(seed: u64) -> MatchAnalysis {
    let game = G::start(&G::Settings::default(), 2, seed).unwrap();
    let player = |seat: Seat| BuiltIn::HuntAndTarget.player::<G>(rules::seat_seed(seed, seat));
    let mut players: Players<G> = [Seat::A, Seat::B].map(player).into_iter().collect();
    let mut analyst = MatchAnalyst::new(["A", "B"].map(str::to_owned).into_iter().collect(), false);
    play(game, &mut players, Sequence::InTurn, &mut analyst).unwrap();
    analyst.finish()
}

/// Fleets that are drawn are hit as often as the chances say.
fn luck_evens_out<G: Analysed + WithBuiltIns>(games: u64) {
    let (mut luck, mut variance) = (0.0, 0.0);
    for analysis in (0..games).map(analysed::<G>) {
        luck += analysis.players.iter().map(|player| player.luck).sum::<f64>();
        let shots = analysis.moments.iter().flat_map(|moment| &moment.shots);
        variance += shots.map(|shot| shot.expected * (1.0 - shot.expected)).sum::<f64>();
    }
    assert!(luck.abs() < 3.5 * variance.sqrt(), "{}: luck {luck:.1}, deviation {:.1}", G::KIND.name(), variance.sqrt());
}

#[test]
fn fleets_that_are_drawn_are_hit_as_often_as_the_chances_say() {
    luck_evens_out::<Entelect2017>(3);
    luck_evens_out::<SeaBattle>(2);
    luck_evens_out::<BotsArena>(2);
}

#[test]
fn the_probabilities_of_the_end_are_those_of_the_outcome() {
    let analysis = analysed::<BotsArena>(1);
    let wins = analysis.moments.iter().filter_map(|moment| moment.win.as_ref());
    for win in wins.clone() {
        assert!(
            (win.seen.iter().sum::<f64>() - 1.0).abs() < 0.002 && (win.truth.iter().sum::<f64>() - 1.0).abs() < 0.002
        );
    }
    let last = wins.clone().next_back().unwrap();
    assert!(last.seen.contains(&1.0) && last.truth == last.seen);
    let first = &analysis.moments[1].win.as_ref().unwrap().seen;
    assert!((0.4..0.6).contains(&first[0]), "nothing is known yet: {first:?}");
}
