//! The rules of the Entelect Challenge 2017 by example. The comment on a test names the rule of the published text, or
//! says that the text is silent and the original decides.

mod drawings;
mod ending;
mod energy;
mod kill_off;
mod placing;
mod points;
mod rounds;
mod shield;
mod shots;
mod weapons;
