//! Matches in the browser: a page that one can keep, and a live view.
//!
//! [`page`] makes one HTML file of a whole match. [`Live`] shows the same page while the match is played. Both know a
//! match only by its scenes, so they serve every game; what they tell the page is in [`wire`]. [`report`] makes a page of
//! a tournament.

mod about;
mod assets;
mod escaped;
mod frame_encoder;
mod frame_log;
pub mod http_server;
mod live;
mod page;
mod report;
pub mod wire;

pub use about::About;
pub use assets::SIGNS;
pub use escaped::Escaped;
pub use frame_encoder::ship_name;
pub use live::{Live, LiveError, LiveTable};
pub use page::page;
pub use report::{Course, ReportAbout, report};
