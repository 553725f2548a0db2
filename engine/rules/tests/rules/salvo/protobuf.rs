//! `docs/protocols/salvo.proto` is true: what we write are its messages in Protocol Buffers' JSON, and we read those.

use prost_reflect::{DescriptorPool, DynamicMessage, FieldDescriptor, Kind, MessageDescriptor, Value as Field};
use protox::Compiler;
use protox::file::{ChainFileResolver, File, FileResolver, GoogleFileResolver};
use rules::Point;
use rules::salvo::body::{self, Refused, Request, Signed};
use rules::salvo::{Orientation, Placement, ShipKind, ShipTopic, Statistic, Topic, Topics};
use serde_json::{Deserializer, Value, json};
use std::collections::{BTreeMap, BTreeSet};

const NAME: &str = "salvo.proto";

/// The file, which is part of this program.
struct Ours;

impl FileResolver for Ours {
    fn open_file(&self, name: &str) -> Result<File, protox::Error> {
        if name != NAME {
            return Err(protox::Error::file_not_found(name));
        }
        File::from_source(name, include_str!("../../../../../docs/protocols/salvo.proto"))
    }
}

fn compiled() -> DescriptorPool {
    let mut files = ChainFileResolver::new();
    files.add(Ours);
    files.add(GoogleFileResolver::new());
    let mut compiler = Compiler::with_file_resolver(files);
    compiler.include_imports(true).include_source_info(true).open_file(NAME).unwrap();
    compiler.descriptor_pool()
}

fn message(pool: &DescriptorPool, name: &str) -> MessageDescriptor {
    pool.get_message_by_name(&format!("broadside.salvo.{name}")).unwrap()
}

/// The messages on topics, each by the field of `Message` that stands for it.
fn sent(pool: &DescriptorPool) -> BTreeMap<String, FieldDescriptor> {
    message(pool, "Message").fields().map(|field| (field.name().to_owned(), field)).collect()
}

/// A body as this message; a field that the message does not have would be an error.
fn read(message: &MessageDescriptor, text: &str) -> Result<DynamicMessage, serde_json::Error> {
    let mut text = Deserializer::from_str(text);
    let read = DynamicMessage::deserialize(message.clone(), &mut text)?;
    text.end().map(|()| read)
}

/// The JSON of a value in which all numbers are written in the same way: to Protocol Buffers 17 is 17.0 in a `Struct`.
fn plain(value: &Value) -> Value {
    match value {
        Value::Number(number) => json!(number.as_f64()),
        Value::Array(values) => values.iter().map(plain).collect(),
        Value::Object(fields) => fields.iter().map(|(name, value)| (name.clone(), plain(value))).collect(),
        other => other.clone(),
    }
}

fn place(x: i32, y: i32, orientation: Orientation) -> Placement {
    Placement { ship: ShipKind::Carrier, at: Point::new(x, y), orientation }
}

fn signed(x: i32, y: i32) -> Signed {
    let body = serde_json::from_str(&body::cell(Point::new(x, y))).unwrap();
    Signed { body, signature: "BwcHBwcHBwcHBwcH".to_owned() }
}

fn request() -> Request {
    Request { name: "Henkiebunch".to_owned(), secret: "cockadoodledoo".to_owned(), code: None }
}

fn refused(name: &str) -> Refused {
    Refused { name: name.to_owned(), error: "a secret has 1 to 1024 bytes".to_owned() }
}

/// Every topic with more than one value, its field of `Message`, and bodies as we write them. Zeros and empty texts are what
/// Protocol Buffers might leave out.
fn bodies() -> Vec<(&'static str, Topic<'static>, Vec<String>)> {
    let place_topic = Topic::Ship { player: "NAME", ship: ShipKind::Carrier, what: ShipTopic::Place };
    let numbers = [("Henkiebunch", 17.0), ("Ärger \"2\"", 0.0), ("Deep Water", 1234.567)];
    let mut bodies = vec![
        ("request", Topic::Request, vec![body::request(&request())]),
        (
            "placement",
            place_topic,
            [place(0, 0, Orientation::Horizontal), place(9, 5, Orientation::Vertical)].map(body::placement).to_vec(),
        ),
        ("shot", Topic::Fire { target: "TARGET" }, [signed(3, 4), signed(0, 0)].iter().map(body::signed).collect()),
        (
            "hit",
            Topic::Hit { target: "NAME" },
            [(3, 4), (0, 9), (0, 0)].map(|(x, y)| body::cell(Point::new(x, y))).to_vec(),
        ),
        ("refused", Topic::Refused, [refused("Henkiebunch"), refused("")].iter().map(body::refused).collect()),
        ("players", Topic::List, vec![body::list(["Henkiebunch", "Deep Water"]), body::list([])]),
    ];
    let statistics = Statistic::ALL.map(|one| ("statistic", Topic::Stats(one), vec![body::by_player(numbers)]));
    bodies.extend(statistics);
    bodies
}

