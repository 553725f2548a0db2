//! A reader of JSON: the bot is built without a network, so without libraries.

use std::str::Chars;

/// A value of JSON.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Json {
    Null,
    Bool(bool),
    Number(f64),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    /// Reads a text that is one value.
    ///
    /// # Errors
    /// The text is not JSON: the reason and the place.
    pub(crate) fn read(text: &str) -> Result<Json, String> {
        let mut reader = Reader { rest: text.chars() };
        let value = reader.value();
        let value = match value {
            Ok(value) if reader.peek().is_none() => Ok(value),
            Ok(_) => Err("there is more after the end".to_owned()),
            Err(why) => Err(why),
        };
        value.map_err(|why| format!("{why} at byte {}", text.len() - reader.rest.as_str().len()))
    }

    /// The member of an object; `None` if there is none.
    pub(crate) fn get(&self, name: &str) -> Option<&Json> {
        let Json::Object(members) = self else { return None };
        members.iter().find(|(member, _)| member == name).map(|(_, value)| value)
    }
}

struct Reader<'a> {
    rest: Chars<'a>,
}

impl Reader<'_> {
    /// The next character that is not a blank, which stays there.
    fn peek(&mut self) -> Option<char> {
        let trimmed = self.rest.as_str().trim_start_matches([' ', '\t', '\n', '\r', '\u{feff}']);
        self.rest = trimmed.chars();
        self.rest.clone().next()
    }

    /// Takes the next character if it is this one.
    fn take(&mut self, wanted: char) -> bool {
        let is_there = self.peek() == Some(wanted);
        if is_there {
            self.rest.next();
        }
        is_there
    }

    fn expect(&mut self, wanted: char) -> Result<(), String> {
        if self.take(wanted) { Ok(()) } else { Err(format!("{wanted} is missing")) }
    }

    fn value(&mut self) -> Result<Json, String> {
        match self.peek().ok_or("it ends too early")? {
            '{' => self.object(),
            '[' => self.list(),
            '"' => self.text().map(Json::Text),
            _ => self.word(),
        }
    }

    fn object(&mut self) -> Result<Json, String> {
        self.expect('{')?;
        let mut members = Vec::new();
        while !self.take('}') {
            if !members.is_empty() {
                self.expect(',')?;
            }
            let name = self.text()?;
            self.expect(':')?;
            members.push((name, self.value()?));
        }
        Ok(Json::Object(members))
    }

    fn list(&mut self) -> Result<Json, String> {
        self.expect('[')?;
        let mut items = Vec::new();
        while !self.take(']') {
            if !items.is_empty() {
                self.expect(',')?;
            }
            items.push(self.value()?);
        }
        Ok(Json::List(items))
    }

    fn text(&mut self) -> Result<String, String> {
        self.expect('"')?;
        let mut text = String::new();
        loop {
            match self.rest.next().ok_or("a text does not end")? {
                '"' => return Ok(text),
                '\\' => text.push(self.escaped()?),
                plain => text.push(plain),
            }
        }
    }

    /// The character that an escape stands for. Half of a pair of surrogates is replaced: names are not looked at.
    fn escaped(&mut self) -> Result<char, String> {
        Ok(match self.rest.next().ok_or("a text does not end")? {
            'b' => '\u{8}',
            'f' => '\u{c}',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'u' => {
                let digits: String = self.rest.by_ref().take(4).collect();
                let code = u32::from_str_radix(&digits, 16).map_err(|_| format!("\\u{digits} is not a character"))?;
                char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
            }
            same @ ('"' | '\\' | '/') => same,
            other => return Err(format!("\\{other} is not an escape")),
        })
    }

    fn word(&mut self) -> Result<Json, String> {
        let text = self.rest.as_str();
        let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || "+-.".contains(c))).unwrap_or(text.len());
        let (word, rest) = text.split_at(end);
        let value = match word {
            "null" => Json::Null,
            "true" => Json::Bool(true),
            "false" => Json::Bool(false),
            number => {
                let is_number = number.starts_with(|c: char| c == '-' || c.is_ascii_digit());
                let number = number.parse().ok().filter(|_| is_number);
                Json::Number(number.ok_or_else(|| format!("{word:?} is not a value"))?)
            }
        };
        self.rest = rest.chars();
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_all_kinds_are_read() {
        let read = Json::read(" {\"a\" : [1, -2.5e1, true, null], \"b\\u00e9\\n\": \"\\\"\"}\n").unwrap();
        let list = vec![Json::Number(1.0), Json::Number(-25.0), Json::Bool(true), Json::Null];
        assert_eq!(read.get("a"), Some(&Json::List(list)));
        assert_eq!(read.get("b\u{e9}\n"), Some(&Json::Text("\"".to_owned())));
        assert_eq!(read.get("c"), None);
    }

    #[test]
    fn a_text_that_is_not_json_is_refused_with_its_place() {
        for text in ["", "{\"Phase\":", "[1,]", "[1 2]", "{} x", "nul", "\"\\x\"", "\"no end", "inf", "[1"] {
            assert!(Json::read(text).unwrap_err().contains(" at byte "), "{text}");
        }
    }
}
