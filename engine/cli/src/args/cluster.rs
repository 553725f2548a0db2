//! The commands of a cluster, and the flags of a tournament that is played on one.

use std::path::PathBuf;

/// The flags of a tournament on a cluster.
#[derive(Debug, clap::Args)]
pub(crate) struct OnClusterArgs {
    /// Play on the workers of a NATS server: nats://HOST
    ///
    /// In full nats://[NAME:PASSWORD@]HOST[:PORT], or tls://… for an encrypted connection. Without an address it is that of
    /// [cluster] in broadside.toml, whose login is also used if the address is the same. docs/cluster.md has more.
    #[arg(long, value_name = "SERVER", num_args = 0..=1, default_missing_value = "", help_heading = None)]
    pub(crate) cluster: Option<String>,

    /// Play on workers with these labels only: languages such as Java, and those of `broadside worker --labels`
    #[arg(long, value_name = "LABEL", num_args = 1.., value_delimiter = ',', value_parser = short, requires = "cluster")]
    #[arg(hide_short_help = true)]
    pub(crate) require: Vec<String>,

    /// Give the games of a worker that says nothing for this many seconds to others
    #[arg(long, value_name = "SECONDS", default_value = "30",
          value_parser = clap::value_parser!(u32).range(3..=86_400), hide_short_help = true)]
    pub(crate) lost_after: u32,

    /// Let two workers play this share of the games before their result counts, and a third one where theirs differ; 0 for none
    ///
    /// Differences are told with the names of the workers; with --worker-keys, two that agree decide against a third. Bots that
    /// draw numbers of their own have other results each time: set it to 0 for them.
    #[arg(long, value_name = "PERCENT", default_value = "2%", value_parser = share, hide_short_help = true)]
    pub(crate) audit: f64,

    /// Count the results of workers with these keys only, which each prints when it starts [default: those of broadside.toml, or else
    /// of all workers]
    #[arg(long, value_name = "KEY", num_args = 1.., value_delimiter = ',', requires = "cluster", hide_short_help = true)]
    pub(crate) worker_keys: Vec<String>,

    #[command(flatten)]
    pub(crate) login: LoginArgs,
}

/// The files to log in at a NATS server.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct LoginArgs {
    /// Log in at the NATS server with the credentials in this file
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub(crate) nats_creds: Option<PathBuf>,

    /// Log in at the NATS server with the seed of an nkey in this file
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub(crate) nats_nkey: Option<PathBuf>,

    /// Trust a NATS server whose certificate is signed by one in this file, instead of those of the system
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub(crate) nats_ca: Option<PathBuf>,

    /// Show the NATS server the certificate in this file
    #[arg(long, value_name = "FILE", requires = "nats_key", hide_short_help = true)]
    pub(crate) nats_cert: Option<PathBuf>,

    /// The key of the certificate of --nats-cert
    #[arg(long, value_name = "FILE", requires = "nats_cert", hide_short_help = true)]
    pub(crate) nats_key: Option<PathBuf>,
}

/// The arguments of `broadside worker`.
#[derive(Debug, clap::Args)]
pub(crate) struct WorkerArgs {
    /// NATS server, such as nats://HOST [default: that of broadside.toml]
    ///
    /// In full nats://[NAME:PASSWORD@]HOST[:PORT], or tls://… for an encrypted connection. The login of [cluster] in
    /// broadside.toml is also used if the address is the same.
    pub(crate) server: Option<String>,

    /// Play for heads with these keys, as `broadside cluster key` prints them there [default: that of broadside.toml]
    #[arg(long = "head", value_name = "KEY", num_args = 1.., value_delimiter = ',')]
    pub(crate) heads: Vec<String>,

    /// Play this many games at the same time [default: the number of processors]
    #[arg(short = 'j', long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    pub(crate) concurrency: Option<u16>,

    /// Call the worker so [default: the name of this machine, and the number of the process]
    #[arg(long, value_name = "NAME", value_parser = short)]
    pub(crate) name: Option<String>,

    /// Give the worker these labels besides those of the languages that are installed here
    #[arg(long, value_name = "LABEL", num_args = 1.., value_delimiter = ',', value_parser = short)]
    pub(crate) labels: Vec<String>,

    /// Keep bots in this folder from one run to the next [default: broadside/cluster in $XDG_CACHE_HOME or ~/.cache]
    #[arg(long, value_name = "FOLDER")]
    pub(crate) cache: Option<PathBuf>,

    /// Read settings from this file: [tools] names programs that are not on the PATH, [cluster] a NATS server
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub(crate) settings: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) login: LoginArgs,
}

