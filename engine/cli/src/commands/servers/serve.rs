//! `broadside serve`: runs a tournament server.

use crate::args::ServeArgs;
use crate::commands::servers::cluster::other_machines;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::{show, signals};
use arena::open_input;
use players::http::Client;
use serve::{ContestName, ContestSettings, ServeOptions, SettingsChange, TournamentServer};
use std::io::Read;
use std::path::Path;
use std::time::Duration;

/// The environment variable with the administrator's password.
const PASSWORD: &str = "BROADSIDE_ADMIN_PASSWORD";

/// The largest file of a contest, in bytes.
const MOST_OF_CONTEST: u64 = 1 << 20;

/// The contest in a file.
fn contest_in(path: &Path) -> Result<(ContestName, ContestSettings), Failure> {
    let wrong = |why: String| Failure::Usage {
        what: format!("{}: {why}", path.display()),
        hint: "docs/hosting.md has a contest to start from".to_owned(),
    };
    let mut text = String::new();
    let read = open_input(path).and_then(|file| file.take(MOST_OF_CONTEST).read_to_string(&mut text));
    read.map_err(|e| wrong(format!("it cannot be read: {e}")))?;
    ContestSettings::from_toml(&text, Some(path.parent().unwrap_or(Path::new("")))).map_err(wrong)
}

/// Serves until a signal stops the program.
///
/// # Errors
/// A server that cannot start: wrong settings, no password, a taken address, a folder in use or a damaged journal.
pub(crate) fn serve(args: &ServeArgs) -> Result<Exit, Failure> {
    let interrupt = signals::interrupt()?;
    let milliseconds = |time: Option<Duration>| time.map(|time| time.as_millis() as u64);
    let settings = SettingsChange {
        parallel: args.parallel,
        pause_match: milliseconds(args.pause_match),
        pause_tournament: milliseconds(args.pause_tournament),
        max_moves_each: args.max_moves,
        profile: args.profile,
        limit: milliseconds(args.limit),
        budget: milliseconds(args.budget),
        reveal_fleets: args.reveal_fleets,
        pace: milliseconds(args.pace),
        house_play: args.play,
    };
    let server = TournamentServer::start(ServeOptions {
        contests: args.contest.iter().map(|path| contest_in(path)).collect::<Result<_, _>>()?,
        builds: args.builds,
        sandbox: args.sandbox,
        others: other_machines(&args.on_cluster)?,
        address: args.listen,
        folder: args.dir.clone(),
        password: std::env::var(PASSWORD).ok(),
        join_code: args.join_code.clone(),
        settings,
        start: args.start,
        engine: arena::ENGINE.to_owned(),
        client: Client::new(args.allow_hosts.clone()),
        connections_per_address: args.connections_per_address,
        request_time: Duration::from_secs(10),
        test_hosts: args.test_hosts.clone(),
        public_hosts: args.public_host.clone(),
    })?;
    server.repairs.iter().for_each(|repair| show::say(repair));
    if let Some(password) = &server.generated_password {
        show::say(&format!("The administrator's password is {password}; set {PASSWORD} to choose another one"));
    }
    show::tell(&format!("Serving: http://{}/", server.address));
    for (what, link) in server.links() {
        show::tell(&format!("  {what}: {link}"));
    }
    if let Some(why) = server.refuses_bots() {
        show::say(&format!("No bots can be handed in: {why}"));
    }
    server.report_activity(show::tell)?;
    interrupt.wait();
    show::tell("Stopped; the same command continues with the data in the folder");
    server.finish();
    Ok(Exit::Interrupted)
}
