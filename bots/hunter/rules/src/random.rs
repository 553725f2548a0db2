//! Random numbers.

use std::ops::Range;

/// The SplitMix64 generator.
#[derive(Debug, Clone)]
pub struct Random(u64);

/// A generator for `seed`.
pub fn random(seed: u64) -> Random {
    Random(seed)
}

/// Draws numbers from ranges.
pub trait RngExt {
    /// A number of the range.
    ///
    /// # Panics
    /// The range is empty, or begins below 0.
    fn random_range<T: TryFrom<u64> + TryInto<u64>>(&mut self, range: Range<T>) -> T;
}

impl RngExt for Random {
    fn random_range<T: TryFrom<u64> + TryInto<u64>>(&mut self, range: Range<T>) -> T {
        let number = |end: T| end.try_into().unwrap_or_else(|_| panic!("a range begins at 0 or above"));
        let (start, end) = (number(range.start), number(range.end));
        assert!(start < end, "a range is not empty");
        let drawn = start + self.next() % (end - start);
        T::try_from(drawn).unwrap_or_else(|_| panic!("a number of a range has its type"))
    }
}

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}