/// The arguments of `broadside cluster`.
#[derive(Debug, clap::Args)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct ClusterArgs {
    /// NATS server, such as nats://HOST [default: that of broadside.toml]
    ///
    /// In full nats://[NAME:PASSWORD@]HOST[:PORT], or tls://… for an encrypted connection. The login of [cluster] in
    /// broadside.toml is also used if the address is the same.
    pub(crate) server: Option<String>,

    /// Print the state as JSON
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) login: LoginArgs,

    #[command(subcommand)]
    pub(crate) command: Option<ClusterCommand>,
}

/// The commands below `broadside cluster`.
#[derive(Debug, clap::Subcommand)]
pub(crate) enum ClusterCommand {
    /// Let a worker finish its games and end, which it does for heads whose keys it knows
    Drain(DrainArgs),
    /// Print a configuration of a NATS server in which heads and workers have the least rights
    Config(ConfigArgs),
    /// Print the key of this machine as a head, which workers need to play for it
    Key,
    /// Discard the games of a tournament that one worker has played
    Forget(ForgetArgs),
}

/// The arguments of `broadside cluster forget`.
#[derive(Debug, clap::Args)]
pub(crate) struct ForgetArgs {
    /// Name of the worker, as standings and the journal have it
    pub(crate) worker: String,

    /// Folder of the tournament, which nobody plays now
    pub(crate) folder: PathBuf,
}

/// The arguments of `broadside cluster drain`.
#[derive(Debug, clap::Args)]
#[command(allow_missing_positional = true)]
pub(crate) struct DrainArgs {
    /// NATS server, such as nats://HOST [default: that of broadside.toml]
    pub(crate) server: Option<String>,

    /// Name of the worker
    pub(crate) worker: String,

    #[command(flatten)]
    pub(crate) login: LoginArgs,
}

/// The arguments of `broadside cluster config`.
#[derive(Debug, clap::Args)]
pub(crate) struct ConfigArgs {
    /// Names of logins for workers, each with a password and messages of its own
    #[arg(long, value_name = "NAME", num_args = 1.., value_delimiter = ',', default_value = "worker", value_parser = login)]
    pub(crate) workers: Vec<String>,
}

pub(super) const WORKER_HELP: &str = "\
Plays games of tournaments that run with --cluster on another machine, in the strict sandbox only. Bots come from \
there, by the hash of their folders. SIGTERM lets it finish its games and end; Ctrl-C ends it at once, and others play its \
games.

Examples:
  broadside worker nats://10.0.0.1 --head KEY
  broadside worker nats://10.0.0.1 --head KEY -j 4 --labels fast

Exit status:
  0    it was drained
  1    there is no connection, or no strict sandbox
  130  stopped by Ctrl-C";

pub(super) const CLUSTER_HELP: &str = "\
Shows the workers of a cluster (processors, labels, version, games a second, lag), the games that wait, and the last fault of \
each worker. To begin: nats-server -a 10.0.0.1 on one machine, `broadside worker nats://10.0.0.1 --head KEY` on each, with \
the key that `broadside cluster key` prints on the machine of the tournament, and the tournament with --cluster nats://10.0.0.1. \
docs/cluster.md has more.

Examples:
  broadside cluster nats://10.0.0.1
  broadside cluster nats://10.0.0.1 --json
  broadside cluster drain nats://10.0.0.1 big-machine-4711
  broadside cluster config >nats.conf
  broadside cluster forget big-machine-4711 night

Exit status:
  0    everything was done
  1    there is no connection, or no worker of this name
  5    the journal is damaged, or another program is playing the tournament";

/// A share in percent.
fn share(text: &str) -> Result<f64, String> {
    let percent = text.trim_end_matches('%').trim().parse().ok().filter(|percent| (0.0..=100.0).contains(percent));
    percent.map(|percent: f64| percent / 100.0).ok_or_else(|| "it is not a number from 0 to 100 with %".to_owned())
}

/// A name of a login.
fn login(text: &str) -> Result<String, String> {
    let is_name = |text: &str| text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_'));
    short(text).and_then(|text| match text.as_str() {
        "head" => Err("that is the login of heads".to_owned()),
        name if is_name(name) => Ok(text),
        _ => Err("it has other characters than letters, digits, - and _".to_owned()),
    })
}

/// A name or a label of a worker.
fn short(text: &str) -> Result<String, String> {
    // Others refuse messages of a worker whose name is much longer.
    const LONGEST: usize = 100;
    match text.len() {
        0 => Err("it is empty".to_owned()),
        length if length > LONGEST => Err(format!("it has {length} bytes, and {LONGEST} are the most")),
        _ => Ok(text.to_owned()),
    }
}
