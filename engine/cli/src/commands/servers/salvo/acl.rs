//! `broadside salvo acl`: the access list for Mosquitto.

use super::broker::topics;
use crate::args::SalvoAclArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::show;

/// Prints the access list to standard output, and the commands that create the users to standard error.
///
/// # Errors
/// [`Failure::Usage`] for a team whose name cannot be a user name.
pub(super) fn acl(args: &SalvoAclArgs) -> Result<Exit, Failure> {
    let topics = topics(args.topic_prefix.as_deref())?;
    for (at, team) in args.teams.iter().enumerate() {
        let wrong = match salvo::check_name(team) {
            Err(error) => Some(error.to_string()),
            Ok(()) if team.contains(':') => Some("Mosquitto has no user names with a colon".to_owned()),
            Ok(()) if *team == args.user => Some("the server has this name; see --user".to_owned()),
            Ok(()) => args.teams[..at].contains(team).then(|| "it is named twice".to_owned()),
        };
        if let Some(hint) = wrong {
            return Err(Failure::Usage { what: format!("{team:?} cannot be the user name of a team"), hint });
        }
    }
    show::print(&salvo::access_list(&topics, &args.user))?;
    let commands = salvo::password_commands(&args.user, &args.teams);
    show::say(
        "Create the users with these commands, which ask for passwords. As a team's password use its secret, with which \
         `broadside salvo join` logs in:",
    );
    commands.lines().for_each(|line| show::say(&format!("  {line}")));
    Ok(Exit::Success)
}
