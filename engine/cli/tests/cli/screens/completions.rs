//! Completions, in the shells themselves, and man pages.

use crate::table::broadside;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Beginnings of command lines, and a word that completes each of them.
const LINES: [(&str, &str); 5] = [
    ("broadside tour", "tournament"),
    ("broadside compare --ver", "--verdict"),
    ("broadside salvo jo", "join"),
    ("broadside salvo join --wit", "--with"),
    ("broadside check --sandbox str", "strict"),
];

/// Completes as bash does: the function of the script is given the words of the line.
const BASH: &str = r#"
source broadside.bash
complete -p broadside | grep -q -- '-F _broadside' || exit 1
COMP_WORDS=($1)
COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
_broadside broadside "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\n' "${COMPREPLY[@]}"
"#;

/// Types each line and a tab in a terminal, and prints the line as it is then. One shell is for all lines: it takes a second
/// until it can complete.
const ZSH: &str = r#"
zmodload zsh/zpty
zpty shell zsh -f -i
zpty -w shell "PROMPT= fpath=($PWD \$fpath); autoload -U compinit; compinit -u -D
show() { print -r -- \"<\$BUFFER>\"; BUFFER= }
zle -N show; bindkey '^I' complete-word; bindkey '^X' show; print ready-\$ZSH_VERSION"
zpty -r shell answer '*ready-5*'
for line in "$@"; do
zpty -w -n shell "$line"$'\t\x18'
zpty -r shell answer '*<*>*'
print -r -- "${${answer##*<}%%>*}"
done
zpty -d shell
"#;

const FISH: &str = "source broadside.fish; complete -C $argv[1]";

fn script(shell: &str, folder: &Path, file: &str) {
    let done = broadside().args(["completions", shell]).assert().success();
    fs::write(folder.join(file), &done.get_output().stdout).unwrap();
}

/// A shell with the script in its folder.
struct Shell {
    name: &'static str,
    program: PathBuf,
    folder: tempfile::TempDir,
}

impl Shell {
    /// `None`, which skips the test, if the shell is not installed.
    fn new(name: &'static str, file: &str) -> Option<Shell> {
        let shell = Shell { name, program: test_tools::required(name)?, folder: tempfile::tempdir().unwrap() };
        script(name, shell.folder.path(), file);
        Some(shell)
    }

    /// The output of a shell that has `code` and then the lines as arguments.
    fn told(&self, arguments: &[&str], code: &str, lines: &[&str]) -> String {
        let mut command = Command::new(&self.program);
        command.current_dir(self.folder.path()).env("HOME", self.folder.path()).env("TERM", "xterm");
        let done = command.args(arguments).arg(code).args((self.name != "fish").then_some(self.name)).args(lines);
        let done = done.output().unwrap();
        assert!(done.stderr.is_empty(), "{}: {lines:?}: {}", self.name, String::from_utf8_lossy(&done.stderr));
        String::from_utf8(done.stdout).unwrap()
    }
}

fn assert_completed(line: &str, word: &str, told: &str) {
    let is_completed = told.split_whitespace().any(|found| found.trim_end_matches('=') == word);
    assert!(is_completed, "{line}: {told}");
}

/// Completes each line in a shell of its own.
fn completes(shell: &'static str, file: &str, arguments: &[&str], code: &str) {
    let Some(shell) = Shell::new(shell, file) else { return };
    for (line, word) in LINES {
        assert_completed(line, word, &shell.told(arguments, code, &[line]));
    }
}

#[test]
fn bash_completes_commands_flags_and_values() {
    completes("bash", "broadside.bash", &["--norc", "--noprofile", "-c"], BASH);
}

#[test]
fn zsh_completes_commands_flags_and_values() {
    let Some(shell) = Shell::new("zsh", "_broadside") else { return };
    let told = shell.told(&["-f", "-c"], ZSH, &LINES.map(|(line, _)| line));
    assert_eq!(told.lines().count(), LINES.len(), "{told}");
    for ((line, word), told) in LINES.into_iter().zip(told.lines()) {
        assert_completed(line, word, told);
    }
}

#[test]
fn fish_completes_commands_flags_and_values() {
    completes("fish", "broadside.fish", &["--no-config", "-c"], FISH);
}

#[test]
fn other_shells_have_scripts_with_all_commands() {
    for shell in ["elvish", "powershell"] {
        let done = broadside().args(["completions", shell]).assert().success();
        let script = String::from_utf8_lossy(&done.get_output().stdout).into_owned();
        let mut command = broadside::command();
        command.build();
        for command in command.get_subcommands().filter(|command| !command.is_hide_set()) {
            assert!(script.contains(command.get_name()), "{shell}: {}", command.get_name());
        }
    }
}

/// The man pages of a day.
fn pages(folder: &Path) -> Vec<PathBuf> {
    broadside().arg("man").arg(folder).env("SOURCE_DATE_EPOCH", "1795000000").assert().success();
    let mut pages: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    pages.sort();
    pages
}

#[test]
fn every_command_has_a_man_page_without_faults() {
    let Some(mandoc) = test_tools::required("mandoc") else { return };
    let folder = tempfile::tempdir().unwrap();
    let pages = pages(&folder.path().join("man1"));
    let names: Vec<_> = pages.iter().map(|page| page.file_stem().unwrap().to_str().unwrap()).collect();
    for name in ["broadside", "broadside-play", "broadside-serve", "broadside-salvo", "broadside-salvo-join"] {
        assert!(names.contains(&name), "{names:?}");
    }
    assert!(!names.contains(&"broadside-man"), "it is not for users");
    let done = Command::new(mandoc).args(["-T", "lint", "-W", "all"]).args(&pages).output().unwrap();
    assert!(done.status.success() && done.stdout.is_empty(), "{}", String::from_utf8_lossy(&done.stdout));
}

#[test]
fn a_man_page_has_flags_of_all_games_and_the_date_of_the_sources() {
    let folder = tempfile::tempdir().unwrap();
    pages(folder.path());
    let page = fs::read_to_string(folder.path().join("broadside-play.1")).unwrap();
    assert!(page.contains(".TH BROADSIDE-PLAY 1 2026-11-18 "), "{page}");
    for flag in ["size", "sandbox", "max\\-moves", "dialect", "allow\\-hosts"] {
        assert!(page.contains(&format!("\\-\\-{flag}")), "{flag}");
    }
    let join = fs::read_to_string(folder.path().join("broadside-salvo-join.1")).unwrap();
    assert!(join.contains("\\fBbroadside salvo join"), "{join}");
    assert!(join.contains(".SH \"EXIT STATUS\"\n.nf\n0    the match"), "{join}");
}
