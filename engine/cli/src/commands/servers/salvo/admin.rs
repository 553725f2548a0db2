//! `broadside salvo admin`: commands to a running server.

use super::broker::{PASSWORD, broker};
use crate::args::{SalvoAdminArgs, SalvoAdminCommand};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::show;
use salvo::client::ClientError;
use salvo::{AdminAccess, AdminCommand, AdminError};

/// Sends a command, and prints the answer.
///
/// # Errors
/// [`Failure::Usage`] for a folder without a server, and a command that the server refuses; errors of the connection.
pub(super) fn admin(args: &SalvoAdminArgs) -> Result<Exit, Failure> {
    let usage = |error: AdminError, hint: String| Failure::Usage { what: error.to_string(), hint };
    let no_server =
        |error| usage(error, "name the folder of the server with --dir; only its user can read it".to_owned());
    let mut access = AdminAccess::read(&args.dir).map_err(no_server)?;
    if let Some(url) = &args.broker {
        let named = broker(url, None)?;
        (access.host, access.port) = (named.host, named.port);
    }
    let login = args.user.clone().map(|user| (user, std::env::var(PASSWORD).unwrap_or_default()));
    let command = match &args.command {
        SalvoAdminCommand::Kick { team } => AdminCommand::Kick { team: team.clone() },
        SalvoAdminCommand::Start => AdminCommand::Start,
        SalvoAdminCommand::Open => AdminCommand::Open,
        SalvoAdminCommand::End => AdminCommand::End,
    };
    match access.send(command, login) {
        Ok(answer) => {
            show::print(&format!("{}\n", show::printable(&answer)))?;
            Ok(Exit::Success)
        }
        Err(AdminError::Broker { broker, what }) => Err(ClientError::Broker { broker, what }.into()),
        Err(error) => Err(usage(error, "nothing has changed".to_owned())),
    }
}
