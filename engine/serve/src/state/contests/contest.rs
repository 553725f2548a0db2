//! The state of a contest. It follows from the lines of the journal alone.

use crate::state::contests::contest_line::{ContestLine, VoidSet};
use crate::state::contests::contest_settings::ContestSettings;
use crate::state::contests::contest_tournament::{ContestTournament, PlannedFinal};
use crate::state::contests::version::{Progress, Version, VersionSource};

use crate::state::name::BotId;
use std::collections::{BTreeMap, BTreeSet};

/// The most versions of a bot.
pub(crate) const MOST_VERSIONS: u32 = 1000;

/// A contest.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Contest {
    pub(crate) settings: ContestSettings,
    bots: BTreeMap<BotId, ContestBot>,
    /// Versions without a verdict, in the order in which they were handed in.
    queue: Vec<(BotId, u32)>,
    /// The time when a version of each team was last begun.
    judged: BTreeMap<BotId, String>,
    /// The sets of games that were declared void, in their order.
    pub(crate) voided: Vec<(VoidSet, String)>,
    /// The tournaments, by their numbers from 1.
    pub(crate) tournaments: Vec<ContestTournament>,
    /// The final that is planned.
    pub(crate) planned_final: Option<PlannedFinal>,
    /// The announcement on its page.
    pub(crate) announcement: Option<String>,
    /// True if ranked games are played.
    pub(crate) is_ranked: bool,
    /// The reason why not, if the server itself has stopped them.
    pub(crate) ranked_why: Option<String>,
}

/// The bot of a team in a contest.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct ContestBot {
    pub(crate) versions: Vec<Version>,
    /// The number of the version that plays.
    pub(crate) active: Option<u32>,
    /// True if it plays no games until its team activates a version.
    pub(crate) is_retired: bool,
    /// True if only its team and the administrators see it.
    pub(crate) is_hidden: bool,
}

impl ContestBot {
    /// The version that is to play, parked or not.
    pub(crate) fn playing(&self) -> Option<&Version> {
        self.version(self.active.filter(|_| !self.is_retired)?)
    }

    pub(crate) fn version(&self, number: u32) -> Option<&Version> {
        self.versions.get(number.checked_sub(1)? as usize)
    }

    fn version_mut(&mut self, number: u32) -> Option<&mut Version> {
        self.versions.get_mut(number.checked_sub(1)? as usize)
    }
}

impl Contest {
    /// A contest with these settings that begins.
    pub(crate) fn new(settings: ContestSettings) -> Contest {
        Contest {
            settings,
            bots: BTreeMap::new(),
            queue: Vec::new(),
            judged: BTreeMap::new(),
            voided: Vec::new(),
            tournaments: Vec::new(),
            planned_final: None,
            announcement: None,
            is_ranked: true,
            ranked_why: None,
        }
    }

    /// The bots of all teams that have handed in a version.
    pub(crate) fn bots(&self) -> impl Iterator<Item = (BotId, &ContestBot)> {
        self.bots.iter().map(|(id, bot)| (*id, bot))
    }

    /// The code that a team has to give with its version, if it has handed in none yet.
    pub(crate) fn code_for(&self, bot: BotId) -> Option<String> {
        self.settings.code.clone().filter(|_| self.bot(bot).is_none())
    }

    /// The bots that are not shown to everyone.
    pub(crate) fn hidden(&self) -> BTreeSet<BotId> {
        self.bots().filter(|(_, entry)| entry.is_hidden).map(|(id, _)| id).collect()
    }

    pub(crate) fn bot(&self, id: BotId) -> Option<&ContestBot> {
        self.bots.get(&id)
    }

    /// The versions without a verdict, in the order in which they were handed in.
    pub(crate) fn queue(&self) -> &[(BotId, u32)] {
        &self.queue
    }

    /// The tournament of this number.
    pub(crate) fn tournament(&self, number: u32) -> Option<&ContestTournament> {
        self.tournaments.get(number.checked_sub(1)? as usize)
    }

    /// The tournaments that are not over, with their numbers.
    pub(crate) fn open_tournaments(&self) -> impl Iterator<Item = (u32, &ContestTournament)> {
        (1..).zip(&self.tournaments).filter(|(_, tournament)| tournament.is_open())
    }

    /// The last final that has begun, with its number.
    pub(crate) fn last_final(&self) -> Option<(u32, &ContestTournament)> {
        let mut all = self.tournaments.iter().enumerate().rev();
        let (at, tournament) = all.find(|(_, tournament)| tournament.plan.pace.is_some())?;
        Some((at as u32 + 1, tournament))
    }

