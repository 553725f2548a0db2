//! Programming languages, by the names that JPlag has for them.

use std::path::Path;

/// A programming language.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct CodeLanguage {
    /// The name that JPlag has for it (docs/1.-How-to-Use-JPlag.md), or a name of our own: JPlag reads the others as `text`.
    pub(super) name: &'static str,
    /// The languages of bot.json.
    bot_types: &'static [&'static str],
    /// The endings of files; the first is that of a submission in one file.
    pub(super) endings: &'static [&'static str],
    /// The beginning of a comment.
    pub(super) comment: &'static str,
}

const fn language(
    name: &'static str,
    bot_types: &'static [&'static str],
    endings: &'static [&'static str],
    comment: &'static str,
) -> CodeLanguage {
    CodeLanguage { name, bot_types, endings, comment }
}

static LANGUAGES: [CodeLanguage; 16] = [
    language("c", &["C"], &["c", "h"], "//"),
    language("cpp", &["CPlusPlus"], &["cpp", "cc", "cxx", "h", "hh", "hpp", "hxx", "inl"], "//"),
    language("csharp", &["CSharp"], &["cs"], "//"),
    language("fsharp", &["FSharp"], &["fs", "fsi", "fsx"], "//"),
    language("go", &["Golang"], &["go"], "//"),
    language("java", &["Java"], &["java"], "//"),
    language("javascript", &["JavaScript"], &["js", "cjs", "mjs"], "//"),
    language("julia", &["Julia"], &["jl"], "#"),
    language("kotlin", &["Kotlin"], &["kt", "kts"], "//"),
    language("lua", &["Lua"], &["lua"], "--"),
    language("php", &["PHP"], &["php"], "//"),
    language("python3", &["Python2", "Python3"], &["py"], "#"),
    language("ruby", &["Ruby"], &["rb"], "#"),
    language("rust", &["Rust"], &["rs"], "//"),
    language("scala", &["Scala"], &["scala", "sc"], "//"),
    language("typescript", &["TypeScript"], &["ts", "cts", "mts", "tsx"], "//"),
];

impl CodeLanguage {
    /// The language of a bot.json.
    pub(super) fn of_bot(bot_type: &str) -> Option<&'static CodeLanguage> {
        LANGUAGES.iter().find(|language| language.bot_types.contains(&bot_type))
    }

    /// True if a file is in this language, by its ending.
    pub(super) fn has(&self, path: &Path) -> bool {
        path.extension().is_some_and(|ending| self.endings.iter().any(|own| ending.eq_ignore_ascii_case(own)))
    }

    /// The language with the most bytes in these files; the first by name of those that have as many.
    pub(super) fn of_most<'a>(files: impl Iterator<Item = (&'a Path, usize)> + Clone) -> Option<&'static CodeLanguage> {
        let bytes = |language: &CodeLanguage| -> usize {
            files.clone().filter(|(path, _)| language.has(path)).map(|(_, bytes)| bytes).sum()
        };
        LANGUAGES.iter().rev().max_by_key(|language| bytes(language)).filter(|language| bytes(language) > 0)
    }

    /// True if a file is in any language.
    pub(super) fn is_source(path: &Path) -> bool {
        LANGUAGES.iter().any(|language| language.has(path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use players::process::Language;

    #[test]
    fn every_language_of_bots_with_sources_is_known() {
        for name in Language::names() {
            assert_eq!(CodeLanguage::of_bot(name).is_some(), name != "Executable", "{name}");
        }
    }

    #[test]
    fn the_language_with_the_most_bytes_is_that_of_a_bot() {
        let of = |files: &[(&str, usize)]| {
            let files = files.iter().map(|(name, bytes)| (Path::new(*name), *bytes));
            CodeLanguage::of_most(files).map(|language| language.name)
        };
        assert_eq!(of(&[("a.h", 90), ("a.c", 1)]), Some("c"));
        assert_eq!(of(&[("a.h", 90), ("a.CPP", 1)]), Some("cpp"));
        assert_eq!(of(&[("setup.py", 10), ("bot.rs", 11)]), Some("rust"));
        assert_eq!(of(&[("readme.md", 10)]), None);
    }
}
