//! Names on the NATS server: subjects, and what they and messages are made of. All subjects begin with `broadside`.

use players::process::Language;
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// Heads tell their state here, again and again; workers learn here which heads there are.
pub(crate) const HEADS: &str = "broadside.heads";
/// Workers tell their state here, again and again.
pub(crate) const STATES: &str = "broadside.workers.states";
/// Heads and workers tell their state at once when somebody asks here.
pub(crate) const ASK: &str = "broadside.ask";
/// A worker whose id is in the message, which a head signs, takes no more jobs.
pub(crate) const DRAIN: &str = "broadside.workers.drain";

/// Answers to heads, and to those who survey a cluster. Workers have no right to read them.
pub(crate) const INBOX_OF_HEADS: &str = "_INBOX.head";
/// The beginning of the subjects of answers to workers. A head sends its answers nowhere else, wherever the asker wants them.
pub(crate) const INBOX_OF_WORKERS: &str = "_INBOX.worker.";

/// The beginning of the subjects of answers to workers with the login of this name.
pub(crate) fn inbox_of_worker(login: Option<&str>) -> String {
    format!("{INBOX_OF_WORKERS}{}", login.map_or_else(|| "any".to_owned(), token))
}

/// The subject on which a head takes what workers send of this kind, in this run of its tournament.
pub(crate) fn to_head(run: &str, kind: &str) -> String {
    format!("broadside.run.{run}.{kind}")
}

/// The kind at the end of such a subject.
pub(crate) fn kind_of(subject: &str) -> &str {
    subject.rsplit_once('.').map_or("", |(_, kind)| kind)
}

/// A worker asks for a job.
pub(crate) const JOB: &str = "job";
/// A worker tells the results of a job.
pub(crate) const ANSWER: &str = "answer";
/// A worker asks for a part of an object: the archive of a bot, or the description of a tournament.
pub(crate) const OBJECT: &str = "object";
/// A worker sends a part of the files of a job's games.
pub(crate) const FILE: &str = "file";

/// A name of a job that nobody can guess.
pub(crate) fn job_id(run: &str) -> String {
    format!("{run}-{}{}", random_name(), random_name())
}

/// The language that a worker must have for a bot in it, as a token; `None` if such bots run by themselves.
pub(crate) fn language(language: &Language) -> Option<String> {
    (!language.interpreters().is_empty()).then(|| label_token(language.name))
}

/// The needs of games that any worker can play. No label has this token.
const NO_NEEDS: &str = "-";

/// The languages and labels that a worker must have, as one token. Small and capital letters are the same.
pub(crate) fn needs(all: impl IntoIterator<Item = String>) -> String {
    let all: BTreeSet<String> = all.into_iter().collect();
    if all.is_empty() { NO_NEEDS.to_owned() } else { all.into_iter().collect::<Vec<_>>().join("+") }
}

/// The languages and labels of such a token, in their words.
pub(crate) fn texts_of_needs(needs: &str) -> Vec<String> {
    needs.split('+').filter(|need| *need != NO_NEEDS).map(text_of).collect()
}

/// True if a worker with these labels has all that it needs.
pub(crate) fn has(labels: &[String], needs: &str) -> bool {
    needs == NO_NEEDS || needs.split('+').all(|needed| labels.iter().any(|label| label_token(label) == needed))
}

/// The token of a label or a language.
pub(crate) fn label_token(label: &str) -> String {
    token(&label.to_lowercase())
}

/// The text with only such characters in it as subjects may have: other characters become their numbers.
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

/// The text of a token.
pub(crate) fn text_of(token: &str) -> String {
    // Every second part is the number of a character.
    let parts = token.split('-').enumerate().map(|(at, part)| match at % 2 {
        0 => part.to_owned(),
        _ => u32::from_str_radix(part, 16).ok().and_then(char::from_u32).map(String::from).unwrap_or_default(),
    });
    parts.collect()
}

/// A name that nothing else has.
pub(crate) fn random_name() -> String {
    let mut bytes = [0; 8];
    getrandom::fill(&mut bytes).expect("the system has random numbers");
    arena::hex(&bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn jobs_go_to_workers_with_all_that_they_need() {
        let language = |name| language(Language::from_name(name).unwrap());
        assert_eq!(language("Rust"), None, "its programs run by themselves");
        let some = needs(["Python3", "C#", "Python3"].into_iter().filter_map(language));
        assert_eq!(some, "csharp+python3");
        let has = |labels: &[&str]| has(&labels.iter().map(ToString::to_string).collect::<Vec<_>>(), &some);
        assert!(has(&["CSharp", "Java", "Python3"]) && !has(&["Python3"]) && !has(&[]));
        assert!(super::has(&[], &needs([])));
        assert!(super::has(&["Java".to_owned()], &needs([label_token("java")])), "small letters are enough");
        for label in ["any", "-", "", "none"] {
            assert!(!super::has(&[], &needs([label_token(label)])), "{label}: it is a label");
        }
        assert_eq!(text_of("0-2e-2-2e-0-20-ab"), "0.2.0 ab");
    }
}
