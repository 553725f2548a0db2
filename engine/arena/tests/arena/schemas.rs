//! The schemas in docs/, for lines of records and journals.
#![allow(dead_code, reason = "each test program that includes this file uses a part of it")]

use jsonschema::Validator;
use serde_json::Value;
use std::fs;
use std::path::Path;

pub fn docs(file: &str) -> String {
    let folders = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    let docs = folders.map(|folder| folder.join("docs")).find(|docs| docs.is_dir()).unwrap();
    fs::read_to_string(docs.join(file)).unwrap()
}

pub fn schema(file: &str) -> Validator {
    jsonschema::validator_for(&serde_json::from_str(&docs(file)).unwrap()).unwrap()
}

pub fn assert_fits(schema: &Validator, lines: &str) {
    for line in lines.lines() {
        let value: Value = serde_json::from_str(line).unwrap();
        let errors: Vec<String> = schema.iter_errors(&value).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{line}: {errors:?}");
    }
}

/// Changes the first line that has it, and fails if the schema does not mind.
pub fn assert_refuses<'a>(schema: &Validator, lines: impl Iterator<Item = &'a str> + Clone, changes: &[(&str, &str)]) {
    for (from, to) in changes {
        let line = lines.clone().find(|line| line.contains(from)).unwrap_or_else(|| panic!("{from} is in no line"));
        let changed: Value = serde_json::from_str(&line.replacen(from, to, 1)).unwrap();
        assert!(!schema.is_valid(&changed), "{to}");
    }
}
