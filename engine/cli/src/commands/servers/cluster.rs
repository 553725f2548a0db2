//! `broadside worker` and `broadside cluster`, and tournaments on a cluster.

use crate::args::{ClusterArgs, ClusterCommand, LoginArgs, OnClusterArgs, WorkerArgs};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::settings::ClusterSettings;
use crate::show::{self, WorkerCount, printable};
use crate::{settings, signals};
use arena::ArenaError;
use cluster::{
    AuditCounts, ClusterError, Head, HeadOptions, HeadReport, Login, PublicKey, STUCK_AFTER, SecretKey, ServerAddress,
    Survey, Worker, WorkerOptions, WorkerReport, configuration, drain,
};
use platform::process::machine_name;
use rules::counted;
use runner::{BotOptions, MatchFactory, PlayedTournament, PreparedTournament, state_folder, with_causes};
use serve::OtherMachines;
use std::collections::BTreeSet;
use std::env;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::Duration;
use tournament::{GamePool, SchedulerEvent, ScoreTable, forget_worker};

/// A closure that is called at each step of a tournament, and may end it.
type Watch<'a> = &'a mut dyn FnMut(SchedulerEvent<'_>, &ScoreTable) -> ControlFlow<()>;

/// The server at this address, with the login of these flags. The user's settings have the rest: the address if there is none
/// here, and what the flags leave open of the login at the same address.
fn server(
    address: Option<&str>,
    login: &LoginArgs,
    settings: Option<&ClusterSettings>,
) -> Result<ServerAddress, Failure> {
    let known = settings.map(|settings| {
        let mut server: ServerAddress = settings.server.parse()?;
        server.login = Login {
            credentials: settings.creds.clone(),
            nkey: settings.nkey.clone(),
            authority: settings.ca.clone(),
            certificate: settings.cert.clone().zip(settings.key.clone()),
        };
        Ok::<_, Failure>(server)
    });
    let known = known.transpose()?;
    let address = address.filter(|address| !address.is_empty());
    let mut named = match (address, &known) {
        (Some(address), _) => address.parse::<ServerAddress>()?,
        (None, Some(known)) => known.without_login(),
        (None, None) => {
            return Err(Failure::Usage {
                what: "no NATS server is named".to_owned(),
                hint: "add its address, such as nats://10.0.0.1, or name it in broadside.toml: [cluster] with \
                       server = \"nats://10.0.0.1\""
                    .to_owned(),
            });
        }
    };
    named.login = Login {
        credentials: login.nats_creds.clone(),
        nkey: login.nats_nkey.clone(),
        authority: login.nats_ca.clone(),
        certificate: login.nats_cert.clone().zip(login.nats_key.clone()),
    };
    Ok(known.iter().fold(named, ServerAddress::with_login_of))
}

/// The cluster on which a tournament is played.
pub(crate) struct OnCluster {
    head: HeadOptions,
    bots: BotOptions,
}

impl OnCluster {
    /// The cluster of these flags and of the user's settings, for bots with these limits. `settings` is the file that was named
    /// for them.
    ///
    /// # Errors
    /// No server is named, its address is wrong, or the settings cannot be read.
    pub(crate) fn new(args: &OnClusterArgs, bots: &BotOptions, settings: Option<&Path>) -> Result<OnCluster, Failure> {
        Ok(OnCluster { head: head_options(args, settings)?, bots: bots.clone() })
    }
}

/// The options of a head by these flags and the user's settings. `settings` is the file that was named for them.
fn head_options(args: &OnClusterArgs, settings: Option<&Path>) -> Result<HeadOptions, Failure> {
    let settings = settings::user(settings)?.cluster;
    let server = server(args.cluster.as_deref(), &args.login, settings.as_ref())?;
    let lost_after = Duration::from_secs(args.lost_after.into());
    let workers = keys(&args.worker_keys, settings.as_ref().map(|settings| settings.workers.as_str()))?;
    let (required, key, audit) = (args.require.clone(), head_key()?, args.audit);
    Ok(HeadOptions { server, lost_after, required, key, audit, workers, stuck_after: STUCK_AFTER })
}

/// The workers of these flags for the ladders of a server; `None` without the flag.
///
/// # Errors
/// The address of the server is wrong, or the settings cannot be read.
pub(crate) fn other_machines(args: &OnClusterArgs) -> Result<Option<OtherMachines>, Failure> {
    if args.cluster.is_none() {
        return Ok(None);
    }
    let options = head_options(args, None)?;
    tell_of_workers(&options);
    let failed = |error: ClusterError| match error {
        ClusterError::Interrupted => ArenaError::Interrupted,
        error => ArenaError::Elsewhere(with_causes(&error)),
    };
    Ok(Some(OtherMachines::new(move |ladder, bots, interrupt| {
        let head = Head::open(&options, ladder, bots, interrupt, tell_of_head).map_err(failed)?;
        Ok(Box::new(head) as Box<dyn GamePool>)
    })))
}

fn tell_of_workers(options: &HeadOptions) {
    show::tell(&format!(
        "Games are played by workers of {}, started with --head {}",
        options.server,
        options.key.public()
    ));
}

/// The key of this machine as a head. It is made when it is asked for the first time.
fn head_key() -> Result<SecretKey, Failure> {
    Ok(SecretKey::kept(&state_folder("the key of a head")?.join("head.key"))?)
}

/// Plays the games of a tournament on a cluster.
///
/// # Errors
/// There is no connection, an entrant cannot be sent, or the journal cannot be written.
pub(crate) fn play_on_cluster<F: MatchFactory>(
    prepared: PreparedTournament<F>,
    OnCluster { head: options, bots }: &OnCluster,
    workers: &WorkerCount,
    watch: Watch<'_>,
) -> Result<PlayedTournament, Failure> {
    let interrupt = prepared.interrupt().clone();
    tell_of_workers(options);
    let workers = workers.clone();
    let tell = move |report| {
        if let HeadReport::Workers { workers: now, .. } = report {
            workers.set(now);
        }
        tell_of_head(report);
    };
    let mut head = Head::open(options, prepared.description(), bots, &interrupt, tell)?;
    let played = prepared.play_in(&mut head, watch)?;
    let AuditCounts { compared, differing, unchecked } = head.audited();
    if compared + unchecked > 0 {
        let games = counted(compared as u32, "game");
        let differing = if differing == 0 { "no result".to_owned() } else { format!("the results of {differing}") };
        let unchecked = if unchecked == 0 { String::new() } else { format!("; {unchecked} more had no second result") };
        show::tell(&format!("{games} were played by two workers or more: {differing} differed{unchecked}"));
    }
    Ok(played)
}

fn tell_of_head(report: HeadReport) {
    match report {
        HeadReport::Workers { workers: 0, .. } => {
            show::say("No worker can play these games now: start `broadside worker` on another machine, or here");
        }
        HeadReport::Workers { workers, slots } => {
            let workers = counted(workers as u32, "worker");
            show::tell(&format!("{workers} can play, {} at a time", counted(slots as u32, "game")));
        }
        HeadReport::OtherEngine { worker, theirs, ours } => show::say(&format!(
            "The worker {} plays nothing here: its version and rules are {}, and these are {ours}",
            printable(&worker),
            printable(&theirs)
        )),
        HeadReport::NobodyHas(needs) => show::say(&format!(
            "Games wait for a worker with {}: `broadside cluster` tells what each has",
            printable(&needs.join(" and "))
        )),
        HeadReport::GivenBack(worker, why) => {
            show::say(&format!(
                "The worker {} could not play games, which wait for another: {}",
                printable(&worker),
                printable(&why)
            ));
        }
        HeadReport::SameName(name, called) => show::say(&format!(
            "Another worker has the name {} and another key: it is called {}",
            printable(&name),
            printable(&called)
        )),
        HeadReport::Connection(true) => show::tell("The NATS server answers again: the tournament goes on"),
        HeadReport::Connection(false) => {
            show::say("There is no connection to the NATS server: the tournament goes on when it is back");
        }
        HeadReport::Differs { game, told, outlier } => {
            let told: Vec<_> = told.iter().map(|(worker, result)| format!("{worker}: {result}")).collect();
            let told = format!("{}: {}", printable(&game), printable(&told.join("; ")));
            show::say(&match outlier.as_deref().map(printable) {
                Some(worker) => format!(
                    "The worker {worker} tells another result than two others of game {told}. If that happens again: \
                     broadside cluster forget {} FOLDER",
                    players::shell_word(&worker)
                ),
                None => format!(
                    "Workers tell different results of game {told}. The first counts, unless --worker-keys lists two that agree. A \
                     bot that draws numbers of its own plays otherwise each time; --audit 0 is for such bots"
                ),
            });
        }
        HeadReport::Unchecked { game, worker } => show::say(&format!(
            "No second worker told a result of game {}: that of {} counts unchecked",
            printable(&game),
            printable(&worker)
        )),
        HeadReport::Unlisted(worker, key) => show::say(&format!(
            "The worker {} gets no games: --worker-keys does not list its key {key}",
            printable(&worker)
        )),
        HeadReport::FilesLost(why) => show::say(&format!("Records of some games are lost: {}", printable(&why))),
    }
}

/// Plays games for other machines until it is drained or stopped.
///
/// # Errors
/// There is no connection, or no strict sandbox.
pub(crate) fn worker(args: &WorkerArgs) -> Result<Exit, Failure> {
    let [finish, stop] = signals::finish_and_stop()?;
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let name = args.name.clone().unwrap_or_else(|| format!("{}-{}", machine_name(), std::process::id()));
    let settings = settings::user(args.settings.as_deref())?;
    let options = WorkerOptions {
        server: server(args.server.as_deref(), &args.login, settings.cluster.as_ref())?,
        heads: heads(&args.heads, settings.cluster.as_ref())?,
        name: printable(&name),
        machine: cluster::machine_kind(),
        slots: args.concurrency.map_or(processors, usize::from),
        labels: args.labels.clone(),
        tools: settings.tools,
        stuck_after: STUCK_AFTER,
        cache: args.cache.clone().map_or_else(usual_cache, Ok)?,
    };
    let (address, slots) = (options.server.to_string(), options.slots);
    let told = name.clone();
    let worker = Worker::connect(options, &stop, &finish, move |report| match report {
        WorkerReport::Ready(labels) => {
            let games = counted(slots as u32, "game");
            show::tell(&format!("Worker {}: {games} at a time, for {address}", printable(&told)));
            show::tell(&format!("Labels: {}", printable(&labels.join(", "))));
        }
        WorkerReport::Begins([one, other], games) => {
            let games = counted(games as u32, "game");
            show::tell(&format!("{games} from {} : {}", printable(&one), printable(&other)));
        }
        WorkerReport::Ended(games, took) => {
            show::tell(&format!("{} played in {:.1} s", counted(games as u32, "game"), took.as_secs_f64()));
        }
        WorkerReport::OtherEngine(theirs) => show::say(&format!(
            "There are games of another version ({}), which this program does not play: install the same version here",
            printable(&theirs)
        )),
        WorkerReport::Fault(why) => show::say(&format!("Fault: {}", printable(&why))),
    })?;
    show::tell(&format!("Key: {}", worker.key()));
    let games = worker.run()?;
    show::tell(&format!("Stopped after {}", counted(games as u32, "game")));
    Ok(if finish.is_raised() { Exit::Success } else { Exit::Interrupted })
}

/// The keys of the heads for which a worker plays.
fn heads(named: &[String], settings: Option<&ClusterSettings>) -> Result<Vec<PublicKey>, Failure> {
    let keys = keys(named, settings.map(|settings| settings.head.as_str()))?;
    if keys.is_empty() {
        return Err(Failure::Usage {
            what: "no head is named whose games the worker may play".to_owned(),
            hint: "run `broadside cluster key` on the machine with the tournaments, and add --head with that key, or \
                   head = \"KEY\" to [cluster] in broadside.toml"
                .to_owned(),
        });
    }
    Ok(keys)
}

/// The keys on the command line, or else those in the settings, with commas between them.
fn keys(named: &[String], settings: Option<&str>) -> Result<Vec<PublicKey>, ClusterError> {
    let known = settings.unwrap_or_default().split(',').filter(|_| named.is_empty());
    let texts = named.iter().map(String::as_str).chain(known).map(str::trim).filter(|text| !text.is_empty());
    texts.map(str::parse).collect()
}

fn usual_cache() -> Result<PathBuf, Failure> {
    let absolute = |name| env::var_os(name).map(PathBuf::from).filter(|path: &PathBuf| path.is_absolute());
    let folder = absolute("XDG_CACHE_HOME").or_else(|| Some(absolute("HOME")?.join(".cache")));
    folder.map(|folder| folder.join("broadside/cluster")).ok_or_else(|| Failure::Usage {
        what: "there is no place for bots: neither XDG_CACHE_HOME nor HOME is set".to_owned(),
        hint: "name one with --cache".to_owned(),
    })
}

/// Shows a cluster, drains one of its workers, forgets the games of one, or prints a configuration or a key.
///
/// # Errors
/// There is no connection, the worker has no games, or the key cannot be kept.
pub(crate) fn cluster(args: &ClusterArgs) -> Result<Exit, Failure> {
    let known = || Ok::<_, Failure>(settings::user(None)?.cluster);
    match &args.command {
        Some(ClusterCommand::Config(args)) => {
            let names: BTreeSet<&String> = args.workers.iter().collect();
            if names.len() < args.workers.len() {
                return Err(Failure::Usage {
                    what: "two logins for workers have the same name".to_owned(),
                    hint: "name each once: a NATS server refuses a configuration with one twice".to_owned(),
                });
            }
            show::print(&configuration(&head_key()?.public(), &args.workers))?;
        }
        Some(ClusterCommand::Key) => show::print(&format!("{}\n", head_key()?.public()))?,
        Some(ClusterCommand::Forget(args)) => {
            let (games, names) = forget_worker(&args.folder, &args.worker)?;
            let names = printable(&names.into_iter().collect::<Vec<_>>().join(", "));
            let games = counted(games as u32, "game");
            show::tell(&format!("{games} of {names} removed; the command of the tournament plays them again"));
        }
        Some(ClusterCommand::Drain(args)) => {
            let server = server(args.server.as_deref(), &args.login, known()?.as_ref())?;
            drain(&server, &args.worker, &head_key()?, &signals::interrupt()?)?;
            show::tell(&format!("{} was asked to finish its games and end", printable(&args.worker)));
        }
        None => {
            let server = server(args.server.as_deref(), &args.login, known()?.as_ref())?;
            let survey = Survey::take(&server, &signals::interrupt()?)?;
            show::print(&if args.json {
                show::tournament::cluster::json(&survey)
            } else {
                show::tournament::cluster::text(&survey)
            })?;
        }
    }
    Ok(Exit::Success)
}
