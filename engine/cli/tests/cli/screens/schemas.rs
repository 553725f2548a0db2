//! The schemas in docs/, to compare with what the program writes for programs.

use jsonschema::Validator;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

pub struct Schema(Validator);

impl Schema {
    /// Of games.jsonl.
    pub fn journal() -> Schema {
        Schema::read("journal.schema.json")
    }

    /// Of what is streamed.
    pub fn events() -> Schema {
        Schema::read("events.schema.json")
    }

    /// That of a file in docs/.
    pub fn read(file: &str) -> Schema {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs").join(file);
        Schema(jsonschema::validator_for(&serde_json::from_slice(&fs::read(path).unwrap()).unwrap()).unwrap())
    }

    /// Every line of a text as a value; fails unless all of them fit.
    pub fn read_lines(&self, text: &str) -> Vec<Value> {
        let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
        lines.inspect(|line| self.assert_fits(line)).collect()
    }

    pub fn assert_fits(&self, line: &Value) {
        let errors: Vec<String> = self.0.iter_errors(line).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{line}: {errors:?}");
    }

    /// Fails unless the line fits, and no longer does if any part of it has another type, if any object in it has a
    /// field more, or if a field is missing that is not one of these.
    pub fn assert_is_strict_with(&self, line: &Value, may_be_missing: &[&str]) {
        self.assert_fits(line);
        for place in places(line) {
            let refused = |what: &str, change: &dyn Fn(&mut Value)| {
                let mut changed = line.clone();
                change(changed.pointer_mut(&place).unwrap());
                assert!(!self.0.is_valid(&changed), "{what} at {place}: {changed}");
            };
            refused("another type", &|part| *part = json!({ "surprise": [] }));
            let Some(fields) = line.pointer(&place).unwrap().as_object() else { continue };
            refused("a field more", &|part| part["surprise"] = Value::Null);
            for field in fields.keys().filter(|field| !may_be_missing.contains(&field.as_str())) {
                refused(&format!("no {field}"), &|part| {
                    part.as_object_mut().unwrap().remove(field);
                });
            }
        }
    }
}

/// The places of the parts of a value, as JSON pointers.
fn places(value: &Value) -> Vec<String> {
    let parts: Vec<(String, &Value)> = match value {
        Value::Object(fields) => fields.iter().map(|(name, part)| (name.clone(), part)).collect(),
        Value::Array(parts) => parts.iter().enumerate().map(|(at, part)| (at.to_string(), part)).collect(),
        _ => Vec::new(),
    };
    let within =
        parts.into_iter().flat_map(|(name, part)| places(part).into_iter().map(move |place| format!("/{name}{place}")));
    std::iter::once(String::new()).chain(within).collect()
}
