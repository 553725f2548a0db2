//! What it takes to play a tournament: the bots, the folder, the journal, and what was played already.

use super::entrants::{Ready, free_name, is_name_of, ready};
use super::host::Arena;
use super::kit::{Ground, Kit};
use crate::args::PlayArgs;
use crate::commands::play::fresh_seed;
use crate::commands::recording;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::show;
use arena::{Journal, Sequence};
use rules::Game;
use sha2::{Digest, Sha256};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::thread;
use tournament::{
    Entrant, Fixture, Format, GAMES_JSONL, IN_A_ROW, JournalLine, Plan, RunSettings, SchedulerEvent, ScoreTable,
    StopReason, TournamentHeader, run,
};

/// What tournament is wanted.
pub(super) struct Wish<'a> {
    pub(super) bots: &'a [String],
    pub(super) plan: Format,
    pub(super) rounds: Option<u32>,
    pub(super) games: u32,
    pub(super) play: &'a PlayArgs,
}

/// A tournament that can be played.
pub(super) struct Setting<'a, K> {
    wish: &'a Wish<'a>,
    entrants: Vec<Entrant>,
    kit: K,
    folder: PathBuf,
    journal: Journal,
    /// What was played already.
    pub(super) table: ScoreTable,
    plan: Plan,
}

/// A tournament that was played, as far as it was.
pub(super) struct PlayedOut {
    ended: StopReason,
    given_up: Vec<Fixture>,
    pub(super) table: ScoreTable,
    folder: PathBuf,
    /// How many games have no result.
    left: u64,
    /// What the engine failed at last.
    failure: Option<String>,
}

impl PlayedOut {
    /// Tells what was not played, and why.
    pub(super) fn tell(&self) -> Exit {
        let PlayedOut { given_up, folder, left, .. } = self;
        match self.ended {
            StopReason::Interrupted => {
                show::say(&format!("Stopped; the same command continues it, with --dir '{}'", folder.display()));
                Exit::Interrupted
            }
            StopReason::Failing => {
                let failure = self.failure.as_deref().unwrap_or_default();
                show::say(&format!("Stopped: {IN_A_ROW} games in a row could not be played by the engine: {failure}"));
                show::say(&format!(
                    "{left} games are left; the same command continues with them, with --dir '{}'",
                    folder.display()
                ));
                Exit::EngineError
            }
            _ if !given_up.is_empty() => {
                show::say(&format!("{} games could not be played by the engine and count for nobody", given_up.len()));
                Exit::EngineError
            }
            _ => Exit::Played,
        }
    }
}

impl<'a, K: Kit> Setting<'a, K> {
    /// Makes the bots ready, and opens the journal or begins it.
    pub(super) fn prepare<G: Ground<Kit = K>>(wish: &'a Wish<'a>, ground: G) -> Result<Setting<'a, K>, Failure> {
        let play = wish.play;
        let entrants = ready(&ground, wish.bots)?;
        // Settings with which no game can be played leave no journal.
        recording::start::<G::Game>(ground.settings(), 2, 0)?;
        let json = serde_json::to_value(ground.settings()).expect("settings have string keys");
        let seed = play.seed.unwrap_or_else(fresh_seed);
        let event = TournamentHeader::new(G::Game::KIND, json, wish.plan, wish.rounds, seed).spoken(ground.dialect());
        let folder = play.dir.clone().unwrap_or_else(|| usual_folder(&event, &entrants, &ground.mark(), play.seed));
        let path = folder.join(GAMES_JSONL);

        let (mut journal, mut table) = ScoreTable::open(&path, &event)?;
        if journal.cut_off() > 0 {
            show::say(&format!(
                "{}: the last line was cut off, and is taken away ({} bytes)",
                path.display(),
                journal.cut_off()
            ));
        }
        same_event(table.event(), &event, play, &path)?;
        let entrants = in_their_order(entrants, &path, &mut journal, &mut table)?;
        journal.sync()?;

        let listed: Vec<Entrant> = entrants.iter().map(|ready| ready.entrant.clone()).collect();
        let kit = ground.kit(entrants, &folder)?;
        let plan = Plan::new(wish.plan, listed.len(), wish.games, wish.rounds);
        Ok(Setting { wish, entrants: listed, kit, folder, journal, table, plan })
    }

    /// How many games the tournament has in all.
    pub(super) fn total(&self) -> u64 {
        self.plan.total()
    }

    /// Plays what is left. `watch` may have seen enough.
    pub(super) fn play(
        mut self,
        watch: &mut dyn FnMut(SchedulerEvent<'_>, &ScoreTable) -> ControlFlow<()>,
    ) -> Result<PlayedOut, Failure> {
        let play = self.wish.play;
        let host = Arena {
            kit: &self.kit,
            seed: self.table.event().base_seed(),
            entrants: &self.entrants,
            sequence: if play.together { Sequence::Together } else { Sequence::InTurn },
            folder: &self.folder,
            keep: play.keep,
        };
        let settings = RunSettings {
            concurrency: concurrency(play, K::SHARES_PROCESSORS),
            repeat_suspect: play.replay_suspect,
            interrupt: self.kit.interrupt(),
        };
        let mut failure = None;
        let mut noting = |progress: SchedulerEvent<'_>, table: &ScoreTable| {
            if let SchedulerEvent::Failed { error, .. } = &progress {
                failure = Some(show::clean(&show::with_causes(*error)));
            }
            watch(progress, table)
        };
        let (ended, given_up) = run(&mut self.plan, &mut self.table, &mut self.journal, &host, settings, &mut noting)?;
        let left = self.plan.total().saturating_sub(self.table.results().games());
        Ok(PlayedOut { ended, given_up, table: self.table, folder: self.folder, left, failure })
    }
}

