//! The state of the viewer: where in the match it is, through whose eyes, and what keys and time do to that.

use super::binding::{Wish, wish};
use super::course::{Course, Way};
use super::key::Key;
use arena::MatchHistory;
use rules::{Eye, HighlightKind, Scene, Seat};
use std::time::Duration;

/// The speeds there are, in rounds a second.
const SPEEDS: [u32; 5] = [1, 2, 5, 10, 20];
/// The speed at first.
const USUAL_SPEED: usize = 2;
/// The most digits a round may have.
const DIGITS: usize = 9;

/// A film and how far it has been watched.
pub(super) struct Viewer<'a> {
    film: &'a dyn MatchHistory,
    course: Course,
    eye: Eye,
    at: usize,
    scene: Scene,
    playing: bool,
    speed: usize,
    /// How long this scene has been shown while playing.
    shown: Duration,
    mode: Mode,
    density: bool,
    log: bool,
    page: isize,
    notice: String,
}

/// What keys are for at the moment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Mode {
    Watching,
    /// Typing the number of a round.
    Asking(String),
    /// Reading the help.
    Reading,
}

/// What is to happen after a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    Draw,
    /// Something else may have written to the terminal.
    DrawAnew,
    Leave,
}

impl<'a> Viewer<'a> {
    /// Before the first turn, with the eyes of the referee.
    pub(super) fn new(film: &'a dyn MatchHistory) -> Viewer<'a> {
        Viewer {
            film,
            course: Course::of(film, Eye::Referee),
            eye: Eye::Referee,
            at: 0,
            scene: film.scene(0, Eye::Referee),
            playing: false,
            speed: USUAL_SPEED,
            shown: Duration::ZERO,
            mode: Mode::Watching,
            density: false,
            log: false,
            page: 0,
            notice: String::new(),
        }
    }

    /// Does what the key asks for.
    pub(super) fn key(&mut self, key: Key) -> Next {
        self.notice.clear();
        match (&mut self.mode, key) {
            // These two always do.
            (_, Key::Ctrl('c')) => return Next::Leave,
            (_, Key::Ctrl('l')) => return Next::DrawAnew,
            (Mode::Watching, key) => match wish(key) {
                Some(wish) => return self.fulfil(wish),
                None => self.notice = "this key does nothing; ? tells which do".to_owned(),
            },
            (Mode::Asking(digits), Key::Char(digit @ '0'..='9')) if digits.len() < DIGITS => digits.push(digit),
            (Mode::Asking(digits), Key::Backspace) => {
                digits.pop();
            }
            (Mode::Asking(digits), Key::Enter) => {
                let round = digits.parse().ok();
                self.mode = Mode::Watching;
                if let Some(round) = round {
                    self.go_to_round(round);
                }
            }
            (Mode::Asking(_), Key::Escape) | (Mode::Reading, _) => self.mode = Mode::Watching,
            (Mode::Asking(_), _) => {}
        }
        Next::Draw
    }

    fn fulfil(&mut self, wish: Wish) -> Next {
        match wish {
            Wish::PlayOrPause => self.play_or_pause(),
            Wish::Step(by) => self.go_to(self.at.saturating_add_signed(by)),
            Wish::Start => self.go_to(0),
            Wish::End => self.go_to(self.last()),
            Wish::Find(kind, way) => self.find(kind, way),
            Wish::AskForRound => self.mode = Mode::Asking(String::new()),
            Wish::Faster => self.speed = (self.speed + 1).min(SPEEDS.len() - 1),
            Wish::Slower => self.speed = self.speed.saturating_sub(1),
            Wish::NextEye => self.see_through(self.next_eye()),
            Wish::Eye(eye) => self.see_through(eye),
            Wish::Density => self.density = !self.density,
            Wish::Log => self.log = !self.log,
            Wish::Page(by) => self.page = self.page.wrapping_add(by),
            Wish::Help => self.mode = Mode::Reading,
            Wish::Leave => return Next::Leave,
            Wish::DrawAnew => return Next::DrawAnew,
        }
        Next::Draw
    }

    /// Lets time pass. No scene is passed over, however long it took to draw the last.
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

    /// How long until time changes something; `None` if it does not.
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

    /// Shows scene `at` or the last, and stays there.
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

    fn find(&mut self, kind: HighlightKind, way: Way) {
        match (self.course.find(self.at, kind, way), way) {
            (Some(at), _) => self.go_to(at),
            (None, Way::Back) => self.notice = format!("no {} before this", name(kind)),
            (None, Way::On) => self.notice = format!("no {} after this", name(kind)),
        }
    }

    fn show(&mut self, at: usize) {
        self.at = at;
        self.scene = self.film.scene(at, self.eye);
    }

    fn next_eye(&self) -> Eye {
        let next = match self.eye {
            Eye::Referee => 0,
            Eye::Seat(seat) => seat.index() + 1,
            Eye::Everyone => usize::from(Seat::MAX),
        };
        let seat = u8::try_from(next).ok().filter(|index| *index < self.film.seats()).and_then(Seat::new);
        seat.map_or(Eye::Referee, Eye::Seat)
    }

    fn see_through(&mut self, eye: Eye) {
        match eye {
            Eye::Seat(seat) if seat.index() >= usize::from(self.film.seats()) => {
                self.notice = format!("there is no seat {seat}");
            }
            _ => {
                self.eye = eye;
                self.course = Course::of(self.film, eye);
                self.show(self.at);
            }
        }
    }

    pub(super) fn film(&self) -> &'a dyn MatchHistory {
        self.film
    }

    pub(super) fn course(&self) -> &Course {
        &self.course
    }

    pub(super) fn eye(&self) -> Eye {
        self.eye
    }

    /// The number of the scene that is shown.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// The number of the last scene.
    pub(super) fn last(&self) -> usize {
        self.film.scenes().saturating_sub(1)
    }

    /// The scene that is shown.
    pub(super) fn scene(&self) -> &Scene {
        &self.scene
    }

    pub(super) fn is_playing(&self) -> bool {
        self.playing
    }

    /// In rounds a second.
    pub(super) fn speed(&self) -> u32 {
        SPEEDS[self.speed]
    }

    pub(super) fn mode(&self) -> &Mode {
        &self.mode
    }

    /// Whether the shots at each cell are wanted.
    pub(super) fn density(&self) -> bool {
        self.density
    }

    /// Whether the log is wanted instead of the boards.
    pub(super) fn log(&self) -> bool {
        self.log
    }

    /// The page of boards, of as many as there turn out to be.
    pub(super) fn page(&self) -> isize {
        self.page
    }

    /// What the last key could not do.
    pub(super) fn notice(&self) -> &str {
        &self.notice
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
