//! `broadside salvo`: a game of many players over MQTT.

mod acl;
mod admin;
mod broker;
mod event_text;
mod join;
mod person;
mod serve;

use crate::args::SalvoCommand;
use crate::exit::Exit;
use crate::failure::Failure;

/// Runs a command of Salvo.
pub(crate) fn salvo(command: &SalvoCommand) -> Result<Exit, Failure> {
    match command {
        SalvoCommand::Serve(args) => serve::serve(args),
        SalvoCommand::Join(args) => join::join(args),
        SalvoCommand::Admin(args) => admin::admin(args),
        SalvoCommand::Acl(args) => acl::acl(args),
    }
}
