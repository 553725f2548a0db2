//! Times as records have them.

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::time::Duration;

/// A time in milliseconds with two digits after the point, as records have it. The rest is cut off, so that whole
/// milliseconds, of which an outcome may speak, are the same when the match is played again.
pub fn milliseconds(time: Duration) -> f64 {
    (time.as_micros() / 10) as f64 / 100.0
}

/// The time of so many milliseconds; zero if there is no such time.
pub fn from_milliseconds(ms: f64) -> Duration {
    Duration::try_from_secs_f64(ms / 1000.0).unwrap_or_default()
}

pub(crate) fn serialize<S: Serializer>(time: &Duration, out: S) -> Result<S::Ok, S::Error> {
    milliseconds(*time).serialize(out)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
    f64::deserialize(from).map(from_milliseconds)
}
