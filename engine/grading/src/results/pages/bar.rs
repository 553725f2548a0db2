//! A mean and its bound, drawn.

use crate::marks::{Measured, Unit};

/// The drawing of a mean, its error and the bound. Places are from left to right in percent.
pub(super) struct Bar {
    pub(super) spoken: String,
    pub(super) mean: f64,
    /// The ends of the 95 % interval.
    pub(super) ends: Option<[f64; 2]>,
    pub(super) bound: f64,
}

impl Bar {
    pub(super) fn new(mean: &Measured) -> Bar {
        let ends = mean.error.map(|error| [mean.mean - error, mean.mean + error]);
        let (least, most) = match mean.unit {
            Unit::Share => (0.0, 1.0),
            Unit::Shots => {
                let numbers = [mean.mean, mean.bound].into_iter().chain(ends.into_iter().flatten());
                let least = numbers.clone().fold(f64::INFINITY, f64::min);
                let most = numbers.fold(f64::NEG_INFINITY, f64::max);
                // Some room beside them, also where all are equal.
                let room = ((most - least) / 4.0).max(1.0);
                (least - room, most + room)
            }
        };
        // A dot at the edge would be cut.
        let place = |number: f64| 2.0 + ((number - least) / (most - least)).clamp(0.0, 1.0) * 96.0;
        Bar {
            spoken: mean.in_words(),
            mean: place(mean.mean),
            ends: ends.map(|ends| ends.map(place)),
            bound: place(mean.bound),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_parts_lie_in_the_picture() {
        for (unit, mean, error, bound) in [
            (Unit::Share, 0.98, Some(0.2), 0.6),
            (Unit::Share, 0.0, None, 1.0),
            (Unit::Shots, 40.0, Some(0.0), 40.0),
            (Unit::Shots, 30.0, Some(5.0), 90.0),
        ] {
            let bar = Bar::new(&Measured { unit, mean, error, bound, games: 20 });
            let places = [bar.mean, bar.bound].into_iter().chain(bar.ends.into_iter().flatten());
            assert!(places.into_iter().all(|place| (2.0..=98.0).contains(&place)), "{mean} {bound}");
            assert_eq!(bar.mean < bar.bound, mean < bound);
        }
    }
}
