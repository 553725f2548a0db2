//! Prints what Mosquitto has to be told.

use super::topics;
use crate::args::SalvoAclArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::show;

/// Prints the access list, and says how users are made.
pub(super) fn acl(args: &SalvoAclArgs) -> Result<Exit, Failure> {
    let topics = topics(args.topic_prefix.as_deref())?;
    show::print(&salvo::access_list(&topics, &args.user))?;
    let commands = salvo::password_commands(&args.user, &args.teams);
    show::say("The users, whose passwords are asked for; a team's password may be any, its secret is another matter:");
    commands.lines().for_each(|line| show::say(&format!("  {line}")));
    Ok(Exit::Played)
}