/// How many games at the same time. More than there are processors makes bots wait for each other that share them. Of
/// bots that run elsewhere nobody knows how many calls at a time they can take: without a word, one.
fn concurrency(play: &PlayArgs, shared: bool) -> usize {
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let each = if play.together { 2 } else { 1 };
    let sound = (processors / each).max(1);
    let wanted = play.concurrency.map_or(if shared { sound } else { 1 }, usize::from);
    if shared && wanted > sound {
        show::say(&format!(
            "{wanted} games at the same time on {processors} processors: bots will wait for each other, and time-outs may \
             be the machine's fault; they are marked"
        ));
    }
    wanted
}

/// A folder that the same bots with the same settings find again.
fn usual_folder<B>(event: &TournamentHeader, entrants: &[Ready<B>], mark: &str, seed: Option<u64>) -> PathBuf {
    let mut hasher = Sha256::new();
    for ready in entrants {
        let Entrant { name, bot, content, .. } = &ready.entrant;
        hasher.update(format!("{name:?}{bot:?}{content:?}"));
    }
    hasher.update(format!("{mark}{}{:?}{seed:?}", event.plan.name(), event.rounds));
    let digits: String = hasher.finalize()[..4].iter().map(|byte| format!("{byte:02x}")).collect();
    let plain = |name: &str| -> String {
        let kept = name.chars().map(|c| if c.is_alphanumeric() { c.to_ascii_lowercase() } else { '-' });
        kept.take(20).collect()
    };
    let names: Vec<String> = entrants.iter().take(3).map(|ready| plain(&ready.entrant.name)).collect();
    Path::new("tournaments").join(format!("{} {digits}", names.join(" ")))
}

/// Whether the journal is of the tournament that is wanted.
fn same_event(
    found: &TournamentHeader,
    wanted: &TournamentHeader,
    play: &PlayArgs,
    path: &Path,
) -> Result<(), Failure> {
    let other = |what: String| {
        Err(Failure::Usage {
            what: format!("{} is of another tournament: {what}", path.display()),
            hint: "name another --dir, or the settings of this one".to_owned(),
        })
    };
    if found.game != wanted.game {
        return other(format!("its game is {}, not {}", found.game.name(), wanted.game.name()));
    }
    if found.dialect != wanted.dialect {
        let dialect = |event: &TournamentHeader| event.dialect.clone().unwrap_or_default();
        return other(format!("its dialect is {}, not {}", dialect(found), dialect(wanted)));
    }
    if found.settings != wanted.settings {
        return other(format!("its settings are {}, not {}", found.settings, wanted.settings));
    }
    if found.plan != wanted.plan {
        return other(format!("its format is {}, not {}", found.plan.name(), wanted.plan.name()));
    }
    if found.rounds != wanted.rounds {
        let rounds = |event: &TournamentHeader| {
            event.rounds.map_or("as many as are usual".to_owned(), |rounds| rounds.to_string())
        };
        return other(format!("its rounds are {}, not {}", rounds(found), rounds(wanted)));
    }
    match play.seed {
        Some(seed) if seed != found.base_seed() => other(format!("its seed is {}, not {seed}", found.base_seed())),
        _ => Ok(()),
    }
}

/// The bots in the order of the journal, new ones behind them. Those that are in it have to be the same as before.
fn in_their_order<B>(
    mut wanted: Vec<Ready<B>>,
    path: &Path,
    journal: &mut Journal,
    table: &mut ScoreTable,
) -> Result<Vec<Ready<B>>, Failure> {
    let mut entrants: Vec<Ready<B>> = Vec::new();
    for old in table.entrants() {
        let wrong = |what: &str| Failure::Usage {
            what: format!("{}: {} {what}", path.display(), old.name),
            hint: "name another --dir for a new tournament, or the same bots and more for this one".to_owned(),
        };
        // Several may call themselves the same, and be named in another order than before.
        let called_so = |ready: &Ready<B>| is_name_of(&old.name, &ready.entrant.name);
        let same = |ready: &Ready<B>| called_so(ready) && ready.entrant.content == old.content;
        let at = wanted.iter().position(|ready| same(ready) && ready.entrant.bot == old.bot);
        let Some(at) = at.or_else(|| wanted.iter().position(same)) else {
            let changed = wanted.iter().any(called_so);
            return Err(wrong(if changed {
                "has changed since it played in it"
            } else {
                "takes part in it, and was not named"
            }));
        };
        let mut one = wanted.remove(at);
        one.entrant.name.clone_from(&old.name);
        entrants.push(one);
    }
    for mut new in wanted {
        new.entrant.name = free_name(&new.entrant, &entrants);
        journal.append(&JournalLine::Entrant(new.entrant.clone()))?;
        table.enter(new.entrant.clone());
        entrants.push(new);
    }
    Ok(entrants)
}
