//! Requests of the API with bodies of every wrong form.

use crate::server::{ADMIN, Arena};
use serde_json::{Value, json};

#[test]
fn a_wrong_body_is_refused_in_the_words_of_json_at_every_address() {
    let arena = Arena::start();
    let described = arena.site.get("/api/openapi.json").json();
    let schemas = described["components"]["schemas"].as_object().unwrap();
    let values =
        [json!(null), json!(true), json!(7.5), json!("text"), json!([]), json!(["a", "b", "c", "d"]), json!({})];
    let mut refused = 0;
    for (path, methods) in described["paths"].as_object().unwrap() {
        // Where a body may be an archive as well, it is read once the team is known.
        let content = &methods["post"]["requestBody"]["content"];
        if content.as_object().is_some_and(|kinds| kinds.len() > 1) {
            continue;
        }
        let schema = &content["application/json"]["schema"]["$ref"];
        let Some(name) = schema.as_str().and_then(|schema| schema.rsplit('/').next()) else { continue };
        let whole = values.iter().filter(|value| !value.is_object()).cloned();
        // The members of another schema may be among them.
        let described = schemas[name]["allOf"].as_array().cloned().unwrap_or_else(|| vec![schemas[name].clone()]);
        let members = described.iter().filter_map(|part| part["properties"].as_object()).flat_map(|all| all.keys());
        let parts = members.flat_map(|member| values.iter().map(move |value| json!({ member.as_str(): value })));
        for body in whole.chain(parts).map(|body| body.to_string()) {
            let headers = [("Content-Type", "application/json"), ("X-Admin-Password", ADMIN)];
            let answer = arena.site.ask("POST", path, &headers, &body);
            // A member may be left out or have any text, so that other things are missing.
            if answer.status == 200 {
                continue;
            }
            let told = answer.error().replace("\"text\"", "");
            let words = ["struct", "enum", "tuple", "sequence", "a map", "variant", "::", "u64", "u32"];
            for word in words.into_iter().chain(schemas.keys().map(String::as_str).filter(|name| *name != "Done")) {
                assert!(!told.contains(word), "{path} {body}: {told}");
            }
            assert!((400..500).contains(&answer.status), "{path} {body}: {answer:?}");
            if !body.starts_with('{') {
                let kind = if body.starts_with('[') { "an array" } else { "must be a JSON object" };
                assert!(answer.status == 400 && told.contains(kind), "{path} {body}: {told}");
            }
            refused += 1;
        }
    }
    assert!(refused > 6 * 6, "{refused} of all addresses");
    assert_eq!(arena.site.get("/api/bots").json(), Value::Array(Vec::new()), "nothing has changed");
}
