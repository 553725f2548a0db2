//! Bots that are alike: by their answers in the same games, which needs no look at their code, and their sources for JPlag and Dolos,
//! which compare code.

mod answers;
mod export;
mod language;
mod record;
mod sources;

pub use answers::{Alike, AlikePair, Answers, LEAST_TURNS, alike};
pub use export::{Exported, SourceFolder, export_sources};
pub use record::answers_of_record;
