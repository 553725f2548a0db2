//! A program that is asked by lines, for matches that somebody else referees.

use crate::bots::program_host::ProgramHost;
use crate::{Contestant, Context, HttpBot, Opening, Program, RunnerError, ScratchFolder, ServiceSetup};
use arena::{ArenaError, Interrupt, Limits};
use players::OverHttp;
use players::http::AnswerPolicy;
use players::process::Lines;
use sha2::{Digest, Sha256};
use std::fs;

/// A program, and the surroundings of its processes: one for each match.
pub struct LineBots {
    program: Program,
    policy: AnswerPolicy,
    limits: Option<Limits>,
    host: ProgramHost,
    interrupt: Interrupt,
}

impl LineBots {
    /// The program that was found by this setup, with its time limit and options.
    ///
    /// # Errors
    /// [`RunnerError::NoProgram`] if the contestant is not a program; else as for
    /// [`GameSetup::open`](crate::GameSetup::open).
    pub fn open<G: OverHttp>(
        setup: &ServiceSetup<G>,
        contestant: Contestant<G, HttpBot>,
    ) -> Result<LineBots, RunnerError> {
        let found = contestant.bot().and_then(HttpBot::as_program).zip(setup.programs.as_ref());
        let (program, options) = found.ok_or_else(|| RunnerError::NoProgram(contestant.source.clone()))?;
        let (mut program, context): (Program, &Context) = (program.clone(), &setup.context);
        let name = rules::printable(contestant.info.name().trim());
        let scratch = Some(ScratchFolder::make(context)?);
        let opening = Opening { scratch, copies: true, ..Opening::default() };
        let host = ProgramHost::open(vec![(0, name, &mut program)], options, opening, context)?;
        let limits = setup.limit().map(|limit| options.cpu.added_to(Limits::exactly(limit, limit)));
        let policy = G::answer_policy(&setup.settings);
        Ok(LineBots { program, policy, limits, host, interrupt: context.interrupt.clone() })
    }

    /// The bot of a match with this name: a new process, in a copy of the bot's folder, once it is asked. `place` is a name for its
    /// folder among those of all matches that are open. Bots are given a seed that the name of the match decides.
    ///
    /// # Errors
    /// The disk failed, or the sandbox could not be made.
    pub fn bot(&self, name: &str, place: &str) -> Result<Lines, ArenaError> {
        let root = self.host.root(place).expect("it was opened with a folder");
        let folder = root.join("temporary");
        fs::create_dir_all(&folder).map_err(|e| ArenaError::disk("make the folder", &folder, e))?;
        let hash = Sha256::digest(name);
        let seed = u64::from_le_bytes(hash[..8].try_into().expect("a hash has 32 bytes"));
        let kill = self.limits.map(Limits::kill);
        let launch = self.host.launch(&self.program, seed, place, "bot", &folder, kill)?;
        Ok(Lines::new(launch, folder, self.policy, self.limits, self.interrupt.clone()))
    }

    /// Removes the folder of a match whose bot has ended.
    ///
    /// # Errors
    /// The disk failed.
    pub fn clear(&self, place: &str) -> Result<(), ArenaError> {
        self.host.clear(place)
    }
}