#[test]
fn all_that_we_write_are_messages_of_the_file_and_are_written_again_the_same() {
    let pool = compiled();
    let fields = sent(&pool);
    let bodies = bodies();
    assert_eq!(
        bodies.iter().map(|(field, ..)| *field).collect::<BTreeSet<_>>(),
        fields.keys().map(String::as_str).collect()
    );
    for (field, _, texts) in bodies {
        let Kind::Message(message) = fields[field].kind() else { panic!("{field} is a message") };
        for text in texts {
            let read = read(&message, &text).unwrap_or_else(|error| panic!("{text}: {error}"));
            let again = serde_json::to_value(&read).unwrap();
            assert_eq!(plain(&again), plain(&serde_json::from_str(&text).unwrap()));
        }
    }
}

#[test]
fn what_the_file_does_not_have_is_no_message() {
    let pool = compiled();
    for (name, text) in [
        ("Cell", r#"{"x":3,"y":4,"z":5}"#),
        ("Placement", r#"{"coordinates":"3;4","orientation2":"HORIZONTAL"}"#),
        ("Placement", r#"{"coordinates":"3;4","Orientation":"DIAGONAL"}"#),
        ("SignedShot", r#"{"data":[3,4],"signature":""}"#),
    ] {
        assert!(read(&message(&pool, name), text).is_err(), "{text}");
    }
}

#[test]
fn what_is_written_by_the_file_is_read_by_us() {
    let pool = compiled();
    let write = |name: &str, fields: &[(&str, Field)]| {
        let mut written = DynamicMessage::new(message(&pool, name));
        fields.iter().for_each(|(field, value)| written.set_field_by_name(field, value.clone()));
        (serde_json::to_string(&written).unwrap().into_bytes(), written)
    };
    let text = |text: &str| Field::String(text.to_owned());

    let (bytes, _) = write("Request", &[("name", text("Henkiebunch")), ("secret", text("cockadoodledoo"))]);
    assert_eq!(body::read_request(&bytes), Ok(request()));

    let (bytes, _) = write("Refused", &[("name", text("")), ("error", text("a secret has 1 to 1024 bytes"))]);
    assert_eq!(body::read_refused(&bytes), Ok(refused("")));

    for (number, orientation) in [(1, Orientation::Horizontal), (2, Orientation::Vertical)] {
        let fields = [("coordinates", text("0;5")), ("orientation", Field::EnumNumber(number))];
        let (bytes, _) = write("Placement", &fields);
        assert_eq!(body::read_placement(ShipKind::Carrier, &bytes), Ok(place(0, 5, orientation)));
    }

    for (x, y) in [(3, 4), (0, 0), (9, 0)] {
        let (bytes, cell) = write("Cell", &[("x", Field::I32(x)), ("y", Field::I32(y))]);
        assert_eq!(body::read_shot(&bytes), Ok(Point::new(x, y)));
        let copy = String::from_utf8(bytes).unwrap();
        let signature = signed(x, y).signature;
        let (bytes, _) = write("SignedShot", &[("data", Field::Message(cell)), ("signature", text(&signature))]);
        let read = body::read_signed(&bytes).unwrap();
        assert_eq!(read, signed(x, y));
        assert_eq!(body::shot_in(&read), Ok(Point::new(x, y)));
        assert!(read.is_copied_in(&copy), "what was signed is the JSON of data");
    }
}

#[test]
fn the_comments_name_the_topics() {
    let pool = compiled();
    let fields = sent(&pool);
    for (field, topic, _) in bodies() {
        let descriptor = &fields[field];
        let file = descriptor.parent_file().file_descriptor_proto().clone();
        let places = file.source_code_info.unwrap().location;
        let place = places.iter().find(|place| place.path == descriptor.path()).unwrap();
        let comment = place.leading_comments().to_owned();
        let name = Topics::default().name(&topic).replace("carrier", "SHIP");
        // One of all statistics is written out, the others after it.
        let (path, last) = name.rsplit_once('/').unwrap();
        let is_named = comment.lines().any(|line| {
            let line = line.trim().strip_prefix("Topic: ").unwrap_or_default();
            let words = line.strip_prefix(path).and_then(|rest| rest.strip_prefix('/')).unwrap_or_default();
            words.split(|c: char| !c.is_alphanumeric() && c != '_').any(|word| word == last)
        });
        assert!(is_named, "{name} in the comment of {field}: {comment}");
    }
}
