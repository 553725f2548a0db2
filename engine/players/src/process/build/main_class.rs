//! Finding the class with the main method among Java or Scala sources.

use std::path::PathBuf;

/// Text by which a source with a main method is recognized.
const SIGNS: [&str; 4] = ["static void main", "extends App", "with App", "def main("];

/// The full name of the main class: `wanted` if a file has that name, else that of the only file with a main method.
pub(super) fn main_class(sources: impl Iterator<Item = (PathBuf, String)>, wanted: &str) -> Option<String> {
    let mut mains = Vec::new();
    for (file, source) in sources {
        let stem = file.file_stem()?.to_string_lossy().into_owned();
        let main = SIGNS.iter().any(|sign| source.contains(sign));
        if main || stem == wanted {
            mains.push((stem.clone(), full_name(&source, &stem)));
        }
    }
    if let Some((_, name)) = mains.iter().find(|(stem, _)| stem == wanted) {
        return Some(name.clone());
    }
    match &mains[..] {
        [(_, name)] => Some(name.clone()),
        _ => None,
    }
}

/// The package and the class. In Java the class has the name of its file; in Scala it is the object that is a program.
fn full_name(source: &str, stem: &str) -> String {
    let name_after = |text: &str| -> Option<String> {
        let name: String =
            text.trim_start().chars().take_while(|c| c.is_alphanumeric() || "_.$".contains(*c)).collect();
        (!name.is_empty()).then_some(name)
    };
    let package = source.lines().find_map(|line| name_after(line.trim_start().strip_prefix("package ")?));
    let sign = SIGNS[1..].iter().filter_map(|sign| source.find(sign)).min();
    let object = sign.and_then(|sign| name_after(source[..sign].rsplit_once("object ")?.1));
    let class = object.unwrap_or_else(|| stem.to_owned());
    package.map_or(class.clone(), |package| format!("{package}.{class}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(sources: &[(&str, &str)], wanted: &str) -> Option<String> {
        main_class(sources.iter().map(|(file, source)| (PathBuf::from(file), (*source).to_owned())), wanted)
    }

    const MAIN: &str = "package a.b;\npublic class X { public static void main(String[] a) {} }";

    #[test]
    fn the_class_named_like_the_run_file_is_the_main_class() {
        assert_eq!(of(&[("./Bot.java", MAIN), ("./Other.java", MAIN)], "Bot"), Some("a.b.Bot".to_owned()));
    }

    #[test]
    fn else_it_is_the_only_one_with_a_main_method() {
        assert_eq!(of(&[("./A.java", "class A {}"), ("./Z.java", MAIN)], "Bot"), Some("a.b.Z".to_owned()));
        assert_eq!(of(&[("./A.java", MAIN), ("./Z.java", MAIN)], "Bot"), None);
        assert_eq!(of(&[("./A.java", "class A {}")], "Bot"), None);
    }

    #[test]
    fn a_scala_program_is_an_object() {
        let app = "package bots\nobject Other\nobject Play extends App { println(1) }";
        assert_eq!(of(&[("./x.scala", app)], "Bot"), Some("bots.Play".to_owned()));
        let main = "object Play {\n  def main(args: Array[String]): Unit = ()\n}";
        assert_eq!(of(&[("./x.scala", main)], "Bot"), Some("Play".to_owned()));
    }
}
