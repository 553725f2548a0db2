//! The header of a record: the one place that makes it.

use arena::Sequence;
use arena::record::{Clock, Header, RecordedSeat};
use rules::{BySeat, Game};

/// The header of a match of `G` that begins now. Limits of bots and the sandbox are added when they are known.
///
/// ```
/// use arena::Sequence;
/// use rules::sea_battle::SeaBattle;
///
/// let header = runner::header::<SeaBattle>(&Default::default(), 7, rules::BySeat::from_iter([]), Sequence::InTurn);
/// assert_eq!(header.game, rules::GameKind::SeaBattle);
/// ```
pub fn header<G: Game>(settings: &G::Settings, seed: u64, seats: BySeat<RecordedSeat>, sequence: Sequence) -> Header {
    Header {
        game: G::KIND,
        settings: serde_json::to_value(settings).expect("settings have string keys"),
        seed,
        seats,
        sequence: Some(sequence),
        sandbox: None,
        engine: engine_version().to_owned(),
        started: Clock::Running.stamp(),
    }
}

/// The name and version that records and journals give as the program that wrote them.
pub fn engine_version() -> &'static str {
    concat!("broadside ", env!("CARGO_PKG_VERSION"))
}
