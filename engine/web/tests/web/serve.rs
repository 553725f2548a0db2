//! A tournament server in a folder of its own, bots for it, and ways to ask it.

use rules::sea_battle::{BOARD, Json, Order, random_fleet};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;
use web::serve::{ServeError, ServeOptions, Server, SettingsChange};

/// The administrator's password.
pub(crate) const ADMIN: &str = "open sesame";
/// The password of all bots.
pub(crate) const PASSWORD: &str = "hunter42";
/// Longer than anything takes that a test waits for.
const PATIENCE: Duration = Duration::from_secs(60);

/// What a server is started with: no pauses, and any port.
pub(crate) fn options(folder: &Path) -> ServeOptions {
    let settings = SettingsChange { pause_match: Some(0), pause_tournament: Some(0), ..SettingsChange::default() };
    ServeOptions {
        address: "127.0.0.1:0".parse().unwrap(),
        folder: folder.to_owned(),
        password: Some(ADMIN.to_owned()),
        settings,
        start: false,
        engine: "broadside test".to_owned(),
        client: players::http::Client::new(players::http::AllowedHosts::private()),
    }
}

/// A server with its folder.
pub(crate) struct Arena {
    pub(crate) folder: tempfile::TempDir,
    pub(crate) server: Option<Server>,
    pub(crate) site: Site,
}

impl Arena {
    pub(crate) fn start() -> Arena {
        Arena::with(SettingsChange::default())
    }

    /// With some other settings.
    pub(crate) fn with(change: SettingsChange) -> Arena {
        let folder = tempfile::tempdir().unwrap();
        let mut options = options(folder.path());
        options.settings = SettingsChange {
            parallel: change.parallel,
            max_moves: change.max_moves,
            limit: change.limit,
            reveal_fleets: change.reveal_fleets,
            pause_match: change.pause_match.or(Some(0)),
            pause_tournament: change.pause_tournament.or(Some(0)),
            ..change
        };
        let server = Server::start(options).unwrap();
        let site = Site(server.address());
        Arena { folder, server: Some(server), site }
    }

    /// Ends the server and starts another one in the same folder.
    pub(crate) fn restart(&mut self) -> Result<(), ServeError> {
        self.server = None;
        let server = Server::start(options(self.folder.path()))?;
        self.site = Site(server.address());
        self.server = Some(server);
        Ok(())
    }

    /// Bots that take part.
    pub(crate) fn join(&self, bots: &[(&str, &TestBot)]) {
        for (name, bot) in bots {
            self.site.register(name);
            assert_eq!(self.site.set_url(name, &bot.url).status, 200);
        }
    }
}

/// Where a server is.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Site(pub(crate) SocketAddr);

/// What a server answered.
#[derive(Debug)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) body: String,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|e| panic!("{e}: {self:?}"))
    }

    /// The value of a header; empty if there is none.
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value)
    }

    /// What went wrong, in words.
    pub(crate) fn error(&self) -> String {
        self.json()["error"].as_str().unwrap().to_owned()
    }

    /// The value of a cookie that was set.
    pub(crate) fn cookie(&self, name: &str) -> Option<String> {
        let cookies = self.headers.iter().filter(|(key, _)| key == "set-cookie");
        let values = cookies.filter_map(|(_, value)| value.strip_prefix(name)?.strip_prefix('=')?.split(';').next());
        values.map(str::to_owned).next()
    }

    /// The seal in the forms of a page.
    pub(crate) fn seal(&self) -> String {
        let (_, rest) = self.body.split_once("name=\"seal\" value=\"").unwrap_or_else(|| panic!("no form: {self:?}"));
        rest.split('"').next().unwrap().to_owned()
    }
}

impl Site {
    /// Asks for something. The answer comes as it is, without chunks, because the request is one of HTTP/1.0.
    pub(crate) fn ask(self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        read_answer(self.send(method, path, headers, body))
    }

