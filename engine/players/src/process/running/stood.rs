//! The place at which a bot stood when its time was up: what its runtime tells when it is asked by a signal, or else the system
//! call and the functions on its stack.

use super::RunningBot;
use arena::{Output, Stood, place_of_crash};
use object::{Object, ObjectSegment};
use platform::process::Position;
use platform::wait::WaitSet;
use std::fmt::{self, Write};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The way to learn where a bot stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::process) enum StackSource {
    /// Its runtime writes its stack to one of its streams when it gets this signal.
    Signal(i32),
    /// The engine looks for itself. It names functions if the process is this program; `None` for a bot that an interpreter runs.
    Look(Option<PathBuf>),
}

/// The time for all that a runtime tells when it was asked. A bot may answer the signal itself, and go on for ever.
const LONGEST: Duration = Duration::from_millis(1000);
/// The time without a word after which it has told all.
const PAUSE: Duration = Duration::from_millis(60);
/// The number of lines of a stack that are kept.
const MOST_LINES: usize = 20;
/// The number of lines that are searched: a virtual machine tells of all its threads.
const MOST_SEARCHED: usize = 1000;
/// The number of functions that are named.
const MOST_FUNCTIONS: usize = 6;
/// The largest program whose functions are read, in bytes: it is read into memory, with a table of its symbols.
const MOST_OF_PROGRAM: u64 = 16 << 20;
/// The longest name of a function that is shown, in bytes. A mangled one of a few bytes can stand for one that fills the memory.
const MOST_OF_NAME: usize = 200;

impl RunningBot {
    /// The place at which the bot stands, if that can be learned.
    pub(super) fn stood(&mut self) -> Option<Stood> {
        match self.stack_source.clone()? {
            StackSource::Signal(signal) => self.told(signal),
            StackSource::Look(program) => seen(self.process.position()?, program.as_deref()),
        }
    }

    /// Asks the runtime, and takes what it tells out of the streams.
    fn told(&mut self, signal: i32) -> Option<Stood> {
        self.streams.iter_mut().for_each(|stream| stream.drain());
        let before = self.streams.each_ref().map(|stream| stream.kept());
        self.process.ask_for_stack(signal, self.answers.is_some());
        let begun = Instant::now();
        let mut last: Option<Instant> = None;
        loop {
            let pause = last.map(|last| PAUSE.saturating_sub(last.elapsed()));
            let left = LONGEST.checked_sub(begun.elapsed()).map(|left| pause.map_or(left, |pause| pause.min(left)));
            let left = left.filter(|left| !left.is_zero());
            let mut set = WaitSet::new().readable(&self.process);
            let pipes = self.streams.iter().filter_map(|stream| stream.pipe.as_ref());
            set = pipes.fold(set, |set, pipe| set.readable(pipe));
            let has_ended = set.wait(Some(left.unwrap_or_default())).is_ok() && set.is_ready(0);
            drop(set);
            let known = self.streams.each_ref().map(|stream| stream.kept());
            self.streams.iter_mut().for_each(|stream| stream.drain());
            if left.is_none() {
                break;
            }
            if self.streams.each_ref().map(|stream| stream.kept()) != known {
                last = Some(Instant::now());
            } else if has_ended {
                break;
            }
        }
        let texts = [self.streams[1].cut(before[1]), self.streams[0].cut(before[0])];
        texts.into_iter().find_map(|text| stack_in(&text))
    }
}

/// The stack in what a runtime wrote: the paragraph with the first place in the code of the bot.
fn stack_in(text: &[u8]) -> Option<Stood> {
    let lines = Output { bytes: text.to_vec(), ..Output::default() }.last_lines(MOST_SEARCHED);
    let paragraphs = lines.split(|line| line.trim().is_empty());
    paragraphs.into_iter().find_map(|lines| {
        let place = place_of_crash(lines).map(|place| format!("at {place}")).or_else(|| method_in(lines))?;
        Some(Stood { place, lines: lines.iter().take(MOST_LINES).cloned().collect() })
    })
}

/// The latest method of the bot in a stack of Mono, which has no lines: `  at Bot.Main () [0x00000] in <b6fb>:0`.
fn method_in(lines: &[String]) -> Option<String> {
    const OF_OTHERS: [&str; 5] = ["(", "<", "System.", "Mono.", "Microsoft."];
    let mut methods = lines.iter().filter_map(|line| line.trim_start().strip_prefix("at ")?.split_once(" ("));
    let (method, _) = methods.find(|(method, _)| !OF_OTHERS.iter().any(|start| method.starts_with(start)))?;
    Some(format!("in {method}"))
}

/// The place in words of the system and of the program's symbols.
fn seen(position: Position, own: Option<&Path>) -> Option<Stood> {
    let is_own = own.and_then(|own| own.canonicalize().ok()).is_some_and(|own| own == position.path);
    let functions = if is_own { functions(&position).unwrap_or_default() } else { Vec::new() };
    let call = position.waits_for;
    let (first, callers) = functions.split_first().unzip();
    let callers = callers.filter(|callers| !callers.is_empty()).map(|callers| callers.join(", "));
    let callers = callers.map_or_else(String::new, |callers| format!(", called by {callers}"));
    let place = match (first, call) {
        (Some(first), Some(call)) => format!("in {first}{callers}: {call}"),
        (Some(first), None) => format!("in {first}{callers}"),
        (None, Some(call)) => call,
        (None, None) => return None,
    };
    Some(Stood { place, lines: functions })
}

