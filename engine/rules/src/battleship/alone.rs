//! Rules for a player alone, made of rules for several.

use super::Rules;
use super::choices::{Again, First, ShotCount, Shots, Turns};

impl Rules {
    /// The shots of a move of a player that has lost nothing.
    pub(super) fn most_shots(&self) -> u32 {
        let sizes = || self.ships().iter().map(|ship| ship.shape.size() as u32);
        match self.choices().shots {
            Shots::Fixed(shots) => shots.into(),
            Shots::Counted(ShotCount::ShipsAfloat) => self.ships().len() as u32,
            Shots::Counted(ShotCount::LongestAfloat) => sizes().max().unwrap_or(1),
            Shots::Counted(ShotCount::OwnCellsAfloat) => sizes().sum(),
        }
    }

    /// These rules in solo: the same boards and fleets, the same shots as while a player has lost nothing, and what is told of them. Nobody
    /// moves again after a hit, and ships that special actions need are always there.
    ///
    /// ```
    /// let russian: rules::battleship::Rules = serde_json::from_str(r#"{"again": "on-hit", "shots": "ships-afloat"}"#)?;
    /// let alone = russian.alone();
    /// assert!(alone.is_solo() && alone.choices().shots == rules::battleship::Shots::Fixed(5));
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    #[must_use]
    pub fn alone(&self) -> Rules {
        if self.is_solo() {
            return self.clone();
        }
        let mut choices = self.choices().clone();
        choices.turns = Turns::Solo;
        (choices.again, choices.first, choices.limit) = (Again::Never, First::A, None);
        choices.shots = Shots::Fixed(self.most_shots().min(100) as u8);
        choices.specials.iter_mut().for_each(|special| special.needs = None);
        Rules::new(choices).expect("a player alone needs no more than several do")
    }
}
