//! Texts and JSON of people: encodings, and what is said of mistakes.

use rules::{InputError, input_json, input_text, json_hint, json_mistake};

#[test]
fn utf_8_is_read_with_and_without_a_mark() {
    for (bytes, text) in [(&b""[..], ""), (b"\xEF\xBB\xBF", ""), (b"\xEF\xBB\xBFa\r\n", "a\r\n"), (b"\xC3\xA9", "é")] {
        assert_eq!(input_text(bytes), Ok(text));
    }
    assert_eq!(input_text("\u{feff}\u{feff}1".as_bytes()), Ok("\u{feff}1"), "one mark only");
    assert_eq!(input_json::<Vec<u8>>(b"\xEF\xBB\xBF [1,\r\n2]\r\n").unwrap(), [1, 2]);
}

#[test]
fn other_encodings_are_told_with_what_to_do() {
    let said = |bytes: &[u8]| input_text(bytes).unwrap_err().to_string();
    let wide = |mark: bool, unit: fn(u16) -> [u8; 2]| -> Vec<u8> {
        "{}".encode_utf16().fold(if mark { unit(0xFEFF).to_vec() } else { Vec::new() }, |all, one| {
            [all.as_slice(), &unit(one)].concat()
        })
    };
    for mark in [false, true] {
        for unit in [u16::to_le_bytes, u16::to_be_bytes] {
            assert_eq!(said(&wide(mark, unit)), "it is saved as UTF-16; save it as UTF-8");
        }
    }
    assert_eq!(said(b"\xFF\xFE\0\0{\0\0\0"), "it is saved as UTF-32; save it as UTF-8");
    assert_eq!(said(b"caf\xE9"), "byte 4 is not UTF-8; save it as UTF-8");
    assert_eq!(said(b"\xEF\xBB\xBFa\xE9"), "byte 5 is not UTF-8; save it as UTF-8");
    let error = input_json::<u8>(b"x").unwrap_err().to_string();
    assert!(error.contains("line 1 column 1"), "{error}");
}

#[test]
fn mistakes_of_people_in_json_have_a_hint() {
    let hint = |text: &str| json_hint(text, &serde_json::from_str::<serde_json::Value>(text).unwrap_err());
    for (texts, word) in [
        (&["{ // a\n}", "{\"a\":1}\n# b", "[1, /* c */ 2]"][..], "comments"),
        (&["{“a”:1}", "{'a':1}", "[„a“]", "{\"a\": ‘b’}"], "quotation marks"),
        (&["{\u{a0}\"a\":1}", "{\"a\":\u{200b}1}", "\u{feff}\u{feff}1"], "looks like a blank"),
        (&["{\"a\":1,\n}", "[1,]"], "comma"),
        (&["{\0\"\0a\0"], "UTF-8"),
    ] {
        for text in texts {
            assert!(hint(text).is_some_and(|hint| hint.contains(word)), "{text:?}: {:?}", hint(text));
        }
    }
    assert_eq!(["", "{", "é", "{\"a\" 1}", "\n\nx"].map(hint), [None; 5]);
}

#[derive(Debug, serde::Deserialize)]
#[serde(tag = "kind")]
#[allow(dead_code, reason = "it is read only")]
enum Tagged {
    One { number: u8 },
}

#[derive(Debug, serde::Deserialize)]
#[serde(untagged)]
#[allow(dead_code, reason = "it is read only")]
enum Untagged {
    Number(u8),
}

#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(dead_code, reason = "it is read only")]
struct Whole {
    plain: Plain,
    tagged: Tagged,
    untagged: Untagged,
    pair: (u8, u8),
    map: std::collections::BTreeMap<String, u8>,
    list: Vec<u8>,
}

#[derive(Debug, serde::Deserialize)]
#[allow(dead_code, reason = "it is read only")]
enum Plain {
    One,
    Two(u8, u8),
}

#[test]
fn a_mistake_in_json_names_no_type_of_the_program() {
    let whole = serde_json::json!({
        "plain": "One", "tagged": {"kind": "One", "number": 1}, "untagged": 1, "pair": [1, 2], "map": {}, "list": []
    });
    assert!(serde_json::from_value::<Whole>(whole.clone()).is_ok());
    let values =
        ["null", "true", "7", "1.5", "\"x, expected struct y\"", "[]", "[1]", "{}", "{\"Two\":{}}", "{\"Two\":[1]}"];
    let mut mistakes = 0;
    for value in values.map(|value| serde_json::from_str::<serde_json::Value>(value).unwrap()) {
        let parts = whole.as_object().unwrap().keys().map(|key| {
            let mut other = whole.clone();
            other[key] = value.clone();
            other
        });
        for text in parts.chain([value.clone()]).map(|value| value.to_string()) {
            let Err(InputError::Json(error)) = input_json::<Whole>(text.as_bytes()) else { continue };
            let told = json_mistake(&error).replace("x, expected struct y", "");
            for word in [
                "Whole",
                "Plain",
                "Tagged",
                "Untagged",
                "struct",
                "tuple",
                "enum",
                "sequence",
                "a map",
                "identifier",
                "u8",
            ] {
                assert!(!told.contains(word), "{text}: {told}");
            }
            mistakes += 1;
        }
    }
    assert!(mistakes > 50, "{mistakes}");
}
