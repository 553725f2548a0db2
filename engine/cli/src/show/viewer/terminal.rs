//! Runs the viewer on the terminal: draws, waits for keys, and restores the terminal.

use super::draw::Renderer;
use super::key::{KeyReader, PATIENCE};
use super::palette::Palette;
use super::state::{NextStep, ViewerState};
use crate::show::Names;
use crate::show::text::colours::Colours;
use crate::signals;
use analysis::{MatchAnalysis, analyse_record};
use arena::record::Record;
use arena::{ArenaError, Interrupt, MatchHistory};
use platform::terminal::ResizeSignal;
use platform::wait::{Flag, WaitSet, read};
use ratatui::DefaultTerminal;
use std::env;
use std::io::{self, IsTerminal};
use std::mem::MaybeUninit;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Shows the match of a record on the terminal until the person there leaves. It is analysed meanwhile.
///
/// # Errors
/// [`ArenaError::Console`] if standard input or output is not a terminal that can be drawn on, or is gone, and
/// [`ArenaError::Interrupted`] after a signal.
pub(crate) fn watch(
    history: &dyn MatchHistory,
    record: &Arc<Record>,
    names: &Names,
    title: &str,
) -> Result<(), ArenaError> {
    let failed = |source: io::Error| ArenaError::Console { doing: "show the match on", source };
    if let Some(why) = unfit() {
        return Err(failed(io::Error::other(why)));
    }
    let interrupt = signals::interrupt()?;
    let resizes = ResizeSignal::listen().map_err(failed)?;
    let renderer = Renderer::new(title, names, Palette(Colours::for_stream(&io::stdout())));
    let mut viewer = ViewerState::new(history);
    let is_analysed = Arc::new(Flag::new().map_err(failed)?);
    let analysis = analyse(Arc::clone(record), Arc::clone(&is_analysed)).map_err(failed)?;
    let mut screen = AlternateScreen::enter().map_err(failed)?;
    let mut keys = KeyReader::default();
    let mut ticked = Instant::now();
    let mut typed = Instant::now();
    loop {
        screen.draw(&renderer, &viewer).map_err(failed)?;
        let play = viewer.rest().map(|rest| rest.saturating_sub(ticked.elapsed()));
        let settle = keys.is_waiting().then(|| PATIENCE.saturating_sub(typed.elapsed()));
        let mut pressed = Vec::new();
        match wait(&interrupt, &resizes, &is_analysed, play.into_iter().chain(settle).min()).map_err(failed)? {
            WakeReason::Interrupted => return Err(ArenaError::Interrupted),
            WakeReason::Typed(bytes) => {
                typed = Instant::now();
                pressed = keys.read(&bytes);
            }
            WakeReason::Otherwise if typed.elapsed() >= PATIENCE => pressed.extend(keys.settle()),
            WakeReason::Otherwise => {}
        }
        if let Ok(analysis) = analysis.try_recv() {
            viewer.analysed(analysis);
        }
        viewer.tick(ticked.elapsed());
        ticked = Instant::now();
        for key in pressed {
            match viewer.key(key) {
                NextStep::Draw => {}
                NextStep::DrawAnew => screen.clear().map_err(failed)?,
                NextStep::Leave => return Ok(()),
            }
        }
    }
}

/// Analyses a match on a thread of its own, which raises the flag when it is done: that may take longer than anybody wants to wait.
fn analyse(record: Arc<Record>, done: Arc<Flag>) -> io::Result<Receiver<MatchAnalysis>> {
    let (result, analysis) = channel();
    thread::Builder::new().name("analysis".to_owned()).spawn(move || {
        if let Ok(analysed) = analyse_record(&record, true) {
            // The person may have left.
            let _ = result.send(analysed.analysis);
        }
        done.raise();
    })?;
    Ok(analysis)
}

/// The reason why the viewer cannot run on this terminal; `None` if it can.
fn unfit() -> Option<&'static str> {
    let reasons = [
        (!io::stdin().is_terminal(), "standard input is not a terminal"),
        (!io::stdout().is_terminal(), "standard output is not a terminal"),
        (env::var_os("TERM").is_some_and(|term| term == "dumb"), "it is a dumb terminal (TERM=dumb)"),
    ];
    reasons.into_iter().find_map(|(applies, reason)| applies.then_some(reason))
}

/// The terminal while the viewer uses it: without echo, on the alternate screen. Dropping it restores the terminal; after a
/// panic ratatui does that before the panic is printed.
struct AlternateScreen(DefaultTerminal);

impl AlternateScreen {
    fn enter() -> io::Result<AlternateScreen> {
        ratatui::try_init().map(AlternateScreen).inspect_err(|_| {
            // The first error is the useful one.
            let _ = ratatui::try_restore();
        })
    }

    fn draw(&mut self, renderer: &Renderer<'_>, viewer: &ViewerState<'_>) -> io::Result<()> {
        self.0.draw(|frame| {
            let area = frame.area();
            renderer.draw(frame.buffer_mut(), area, viewer);
        })?;
        Ok(())
    }

    fn clear(&mut self) -> io::Result<()> {
        let size = self.0.size()?;
        // Unlike `clear`, this does not ask the terminal for the position of the cursor, which would swallow keys.
        self.0.resize(size.into())
    }
}

impl Drop for AlternateScreen {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            // A terminal that is gone needs no restoring.
            let _ = ratatui::try_restore();
        }
    }
}

/// The reason why waiting ended.
enum WakeReason {
    Interrupted,
    Typed(Vec<u8>),
    /// Another size, an analysis, or the end of the time.
    Otherwise,
}

/// Waits for a key, a signal, another size or the flag of the analysis, which is cleared, for `patience` at most.
fn wait(
    interrupt: &Interrupt,
    resizes: &ResizeSignal,
    analysed: &Flag,
    patience: Option<Duration>,
) -> io::Result<WakeReason> {
    let stdin = io::stdin();
    let mut set = WaitSet::new().readable(interrupt).readable(resizes).readable(&stdin).readable(analysed);
    set.wait(patience)?;
    let [interrupted, resized, typed] = [0, 1, 2].map(|number| set.is_ready(number));
    if interrupted {
        return Ok(WakeReason::Interrupted);
    }
    if resized {
        resizes.forget()?;
    }
    if set.is_ready(3) {
        analysed.clear();
    }
    if !typed {
        return Ok(WakeReason::Otherwise);
    }
    match read(&stdin, &mut [MaybeUninit::uninit(); 1024])? {
        [] => Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the terminal is gone")),
        bytes => Ok(WakeReason::Typed(bytes.to_vec())),
    }
}
