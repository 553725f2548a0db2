//! Prints what Mosquitto has to be told.

use super::broker::topics;
use crate::args::SalvoAclArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::show;

/// Prints the access list, and says how users are made.
pub(super) fn acl(args: &SalvoAclArgs) -> Result<Exit, Failure> {
    let topics = topics(args.topic_prefix.as_deref())?;
    for (at, team) in args.teams.iter().enumerate() {
        let wrong = match salvo::check_name(team) {
            Err(error) => Some(error.to_string()),
            Ok(()) if team.contains(':') => Some("Mosquitto has no user names with a colon".to_owned()),
            Ok(()) if *team == args.user => Some("the server is called so; see --user".to_owned()),
            Ok(()) => args.teams[..at].contains(team).then(|| "it is there twice".to_owned()),
        };
        if let Some(hint) = wrong {
            return Err(Failure::Usage { what: format!("{team:?} cannot be the user name of a team"), hint });
        }
    }
    show::print(&salvo::access_list(&topics, &args.user))?;
    let commands = salvo::password_commands(&args.user, &args.teams);
    show::say(
        "The users, whose passwords are asked for; let a team's password be its secret, which `broadside salvo join` comes with:",
    );
    commands.lines().for_each(|line| show::say(&format!("  {line}")));
    Ok(Exit::Success)
}
