//! The analysis of a match while it is played, on a thread of its own.

use crate::analysis_encoder::AnalysisEncoder;
use crate::event_log::{EventLog, EventScope};
use crate::piece::Piece;
use analysis::{Analysed, MatchAnalyst, Moment};
use platform::locks::lock;
use rules::{BySeat, Eye, Game, Told};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Mutex};
use std::thread;

/// The analysis of a match for the viewers of an event log.
///
/// The match puts its states into a queue and goes on; the analysis comes when it comes, and neither its time nor its failure is the match's.
#[derive(Debug)]
pub(super) struct LiveAnalysis<G: Game> {
    queue: Sender<Step<G>>,
    published: Arc<Mutex<Published>>,
}

/// A step of the match.
#[derive(Debug)]
enum Step<G: Game> {
    /// The events of a turn, and the state after it.
    Turn(Vec<Told<G::Event>>, G),
    /// The end of the match.
    End(LastEvent),
}

/// The analysis in the log.
#[derive(Debug)]
struct Published {
    log: Arc<EventLog>,
    /// The number of the match in the log.
    number: u64,
    encoder: AnalysisEncoder,
    moments: Vec<Moment>,
}

/// Publishes, when it is dropped, that nothing more comes in a log, and closes it.
#[derive(Debug)]
pub(crate) struct LastEvent(pub(crate) Arc<EventLog>);

impl Drop for LastEvent {
    fn drop(&mut self) {
        self.0.publish("end", EventScope::TOPIC, "null");
        self.0.close();
    }
}

impl<G: Analysed> LiveAnalysis<G> {
    /// Begins with the state before the first turn, for eyes in the order of their bits. Without a thread there is no analysis.
    pub(super) fn begin(
        log: Arc<EventLog>,
        number: u64,
        first: G,
        names: BySeat<String>,
        eyes: Vec<Eye>,
    ) -> LiveAnalysis<G> {
        let encoder = AnalysisEncoder::new(eyes);
        let published = Arc::new(Mutex::new(Published { log, number, encoder, moments: Vec::new() }));
        let (queue, steps) = channel();
        let shared = Arc::clone(&published);
        let run = move || follow(&first, &steps, MatchAnalyst::new(names, true), &shared);
        if let Err(error) = thread::Builder::new().name("analysis".to_owned()).spawn(run) {
            log::warn!("the match is not analysed: {error}");
        }
        LiveAnalysis { queue, published }
    }
}

impl<G: Game> LiveAnalysis<G> {
    /// Adds a turn. Where the analysis has failed, nothing happens.
    pub(super) fn add(&self, told: &[Told<G::Event>], game: &G) {
        let _ = self.queue.send(Step::Turn(told.to_vec(), game.clone()));
    }

    /// Publishes a match in place of all that was published of it, with its analysis so far, as these eyes see it. They see what is analysed
    /// later, too.
    pub(super) fn replace(&self, eyes: Vec<Eye>, of_match: &[Piece]) {
        let mut published = lock(&self.published);
        published.encoder = AnalysisEncoder::new(eyes);
        let Published { log, number, encoder, moments } = &mut *published;
        let analysis: Vec<Piece> = moments.iter().map(|moment| encoder.moment(moment)).collect();
        log.replace(*number, of_match.iter().chain(&analysis).map(|piece| (piece.kind, &*piece.text)));
    }

    /// Drops the last event once all turns are analysed.
    pub(super) fn end(self, last: LastEvent) {
        // Where the analysis has failed, the queue gives it back at once.
        let _ = self.queue.send(Step::End(last));
    }
}

impl Published {
    fn add(&mut self, moment: Moment) {
        self.log.add_pieces(self.number, &[self.encoder.moment(&moment)]);
        self.moments.push(moment);
    }
}

/// Analyses a match as it comes, until its end, or until nobody can see it any more.
fn follow<G: Analysed>(first: &G, steps: &Receiver<Step<G>>, mut analyst: MatchAnalyst<G>, to: &Mutex<Published>) {
    platform::lower_priority_of_this_thread();
    let log = Arc::clone(&lock(to).log);
    let moment = analyst.next_moment(&[], first);
    lock(to).add(moment);
    for step in steps {
        match step {
            Step::Turn(told, game) if !log.is_closed() => {
                let moment = analyst.next_moment(&told, &game);
                lock(to).add(moment);
            }
            Step::Turn(..) => return,
            Step::End(last) => drop(last),
        }
    }
}
