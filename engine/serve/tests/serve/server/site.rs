//! An HTTP client for a server.

use super::bot::SECRET;
use super::{ADMIN, Events, PASSWORD};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::time::Duration;
use test_tools::attack::connect_from;

/// Longer than anything that a test waits for.
const PATIENCE: Duration = Duration::from_secs(60);

/// The address of a server.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Site(pub(crate) SocketAddr);

/// A response.
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

    /// The value of a header; empty if it is missing.
    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.iter().find(|(key, _)| key == name).map_or("", |(_, value)| value)
    }

    /// The error message.
    pub(crate) fn error(&self) -> String {
        self.json()["error"].as_str().unwrap().to_owned()
    }

    /// The value of a cookie that was set.
    pub(crate) fn cookie(&self, name: &str) -> Option<String> {
        let cookies = self.headers.iter().filter(|(key, _)| key == "set-cookie");
        let values = cookies.filter_map(|(_, value)| value.strip_prefix(name)?.strip_prefix('=')?.split(';').next());
        values.map(str::to_owned).next()
    }

    /// The CSRF token in the forms of a page.
    pub(crate) fn csrf_token(&self) -> String {
        let (_, rest) =
            self.body.split_once("name=\"csrf_token\" value=\"").unwrap_or_else(|| panic!("no form: {self:?}"));
        rest.split('"').next().unwrap().to_owned()
    }
}

impl Site {
    /// Sends a request and reads the response. HTTP/1.0, so that the response has no chunks.
    pub(crate) fn ask(self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        read_answer(self.send(method, path, headers, body))
    }

    /// As [`Site::ask`], with a body that need not be text.
    #[allow(dead_code, reason = "the program's tests use the rest")]
    pub(crate) fn ask_bytes(self, method: &str, path: &str, headers: &[(&str, &str)], body: &[u8]) -> Answer {
        read_answer(self.send_on(TcpStream::connect(self.0).unwrap(), method, path, headers, body))
    }

    /// As [`Site::ask`], from an address of this machine.
    #[allow(dead_code, reason = "the program's tests use the rest")]
    pub(crate) fn ask_from(
        self,
        from: Ipv4Addr,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> Answer {
        read_answer(self.send_on(connect_from(from, self.0).unwrap(), method, path, headers, body.as_bytes()))
    }

    pub(crate) fn send(self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> TcpStream {
        self.send_on(TcpStream::connect(self.0).unwrap(), method, path, headers, body.as_bytes())
    }

    fn send_on(
        self,
        mut stream: TcpStream,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> TcpStream {
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut request = format!("{method} {path} HTTP/1.0\r\nContent-Length: {}\r\n", body.len());
        if headers.iter().all(|(name, _)| !name.eq_ignore_ascii_case("host")) {
            request += &format!("Host: {}\r\n", self.0);
        }
        headers.iter().for_each(|(name, value)| request += &format!("{name}: {value}\r\n"));
        stream.write_all(format!("{request}\r\n").as_bytes()).unwrap();
        stream.write_all(body).unwrap();
        stream
    }

    pub(crate) fn get(self, path: &str) -> Answer {
        self.ask("GET", path, &[], "")
    }

    pub(crate) fn post(self, path: &str, body: &Value) -> Answer {
        self.ask("POST", path, &[("Content-Type", "application/json")], &body.to_string())
    }

    /// Sends a request as the administrator.
    pub(crate) fn admin(self, method: &str, path: &str) -> Answer {
        self.ask(method, &format!("/api/admin/{path}"), &[("X-Admin-Password", ADMIN)], "")
    }

    /// The body of what the administrator gets at this path, which need not be text.
    #[allow(dead_code, reason = "the program's tests use the rest")]
    pub(crate) fn archive(self, path: &str) -> Vec<u8> {
        let mut answer = Vec::new();
        self.send("GET", path, &[("X-Admin-Password", ADMIN)], "").read_to_end(&mut answer).unwrap();
        let head = answer.windows(4).position(|bytes| bytes == b"\r\n\r\n").unwrap();
        answer.split_off(head + 4)
    }

    /// Sends a request with a body as the administrator.
    #[allow(dead_code, reason = "the program's tests use the rest")]
    pub(crate) fn admin_post(self, path: &str, body: &Value) -> Answer {
        let headers = [("X-Admin-Password", ADMIN), ("Content-Type", "application/json")];
        self.ask("POST", &format!("/api/admin/{path}"), &headers, &body.to_string())
    }

    /// Loads a page and sends its form with these fields and cookies.
    pub(crate) fn form(self, page: &str, action: &str, fields: &[(&str, &str)], cookies: &str) -> Answer {
        let loaded = self.ask("GET", page, &[("Cookie", cookies)], "");
        let form_cookie =
            loaded.cookie("broadside_form").map(|value| format!("broadside_form={value}; ")).unwrap_or_default();
        let mut all = vec![("csrf_token", loaded.csrf_token())];
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

    /// The bot with this name, as everyone sees it.
    pub(crate) fn bot(self, name: &str) -> Value {
        let bots = self.get("/api/bots").json();
        bots.as_array().unwrap().iter().find(|bot| bot["name"] == name).cloned().unwrap_or(Value::Null)
    }

    /// Opens the event stream.
    pub(crate) fn events(self, last: Option<&str>) -> Events {
        let headers: Vec<(&str, &str)> = last.map(|last| ("Last-Event-ID", last)).into_iter().collect();
        Events::of(self.send("GET", "/api/events", &headers, ""))
    }

    /// The events at this path, from the beginning.
    pub(crate) fn events_at(self, path: &str) -> Events {
        Events::of(self.send("GET", path, &[], ""))
    }
}

/// `text`, encoded for a form.
fn encoded(text: &str) -> String {
    text.bytes()
        .map(|byte| if byte.is_ascii_alphanumeric() { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

fn read_answer(mut stream: TcpStream) -> Answer {
    let mut text = Vec::new();
    stream.read_to_end(&mut text).unwrap();
    let text = String::from_utf8_lossy(&text).into_owned();
    assert!(!text.contains(SECRET), "notes of a bot are for its team: {text}");
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer: {text:?}"));
    let mut lines = head.lines();
    let status = lines.next().unwrap().split(' ').nth(1).unwrap().parse().unwrap();
    let headers = lines.filter_map(|line| line.split_once(": ")).map(|(k, v)| (k.to_owned(), v.to_owned())).collect();
    Answer { status, headers, body: body.to_owned() }
}