    /// The final that is being played or shown, with its number.
    pub(crate) fn open_final(&self) -> Option<(u32, &ContestTournament)> {
        self.last_final().filter(|(_, tournament)| tournament.is_open())
    }

    /// The number of the next version of a bot.
    pub(crate) fn next_version(&self, bot: BotId) -> u32 {
        self.bot(bot).map_or(0, |bot| bot.versions.len() as u32) + 1
    }

    /// The time when a version of each team was last begun.
    pub(crate) fn last_judged(&self) -> impl Iterator<Item = (BotId, &str)> {
        self.judged.iter().map(|(bot, at)| (*bot, at.as_str()))
    }

    /// Removes the bot of a team. Its results stay.
    pub(crate) fn remove(&mut self, bot: BotId) {
        self.bots.remove(&bot);
        self.queue.retain(|(queued, _)| *queued != bot);
        self.judged.remove(&bot);
    }

    /// Checks that the line can follow; else returns the reason.
    pub(crate) fn check(&self, line: &ContestLine) -> Result<(), String> {
        match line {
            ContestLine::Settings { settings } => {
                settings.check()?;
                if (settings.game, &settings.settings) != (self.settings.game, &self.settings.settings) {
                    return Err("the game of a contest and its settings never change: begin another contest".to_owned());
                }
            }
            ContestLine::Submitted { bot, version, source, .. } => {
                self.settings.entries.check(source)?;
                let next = self.next_version(*bot);
                if *version != next {
                    return Err(format!("version {version} of bot {bot} follows, and {next} was to"));
                }
                if next > MOST_VERSIONS {
                    return Err(format!("bot {bot} has {MOST_VERSIONS} versions, and there are no more"));
                }
            }
            ContestLine::Judged { bot, version }
            | ContestLine::Queued { bot, version }
            | ContestLine::Accepted { bot, version, .. }
            | ContestLine::Rejected { bot, version, .. } => {
                if !self.known(*bot, *version)?.is_open() {
                    return Err(format!("version {version} of bot {bot} has its verdict"));
                }
            }
            ContestLine::Activated { bot, version } | ContestLine::Parked { bot, version, .. } => {
                self.playable(*bot, *version)?;
            }
            ContestLine::Removed { bot, version, .. } => {
                self.playable(*bot, *version)?;
                if self.bot(*bot).is_some_and(|bot| bot.active == Some(*version)) {
                    return Err(format!("version {version} of bot {bot} plays"));
                }
            }
            ContestLine::TournamentBegan { number, plan } => {
                let next = self.tournaments.len() as u32 + 1;
                if *number != next {
                    return Err(format!("tournament {number} begins, and {next} was to"));
                }
                plan.check()?;
                if plan.pace.is_some() && self.planned_final.is_none() {
                    return Err("no final is planned".to_owned());
                }
            }
            ContestLine::TournamentEnded { number, .. } => {
                if self.tournament(*number).is_none_or(|tournament| !tournament.is_open()) {
                    return Err(format!("tournament {number} is over, or never began"));
                }
            }
            ContestLine::FinalPlanned { plan } => {
                plan.check()?;
                if self.planned_final.is_some() || self.open_final().is_some() {
                    return Err("a final is planned or being played already; cancel it first".to_owned());
                }
            }
            ContestLine::FinalCancelled => {
                self.planned_final.as_ref().ok_or("no final is planned")?;
            }
            ContestLine::Retired { bot, .. } | ContestLine::Hidden { bot, .. } => {
                self.bot(*bot).ok_or_else(|| format!("bot {bot} has handed in no version"))?;
            }
            ContestLine::Ranked { .. } | ContestLine::Announced { .. } | ContestLine::Voided { .. } => {}
        }
        Ok(())
    }

    /// Checks that a version may play.
    fn playable(&self, bot: BotId, version: u32) -> Result<(), String> {
        let known = self.known(bot, version)?;
        match &known.removed {
            Some(why) => Err(format!("version {version} of bot {bot} was removed from the disk: {why}")),
            None if known.is_accepted() => Ok(()),
            None => Err(format!("version {version} of bot {bot} was not accepted")),
        }
    }

    /// True if a version is there, or is to be, that came in this archive.
    pub(crate) fn needs_archive(&self, source: &VersionSource) -> bool {
        let mut versions = self.bots.values().flat_map(|bot| &bot.versions);
        versions.any(|version| version.source == *source && !version.is_rejected() && version.removed.is_none())
    }