    pub(crate) fn send(self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> TcpStream {
        let mut stream = TcpStream::connect(self.0).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut request = format!("{method} {path} HTTP/1.0\r\nContent-Length: {}\r\n", body.len());
        if headers.iter().all(|(name, _)| !name.eq_ignore_ascii_case("host")) {
            request += &format!("Host: {}\r\n", self.0);
        }
        headers.iter().for_each(|(name, value)| request += &format!("{name}: {value}\r\n"));
        stream.write_all(format!("{request}\r\n{body}").as_bytes()).unwrap();
        stream
    }

    pub(crate) fn get(self, path: &str) -> Answer {
        self.ask("GET", path, &[], "")
    }

    pub(crate) fn post(self, path: &str, body: &Value) -> Answer {
        self.ask("POST", path, &[("Content-Type", "application/json")], &body.to_string())
    }

    /// As the administrator.
    pub(crate) fn admin(self, method: &str, path: &str) -> Answer {
        self.ask(method, &format!("/api/admin/{path}"), &[("X-Admin-Password", ADMIN)], "")
    }

    /// Sends the form of a page, which is loaded first, with these fields and cookies.
    pub(crate) fn form(self, page: &str, action: &str, fields: &[(&str, &str)], cookies: &str) -> Answer {
        let loaded = self.ask("GET", page, &[("Cookie", cookies)], "");
        let form_cookie =
            loaded.cookie("broadside_form").map(|value| format!("broadside_form={value}; ")).unwrap_or_default();
        let mut all = vec![("seal", loaded.seal())];
        all.extend(fields.iter().map(|(name, value)| (*name, (*value).to_owned())));
        let body = all.iter().map(|(name, value)| format!("{name}={}", encoded(value))).collect::<Vec<_>>().join("&");
        let cookies = format!("{form_cookie}{cookies}");
        let headers = [("Content-Type", "application/x-www-form-urlencoded"), ("Cookie", cookies.as_str())];
        self.ask("POST", action, &headers, &body)
    }

    pub(crate) fn register(self, name: &str) -> Value {
        let body = json!({"name": name, "password": PASSWORD, "confirmPassword": PASSWORD});
        let answer = self.post("/api/bots/register", &body);
        assert_eq!(answer.status, 200, "{answer:?}");
        answer.json()
    }

    pub(crate) fn set_url(self, name: &str, url: &str) -> Answer {
        self.post("/api/bots/set-url", &json!({"name": name, "password": PASSWORD, "url": url}))
    }

    /// The bot that is called so, as everyone sees it.
    pub(crate) fn bot(self, name: &str) -> Value {
        let bots = self.get("/api/bots").json();
        bots.as_array().unwrap().iter().find(|bot| bot["name"] == name).cloned().unwrap_or(Value::Null)
    }

    /// Listens to what happens.
    pub(crate) fn events(self, last: Option<&str>) -> Events {
        let headers: Vec<(&str, &str)> = last.map(|last| ("Last-Event-ID", last)).into_iter().collect();
        let mut lines = BufReader::new(self.send("GET", "/api/events", &headers, ""));
        let mut status = String::new();
        lines.read_line(&mut status).unwrap();
        assert!(status.contains(" 200 "), "{status}");
        let mut line = String::new();
        while lines.read_line(&mut line).unwrap() > 2 {
            line.clear();
        }
        Events { lines }
    }
}

/// `text` as it stands in a form.
pub(crate) fn encoded(text: &str) -> String {
    text.bytes()
        .map(|byte| if byte.is_ascii_alphanumeric() { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

fn read_answer(mut stream: TcpStream) -> Answer {
    let mut text = Vec::new();
    stream.read_to_end(&mut text).unwrap();
    let text = String::from_utf8_lossy(&text).into_owned();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer: {text:?}"));
    let mut lines = head.lines();
    let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
    let headers = lines.filter_map(|line| line.split_once(": ")).map(|(k, v)| (k.to_owned(), v.to_owned())).collect();
    Answer { status, headers, body: body.to_owned() }
}

/// What happens on a server, event by event.
pub(crate) struct Events {
    lines: BufReader<TcpStream>,
}

/// Something that happened.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Heard {
    pub(crate) id: String,
    pub(crate) kind: String,
    pub(crate) data: Value,
}

impl Events {
    /// The next event; `None` at the end of the stream.
    pub(crate) fn next(&mut self) -> Option<Heard> {
        let mut fields = BTreeMap::new();
        loop {
            let mut line = String::new();
            if self.lines.read_line(&mut line).unwrap() == 0 {
                return None;
            }
            match line.trim_end().split_once(": ") {
                Some((name, value)) => drop(fields.insert(name.to_owned(), value.to_owned())),
                None if fields.contains_key("data") => break,
                None => fields.clear(),
            }
        }
        let mut field = |name| fields.remove(name).unwrap_or_default();
        Some(Heard { id: field("id"), kind: field("event"), data: serde_json::from_str(&field("data")).unwrap() })
    }

    /// The next event of this kind that is as wanted; others are passed over.
    pub(crate) fn until(&mut self, kind: &str, wanted: impl Fn(&Value) -> bool) -> Heard {
        loop {
            let heard = self.next().expect("the stream goes on");
            if heard.kind == kind && wanted(&heard.data) {
                return heard;
            }
        }
    }

    /// Waits until what is so now is as wanted. Only what the topics of `state` tell is looked at.
    #[allow(dead_code, reason = "the program's tests use it")]
    pub(crate) fn until_state(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        let mut now = Value::Null;
        loop {
            let heard = self.next().expect("the stream goes on");
            match heard.kind.as_str() {
                "state" => now = heard.data,
                kind => now[kind] = heard.data,
            }
            if wanted(&now) {
                return now;
            }
        }
    }

    /// The next event of this kind.
    pub(crate) fn one(&mut self, kind: &str) -> Value {
        self.until(kind, |_| true).data
    }
}

/// How a bot answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// As it should: fires at one cell after the other.
    Plays,
    /// It takes the request, and never answers.
    Hangs,
    /// It plays so many moves, and hangs when it is asked for the next one.
    HangsAfter(usize),
    /// With this status.
    Status(u16),
    /// With this text to everything.
    Says(&'static str),
}

/// A bot on this machine. It goes on until the tests end.
pub(crate) struct TestBot {
    pub(crate) url: String,
    way: Arc<Mutex<Way>>,
    asked: Arc<AtomicUsize>,
}

impl TestBot {
    pub(crate) fn start(way: Way) -> TestBot {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let way = Arc::new(Mutex::new(way));
        let asked = Arc::new(AtomicUsize::new(0));
        let (ways, count) = (Arc::clone(&way), Arc::clone(&asked));
        thread::spawn(move || {
            for (number, stream) in listener.incoming().flatten().enumerate() {
                let (ways, count) = (Arc::clone(&ways), Arc::clone(&count));
                thread::spawn(move || serve(stream, &ways, &count, number as u64));
            }
        });
        TestBot { url, way, asked }
    }

    pub(crate) fn plays() -> TestBot {
        TestBot::start(Way::Plays)
    }

    /// A URL at which there is nobody.
    pub(crate) fn nobody() -> String {
        let address = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        format!("http://{address}")
    }

    pub(crate) fn changes(&self, way: Way) {
        *self.way.lock().unwrap() = way;
    }

    /// How often it was asked.
    pub(crate) fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

fn serve(stream: TcpStream, way: &Mutex<Way>, asked: &AtomicUsize, seed: u64) {
    let mut answers = stream.try_clone().unwrap();
    answers.set_nodelay(true).unwrap();
    let mut requests = BufReader::new(stream);
    let mut random = rules::random(seed);
    while let Some((path, body)) = request(&mut requests) {
        asked.fetch_add(1, Ordering::SeqCst);
        let way = *way.lock().unwrap();
        let (status, text) = match way {
            Way::Hangs => return hang(requests),
            Way::HangsAfter(moves) if body["yourShots"].as_array().map(Vec::len) >= Some(moves) => {
                return hang(requests);
            }
            Way::Status(status) => (status, "{}".to_owned()),
            Way::Says(text) => (200, text.to_owned()),
            Way::Plays | Way::HangsAfter(_) => {
                let order = match path.rsplit('/').next() {
                    Some("placement") => Order::Place(random_fleet(&mut random)),
                    _ => Order::Shoot(target(&body)),
                };
                (200, String::from_utf8(Json::answer(&order).bytes).unwrap())
            }
        };
        let head =
            format!("HTTP/1.1 {status} X\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n", text.len());
        if answers.write_all((head + &text).as_bytes()).is_err() {
            return;
        }
    }
}

/// Waits until the other end gives up.
fn hang(mut requests: BufReader<TcpStream>) {
    let _ = requests.read(&mut [0; 1]);
}

fn request(from: &mut BufReader<TcpStream>) -> Option<(String, Value)> {
    let mut line = String::new();
    from.read_line(&mut line).ok().filter(|read| *read > 0)?;
    let path = line.split(' ').nth(1)?.to_owned();
    let mut length = 0;
    loop {
        line.clear();
        from.read_line(&mut line).ok()?;
        match line.trim_end().split_once(':') {
            None => break,
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => length = value.trim().parse().ok()?,
            Some(_) => {}
        }
    }
    let mut body = vec![0; length];
    from.read_exact(&mut body).ok()?;
    Some((path, serde_json::from_slice(&body).ok()?))
}

/// The first cell that was not fired at.
fn target(asked: &Value) -> rules::Point {
    let shots = asked["yourShots"].as_array().unwrap();
    let is_fresh = |cell: &rules::Point| shots.iter().all(|shot| (shot["x"] != cell.x) || (shot["y"] != cell.y));
    BOARD.points().find(is_fresh).unwrap_or_default()
}
