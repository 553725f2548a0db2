//! Names of teams: those that are allowed, and those that look alike.

use rules::{TeamNameError, check_team_name, look_alike};

#[test]
fn ordinary_names_of_all_scripts_are_names() {
    for name in [
        "Ann",
        "a",
        "Team Rocket 2",
        "Überboot",
        "E\u{301}cole",
        "Straße",
        "Καράβι",
        "Корабль 7",
        "海戦",
        "かいせん",
        "カイセン",
        "チーム A",
        "바다 Team",
        "नौका",
        "سفينة",
        "ספינה",
        "เรือ",
        "Tàu chiến",
        "a-b_c.d'e&f!",
        "<img src=x onerror=alert(1)>",
        "../etc",
        "🚀",
        "🚢 Ann 🇫🇷",
        "C++ / C#",
        "100 %",
        "★ Star ★",
        "42",
        "⚓\u{fe0f} Anchors ❤\u{fe0f}",
    ] {
        assert_eq!(check_team_name(name), Ok(()), "{name}");
    }
}

#[test]
fn letters_that_cannot_be_seen_are_refused() {
    let unseen = "\0\n\u{7f}\u{a0}\u{ad}\u{34f}\u{61c}\u{115f}\u{1160}\u{17b4}\u{180e}\u{200b}\u{200d}\u{202e}\u{2028}\u{2060}\
         \u{2800}\u{3000}\u{3164}\u{fe0f}\u{feff}\u{ffa0}\u{fff9}\u{fffc}\u{fffd}\u{1d159}\u{1d173}\u{e0041}\u{e0100}\u{e000}";
    for letter in unseen.chars() {
        let name = format!("A{letter}nn");
        assert_eq!(check_team_name(&name), Err(TeamNameError::Letter(letter.into())), "{name:?}");
    }
}

#[test]
fn letters_of_several_scripts_and_variants_of_letters_are_refused() {
    for name in ["\u{410}nn", "Ann\u{3bf}", "p\u{430}ypal 2", "Ко\u{70}абль", "Aב"] {
        assert_eq!(check_team_name(name), Err(TeamNameError::Scripts), "{name}");
    }
    for name in ["\u{1d400}nn", "\u{ff21}nn", "\u{2160}I", "\u{13aa}nn", "\u{1c3}"] {
        assert!(matches!(check_team_name(name), Err(TeamNameError::Letter(_))), "{name}");
    }
}

#[test]
fn names_that_look_alike_are_told() {
    for (one, other) in [
        ("⚓\u{fe0f}", "⚓"),
        ("Ann", "\u{410}nn"),
        ("APE", "\u{410}\u{420}\u{415}"),
        ("ape", "\u{410}\u{420}\u{415}"),
        ("Bot 1", "Bot l"),
        ("Bot I", "Bot l"),
        ("a-b", "a\u{2010}b"),
        ("\u{e9}cole", "e\u{301}cole"),
        ("ANN", "ann"),
        ("Team 0", "Team O"),
        ("a b", "ab"),
        ("Kraken mil", "Kraken mil."),
        ("Kraken mil", "Kraken m\u{ed}l"),
        ("Kraken mil", "Krak\u{1eb9}n mil"),
        ("Kraken mil", "Krakenmil"),
        ("Kraken mil", "Kraken-mil"),
        ("Kraken mil", "Kr.a.k.e.n \u{2013} MIL"),
        ("Kraken mil", "Kraken\u{2014}mil"),
        ("Kraken mil", "Kraken_mil"),
        ("Kraken mil", "(Kraken, m\u{a8}il!)"),
        ("Kraken mil", "Kraken mi\u{a6}l"),
        ("a-b", "a_b"),
    ] {
        assert!(look_alike(one, other) && look_alike(other, one), "{one} and {other}");
    }
    for (one, other) in [
        ("Ann", "Anna"),
        ("Bot 1", "Bot 2"),
        ("海戦", "海战"),
        ("C++", "C#"),
        ("नौका", "नका"),
        ("!", "?"),
        ("Ann 🚀", "Ann 🚢"),
    ] {
        assert!(!look_alike(one, other), "{one} and {other}");
    }
}
