//! Names on the NATS server: streams, consumers, subjects and objects. All begin with `broadside`.

use players::process::Language;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The stream with the jobs that are not finished.
pub(crate) const JOBS: &str = "broadside-jobs";
/// The stream with the answers that the head has not confirmed.
pub(crate) const ANSWERS: &str = "broadside-answers";
/// The object store with bots, descriptions of tournaments, and files of games.
pub(crate) const OBJECTS: &str = "broadside";

pub(crate) const ALL_JOBS: &str = "broadside.jobs.>";
pub(crate) const ALL_ANSWERS: &str = "broadside.answers.>";
/// Workers tell their state here, again and again.
pub(crate) const STATES: &str = "broadside.workers.states";
/// Workers answer with their state at once.
pub(crate) const ASK: &str = "broadside.workers.ask";
/// A worker whose name is the message takes no more jobs.
pub(crate) const DRAIN: &str = "broadside.workers.drain";
/// The games of the tournament whose name is the message are not wanted any more.
pub(crate) const STOP: &str = "broadside.stop";

/// The jobs that a worker of this engine with these languages can play.
pub(crate) fn jobs_of(engine: &str, languages: &str) -> String {
    format!("broadside.jobs.{}.{languages}.*", token(engine))
}

pub(crate) fn job(engine: &str, languages: &str, tournament: &str) -> String {
    format!("broadside.jobs.{}.{languages}.{tournament}", token(engine))
}

pub(crate) fn jobs_of_tournament(tournament: &str) -> String {
    format!("broadside.jobs.*.*.{tournament}")
}

pub(crate) fn answers(tournament: &str) -> String {
    format!("broadside.answers.{tournament}")
}

/// The consumer of the jobs of this engine in these languages.
pub(crate) fn consumer_of_jobs(engine: &str, languages: &str) -> String {
    format!("{}_{languages}", token(engine))
}

/// The engine and the languages of a consumer of jobs, as tokens.
pub(crate) fn of_consumer(name: &str) -> Option<(&str, &str)> {
    name.split_once('_')
}

/// The object with the archive of a bot's folder, by its hash.
pub(crate) fn bot(hash: &str) -> String {
    format!("bot-{hash}")
}

/// The object with the description of a tournament, by its hash.
pub(crate) fn description(hash: &str) -> String {
    format!("tournament-{hash}")
}

/// The object with the files of a job's games.
pub(crate) fn files(job: &str) -> String {
    format!("files-{job}")
}

/// The languages that a worker needs for some bots, as one token: those with an interpreter. `any` if it needs none.
pub(crate) fn languages(needed: &BTreeSet<&'static Language>) -> String {
    let names: Vec<String> =
        needed.iter().filter(|language| !language.interpreters().is_empty()).map(|one| token(one.name)).collect();
    if names.is_empty() { "any".to_owned() } else { names.join("+") }
}

/// The token with labels that a worker must have, besides languages.
pub(crate) fn with_labels(languages: &str, labels: &[String]) -> String {
    let languages = Some(languages.to_owned()).filter(|languages| languages != "any");
    let all: BTreeSet<String> = languages.into_iter().chain(labels.iter().map(|label| token(label))).collect();
    if all.is_empty() { "any".to_owned() } else { all.into_iter().collect::<Vec<_>>().join("+") }
}

/// True if a worker with these labels has all languages of a token.
pub(crate) fn has_languages(labels: &[String], languages: &str) -> bool {
    languages == "any" || languages.split('+').all(|needed| labels.iter().any(|label| token(label) == needed))
}

/// The text with nothing in it that subjects and names of consumers must not have: other characters become their numbers.
pub(crate) fn token(text: &str) -> String {
    text.chars().fold(String::new(), |mut token, c| {
        match c {
            'a'..='z' | 'A'..='Z' | '0'..='9' => token.push(c),
            other => {
                let _ = write!(token, "-{:x}-", u32::from(other));
            }
        }
        token
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_go_to_workers_with_all_languages() {
        let language = |name| Language::from_name(name).unwrap();
        let some = languages(&["Python3", "C#"].map(language).into());
        assert_eq!(some.split('+').collect::<BTreeSet<_>>(), ["C-23-", "Python3"].into());
        assert_eq!(languages(&["Rust"].map(language).into()), "any", "its programs run by themselves");
        let has = |labels: &[&str]| has_languages(&labels.iter().map(ToString::to_string).collect::<Vec<_>>(), &some);
        assert!(has(&["C#", "Java", "Python3"]) && !has(&["Python3"]) && !has(&[]) && has_languages(&[], "any"));
        let name = consumer_of_jobs("0.2.0 ab", &some);
        assert_eq!(of_consumer(&name), Some(("0-2e-2-2e-0-20-ab", &*some)));
    }
}
