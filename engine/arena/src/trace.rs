//! Reports of crashes on standard error: the line that names the error, and the place in the code of the bot.

/// The line of a report of a crash that names the error: the last one in most languages, but with words behind it in some.
///
/// ```
/// let lines = ["Traceback (most recent call last):", "  f()", "KeyError: 'x'"].map(str::to_owned);
/// assert_eq!(arena::error_line(&lines).unwrap(), "KeyError: 'x'");
/// ```
pub fn error_line(lines: &[String]) -> Option<&String> {
    const SIGNS: [&str; 3] = ["Error", "Exception", "panic"];
    let names_it = |line: &&String| SIGNS.iter().any(|sign| line.contains(sign));
    lines.iter().rfind(names_it).or(lines.last())
}

/// The place in the code of the bot at which it crashed, as `bot.py:42`: in a report of Python the last one, in others the first one.
/// Places in the language's own library do not count.
///
/// ```
/// let lines = ["at java.base/java.util.List.get(List.java:7)", "\tat Bot.choose(Bot.java:42)"].map(str::to_owned);
/// assert_eq!(arena::place_of_crash(&lines).unwrap(), "Bot.java:42");
/// ```
pub fn place_of_crash(lines: &[String]) -> Option<String> {
    let mut places = lines.iter().filter(|line| !is_of_library(line)).filter_map(|line| place_in(line));
    let is_last = lines.iter().any(|line| line.starts_with("Traceback (most recent call last)"));
    if is_last { places.next_back() } else { places.next() }
}

/// The extensions of files with the code of bots.
const SOURCES: [&str; 18] =
    ["c", "cc", "cpp", "cs", "go", "h", "java", "js", "kt", "lua", "mjs", "php", "pl", "py", "rb", "rs", "scala", "ts"];

fn is_of_library(line: &str) -> bool {
    // Also of languages that a user has installed at home.
    const OF_LIBRARIES: [&str; 10] = [
        "/usr/",
        "/lib/python",
        "/lib/ruby/",
        "node:",
        "java.base/",
        "java.base@",
        "<frozen",
        "/rustc/",
        "site-packages",
        "node_modules",
    ];
    OF_LIBRARIES.iter().any(|sign| line.contains(sign))
}

/// The name of a file with the number of a line behind it, as the languages write that: `a.js:7`, `"a.py", line 7`, `a.pl line 7`,
/// `a.php on line 7`.
fn place_in(line: &str) -> Option<String> {
    line.match_indices('.').find_map(|(dot, _)| {
        let (before, after) = (&line[..dot], &line[dot + 1..]);
        let is_of_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
        let start =
            before.rfind(|c| !is_of_name(c)).map_or(0, |at| at + before[at..].chars().next().map_or(1, char::len_utf8));
        let end = after.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(after.len());
        let (stem, extension, rest) = (&before[start..], &after[..end], &after[end..]);
        let numbered =
            [":", "\", line ", " line ", " on line "].into_iter().find_map(|words| rest.strip_prefix(words))?;
        let number = &numbered[..numbered.find(|c: char| !c.is_ascii_digit()).unwrap_or(numbered.len())];
        let is_place = !stem.is_empty() && SOURCES.contains(&extension) && !number.is_empty();
        is_place.then(|| format!("{stem}.{extension}:{number}"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn the_line_that_names_the_error_is_found() {
        let line = |text: &str| error_line(&lines(text)).cloned().unwrap_or_default();
        assert_eq!(line("Traceback (most recent call last):\n  f()\nKeyError: 'x'"), "KeyError: 'x'");
        assert_eq!(line("x.js:1\nError: Cannot find module 'y'\nNode.js v20"), "Error: Cannot find module 'y'");
        assert_eq!(line("Exception in thread \"main\" A\n\tat B"), "Exception in thread \"main\" A");
        assert_eq!((line("one\ntwo"), line("")), ("two".to_owned(), String::new()));
    }

    #[test]
    fn the_place_in_the_code_of_the_bot_is_found_in_the_reports_of_all_languages() {
        let reports = [
            (
                "Traceback (most recent call last):\n  File \"/b/bot.py\", line 7, in <module>\n    main()\n  File \"/b/bot.py\", line 42, in choose\n    rows[3]\n  File \"/usr/lib/python3/json.py\", line 9\n  File \"/home/a/.pyenv/versions/3.11.7/lib/python3.11/json.py\", line 9\nIndexError: x",
                "bot.py:42",
            ),
            (
                "Exception in thread \"main\" E\n\tat java.base/java.util.L.get(L.java:3)\n\tat Bot.choose(Bot.java:42)\n\tat Bot.main(Bot.java:7)",
                "Bot.java:42",
            ),
            (
                "/b/bot.js:42\n  throw x;\n\nError: x\n    at choose (/b/bot.js:42:9)\n    at node:internal/main:7:1",
                "bot.js:42",
            ),
            ("\tat java.io.F.read(java.base@17.0.1/F.java:7)\n\tat Bot.main(Bot.java:42)", "Bot.java:42"),
            ("PHP Fatal error:  Uncaught Error: x in /b/bot.php:42\nStack trace:", "bot.php:42"),
            ("PHP Parse error:  syntax error in /b/bot.php on line 42", "bot.php:42"),
            ("bot.rb:42:in 'choose': x (KeyError)\n\tfrom bot.rb:7:in 'main'", "bot.rb:42"),
            ("lua: bot.lua:42: x\nstack traceback:", "bot.lua:42"),
            ("x at /b/bot.pl line 42.", "bot.pl:42"),
            ("thread 'main' panicked at src/main.rs:42:5:\nx", "main.rs:42"),
            ("panic: x\n\ngoroutine 1 [running]:\nmain.choose(...)\n\t/b/main.go:42 +0x1d", "main.go:42"),
            ("System.Exception: x\n  at Bot.Choose () [0x00001] in /b/Bot.cs:42 ", "Bot.cs:42"),
        ];
        for (report, place) in reports {
            assert_eq!(place_of_crash(&lines(report)).as_deref(), Some(place), "{report}");
        }
        for without in ["", "Segmentation fault", "at 12:30 he said 3.5: no", "see www.example.org:80/a"] {
            assert_eq!(place_of_crash(&lines(without)), None, "{without}");
        }
    }
}
