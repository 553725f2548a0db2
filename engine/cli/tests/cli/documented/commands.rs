//! Commands in the text of pages and in help texts: the program knows their names and flags.

use super::page::Page;
use clap::error::ErrorKind;

#[test]
fn every_command_in_the_text_is_one_that_the_program_knows() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for page in Page::all() {
        for command in commands(&page.text) {
            count += 1;
            if let Err(why) = is_known(&command) {
                wrong.push(format!("{}: {command}: {why}", page.path));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 100, "{count}");
}

/// The commands in inline code, and the examples of the help texts.
fn commands(text: &str) -> Vec<String> {
    let inline = text.split("```").step_by(2).flat_map(|prose| prose.split('`').skip(1).step_by(2));
    let joined = text.replace("\\\n", " ");
    let examples = joined.lines().filter_map(|line| line.strip_prefix("  "));
    let commands = inline.chain(examples).filter(|code| code.starts_with("broadside "));
    // Behind two blanks, a line of help explains its example.
    commands.map(|code| code.split("  ").next().unwrap_or(code).replace('\n', " ").trim().to_owned()).collect()
}

/// Values may be words that stand for something, in capitals.
fn is_known(command: &str) -> Result<(), String> {
    let words = shlex::split(command).ok_or("it is not a line of shell")?;
    let begins_another = |word: &String| word.starts_with(['|', '>', '&']);
    let words =
        words.into_iter().take_while(|word| !begins_another(word)).filter(|word| !["…", "..."].contains(&&**word));
    let is_name = |word: &str| word.chars().all(|c| c.is_ascii_uppercase());
    match broadside::command().try_get_matches_from(words.filter(|word| !is_name(word))) {
        Err(error) if [ErrorKind::UnknownArgument, ErrorKind::InvalidSubcommand].contains(&error.kind()) => {
            Err(error.to_string())
        }
        _ => Ok(()),
    }
}
