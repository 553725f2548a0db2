//! The state of the viewer: position, eye and mode, and their changes by keys and time.

use super::key::Key;
use super::key_bindings::{ViewerCommand, command};
use super::layout::{LayoutOptions, Overlay};
use super::timeline::{Direction, Timeline};
use analysis::{MatchAnalysis, Moment};
use arena::MatchHistory;
use rules::{Eye, HighlightKind, Scene, Seat};
use std::time::Duration;

/// The speeds, in rounds per second.
const SPEEDS: [u32; 5] = [1, 2, 5, 10, 20];
/// The position of the first speed in [`SPEEDS`].
const USUAL_SPEED: usize = 2;
/// The most digits of a round.
const DIGITS: usize = 9;

/// The state of the viewer on one history.
pub(super) struct ViewerState<'a> {
    pub(super) history: &'a dyn MatchHistory,
    pub(super) timeline: Timeline,
    /// The analysis of the match, once it is made; none of boards that are too large.
    pub(super) analysis: Option<MatchAnalysis>,
    pub(super) eye: Eye,
    /// The number of the scene that is shown.
    pub(super) at: usize,
    pub(super) scene: Scene,
    pub(super) playing: bool,
    /// The position of the speed in [`SPEEDS`].
    speed: usize,
    /// The time for which this scene has been shown while playing.
    shown: Duration,
    pub(super) mode: ViewerMode,
    pub(super) wanted: LayoutOptions,
    /// The reason why the last key did nothing; else empty.
    pub(super) notice: String,
}

/// The mode of the viewer, which decides the meaning of keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ViewerMode {
    Watching,
    /// Typing the number of a round.
    Asking(String),
    /// Reading the help.
    Reading,
}

/// The next step of the program after a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NextStep {
    Draw,
    /// Draw the whole screen, because another program may have written to the terminal.
    DrawAnew,
    Leave,
}

impl<'a> ViewerState<'a> {
    /// The state before the first turn, with the eyes of the referee.
    pub(super) fn new(history: &'a dyn MatchHistory) -> ViewerState<'a> {
        ViewerState {
            history,
            timeline: Timeline::of(history, Eye::Referee),
            analysis: None,
            eye: Eye::Referee,
            at: 0,
            scene: history.scene(0, Eye::Referee),
            playing: false,
            speed: USUAL_SPEED,
            shown: Duration::ZERO,
            mode: ViewerMode::Watching,
            wanted: LayoutOptions::default(),
            notice: String::new(),
        }
    }

    /// Shows an analysis of the match from now on.
    pub(super) fn analysed(&mut self, analysis: MatchAnalysis) {
        self.wanted.graph = analysis.players.len() == 2 && !analysis.too_large;
        self.analysis = Some(analysis).filter(|analysis| !analysis.too_large);
    }

    /// The analysis of the moment that is shown.
    pub(super) fn moment(&self) -> Option<&Moment> {
        self.analysis.as_ref()?.moments.get(self.at)
    }

    /// The last chances of a hit on the board of a seat that the eye may see, in per cent, and the player who knows them. Of several
    /// players who fire at it, it is the one whose chances changed last.
    pub(super) fn chances(&self, owner: Seat) -> Option<(Seat, &[u8])> {
        let moments = self.analysis.as_ref()?.moments.get(..=self.at)?;
        let of = |moment: &'_ Moment| {
            let seen = moment.boards.iter().filter(|board| board.at == owner && self.eye.sees_all_of(board.by));
            seen.cloned().collect::<Vec<_>>()
        };
        let changed = moments.windows(2).rev().find_map(|pair| {
            let before = of(&pair[0]);
            of(&pair[1]).into_iter().find(|board| !before.contains(board)).map(|board| board.by)
        })?;
        let last = moments.last()?.boards.iter().find(|board| board.at == owner && board.by == changed)?;
        Some((last.by, &last.percent))
    }

    /// Runs the command of a key.
    pub(super) fn key(&mut self, key: Key) -> NextStep {
        self.notice.clear();
        match (&mut self.mode, key) {
            // These two work in every mode.
            (_, Key::Ctrl('c')) => return NextStep::Leave,
            (_, Key::Ctrl('l')) => return NextStep::DrawAnew,
            (ViewerMode::Watching, key) => match command(key) {
                Some(command) => return self.run(command),
                None => self.notice = "this key is not bound; ? lists all keys".to_owned(),
            },
            (ViewerMode::Asking(digits), Key::Char(digit @ '0'..='9')) if digits.len() < DIGITS => digits.push(digit),
            (ViewerMode::Asking(digits), Key::Backspace) => {
                digits.pop();
            }
            (ViewerMode::Asking(digits), Key::Enter) => {
                let round = digits.parse().ok();
                self.mode = ViewerMode::Watching;
                if let Some(round) = round {
                    self.go_to_round(round);
                }
            }
            (ViewerMode::Asking(_), Key::Escape) | (ViewerMode::Reading, _) => self.mode = ViewerMode::Watching,
            (ViewerMode::Asking(_), _) => {}
        }
        NextStep::Draw
    }

