//! The page: one HTML file with its style, its script and the whole match inside.

use crate::projector::{Projector, eyes, over, setup};
use crate::tape::Tape;
use crate::{About, assets};
use arena::Film;

/// A match as one HTML page that needs nothing else: no server, no network, no other file.
///
/// ```no_run
/// # fn keep(film: &dyn arena::Film, about: &web::About) -> std::io::Result<()> {
/// std::fs::write("match.html", web::page(film, about))
/// # }
/// ```
pub fn page(film: &dyn Film, about: &About) -> String {
    let eyes = eyes(film.seats());
    let scenes = |at| eyes.iter().map(|eye| film.scene(at, *eye)).collect::<Vec<_>>();
    let mut projector = Projector::default();
    let mut tape = Tape::new(&setup(about, film.kind(), &eyes, &film.scene(0, rules::Eye::Referee)));
    for at in 0..film.scenes() {
        tape.push(&projector.frame(scenes(at), film.times(at)));
    }
    tape.end(&over(film.outcome()));
    assets::page(&tape.whole(), assets::Reach::Nothing)
}
