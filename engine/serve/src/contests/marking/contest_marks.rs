//! The marks of a contest, and the versions that they are of.

use crate::contests::contest_folder::{ContestFolder, version_path};
use crate::state::contests::contest::{Contest, ContestBot};
use crate::state::contests::contest_settings::plan::plan_of;
use crate::state::contests::contest_settings::{ContestName, ContestSettings};
use crate::state::contests::version::{Progress, Version};
use crate::state::name::BotId;
use crate::state::server_state::ServerState;
use chrono::{DateTime, FixedOffset};
use grading::{Alike, Judged, Judgement, Marks, Plan, Source, Submitted};
use players::Manifest;
use runner::with_causes;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use submissions::{JudgeStep, Rejection};

/// The marks of a contest so far.
#[derive(Debug)]
pub(crate) struct ContestMarks {
    /// The folder of the games.
    pub(crate) folder: PathBuf,
    /// The versions that are marked, by the names of [`student`].
    pub(crate) versions: BTreeMap<String, (BotId, u32)>,
    /// The marks, under the names of [`student`].
    pub(crate) marks: Marks,
    /// The bots compared, when all have their marks.
    pub(crate) alike: Alike,
}

impl ContestMarks {
    /// The number of teams whose marks are not open.
    pub(crate) fn marked(&self) -> usize {
        let is_whole = |one: &&grading::StudentMarks| one.marks.iter().all(|mark| mark.judgement != Judgement::Open);
        self.marks.students.iter().filter(is_whole).count()
    }

    /// The marks and the comparison under the names that the teams have now. A bot that was removed is left out.
    pub(crate) fn named(&self, state: &ServerState) -> (Marks, Alike) {
        let name = |student: &str| Some(state.bot(self.versions.get(student)?.0)?.name.to_string());
        let (mut marks, mut alike) = (self.marks.clone(), self.alike.clone());
        marks.students.retain_mut(|one| name(&one.student).map(|name| one.student = name).is_some());
        marks.students.sort_by(|one, other| one.student.cmp(&other.student));
        alike.pairs.retain_mut(|pair| {
            let names = name(&pair.first).zip(name(&pair.second));
            names.map(|names| (pair.first, pair.second) = names).is_some()
        });
        (marks, alike)
    }
}

/// The name of a team in games and journals: it stays if the team gets another one, and opponents are told nobody's.
pub(crate) fn student(bot: BotId) -> String {
    format!("team {bot}")
}

/// The versions of a contest that count, with all from which their marks follow.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Counted {
    pub(crate) settings: ContestSettings,
    pub(crate) plan: Plan,
    versions: Vec<(BotId, Version)>,
}

impl Counted {
    /// Those of a contest with a plan.
    pub(crate) fn of(contest: &ContestName, state: &ServerState) -> Option<Counted> {
        let contest = state.contests.get(contest)?;
        let plan = plan_of(&contest.settings)?;
        let counts = |(bot, entry): (BotId, &ContestBot)| Some((bot, counting(contest, entry)?.clone()));
        Some(Counted {
            settings: contest.settings.clone(),
            plan,
            versions: contest.bots().filter_map(counts).collect(),
        })
    }

    /// The versions by the names of their teams.
    pub(crate) fn by_student(&self) -> BTreeMap<String, (BotId, u32)> {
        self.versions.iter().map(|(bot, version)| (student(*bot), (*bot, version.number))).collect()
    }

    /// The versions as grading takes them. One whose folder is damaged is not judged, which costs no points.
    pub(crate) fn judged(&self, folder: &ContestFolder) -> (Vec<Submitted>, Vec<Judged>) {
        let deadline = self.plan.deadline;
        let one = |(bot, version): &(BotId, Version)| {
            let submitted = time(&version.submitted);
            let at = folder.version(*bot, version.number);
            let verdict = match &version.progress {
                Progress::Accepted(acceptance) => match Manifest::read(&at.bot()) {
                    Ok(_) => Ok(acceptance.clone()),
                    Err(error) => {
                        let reason = format!("the server cannot start it: {}", with_causes(&error));
                        Err(Rejection { step: JudgeStep::Probing, reason, lacks_tool: true })
                    }
                },
                Progress::Rejected(rejection) => Err(rejection.clone()),
                Progress::Queued | Progress::Judged { .. } => unreachable!("it has a verdict"),
            };
            let submitted = Submitted {
                student: student(*bot),
                email: None,
                path: Path::new(&version_path(*bot, version.number)).to_owned(),
                source: Source::Folder,
                submitted,
                is_late: deadline.zip(submitted).is_some_and(|(deadline, submitted)| submitted > deadline),
                earlier: Vec::new(),
            };
            (submitted, Judged { folder: Some(at), content: format!("version {}", version.number), verdict })
        };
        self.versions.iter().map(one).unzip()
    }
}

fn time(text: &str) -> Option<DateTime<FixedOffset>> {
    DateTime::parse_from_rfc3339(text).ok()
}

/// The version of a team that counts: the newest that was accepted, of those handed in before the contest closes; the newest that was
/// rejected, if none was accepted. Which version plays on the ladder does not matter.
pub(crate) fn counting<'a>(contest: &Contest, entry: &'a ContestBot) -> Option<&'a Version> {
    let closes = contest.settings.closes.as_deref().and_then(time);
    let is_in_time = |version: &&Version| closes.zip(time(&version.submitted)).is_none_or(|(end, at)| at <= end);
    let all = || entry.versions.iter().rev().filter(is_in_time);
    all().find(|version| version.is_accepted()).or_else(|| all().find(|version| version.is_rejected()))
}
