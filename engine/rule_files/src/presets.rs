//! Rules of public engines, contests and papers.

use crate::error::RulesFileError;
use crate::reading::read;
use rules::battleship::Rules;
use std::path::Path;

/// A file of rules that comes with the program.
#[derive(Debug, Clone, Copy)]
pub struct Preset {
    /// The name.
    pub name: &'static str,
    /// The file.
    pub text: &'static str,
}

macro_rules! presets {
    ($($name:literal),* $(,)?) => {
        [$(Preset { name: $name, text: include_str!(concat!("../presets/", $name, ".toml")) }),*]
    };
}

/// All presets: first the games that people know, then those of public engines.
pub const PRESETS: &[Preset] = &presets![
    "classic",
    "russian",
    "salvo-classic",
    "salvo",
    "bots-arena",
    "sea-battle",
    "openspiel",
    "textarena",
    "textarena-standard",
    "gym-battleship",
    "questions-first",
    "itechmeat",
    "areno",
    "panaxeo-2023",
    "brainjar",
    "cs1210",
    "kogan-hackday",
    "kogan-scale",
    "jutland",
    "in-deep-ship",
    "stack-overflow-2009",
    "stack-overflow-salvo",
    "threedaymonk",
    "cincinnati",
    "mate-academy",
    "rs-school",
    "battleship44",
    "seabotserver",
    "battleship-tui",
    "man-battleships",
    "month-challenges",
    "mohawk",
    "battleship-visualizer",
    "javabin",
];

/// The preset of this name.
pub(crate) fn named(name: &str) -> Option<&'static Preset> {
    PRESETS.iter().find(|preset| preset.name == name)
}

impl Preset {
    /// The rules in the file.
    ///
    /// # Errors
    /// As for [`read`]; the presets of the program have no mistakes.
    pub fn rules(&self) -> Result<Rules, RulesFileError> {
        read(self.text, Path::new(self.name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SCHEMA, first_sentence};
    use rules::battleship::{Choices, FleetEntry, Limit, Special, SpecialKind, Then};
    use serde_json::{Value, json};
    use std::collections::BTreeSet;
    use std::fs;

    #[test]
    fn presets_have_their_names_and_can_be_played() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("presets");
        let files = fs::read_dir(folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
        let names: BTreeSet<String> = PRESETS.iter().map(|preset| format!("{}.toml", preset.name)).collect();
        assert_eq!(files.collect::<BTreeSet<_>>(), names);
        for preset in PRESETS {
            let rules = preset.rules().unwrap_or_else(|error| panic!("{error}"));
            assert_eq!(rules.choices().name, preset.name);
            assert!(rules.fits(), "{}", preset.name);
            let about = &rules.choices().about;
            assert!(first_sentence(about).len() < 120 && about.ends_with('.'), "{}: {about}", preset.name);
        }
    }

    #[test]
    fn the_classic_file_has_every_key_with_its_usual_value() {
        let classic = named("classic").unwrap();
        let written = classic.rules().unwrap();
        let usual = Choices { about: written.choices().about.clone(), ..Choices::default() };
        assert_eq!(*written.choices(), usual);
        let keys: toml::Table = classic.text.parse().unwrap();
        let value = serde_json::to_value(&usual).unwrap();
        assert_eq!(keys.keys().collect::<Vec<_>>(), value.as_object().unwrap().keys().collect::<Vec<_>>());
    }

    #[test]
    fn the_schema_takes_all_presets_and_has_the_keys_and_values_that_are_read() {
        let schema: Value = serde_json::from_str(SCHEMA).unwrap();
        let validator = jsonschema::validator_for(&schema).unwrap();
        for preset in PRESETS {
            let value: Value = toml::from_str(preset.text).unwrap();
            validator.validate(&value).unwrap_or_else(|error| panic!("{}: {error}", preset.name));
        }
        // With every key that may be left out.
        let entry = FleetEntry { name: "b".into(), count: 2, size: Some(2), shape: vec!["#".into()], armour: 2 };
        let special = Special {
            name: "s".into(),
            uses: 2,
            needs: Some("b".into()),
            kind: SpecialKind::Radar,
            area: vec!["#".into()],
            misses: vec!["b".into()],
        };
        let limit = Some(Limit { turns: 9, then: Then::Draw });
        let all = Choices { fleet: vec![entry], limit, specials: vec![special], ..Choices::default() };
        same_keys("", &serde_json::to_value(all).unwrap(), &schema);
    }

    /// Compares the keys of a value and of a schema, and the values that serde reads with those of the schema.
    fn same_keys(path: &str, value: &Value, schema: &Value) {
        match value {
            Value::Object(fields) => {
                let properties = schema["properties"].as_object().unwrap();
                let keys = |keys: &serde_json::Map<String, Value>| keys.keys().cloned().collect::<BTreeSet<_>>();
                assert_eq!(keys(fields), keys(properties), "{path}");
                for (key, value) in fields {
                    same_keys(&format!("{path}/{key}"), value, &properties[key]);
                }
            }
            Value::Array(items) => {
                items.iter().for_each(|item| same_keys(&format!("{path}/0"), item, &schema["items"]));
            }
            _ => {
                let values = schema.get("enum").or_else(|| schema["oneOf"][1].get("enum"));
                let Some(values) = values else { return };
                let mut file = serde_json::to_value(Choices {
                    specials: vec![Special {
                        name: "s".into(),
                        uses: 1,
                        needs: None,
                        kind: SpecialKind::Sonar,
                        area: Vec::new(),
                        misses: Vec::new(),
                    }],
                    limit: Some(Limit { turns: 9, then: Then::Draw }),
                    ..Choices::default()
                })
                .unwrap();
                for value in values.as_array().unwrap() {
                    *file.pointer_mut(path).unwrap() = value.clone();
                    serde_json::from_value::<Choices>(file.clone()).unwrap_or_else(|error| panic!("{path}: {error}"));
                }
                *file.pointer_mut(path).unwrap() = json!("other");
                let error = serde_json::from_value::<Choices>(file).unwrap_err().to_string();
                let read: BTreeSet<&str> = error.split('`').skip(3).step_by(2).collect();
                let known: BTreeSet<&str> = values.as_array().unwrap().iter().filter_map(Value::as_str).collect();
                assert!(read == known || path == "/shots", "{path}: {error}");
            }
        }
    }
}
