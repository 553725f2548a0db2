//! Reads JSON: just what a bot needs, in place of a crate.

use std::collections::BTreeMap;
use std::ops::Index;

/// A value. Of another type than the one asked for, it is 0, empty or false.
#[derive(Debug, PartialEq)]
pub enum Json {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<Json>),
    Object(BTreeMap<String, Json>),
}

impl Json {
    /// Reads a whole text.
    pub fn parse(text: &str) -> Result<Json, String> {
        let mut reader = Reader { rest: text };
        let value = reader.value().filter(|_| reader.skipped().is_empty());
        value.ok_or_else(|| format!("not JSON at {:?}", reader.rest.chars().take(20).collect::<String>()))
    }

    pub fn number(&self) -> i32 {
        if let Json::Number(number) = self {
            *number as i32
        } else {
            0
        }
    }

    pub fn text(&self) -> &str {
        if let Json::Text(text) = self {
            text
        } else {
            ""
        }
    }

    pub fn list(&self) -> &[Json] {
        if let Json::List(items) = self {
            items
        } else {
            &[]
        }
    }

    pub fn is_true(&self) -> bool {
        *self == Json::Bool(true)
    }

    /// False for null and for what an object does not have.
    pub fn is_there(&self) -> bool {
        *self != Json::Null
    }
}

impl Index<&str> for Json {
    type Output = Json;
    fn index(&self, key: &str) -> &Json {
        let field = if let Json::Object(fields) = self { fields.get(key) } else { None };
        field.unwrap_or(&Json::Null)
    }
}

/// A text as JSON, with its quotation marks.
pub fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    fn skipped(&mut self) -> &'a str {
        self.rest = self.rest.trim_start_matches([' ', '\t', '\n', '\r']);
        self.rest
    }

    fn take(&mut self, word: &str) -> Option<()> {
        self.rest = self.skipped().strip_prefix(word)?;
        Some(())
    }

    fn value(&mut self) -> Option<Json> {
        match self.skipped().chars().next()? {
            '{' => self.items("{", "}", Reader::field).map(|fields| Json::Object(fields.into_iter().collect())),
            '[' => self.items("[", "]", Reader::value).map(Json::List),
            '"' => self.text().map(Json::Text),
            't' => self.take("true").map(|()| Json::Bool(true)),
            'f' => self.take("false").map(|()| Json::Bool(false)),
            'n' => self.take("null").map(|()| Json::Null),
            _ => {
                let is_part = |sign: char| sign.is_ascii_digit() || "+-.eE".contains(sign);
                let end = self.rest.find(|sign| !is_part(sign)).unwrap_or(self.rest.len());
                let number = self.rest[..end].parse().ok()?;
                self.rest = &self.rest[end..];
                Some(Json::Number(number))
            }
        }
    }

    fn items<T>(&mut self, open: &str, close: &str, item: fn(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        self.take(open)?;
        let mut items = Vec::new();
        if self.take(close).is_some() {
            return Some(items);
        }
        loop {
            items.push(item(self)?);
            if self.take(",").is_none() {
                return self.take(close).map(|()| items);
            }
        }
    }

    fn field(&mut self) -> Option<(String, Json)> {
        let name = self.text()?;
        self.take(":")?;
        Some((name, self.value()?))
    }

    fn text(&mut self) -> Option<String> {
        self.take("\"")?;
        let mut text = String::new();
        loop {
            let sign = self.sign()?;
            match sign {
                '"' => return Some(text),
                '\\' => text.push(match self.sign()? {
                    'b' => '\u{8}',
                    'f' => '\u{c}',
                    'n' => '\n',
                    'r' => '\r',
                    't' => '\t',
                    'u' => self.escaped()?,
                    other => other,
                }),
                other => text.push(other),
            }
        }
    }

    fn sign(&mut self) -> Option<char> {
        let sign = self.rest.chars().next()?;
        self.rest = &self.rest[sign.len_utf8()..];
        Some(sign)
    }

    fn hex(&mut self) -> Option<u32> {
        let number = u32::from_str_radix(self.rest.get(..4)?, 16).ok()?;
        self.rest = &self.rest[4..];
        Some(number)
    }

    /// The character of `\u`. Those beyond 0xffff are written as two halves.
    fn escaped(&mut self) -> Option<char> {
        let first = self.hex()?;
        if !(0xd800..0xdc00).contains(&first) {
            return char::from_u32(first);
        }
        self.rest = self.rest.strip_prefix("\\u")?;
        let second = self.hex()?.checked_sub(0xdc00)?;
        char::from_u32(0x10000 + ((first - 0xd800) << 10) + second)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_and_numbers_are_read_and_what_is_not_json_is_refused() {
        let json =
            Json::parse(r#" {"a" : [1, -2.5e1, true,null,{}], "b":"x\u00e9\ud83d\udea2\n\"\\/", "c":[]} "#).unwrap();
        assert_eq!((json["a"].list().len(), json["a"].list()[1].number()), (5, -25));
        assert_eq!(json["b"].text(), "xé🚢\n\"\\/");
        assert!(json["a"].list()[2].is_true() && !json["none"].is_there());
        for wrong in ["", "{", "[1,", "{\"a\"}", "\"\\u12", "\"abc", "nul", "1 2", "\"\\", "\"\\ud800x\""] {
            assert!(Json::parse(wrong).is_err(), "{wrong}");
        }
    }
}
