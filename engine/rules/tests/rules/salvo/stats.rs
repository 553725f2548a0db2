//! Statistics of players.

use rules::salvo::{PlayerStats, Statistic};

#[test]
fn accuracy_is_a_part_of_the_shots() {
    assert_eq!(PlayerStats::default().accuracy(), 0.0);
    let stats = PlayerStats { shots: 8, hits: 2, sinkings: 1, turns: 3 };
    let values = Statistic::ALL.map(|statistic| stats.value(statistic));
    assert_eq!(values, [Some(8.0), Some(2.0), Some(0.25), Some(1.0), Some(3.0), None]);
}

#[test]
fn statistics_are_found_by_their_names() {
    assert!(Statistic::ALL.into_iter().all(|one| Statistic::from_name(one.name()) == Some(one)));
    assert_eq!(Statistic::from_name("Shots"), None);
}
