//! A bad bot: its steps, and the match that is expected of them.

/// One bad bot.
pub struct Case {
    pub name: &'static str,
    /// The steps of the bot in round 3, before it fires as in any other round. Lines for other rounds name them.
    pub steps: &'static [&'static str],
    /// The program that its bot.json names instead of the fake bot.
    pub program: Option<Program>,
    /// The steps of its opponent in round 3 before it fires.
    pub opponent: &'static [&'static str],
    pub flags: &'static [&'static str],
    /// On a file system of its own of 48 MiB, where the bots are run in turn.
    pub small_disk: bool,
    pub plain: Expected,
    pub sandboxed: Expected,
    /// In a sandbox without namespaces, if that is different.
    pub filtered: Option<Expected>,
    /// Of a bot that stays, without a sandbox, if that is different from what is expected of others.
    pub staying: Option<Expected>,
    /// The same in a sandbox.
    pub staying_sandboxed: Option<Expected>,
    /// Of a fork of an interpreter in a sandbox, if that is different from what is expected of others there.
    pub warm: Option<Expected>,
}

/// A file that is not a usable program.
#[derive(Clone, Copy)]
pub enum Program {
    NotExecutable,
    ForeignMachine,
    NoInterpreter,
}

/// The expected match.
#[derive(Clone)]
pub struct Expected {
    pub ending: Ending,
    /// Rounds in which the bad bot is expected to have no order, with words of its log.txt.
    pub nothing: Vec<(u32, &'static str)>,
    /// More words of its log.txt of round 3.
    pub said: Vec<&'static str>,
    /// The result of the step that the bot tried, or a part of it.
    pub got: Option<&'static str>,
    /// Files of others that it changes or makes.
    pub spoilt: Vec<&'static str>,
    /// Rounds in which the other bot is harmed.
    pub harmed: Vec<u32>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// The match is played to its end, and this is told first.
    Played(&'static str),
    /// There is no match, for this reason.
    NoMatch(&'static str),
    /// The engine is killed.
    EngineKilled,
}

/// Equal bots: who had its first hit earlier.
const EQUAL: &str = "Alpha wins";
/// A bot that never fires at one cell, where the other has a ship.
const BEHIND: &str = "Bravo wins: all ships of Alpha are sunk";

impl Case {
    /// A bad bot that changes nothing for anybody.
    pub fn new(name: &'static str, steps: &'static [&'static str]) -> Case {
        let (plain, sandboxed) = (order(), order());
        let (opponent, flags): (&[_], &[_]) = (&[], &[]);
        let (program, small_disk, filtered) = (None, false, None);
        let (staying, staying_sandboxed, warm) = (None, None, None);
        Case {
            name,
            steps,
            program,
            opponent,
            flags,
            small_disk,
            plain,
            sandboxed,
            filtered,
            staying,
            staying_sandboxed,
            warm,
        }
    }

    /// True if the bot only asks the system for something in one step, which leaves no trace: such bots can share a match.
    pub fn only_asks(&self) -> bool {
        let Case { steps: [step], program: None, opponent: [], flags: [], small_disk: false, .. } = self else {
            return false;
        };
        ["try call ", "try read ", "try look ", "try variable ", "try snoop", "try tcp"]
            .iter()
            .any(|asks| step.starts_with(asks))
    }

    pub fn both(self, expected: Expected) -> Case {
        Case { plain: expected.clone(), sandboxed: expected, ..self }
    }

    pub fn plain(self, plain: Expected) -> Case {
        Case { plain, ..self }
    }

    pub fn sandboxed(self, sandboxed: Expected) -> Case {
        Case { sandboxed, ..self }
    }

    pub fn filtered(self, filtered: Expected) -> Case {
        Case { filtered: Some(filtered), ..self }
    }

    pub fn staying(self, staying: Expected) -> Case {
        Case { staying: Some(staying), ..self }
    }

    pub fn staying_sandboxed(self, sandboxed: Expected) -> Case {
        Case { staying_sandboxed: Some(sandboxed), ..self }
    }

    pub fn warm(self, warm: Expected) -> Case {
        Case { warm: Some(warm), ..self }
    }

    pub fn program(self, program: Program) -> Case {
        Case { program: Some(program), ..self }
    }

    pub fn opponent(self, opponent: &'static [&'static str]) -> Case {
        Case { opponent, ..self }
    }

    pub fn flags(self, flags: &'static [&'static str]) -> Case {
        Case { flags, ..self }
    }

    pub fn on_a_small_disk(self) -> Case {
        Case { small_disk: true, ..self }
    }
}

/// Its order of round 3 counts, like all others.
pub fn order() -> Expected {
    Expected {
        ending: Ending::Played(EQUAL),
        nothing: Vec::new(),
        said: Vec::new(),
        got: None,
        spoilt: Vec::new(),
        harmed: Vec::new(),
    }
}

/// A match in which the bot has no order in round 3, for this reason.
pub fn nothing(why: &'static str) -> Expected {
    nothing_in(3, why)
}

/// The same in another round.
pub fn nothing_in(round: u32, why: &'static str) -> Expected {
    Expected { ending: Ending::Played(BEHIND), nothing: vec![(round, why)], ..order() }
}

/// There is no match.
pub fn no_match(why: &'static str) -> Expected {
    Expected { ending: Ending::NoMatch(why), ..order() }
}

/// The engine is gone.
pub fn engine_killed() -> Expected {
    Expected { ending: Ending::EngineKilled, ..order() }
}

impl Expected {
    pub fn got(self, got: &'static str) -> Expected {
        Expected { got: Some(got), ..self }
    }

    pub fn said(mut self, words: &'static str) -> Expected {
        self.said.push(words);
        self
    }

    pub fn also_nothing_in(mut self, round: u32, why: &'static str) -> Expected {
        self.nothing.push((round, why));
        self
    }

    pub fn spoils(mut self, file: &'static str) -> Expected {
        self.spoilt.push(file);
        self
    }

    pub fn harms_round(mut self, round: u32) -> Expected {
        self.harmed.push(round);
        self
    }
}
