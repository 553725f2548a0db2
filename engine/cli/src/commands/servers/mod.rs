//! The commands of the servers, which only programs with the feature `full` have.

mod cluster;
mod failure;
mod salvo;
mod serve;
mod submit;

pub(crate) use cluster::{OnCluster, cluster, play_on_cluster, worker};
pub(crate) use failure::ServerFailure;
pub(crate) use salvo::salvo;
pub(crate) use serve::serve;
pub(crate) use submit::submit;
