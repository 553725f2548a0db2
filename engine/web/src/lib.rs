//! Matches in the browser: a page that one can keep, and a live view.
//!
//! [`page`] makes one HTML file of a whole match. [`Live`] shows the same page while the match is played. Both know a
//! match only by its scenes, so they serve every game; what they tell the page is in [`wire`]. [`report`] makes a page of
//! a tournament.

mod about;
mod assets;
mod escaped;
mod house;
mod live;
mod page;
mod projector;
mod report;
pub mod serve;
mod tape;
pub mod wire;

pub use about::About;
pub use escaped::Escaped;
pub use live::{Live, LiveError, LiveTable};
pub use page::page;
pub use report::{Course, ReportAbout, report};
