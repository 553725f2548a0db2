//! `broadside submit`: hands in the folder of a bot to a contest on a server.

mod choice;
mod error;
mod folder_archive;
mod folder_parts;
mod following;
mod kept_tokens;
mod login;
mod questions;
mod server_api;
mod version;

pub(crate) use error::SubmitError;

use crate::args::SubmitArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::show::text::json::escaped;
use crate::{show, signals};
use choice::{chosen_bot, chosen_contest};
use folder_archive::FolderArchive;
use following::verdict;
use kept_tokens::KeptTokens;
use login::Login;
use questions::Questions;
use server_api::{Contest, Entry, Server};
use std::time::Duration;
use version::VersionAnswer;

/// The environment variable with a token.
const TOKEN: &str = "BROADSIDE_TOKEN";
/// The number of files and folders that are named of those that are left out.
const NAMED: usize = 8;
/// The time between two questions about a version.
const PAUSE: Duration = Duration::from_secs(1);

/// A bot to hand in.
enum Sent {
    /// The files of a folder.
    Folder(FolderArchive),
    /// The web service at this URL.
    Service(String),
}

/// Hands in a bot, and waits for the verdict if the command line says so.
///
/// # Errors
/// The folder cannot be packed, the server does not answer or refuses, or nobody can be asked.
pub(crate) fn submit(args: &SubmitArgs) -> Result<Exit, Failure> {
    let interrupt = signals::interrupt()?;
    let questions = Questions::on_terminal(&interrupt)?;
    if questions.is_none() && !args.yes {
        return Err(Failure::Usage {
            what: "there is no terminal to ask whether to send the bot".to_owned(),
            hint: "add --yes to send it without asking".to_owned(),
        });
    }
    let server = Server::at(&args.to)?;
    let ending = questions::end_at_once(&interrupt, questions.as_ref());
    let sent = match (&args.folder, &args.url) {
        (_, Some(url)) => Sent::Service(url.clone()),
        (Some(folder), None) => Sent::Folder(FolderArchive::pack(folder)?),
        (None, None) => unreachable!("the command line has one of them"),
    };
    let contest = chosen_contest(server.contests()?, args.contest.as_deref(), server.url())?;
    let kept = KeptTokens::read()?;
    let bot = chosen_bot(args.bot.as_deref(), &kept.bots(server.url()), server.url())?;
    let mut login = Login::new(&server, kept, bot, std::env::var(TOKEN).ok(), questions.as_ref())?;
    let mut token = login.token()?;
    let entry = Entry { contest: contest.name.clone(), bot: login.bot().to_owned() };
    let what = to_be_sent(&sent, &contest, &entry, server.url(), args.no_activate);
    match questions.as_ref().filter(|_| !args.yes) {
        None => show::tell(&what),
        Some(questions) => {
            show::say(&what);
            if !questions.is_confirmed("Send it? [y/N]")? {
                show::say("Nothing was sent");
                return Ok(Exit::Success);
            }
        }
    }
    let handed_in = loop {
        match server.hand_in(&entry, &token, &sent, args.code.as_deref(), !args.no_activate) {
            Err(error @ SubmitError::Token { .. }) if login.has_another() => {
                show::say(&error.to_string());
                token = login.token()?;
            }
            answer => break answer?,
        }
    };
    ending.was_handed_in();
    print(&handed_in, &entry.bot, args.json && args.wait, args.json)?;
    if !args.wait {
        return Ok(handed_in.version.exit());
    }
    let judged = verdict(&server, &entry, &token, handed_in, PAUSE)?;
    print(&judged, &entry.bot, false, args.json)?;
    Ok(judged.version.exit())
}

/// The sentence about what is going to be sent.
fn to_be_sent(sent: &Sent, contest: &Contest, entry: &Entry, url: &str, stays_inactive: bool) -> String {
    let (what, left_out) = match sent {
        Sent::Folder(archive) => {
            let files = rules::counted(archive.files as u32, "file");
            let size = folder_archive::size(archive.bytes.len() as u64);
            (format!("{files}, {size} packed,"), &archive.left_out[..])
        }
        Sent::Service(service) => {
            (format!("the web service at {}", show::printable(&without_password(service))), &[][..])
        }
    };
    let mut text = format!("{what} as {} to {} on {url}", entry.bot, contest.title_and_name());
    if stays_inactive {
        text.push_str("; the version before plays on");
    }
    if !left_out.is_empty() {
        let named = left_out.iter().take(NAMED).map(|path| path.display().to_string());
        let more = left_out.len().saturating_sub(NAMED);
        let more = (more > 0).then(|| format!("and {more} more"));
        text.push_str(&format!("\nLeft out: {}", named.chain(more).collect::<Vec<_>>().join(", ")));
    }
    text
}

/// A URL without the name and the password that it may have.
fn without_password(url: &str) -> String {
    match url.split_once("://").map(|(scheme, rest)| (scheme, rest.split_once('/').unwrap_or((rest, "")))) {
        Some((scheme, (host, path))) if host.contains('@') => {
            let host = host.rsplit('@').next().unwrap_or_default();
            format!("{scheme}://{host}/{path}")
        }
        _ => url.to_owned(),
    }
}

/// Prints a version in words or as JSON, unless another line with JSON comes after it.
fn print(answer: &VersionAnswer, bot: &str, is_more_to_come: bool, is_json: bool) -> Result<(), Failure> {
    match (is_json, is_more_to_come) {
        (true, true) => Ok(()),
        (true, false) => Ok(show::print(&format!("{}\n", escaped(&answer.json.to_string())))?),
        (false, _) => Ok(show::print(&format!("{}\n", show::printable(&answer.version.in_words(bot))))?),
    }
}
