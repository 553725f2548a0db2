//! JSON as the original wrote it.

use serde::Serialize;

/// A value that this writer can write. Writing state.json is most of the work of a match besides running bots, and
/// serde_json searches every key for characters to escape: it takes 3.8 times as long (22.9 instead of 6.0 µs for 30 KB),
/// and with a `Formatter` for [`LINE_BREAKS`] 4.5 times.
pub(super) trait Json {
    /// Appends the value to the text.
    fn write(&self, out: &mut Vec<u8>);
}

/// The names and fields of objects, in the order in which they are written.
macro_rules! objects {
    ($($object:ident { $($name:ident: $field:ident),* })*) => {$(
        impl $crate::entelect_2017::files::json::Json for $object {
            fn write(&self, out: &mut Vec<u8>) {
                let start = out.len();
                $(
                    out.extend_from_slice(concat!(",\"", stringify!($name), "\":").as_bytes());
                    $crate::entelect_2017::files::json::Json::write(&self.$field, out);
                )*
                out[start] = b'{';
                out.push(b'}');
            }
        }
    )*};
}
pub(super) use objects;

impl<T: Json> Json for Vec<T> {
    fn write(&self, out: &mut Vec<u8>) {
        out.push(b'[');
        for (index, item) in self.iter().enumerate() {
            if index > 0 {
                out.push(b',');
            }
            item.write(out);
        }
        out.push(b']');
    }
}

impl<T: Json> Json for Option<T> {
    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Some(it) => it.write(out),
            None => out.extend_from_slice(b"null"),
        }
    }
}

/// As serde_json writes them.
macro_rules! plain {
    ($($plain:ty)*) => {$(
        impl Json for $plain {
            fn write(&self, out: &mut Vec<u8>) {
                serde_json::to_writer(out, self).expect("a Vec takes all bytes");
            }
        }
    )*};
}
plain!(bool u32 i32 String);

/// Line breaks that are no control characters of JSON, which the original escaped all the same.
const LINE_BREAKS: [char; 3] = ['\u{85}', '\u{2028}', '\u{2029}'];

/// `value` on one line, without white space, with the original's escapes.
pub(super) fn to_vec(value: &impl Json) -> Vec<u8> {
    let mut out = Vec::with_capacity(16 * 1024);
    value.write(&mut out);
    escaped(out)
}

/// [`to_vec`] for a small file, whose writer serde derives.
pub(super) fn derived(value: &impl Serialize) -> Vec<u8> {
    escaped(serde_json::to_vec(value).expect("structs of texts and numbers are JSON"))
}

/// Only strings can hold line breaks, so the text can be changed as a whole.
fn escaped(json: Vec<u8>) -> Vec<u8> {
    // Nearly all of it is ASCII, which is fast to see.
    if json.is_ascii() {
        return json;
    }
    let mut text = String::from_utf8(json).expect("JSON is UTF-8");
    for line_break in LINE_BREAKS {
        text = text.replace(line_break, &format!("\\u{:04x}", u32::from(line_break)));
    }
    text.into_bytes()
}

#[cfg(test)]
mod tests {
    use super::to_vec;

    #[test]
    fn strings_are_escaped_as_the_original_did() {
        let text = "\"\\/ \u{8}\t\n\u{c}\r \u{1}\u{1f}\u{7f} \u{85}\u{2028}\u{2029} '<& é 𝄞";
        let want = r#""\"\\/ \b\t\n\f\r \u0001\u001f"#.to_owned() + "\u{7f}" + r#" \u0085\u2028\u2029 '<& é 𝄞""#;
        assert_eq!(String::from_utf8(to_vec(&text.to_owned())).unwrap(), want);
    }
}
