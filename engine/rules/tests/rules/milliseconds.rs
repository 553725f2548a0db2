//! Times as numbers of milliseconds.

use rules::{from_milliseconds, milliseconds};
use std::time::Duration;

#[test]
fn whole_milliseconds_are_the_same_when_a_time_is_read_again() {
    for micros in (0..5_000_000).step_by(997).chain([1_999_995, 1_999_999, 2_000_000, 2_000_999]) {
        let time = Duration::from_micros(micros);
        assert_eq!(from_milliseconds(milliseconds(time)).as_millis(), time.as_millis(), "{micros}");
    }
}
