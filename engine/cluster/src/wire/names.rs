//! Names on the NATS server: streams, consumers, subjects and objects. All begin with `broadside`.

use players::process::Language;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::fmt::Write as _;

/// The stream with the jobs that are not finished.
pub(crate) const JOBS: &str = "broadside-jobs";
/// The stream with the answers that the head has not confirmed.
pub(crate) const ANSWERS: &str = "broadside-answers";
/// The object store with bots and descriptions of tournaments. Workers cannot write to it.
pub(crate) const OBJECTS: &str = "broadside";
/// The object store with files of games, which workers send.
pub(crate) const FILES: &str = "broadside-files";

pub(crate) const ALL_JOBS: &str = "broadside.jobs.>";
pub(crate) const ALL_ANSWERS: &str = "broadside.answers.>";
/// Workers tell their state here, again and again.
pub(crate) const STATES: &str = "broadside.workers.states";
/// Workers answer with their state at once.
pub(crate) const ASK: &str = "broadside.workers.ask";
/// There are jobs of a new kind: workers look which they can play.
pub(crate) const LOOK: &str = "broadside.workers.look";
/// A worker whose id is in the message, which a head signs, takes no more jobs.
pub(crate) const DRAIN: &str = "broadside.workers.drain";
/// The games of the tournament whose description is in the message, which a head signs, are not wanted any more.
pub(crate) const STOP: &str = "broadside.stop";

/// Answers of the server to heads, and to those who survey a cluster. Workers have no right to read them.
pub(crate) const INBOX_OF_HEADS: &str = "_INBOX.head";
/// The beginning of the subjects of answers of the server to workers with the login of this name.
pub(crate) fn inbox_of_worker(login: Option<&str>) -> String {
    format!("_INBOX.worker.{}", login.map_or_else(|| "any".to_owned(), token))
}

/// The jobs that a worker of this engine with these needs can play.
pub(crate) fn jobs_of(engine: &str, needs: &str) -> String {
    format!("broadside.jobs.{}.{}.*", token(engine), short(needs))
}

pub(crate) fn job(engine: &str, needs: &str, tournament: &str) -> String {
    format!("broadside.jobs.{}.{}.{tournament}", token(engine), short(needs))
}

pub(crate) fn jobs_of_tournament(tournament: &str) -> String {
    format!("broadside.jobs.*.*.{tournament}")
}

pub(crate) fn answers(tournament: &str) -> String {
    format!("broadside.answers.{tournament}")
}

/// The most bytes of needs in a subject or in the name of a consumer.
const LONGEST_NEEDS: usize = 100;
/// The beginning of a hash that stands for longer needs. No label has such a token.
const HASHED: &str = "--";

/// These needs as they are in subjects and names of consumers. Of long ones it is a hash; they are the description of the consumer.
fn short(needs: &str) -> String {
    if needs.len() <= LONGEST_NEEDS {
        return needs.to_owned();
    }
    format!("{HASHED}{}", arena::hex(&Sha256::digest(needs)[..16]))
}

/// True if the needs of a consumer are not in its name but its description.
pub(crate) fn are_hashed(needs: &str) -> bool {
    needs.starts_with(HASHED)
}

/// The needs of a consumer with this description, by those in its name.
pub(crate) fn whole_needs(needs: &str, description: Option<&str>) -> String {
    description.filter(|_| are_hashed(needs)).unwrap_or(needs).to_owned()
}

/// The consumer of the jobs of this engine with these needs.
pub(crate) fn consumer_of_jobs(engine: &str, needs: &str) -> String {
    format!("{}_{}", token(engine), short(needs))
}

/// The engine and the needs of a consumer of jobs, as tokens.
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

/// The hash in the name of a description.
pub(crate) fn hash_of_description(object: &str) -> Option<&str> {
    object.strip_prefix("tournament-")
}

/// An object with the files of a job's games, by the hash of the archive. It does not tell the name of the job, which only those
/// know who got the job.
pub(crate) fn files(job: &str, hash: &str) -> String {
    format!("files-{}-{hash}", arena::hex(&Sha256::digest(job)[..16]))
}

/// The hash of the archive in the name of an object with the files of this job's games; `None` for other objects.
pub(crate) fn hash_of_files<'a>(object: &'a str, job: &str) -> Option<&'a str> {
    let (_, hash) = object.rsplit_once('-')?;
    (object == files(job, hash)).then_some(hash)
}

/// A name of a job that nobody can guess: whoever tells a result of it was given the job.
pub(crate) fn job_id(tournament: &str) -> String {
    format!("{tournament}-{}{}", random_name(), random_name())
}

/// True for the name of a job of this tournament.
pub(crate) fn is_job_of(id: &str, tournament: &str) -> bool {
    id.strip_prefix(tournament).is_some_and(|rest| rest.starts_with('-'))
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
    fn an_answer_names_files_of_its_own_job_only() {
        let job = job_id("ab");
        assert_ne!(job_id("ab"), job);
        assert!(hash_of_files(&files(&job, "0f"), &job) == Some("0f") && is_job_of(&job, "ab"));
        assert!(!files(&job, "0f").contains(&job), "others see the names of objects");
        let others = [bot("ab"), description("ab"), files(&job_id("ab"), "0f"), format!("files-{job}-0f")];
        assert!(others.iter().all(|other| hash_of_files(other, &job).is_none()), "{others:?}");
        assert!(!is_job_of(&job_id("abc"), "ab") && !is_job_of("ab", "ab"));
    }

    #[test]
    fn long_needs_are_hashed_in_names() {
        let long = needs((0..20).map(|number| label_token(&format!("{number} a label with many words"))));
        let name = consumer_of_jobs("0.2.0 ab", &long);
        assert!(name.len() < 255 && job("0.2.0 ab", &long, "t").len() < 255, "{name}");
        let (_, short) = of_consumer(&name).unwrap();
        assert!(are_hashed(short) && whole_needs(short, Some(&long)) == long);
        let other = needs([label_token("one more")].into_iter().chain(long.split('+').map(str::to_owned)));
        assert_ne!(consumer_of_jobs("0.2.0 ab", &other), name);
        assert_eq!(whole_needs("csharp+java", Some("other")), "csharp+java");
    }

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
        let name = consumer_of_jobs("0.2.0 ab", &some);
        assert_eq!(of_consumer(&name), Some(("0-2e-2-2e-0-20-ab", &*some)));
        assert_eq!(text_of("0-2e-2-2e-0-20-ab"), "0.2.0 ab");
    }
}
