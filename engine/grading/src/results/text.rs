//! Numbers and reasons in words.

use crate::marks::{Judgement, Measured, StudentMarks, Unit};

/// A number of at most three decimals, without zeros at the end: points of a plan are written so.
pub fn figures(number: f64) -> String {
    // No sign of a zero.
    ((number * 1000.0).round() / 1000.0 + 0.0).to_string()
}

/// A number in the unit of a mean.
fn in_unit(unit: Unit, number: f64) -> String {
    match unit {
        Unit::Share => format!("{:.1} %", number * 100.0),
        Unit::Shots => format!("{number:.1} shots"),
    }
}

impl Measured {
    /// The mean with its error, such as `72.5 % ± 6.2 %`.
    pub(crate) fn mean_in_words(&self) -> String {
        let error = self.error.map(|error| format!(" ± {}", in_unit(self.unit, error))).unwrap_or_default();
        in_unit(self.unit, self.mean) + &error
    }

    /// The bound, such as `60.0 %`.
    pub(crate) fn bound_in_words(&self) -> String {
        in_unit(self.unit, self.bound)
    }

    /// The mean with its error and the bound.
    pub fn in_words(&self) -> String {
        format!("{}, bound {}", self.mean_in_words(), self.bound_in_words())
    }
}

impl Judgement {
    /// The sign on a page.
    pub fn sign(self) -> &'static str {
        match self {
            Judgement::Met => "✓",
            Judgement::NotMet => "✗",
            Judgement::NearlyMet | Judgement::NearlyNotMet => "≈",
            Judgement::Open => "–",
        }
    }

    /// The judgement in words.
    pub fn in_words(self) -> &'static str {
        match self {
            Judgement::Met => "met",
            Judgement::NotMet => "not met",
            Judgement::NearlyMet => "met, but too near to decide",
            Judgement::NearlyNotMet => "not met, but too near to decide",
            Judgement::Open => "not judged",
        }
    }
}

/// The reason why the bot of a student does not play, with the step, on one line.
pub(super) fn failure(student: &StudentMarks) -> Option<String> {
    student.failing.as_ref().map(|failing| format!("{} failed: {}", failing.step, failing.reason))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_written_as_people_write_them() {
        let written = [0.1 + 0.2, 4.0, 2.5, -0.000_01, 1.0 / 3.0].map(figures);
        assert_eq!(written, ["0.3", "4", "2.5", "0", "0.333"]);
    }
}
