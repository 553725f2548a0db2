//! Prints the page of all commands, docs/reference/commands.md.
#![expect(clippy::print_stdout, reason = "it is what this program is for")]

fn main() {
    print!("{}", broadside::commands_page());
}
