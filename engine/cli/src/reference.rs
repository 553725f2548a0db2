//! The page of all commands, made from their help texts.

use clap::Command;

/// The columns of the help texts on the page.
const COLUMNS: usize = 100;

/// The text of `docs/reference/commands.md`.
///
/// ```
/// assert!(broadside::commands_page().contains("## broadside check\n"));
/// ```
pub fn commands_page() -> String {
    let mut command = crate::command().term_width(COLUMNS).max_term_width(COLUMNS);
    command.build();
    let mut page = "# Commands\n\n\
                    This page has the help text of every command, as `broadside help COMMAND` prints it. `broadside -h` is the short \
                    list.\n"
        .to_owned();
    write(&mut page, &mut command, "");
    page
}

fn write(page: &mut String, command: &mut Command, above: &str) {
    let name = format!("{above}{}", command.get_name());
    let help = command.render_long_help().to_string();
    let lines: Vec<&str> = help.lines().map(str::trim_end).collect();
    page.push_str(&format!("\n## {name}\n\n```text\n{}\n```\n", lines.join("\n").trim_end()));
    let inner = format!("{name} ");
    for command in
        command.get_subcommands_mut().filter(|command| command.get_name() != "help" && !command.is_hide_set())
    {
        write(page, command, &inner);
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_page_of_the_documentation_is_up_to_date() {
        let kept = include_str!("../../../docs/reference/commands.md");
        let how = "cargo run -q -p broadside --features full --example commands > docs/reference/commands.md";
        assert!(kept == super::commands_page(), "make it anew: {how}");
    }
}
