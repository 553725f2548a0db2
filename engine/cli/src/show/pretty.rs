//! `--pretty`: draws the boards while the match is played.
//!
//! A separate thread draws at a pace that people can follow. The match never waits for it.

use super::{Names, board};
use crate::show::text::colours::Colours;
use arena::{ArenaError, Interrupt, MatchEvent, Observer};
use platform::terminal::{self, TerminalSize};
use platform::wait::WaitSet;
use rules::{Eye, Game, Scene};
use std::io::{self, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// The time that each round is shown on a terminal and in the live view.
pub(crate) const PACE: Duration = Duration::from_millis(150);
/// The columns of a page if there is no terminal.
const PAGE: usize = 80;
/// The bytes that a writable pipe takes without blocking (POSIX promises 512, Linux this many).
const PIPE_BUF: usize = 4096;
const HIDE_CURSOR: &str = "\x1b[?25l";
pub(crate) const SHOW_CURSOR: &str = "\x1b[?25h";

/// Draws the boards after every turn of a match.
pub(crate) struct Pretty {
    frames: Sender<DrawRequest>,
    thread: JoinHandle<()>,
}

enum DrawRequest {
    Scene(Scene),
    /// Asks for an answer when everything before it has been drawn.
    Flushed(Sender<()>),
}

/// Lets another observer wait until everything so far has been drawn.
#[derive(Clone)]
pub(crate) struct DrawnSignal(Sender<DrawRequest>);

impl DrawnSignal {
    /// Waits until everything so far has been drawn.
    pub(crate) fn wait(&self) {
        let (sender, receiver) = channel();
        if self.0.send(DrawRequest::Flushed(sender)).is_ok() {
            // An error means that the drawing has ended.
            let _ = receiver.recv();
        }
    }
}

impl Pretty {
    /// Starts drawing on standard output.
    pub(crate) fn start(names: Names, pace: Option<Duration>, interrupt: &Interrupt) -> Pretty {
        let (sender, receiver) = channel();
        let colours = Colours::for_stream(&io::stdout());
        let pace = pace.unwrap_or(if colours.escapes() { PACE } else { Duration::ZERO });
        let interrupt = interrupt.clone();
        let thread = thread::spawn(move || {
            let mut writer = FrameWriter { names, colours, drawn: 0, size: None };
            // If standard output is closed, the match goes on without drawing.
            let _ = writer.draw_all(&receiver, pace, &interrupt);
            for frame in receiver {
                drop(frame);
            }
        });
        Pretty { frames: sender, thread }
    }

    /// A signal for observers that write to the same terminal.
    pub(crate) fn drawn_signal(&self) -> DrawnSignal {
        DrawnSignal(self.frames.clone())
    }

    /// Waits until all scenes are drawn, and ends the thread.
    pub(crate) fn finish(self) {
        drop(self.frames);
        self.thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    }
}

impl<G: Game> Observer<G> for Pretty {
    fn on(&mut self, event: &MatchEvent<'_, G>) -> Result<(), ArenaError> {
        if let MatchEvent::Advanced { game, .. } = event {
            // Sending cannot fail: the thread receives until this sender is dropped.
            let _ = self.frames.send(DrawRequest::Scene(game.scene(Eye::Referee)));
        }
        Ok(())
    }
}

struct FrameWriter {
    names: Names,
    colours: Colours,
    /// The lines of the last scene, over which the next one is drawn.
    drawn: usize,
    size: Option<TerminalSize>,
}

impl FrameWriter {
    fn draw_all(&mut self, frames: &Receiver<DrawRequest>, pace: Duration, interrupt: &Interrupt) -> io::Result<()> {
        if self.colours.escapes() {
            write!(io::stdout(), "{HIDE_CURSOR}")?;
        }
        let drawn = self.draw_until_end(frames, pace, interrupt);
        if self.colours.escapes() {
            write!(io::stdout(), "{SHOW_CURSOR}")?;
            io::stdout().flush()?;
        }
        drawn
    }

    fn draw_until_end(
        &mut self,
        frames: &Receiver<DrawRequest>,
        pace: Duration,
        interrupt: &Interrupt,
    ) -> io::Result<()> {
        for frame in frames {
            match frame {
                DrawRequest::Flushed(waiting) => {
                    // Others write below the scene that is drawn now, so it stays.
                    self.drawn = 0;
                    let _ = waiting.send(());
                }
                DrawRequest::Scene(scene) => {
                    self.draw(&scene, interrupt)?;
                    if interrupt.is_raised_within(pace) {
                        return Ok(());
                    }
                }
            }
        }
        Ok(())
    }

    fn draw(&mut self, scene: &Scene, interrupt: &Interrupt) -> io::Result<()> {
        let size = terminal::size();
        let columns = size.map_or(PAGE, |size| size.columns);
        // The cursor needs the last row.
        let rows = size.filter(|_| self.colours.escapes()).map_or(usize::MAX, |size| size.rows - 1);
        let lines = board::lines_within(scene, &self.names, self.colours, columns, rows);
        let mut text = String::new();
        if self.colours.escapes() {
            if self.size.is_some() && self.size != size {
                text.push_str("\x1b[2J\x1b[H");
            } else if self.drawn > 0 {
                text.push_str(&format!("\x1b[{}A\r", self.drawn));
            }
            for line in &lines {
                text.push_str(line);
                text.push_str("\x1b[K\n");
            }
            text.push_str("\x1b[J");
        } else {
            text.extend(lines.iter().flat_map(|line| [line.as_str(), "\n"]));
            text.push('\n');
        }
        self.drawn = lines.len();
        self.size = size;
        write_unless(text.as_bytes(), interrupt)
    }
}

/// Writes `text`, but gives up if the match must stop while nobody reads.
fn write_unless(text: &[u8], interrupt: &Interrupt) -> io::Result<()> {
    let mut out = io::stdout().lock();
    // A writable pipe takes a chunk of this size without blocking.
    for chunk in text.chunks(PIPE_BUF) {
        let ready = {
            let mut set = WaitSet::new().writable(&out).readable(interrupt);
            set.wait(None)?;
            set.is_ready(0)
        };
        if !ready {
            return Err(io::ErrorKind::Interrupted.into());
        }
        out.write_all(chunk)?;
        out.flush()?;
    }
    Ok(())
}
