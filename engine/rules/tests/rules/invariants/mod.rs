//! Assertions that hold whatever the players do: the property tests here and the fuzz targets of `engine/fuzz`,
//! which include these files, check them on their own matches and texts.

pub(crate) mod rounds;
pub(crate) mod secrets;
pub(crate) mod texts;
