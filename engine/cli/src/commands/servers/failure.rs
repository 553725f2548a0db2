//! The errors of the servers and of Salvo's client: exit code and hint.

use super::submit::SubmitError;
use crate::exit::Exit;
use crate::failure::Failure;
use arena::ArenaError;
use cluster::{ClusterError, WorkerError};
use salvo::ServerError;
use salvo::client::ClientError;
use serve::ServeError;
use tournament::ForgetError;

/// An error of a server or a client.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ServerFailure {
    /// The tournament server cannot run.
    #[error(transparent)]
    Serve(ServeError),
    /// The server of Salvo cannot run.
    #[error(transparent)]
    Salvo(ServerError),
    /// A client of Salvo cannot play.
    #[error(transparent)]
    SalvoClient(ClientError),
    /// The head of a tournament has no cluster.
    #[error(transparent)]
    Cluster(ClusterError),
    /// No games of a worker were removed.
    #[error(transparent)]
    Forget(ForgetError),
    /// A worker cannot work.
    #[error(transparent)]
    Worker(WorkerError),
    /// A bot was not handed in.
    #[error(transparent)]
    Submit(SubmitError),
}

impl From<ClusterError> for Failure {
    fn from(error: ClusterError) -> Failure {
        match error {
            ClusterError::Interrupted => Failure::Engine(ArenaError::Interrupted),
            ClusterError::Folder(error) => Failure::Engine(error),
            error => Failure::Server(ServerFailure::Cluster(error)),
        }
    }
}

impl From<ForgetError> for Failure {
    fn from(error: ForgetError) -> Failure {
        match error {
            ForgetError::Journal(error) => Failure::Engine(error),
            error => Failure::Server(ServerFailure::Forget(error)),
        }
    }
}

impl From<WorkerError> for Failure {
    fn from(error: WorkerError) -> Failure {
        match error {
            WorkerError::Cluster(error) => error.into(),
            WorkerError::Engine(error) => Failure::Engine(error),
            error => Failure::Server(ServerFailure::Worker(error)),
        }
    }
}

impl From<ServeError> for Failure {
    fn from(error: ServeError) -> Failure {
        match error {
            ServeError::Engine(error @ (ArenaError::Journal { .. } | ArenaError::Disk { .. })) => {
                Failure::Engine(error)
            }
            error => Failure::Server(ServerFailure::Serve(error)),
        }
    }
}

impl From<ServerError> for Failure {
    fn from(error: ServerError) -> Failure {
        match error {
            ServerError::Arena(error @ (ArenaError::Journal { .. } | ArenaError::Disk { .. })) => {
                Failure::Engine(error)
            }
            error => Failure::Server(ServerFailure::Salvo(error)),
        }
    }
}

impl From<SubmitError> for Failure {
    fn from(error: SubmitError) -> Failure {
        match error {
            SubmitError::Engine(error) => Failure::Engine(error),
            error => Failure::Server(ServerFailure::Submit(error)),
        }
    }
}

impl From<ClientError> for Failure {
    fn from(error: ClientError) -> Failure {
        Failure::Server(ServerFailure::SalvoClient(error))
    }
}

impl ServerFailure {
    /// The exit code of the program.
    pub(crate) fn exit(&self) -> Exit {
        match self {
            ServerFailure::Serve(
                ServeError::NoPassword { .. } | ServeError::Settings(_) | ServeError::Contest { .. },
            )
            | ServerFailure::Salvo(ServerError::Prefix(_) | ServerError::Settings(_)) => Exit::Usage,
            ServerFailure::Serve(ServeError::Journal { .. })
            | ServerFailure::Salvo(ServerError::Journal { .. })
            | ServerFailure::Salvo(ServerError::Arena(ArenaError::Record { .. })) => Exit::BadRecord,
            ServerFailure::Cluster(ClusterError::Address(..) | ClusterError::Login(..) | ClusterError::Key(_)) => {
                Exit::Usage
            }
            ServerFailure::Cluster(ClusterError::Entrant(..)) => Exit::BadBot,
            ServerFailure::Submit(source) => source.exit(),
            ServerFailure::Serve(_) | ServerFailure::Salvo(_) | ServerFailure::SalvoClient(_) => Exit::EngineError,
            ServerFailure::Cluster(_) | ServerFailure::Forget(_) | ServerFailure::Worker(_) => Exit::EngineError,
        }
    }

    /// The advice to the user; `None` where the message says everything.
    pub(crate) fn hint(&self) -> Option<String> {
        let hint = match self {
            ServerFailure::Serve(ServeError::NoPassword { .. }) => {
                "set the variable BROADSIDE_ADMIN_PASSWORD, or listen on 127.0.0.1"
            }
            ServerFailure::Serve(ServeError::Journal { .. })
            | ServerFailure::Salvo(ServerError::Journal { .. } | ServerError::Arena(ArenaError::Record { .. })) => {
                "the file was changed or damaged after it was written; restore it, or name another --dir"
            }
            ServerFailure::Serve(ServeError::Address { .. }) | ServerFailure::Salvo(ServerError::Listen { .. }) => {
                "name another address with --listen; port 0 takes any free port"
            }
            ServerFailure::Serve(ServeError::Index { .. }) => {
                "remove the database: the server makes it again from the journal"
            }
            ServerFailure::Salvo(ServerError::Broker { .. }) => {
                "check that it runs, and check --user and BROADSIDE_BROKER_PASSWORD; without --broker the server uses its \
                 built-in broker"
            }
            ServerFailure::SalvoClient(_) => {
                "start `broadside salvo serve`, or name the broker that it uses with --broker"
            }
            ServerFailure::Cluster(ClusterError::Address(..)) => "name it as in nats://10.0.0.1:4222",
            ServerFailure::Cluster(ClusterError::Connect { is_refused: true, .. }) => {
                "check the name and password in its address, or --nats-creds, --nats-nkey, --nats-cert"
            }
            ServerFailure::Cluster(ClusterError::Connect { .. }) => {
                "start one there with `nats-server` (Debian: apt-get install nats-server); docs/cluster.md has more"
            }
            ServerFailure::Cluster(ClusterError::NoWorker(..)) => "`broadside cluster` lists the workers",
            ServerFailure::Cluster(ClusterError::Rights(_)) => {
                "heads and workers have other rights, and `broadside cluster` needs those of a head: `broadside cluster config` \
                 prints a configuration with them"
            }
            ServerFailure::Worker(WorkerError::Sandbox(_)) => "docs/sandbox.md lists what strict needs",
            ServerFailure::Submit(source) => return source.hint(),
            ServerFailure::Serve(_)
            | ServerFailure::Salvo(_)
            | ServerFailure::Cluster(_)
            | ServerFailure::Forget(_)
            | ServerFailure::Worker(_) => {
                return None;
            }
        };
        Some(hint.to_owned())
    }
}