/// The names of the functions at these places of a program, the latest first, without those of libraries. `None` if it has no symbols.
fn functions(position: &Position) -> Option<Vec<String>> {
    let mut bytes = Vec::new();
    (&position.program).take(MOST_OF_PROGRAM + 1).read_to_end(&mut bytes).ok()?;
    if bytes.len() as u64 > MOST_OF_PROGRAM {
        return None;
    }
    let program = object::File::parse(&*bytes).ok()?;
    let symbols = program.symbol_map();
    let address = |place: &u64| {
        program.segments().find_map(|segment| {
            let (start, size) = segment.file_range();
            (start..start + size).contains(place).then(|| segment.address() + (place - start))
        })
    };
    let named = position.places.iter().filter_map(address).filter_map(|address| symbols.containing(address));
    let mut names: Vec<String> = named.map(|symbol| readable(symbol.name())).collect();
    names.retain(|name| !is_of_runtime(name));
    names.dedup();
    if let Some(main) = names.iter().position(|name| name == "main") {
        names.truncate(main + 1);
    }
    names.truncate(MOST_FUNCTIONS);
    Some(names)
}

/// The name of a function as its author writes it; of one that is too long the symbol, cut.
fn readable(symbol: &str) -> String {
    let mut name = ShortText::default();
    let is_written = match rustc_demangle::try_demangle(symbol) {
        Ok(demangled) => write!(name, "{demangled:#}").is_ok(),
        Err(_) => {
            let options = cpp_demangle::DemangleOptions::new().no_params().no_return_type();
            let demangled = cpp_demangle::Symbol::new(symbol);
            demangled.is_ok_and(|demangled| demangled.structured_demangle(&mut name, &options).is_ok())
        }
    };
    if is_written { name.0 } else { symbol.chars().take(MOST_OF_NAME).collect() }
}

/// A text of at most [`MOST_OF_NAME`] bytes: writing more fails.
#[derive(Default)]
struct ShortText(String);

impl fmt::Write for ShortText {
    fn write_str(&mut self, part: &str) -> fmt::Result {
        if self.0.len() + part.len() > MOST_OF_NAME {
            return Err(fmt::Error);
        }
        self.0.push_str(part);
        Ok(())
    }
}

/// True for functions that no author of a bot wrote.
fn is_of_runtime(name: &str) -> bool {
    const OF_RUNTIMES: [&str; 6] = ["_start", "__libc_", "std::", "core::", "alloc::", "<"];
    OF_RUNTIMES.iter().any(|start| name.starts_with(start))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stack_of_the_bot_is_found_among_what_a_runtime_tells() {
        let java = "2026-11-27 01:00:00\nFull thread dump OpenJDK 64-Bit Server VM:\n\nThreads class SMR info:\n_x=1\n\n\
                    \"main\" #1 prio=5 runnable\n   java.lang.Thread.State: RUNNABLE\n\tat Bot.choose(Bot.java:42)\n\tat \
                    Bot.main(Bot.java:7)\n\n\"Finalizer\" #3\n\tat java.base/java.lang.Object.wait(Object.java:338)\n";
        let stood = stack_in(java.as_bytes()).unwrap();
        assert_eq!((stood.place.as_str(), stood.lines.len()), ("at Bot.java:42", 4));
        let python = "Fatal Python error: Aborted\n\nCurrent thread 0x1 (most recent call first):\n  File \
                      \"/usr/lib/python3/json.py\", line 3 in load\n  File \"/b/bot.py\", line 42 in choose\n  File \
                      \"/b/bot.py\", line 7 in <module>\n";
        assert_eq!(stack_in(python.as_bytes()).unwrap().place, "at bot.py:42");
        let mono = "Full thread dump:\n\n\"<unnamed thread>\"  at <unknown> <0xffffffff>\n  at (wrapper managed-to-native) \
                    System.Threading.Thread.SleepInternal (int) [0x00002] in <12b4>:0\n  at System.Threading.Thread.Sleep \
                    (int) [0x00000] in <12b4>:0\n  at Bot.Choose (int) [0x00007] in <b6fb>:0\n  at Bot.Main () [0x0] in <b6fb>:0\n";
        assert_eq!(stack_in(mono.as_bytes()).unwrap().place, "in Bot.Choose");
        assert_eq!(stack_in(b"bot: I am late\n"), None);
    }

    #[test]
    fn functions_have_the_names_that_their_authors_gave_them() {
        let names = ["choose", "_ZN3Bot6chooseERKi", "_ZN3bot6choose17h0123456789abcdefE", "_RNvCs1234_3bot6choose"];
        assert_eq!(names.map(readable), ["choose", "Bot::choose", "bot::choose", "bot::choose"]);
    }

    /// A function with so many template arguments, each a pair of the one before it, so that its name is twice as long. Earlier parts of
    /// a symbol are named by numbers of base 36 (Itanium C++ ABI, 5.1.8).
    fn doubled(arguments: u32) -> String {
        let back =
            |nth: u32| char::from_digit(nth % 36, 36).map_or(String::new(), |digit| digit.to_uppercase().to_string());
        let pairs: String = (1..arguments).map(|nth| format!("S0_IS{0}_S{0}_E", back(nth))).collect();
        format!("_Z1fISt4pairIiiE{pairs}Evv")
    }

    #[test]
    fn a_short_symbol_with_a_name_that_fills_the_memory_is_shown_as_it_is() {
        let pair = "std::pair<int, int>";
        assert_eq!(readable(&doubled(2)), format!("f<{pair}, std::pair<{pair}, {pair} > >"));
        let symbol = doubled(36);
        assert_eq!(readable(&symbol), symbol.chars().take(MOST_OF_NAME).collect::<String>());
    }
}