    fn known(&self, bot: BotId, version: u32) -> Result<&Version, String> {
        let found = self.bots.get(&bot).and_then(|bot| bot.version(version));
        found.ok_or_else(|| format!("there is no version {version} of bot {bot}"))
    }

    /// Applies a line that was checked.
    pub(crate) fn take(&mut self, line: &ContestLine, at: &str) {
        match line {
            ContestLine::Settings { settings } => self.settings = settings.clone(),
            ContestLine::Submitted { bot, version, source, activates } => {
                self.queue.push((*bot, *version));
                self.bots.entry(*bot).or_default().versions.push(Version {
                    number: *version,
                    source: source.clone(),
                    activates: *activates,
                    submitted: at.to_owned(),
                    progress: Progress::Queued,
                    parked: None,
                    removed: None,
                });
            }
            ContestLine::Judged { bot, version } => {
                self.judged.insert(*bot, at.to_owned());
                self.change(*bot, *version, |version| {
                    let attempts = match version.progress {
                        Progress::Judged { attempts } => attempts + 1,
                        _ => 1,
                    };
                    version.progress = Progress::Judged { attempts };
                });
            }
            ContestLine::Queued { bot, version } => {
                // It was not the team that ended its turn.
                self.judged.remove(bot);
                self.change(*bot, *version, |version| version.progress = Progress::Queued);
            }
            ContestLine::Accepted { bot, version: number, acceptance } => {
                self.queue.retain(|queued| *queued != (*bot, *number));
                if let Some(entry) = self.bots.get_mut(bot)
                    && let Some(version) = entry.version_mut(*number)
                {
                    version.progress = Progress::Accepted(acceptance.clone());
                    if version.activates {
                        entry.active = Some(*number);
                    }
                }
            }
            ContestLine::Rejected { bot, version, rejection } => {
                self.queue.retain(|queued| *queued != (*bot, *version));
                self.change(*bot, *version, |version| version.progress = Progress::Rejected(rejection.clone()));
            }
            ContestLine::Activated { bot, version } => {
                if let Some(entry) = self.bots.get_mut(bot) {
                    (entry.active, entry.is_retired) = (Some(*version), false);
                }
            }
            ContestLine::Retired { bot, on } => {
                self.bots.get_mut(bot).into_iter().for_each(|entry| entry.is_retired = *on);
            }
            ContestLine::Hidden { bot, on } => {
                self.bots.get_mut(bot).into_iter().for_each(|entry| entry.is_hidden = *on);
            }
            ContestLine::Parked { bot, version, why } => {
                self.change(*bot, *version, |version| version.parked.clone_from(why));
            }
            ContestLine::Removed { bot, version, why } => {
                self.change(*bot, *version, |version| version.removed = Some(why.clone()));
            }
            ContestLine::Voided { set, why } => self.voided.push((set.clone(), why.clone())),
            ContestLine::TournamentBegan { plan, .. } => {
                if plan.pace.is_some() {
                    self.planned_final = None;
                }
                self.tournaments.push(ContestTournament { plan: plan.clone(), began: at.to_owned(), result: None });
            }
            ContestLine::TournamentEnded { number, result } => {
                let tournament = number.checked_sub(1).and_then(|at| self.tournaments.get_mut(at as usize));
                tournament.into_iter().for_each(|tournament| tournament.result = Some(result.clone()));
            }
            ContestLine::FinalPlanned { plan } => self.planned_final = Some(plan.clone()),
            ContestLine::FinalCancelled => self.planned_final = None,
            ContestLine::Announced { text } => self.announcement.clone_from(text),
            ContestLine::Ranked { on, why } => (self.is_ranked, self.ranked_why) = (*on, why.clone()),
        }
    }

    fn change(&mut self, bot: BotId, number: u32, change: impl FnOnce(&mut Version)) {
        if let Some(version) = self.bots.get_mut(&bot).and_then(|bot| bot.version_mut(number)) {
            change(version);
        }
    }

    /// The versions in the queue, and how often each was begun.
    pub(crate) fn open_versions(&self) -> impl Iterator<Item = (BotId, &Version, u32)> {
        self.queue.iter().filter_map(|(bot, number)| {
            let version = self.bots.get(bot)?.version(*number)?;
            let attempts = if let Progress::Judged { attempts } = version.progress { attempts } else { 0 };
            Some((*bot, version, attempts))
        })
    }
}

#[cfg(test)]
mod tests;
