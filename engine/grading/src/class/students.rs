//! The marks of the students of a class: what the grader says, with the submissions that it does not know.

use super::{Class, Entrants};
use crate::alike::{alike, answers_of_record};
use crate::judging::Judged;
use crate::submitted::Submitted;
use crate::{Alike, Answers, CriterionMark, Failing, Grader, GradingError, Judgement, Marks, StudentMarks, pseudonym};
use arena::ArenaError;
use platform::files::open_private;
use rules::PlayerInfo;
use runner::{FIRST_KEPT, fresh_seed, kept_record};
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use tournament::Fixture;

/// The file, in that folder, with the secret from which pseudonyms are made.
const PSEUDONYM_KEY: &str = "pseudonyms.key";
/// The number of games in which bots are compared.
const COMPARED: usize = 20;
/// The share of equal answers from which on two bots are to be looked at.
const ALIKE: f64 = 0.75;
/// The last lines of a log that a teacher is shown.
const LOG_LINES: usize = 30;

impl Class {
    pub(super) fn marks(
        &self,
        grader: &Grader,
        (submitted, judged): (&[Submitted], &[Judged]),
        entrants: &Entrants,
    ) -> Result<Marks, GradingError> {
        let plan = &self.plan;
        let key = pseudonym_key(&self.to.join(PSEUDONYM_KEY))?;
        let student = |(submitted, judged): (&Submitted, &Judged)| {
            let marks = self.student(grader, submitted, judged, entrants.get(&submitted.student));
            StudentMarks { pseudonym: pseudonym(key, &submitted.student), ..marks }
        };
        let mut students: Vec<StudentMarks> = submitted.iter().zip(judged).map(student).collect();
        students.sort_by(|one, other| one.student.cmp(&other.student));
        Ok(Marks {
            title: plan.title.clone(),
            game: plan.game(),
            seed: plan.seed,
            confidence: plan.confidence,
            criteria: grader.heads(),
            students,
        })
    }

    /// The students' bots, compared by their answers in the games whose records are kept of all, against the baselines that move alike
    /// for alike bots. A record that cannot be read is left out.
    pub(super) fn alike(&self, entrants: &Entrants) -> Alike {
        let answers = |entrant: usize| {
            let mut answers = Answers::default();
            let baselines = self.plan.baselines.len();
            let games = (0..FIRST_KEPT).flat_map(|number| (0..baselines).map(move |second| (second, number)));
            for (second, number) in games.take(COMPARED) {
                let fixture = Fixture { first: entrant, second, number };
                if let Some(path) = kept_record(&self.to, fixture)
                    && let Ok(given) = answers_of_record(&path, fixture.seat_of_first())
                {
                    answers.add(second as u32, number, given);
                }
            }
            answers
        };
        let bots: Vec<(String, Answers)> =
            entrants.iter().map(|(student, (number, _))| (student.clone(), answers(*number))).collect();
        alike(&bots, ALIKE)
    }

    fn student(
        &self,
        grader: &Grader,
        submitted: &Submitted,
        judged: &Judged,
        entrant: Option<&(usize, PlayerInfo)>,
    ) -> StudentMarks {
        let plan = &self.plan;
        let told = |path: &Path| rules::printable(&path.display().to_string());
        let failing = judged.verdict.as_ref().err().map(|rejection| Failing {
            step: rejection.step.name().to_owned(),
            reason: rejection.reason.clone(),
            log: judged.folder.as_ref().map(|folder| log_of(&folder.log())).unwrap_or_default(),
        });
        let marks = (0..plan.criteria.len()).map(|criterion| match entrant {
            Some((entrant, _)) => self.mark(grader, *entrant, criterion, submitted.is_late),
            None => CriterionMark {
                judgement: if lacks_tool(judged) { Judgement::Open } else { Judgement::NotMet },
                points: 0.0,
                reason: "the bot does not play".to_owned(),
                measured: None,
                command: None,
                lost: None,
            },
        });
        let (number, info) = (entrant.map(|(number, _)| *number), entrant.map(|(_, info)| info));
        StudentMarks {
            student: submitted.student.clone(),
            pseudonym: String::new(),
            submission: told(&submitted.path),
            author: info.and_then(|info| info.author.clone()).unwrap_or_default(),
            bot: info.map(|info| info.name().to_owned()).unwrap_or_default(),
            submitted: submitted.submitted.map(|time| time.to_rfc3339()),
            is_late: submitted.is_late,
            earlier: submitted.earlier.iter().map(|path| told(path)).collect(),
            failing,
            marks: marks.collect(),
            games: number.map_or(0, |number| grader.games(number)),
            faults: number.map(|number| grader.faults(number)).unwrap_or_default(),
        }
    }

    fn mark(&self, grader: &Grader, entrant: usize, criterion: usize, is_late: bool) -> CriterionMark {
        let wanted = &self.plan.criteria[criterion];
        let is_hidden = wanted.baselines(&self.plan).iter().any(|number| self.plan.baselines[*number].hidden);
        let mut mark = grader.mark(entrant, criterion);
        if is_late {
            mark.points *= self.plan.late_share;
        }
        if !is_hidden {
            mark.command = Some(self.command.clone());
            let kept = |fixture| kept_record(&self.to, fixture);
            let record = grader.lost(entrant, criterion).find_map(kept);
            mark.lost = record.and_then(|path| Some(path.strip_prefix(&self.to).ok()?.to_owned()));
        }
        mark
    }
}

fn lacks_tool(judged: &Judged) -> bool {
    judged.verdict.as_ref().is_err_and(|rejection| rejection.lacks_tool)
}

/// The key of the pseudonyms, which is made when it is needed first: who knows it can tell the students.
fn pseudonym_key(path: &Path) -> Result<u64, GradingError> {
    let failed = |doing| move |e| ArenaError::disk(doing, path, e);
    if let Some(key) = fs::read_to_string(path).ok().and_then(|text| u64::from_str_radix(text.trim(), 16).ok()) {
        return Ok(key);
    }
    let key = fresh_seed();
    fs::create_dir_all(path.parent().unwrap_or(path)).map_err(failed("make the folder of"))?;
    let mut file = open_private(File::options().write(true).create_new(true), path).map_err(failed("write"))?;
    writeln!(file, "{key:016x}").map_err(failed("write"))?;
    Ok(key)
}

/// The last lines of a log.
fn log_of(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap_or_default();
    let lines: Vec<&str> = text.lines().collect();
    lines[lines.len().saturating_sub(LOG_LINES)..].iter().map(|line| (*line).to_owned()).collect()
}
