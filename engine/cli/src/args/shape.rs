//! The help texts: what belongs to the chosen game, and in `-h` the first examples.

use crate::game_flags::GAME_FLAGS;
use clap::Command;
use rules::GameKind;
use std::ffi::OsString;

/// The most examples in `-h`.
const EXAMPLES: usize = 2;

/// The game that these arguments name with `--game`, else the usual one.
pub(super) fn named_game(arguments: impl Iterator<Item = OsString>) -> GameKind {
    let mut named = None;
    let mut follows = false;
    for argument in arguments {
        let argument = argument.to_string_lossy();
        let name = if follows { Some(&*argument) } else { argument.strip_prefix("--game=") };
        let is_by_rules = argument == "--rules" || argument.starts_with("--rules=");
        named = named.or(is_by_rules.then_some(GameKind::Battleship));
        named = name.and_then(GameKind::from_name).or(named);
        follows = argument == "--game";
    }
    named.unwrap_or(GameKind::Entelect2017)
}

/// The command whose help texts leave out the flags of other games. The help of the whole program also leaves out the flags
/// of matches, which are those of `broadside play`.
pub(super) fn shaped(command: Command, game: GameKind) -> Command {
    let command = command.mut_args(|arg| {
        match arg.get_id().as_str() {
            // The last line names it, and the list of commands needs the room.
            "help" => arg.hide_short_help(true),
            "version" | "quiet" | "color" => arg,
            _ => arg.hide(true),
        }
    });
    let command =
        with_short_help(command, "The flags of matches: broadside help play. Exit codes and more: broadside --help");
    command.mut_subcommands(|command| of_subcommand(command, "", game))
}

fn of_subcommand(command: Command, above: &str, game: GameKind) -> Command {
    let name = format!("{above}{}", command.get_name());
    let more = format!("All options: broadside {name} --help");
    let below = format!("{name} ");
    let command = command.mut_args(|arg| {
        let id = arg.get_id().as_str();
        let is_of_other = GAME_FLAGS.iter().any(|(is_for, ids)| ids.contains(&id) && !is_for(game, id));
        if id == "rules" {
            // It chooses a game, as `--game` does.
            return arg.hide_short_help(is_of_other);
        }
        let is_hidden = arg.is_hide_set() || is_of_other;
        arg.hide(is_hidden)
    });
    with_short_help(command, &more).mut_subcommands(|command| of_subcommand(command, &below, game))
}

/// The command whose `-h` ends with the first of its examples, and with `more`.
fn with_short_help(command: Command, more: &str) -> Command {
    let all = command.get_after_help().map(ToString::to_string).unwrap_or_default();
    let examples = first_examples(&all);
    let short = if examples.is_empty() { more.to_owned() } else { format!("{examples}\n{more}") };
    command.after_long_help(all).after_help(short)
}

/// The paragraph with the examples, with no more than [`EXAMPLES`] of them.
fn first_examples(help: &str) -> String {
    let lines = help.lines().skip_while(|line| !line.starts_with("Example")).take_while(|line| !line.is_empty());
    let mut examples = 0;
    let kept = lines.take_while(|line| {
        // Deeper lines belong to the example before.
        examples += usize::from(line.starts_with("  ") && !line.starts_with("   "));
        examples <= EXAMPLES
    });
    kept.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::super::Args;
    use super::*;
    use clap::CommandFactory;

    fn game_of(line: &str) -> GameKind {
        named_game(line.split(' ').map(OsString::from))
    }

    #[test]
    fn the_last_game_that_is_named_counts() {
        assert_eq!(game_of("broadside -b one"), GameKind::Entelect2017);
        assert_eq!(game_of("broadside play --game sea-battle -h"), GameKind::SeaBattle);
        assert_eq!(game_of("broadside --game=salvo --game=bots-arena"), GameKind::BotsArena);
        assert_eq!(game_of("broadside --rules russian -h"), GameKind::Battleship);
        assert_eq!(game_of("broadside --game chess -h"), GameKind::Entelect2017);
    }

    fn help(game: GameKind, name: &str, is_long: bool) -> String {
        let mut command = shaped(Args::command(), game).term_width(80);
        command.build();
        let mut at = &mut command;
        for part in name.split(' ').filter(|part| !part.is_empty()) {
            at = at.find_subcommand_mut(part).unwrap();
        }
        if is_long { at.render_long_help() } else { at.render_help() }.to_string()
    }

    #[test]
    fn the_flags_of_other_games_are_left_out() {
        let play = |game| help(game, "play", true);
        assert!(
            play(GameKind::Entelect2017).contains("--size") && !play(GameKind::Entelect2017).contains("--max-moves")
        );
        assert!(
            play(GameKind::SeaBattle).contains("--max-moves") && !play(GameKind::SeaBattle).contains("--calibration")
        );
        assert!(
            ["play", "new", "check", "tournament"]
                .iter()
                .all(|name| help(GameKind::Entelect2017, name, true).contains("--rules"))
        );
        assert!(!help(GameKind::Entelect2017, "", true).contains("      --pretty"), "flags of matches");
    }

    /// The names of the commands, with an empty one for the program itself.
    fn names() -> Vec<String> {
        let mut command = Args::command();
        command.build();
        let mut names = vec![String::new()];
        for command in command.get_subcommands() {
            names.push(command.get_name().to_owned());
            names.extend(command.get_subcommands().map(|inner| format!("{} {}", command.get_name(), inner.get_name())));
        }
        names.retain(|name| !name.contains("help"));
        names
    }

    #[test]
    fn short_help_has_positional_arguments_and_names_the_long_one() {
        for name in names().iter().filter(|name| !name.is_empty()) {
            let help = help(GameKind::Entelect2017, name, false);
            assert!(help.ends_with(&format!("All options: broadside {name} --help\n")), "{help}");
        }
        assert!(help(GameKind::Entelect2017, "replay", false).contains("  [RECORD]"));
        assert!(help(GameKind::Entelect2017, "matches", false).contains("--keep <N>"));
    }

    #[test]
    fn examples_and_lists_fit_in_a_terminal() {
        let mut wide = Vec::new();
        for name in names() {
            let mut command = Args::command();
            let mut at = &mut command;
            for part in name.split(' ').filter(|part| !part.is_empty()) {
                at = at.find_subcommand_mut(part).unwrap();
            }
            let text = at.get_after_help().map(ToString::to_string).unwrap_or_default();
            // Clap breaks paragraphs, but the rest of a line with blanks before it would not be below the line.
            wide.extend(
                text.lines().filter(|line| line.starts_with(' ') && line.chars().count() > 80).map(str::to_owned),
            );
        }
        assert!(wide.is_empty(), "{}", wide.join("\n"));
    }

    #[test]
    fn short_help_fits_on_a_screen() {
        let names = names();
        let lines = |name: &String, game| help(game, name, false).lines().count();
        let long: Vec<_> = names
            .iter()
            .flat_map(|name| GameKind::ALL.map(|game| (name.clone(), game, lines(name, game))))
            .filter(|(_, _, lines)| *lines > 40)
            .collect();
        assert!(long.is_empty(), "{long:?}");
    }
}
