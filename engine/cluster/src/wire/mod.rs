//! The connection to the NATS server, and the messages between head and workers: address and login, subjects, archives of
//! folders, keys and signatures, and versions.

pub(crate) mod archive;
pub(crate) mod configuration;
pub(crate) mod link;
pub(crate) mod machine;
pub(crate) mod messages;
pub(crate) mod names;
pub(crate) mod result_check;
pub(crate) mod server_address;
pub(crate) mod signing;
pub(crate) mod version;