    fn run(&mut self, command: ViewerCommand) -> NextStep {
        match command {
            ViewerCommand::PlayOrPause => self.play_or_pause(),
            ViewerCommand::Step(by) => self.go_to(self.at.saturating_add_signed(by)),
            ViewerCommand::Start => self.go_to(0),
            ViewerCommand::End => self.go_to(self.last()),
            ViewerCommand::Find(kind, direction) => self.find(kind, direction),
            ViewerCommand::AskForRound => self.mode = ViewerMode::Asking(String::new()),
            ViewerCommand::Faster => self.speed = (self.speed + 1).min(SPEEDS.len() - 1),
            ViewerCommand::Slower => self.speed = self.speed.saturating_sub(1),
            ViewerCommand::NextEye => self.see_through(self.next_eye()),
            ViewerCommand::Eye(eye) => self.see_through(eye),
            ViewerCommand::Density => self.wanted.toggle(Overlay::Density),
            ViewerCommand::Notes => self.wanted.toggle(Overlay::Notes),
            ViewerCommand::Chances => self.wanted.toggle(Overlay::Chances),
            ViewerCommand::Log => self.wanted.log = !self.wanted.log,
            ViewerCommand::Page(by) => self.wanted.page = self.wanted.page.wrapping_add(by),
            ViewerCommand::Help => self.mode = ViewerMode::Reading,
            ViewerCommand::Leave => return NextStep::Leave,
            ViewerCommand::DrawAnew => return NextStep::DrawAnew,
        }
        NextStep::Draw
    }

    /// Advances the playback by `elapsed`, by one scene at most: no scene is skipped after a slow drawing.
    pub(super) fn tick(&mut self, elapsed: Duration) {
        if !self.playing {
            return;
        }
        let period = self.period();
        self.shown += elapsed.min(period);
        if self.shown >= period {
            self.shown -= period;
            self.show(self.at + 1);
            self.playing = self.at < self.last();
        }
    }

    /// The time until the next scene; `None` while paused.
    pub(super) fn rest(&self) -> Option<Duration> {
        self.playing.then(|| self.period().saturating_sub(self.shown))
    }

    fn period(&self) -> Duration {
        Duration::from_secs(1) / SPEEDS[self.speed]
    }

    fn play_or_pause(&mut self) {
        self.playing = !self.playing && self.last() > 0;
        self.shown = Duration::ZERO;
        if self.playing && self.at == self.last() {
            self.show(0);
        }
    }

    /// Shows scene `at` or the last one, and pauses.
    fn go_to(&mut self, at: usize) {
        self.playing = false;
        self.show(at.min(self.last()));
    }

    fn go_to_round(&mut self, round: usize) {
        let at = round.saturating_add(1);
        if at > self.last() {
            self.notice = format!("there is no round {round}");
        }
        self.go_to(at);
    }

    fn find(&mut self, kind: HighlightKind, direction: Direction) {
        match (self.timeline.find(self.at, kind, direction), direction) {
            (Some(at), _) => self.go_to(at),
            (None, Direction::Back) => self.notice = format!("no {} before this", name(kind)),
            (None, Direction::Forward) => self.notice = format!("no {} after this", name(kind)),
        }
    }

    fn show(&mut self, at: usize) {
        self.at = at;
        self.scene = self.history.scene(at, self.eye);
    }

    fn next_eye(&self) -> Eye {
        let next = match self.eye {
            Eye::Referee => 0,
            Eye::Seat(seat) => seat.index() + 1,
            Eye::Everyone => usize::from(Seat::MAX),
        };
        let seat = u8::try_from(next).ok().filter(|index| *index < self.history.seats()).and_then(Seat::new);
        seat.map_or(Eye::Referee, Eye::Seat)
    }

    fn see_through(&mut self, eye: Eye) {
        match eye {
            Eye::Seat(seat) if seat.index() >= usize::from(self.history.seats()) => {
                self.notice = format!("there is no seat {seat}");
            }
            _ => {
                self.eye = eye;
                self.timeline = Timeline::of(self.history, eye);
                self.show(self.at);
            }
        }
    }

    /// The number of the last scene.
    pub(super) fn last(&self) -> usize {
        self.history.scenes().saturating_sub(1)
    }

    /// The speed in rounds per second.
    pub(super) fn speed(&self) -> u32 {
        SPEEDS[self.speed]
    }
}

fn name(kind: HighlightKind) -> &'static str {
    match kind {
        HighlightKind::Hit => "hit",
        HighlightKind::Sinking => "sinking",
        HighlightKind::Special => "special weapon",
        HighlightKind::Shield => "shield",
        HighlightKind::Fault => "fault",
    }
}

#[cfg(test)]
mod tests;
