//! The event stream and the big screen behind a reverse proxy, which is a real nginx, and requests as proxies send them.

use crate::browser::Chromium;
use crate::server::{Arena, Events, PASSWORD, Site, TestBot, options};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;
use serve::{ServeOptions, TournamentServer};
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::os::fd::OwnedFd;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;
use test_tools::{pause, required};

/// A reverse proxy that can be started again at the same address.
pub(crate) struct Nginx {
    program: PathBuf,
    /// The socket on which nginx listens. It stays open between two runs, so that nobody else gets its port.
    listener: TcpListener,
    folder: TempDir,
    running: Option<Child>,
}

impl Nginx {
    /// A proxy that does not run yet; `None` where nginx is not installed.
    pub(crate) fn new() -> Option<Nginx> {
        let program = required("nginx")?;
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        Some(Nginx { program, listener, folder: tempfile::tempdir().unwrap(), running: None })
    }

    pub(crate) fn address(&self) -> SocketAddr {
        self.listener.local_addr().unwrap()
    }

    /// Starts the proxy, or starts it again, with these settings and what it does with all requests.
    fn start(&mut self, settings: &str, location: &str) {
        let server = format!("server {{ listen {}; location / {{ {location} }} }}", self.address());
        self.start_with(settings, &server);
    }

    /// Starts the proxy with these settings and servers.
    pub(crate) fn start_with(&mut self, settings: &str, servers: &str) {
        self.stop();
        let folder = self.folder.path();
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map(|what| format!("{what}_temp_path {};\n", folder.join(what).display()));
        let text = format!(
            "daemon off;\npid {folder}/pid;\nevents {{}}\nhttp {{\n\
             log_format short '$status $uri $sent_http_content_encoding';\naccess_log {folder}/requests short;\n{}{settings}\n{servers}\n}}\n",
            temporary.concat(),
            folder = folder.display(),
        );
        fs::write(folder.join("nginx.conf"), text).unwrap();
        let mut command = Command::new(&self.program);
        command.arg("-p").arg(folder).arg("-c").arg(folder.join("nginx.conf")).arg("-e").arg(folder.join("errors"));
        // nginx takes over a socket that is open already, as in its own upgrades. The number is that of standard input.
        command.env("NGINX", "0;").stdin(OwnedFd::from(self.listener.try_clone().unwrap()));
        self.running = Some(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
    }

    /// Ends the proxy: its connections break, and new ones wait until it is there again.
    fn stop(&mut self) {
        if let Some(mut running) = self.running.take() {
            // Its worker ends with it.
            kill_process(Pid::from_child(&running), Signal::TERM).unwrap();
            running.wait().unwrap();
        }
    }

    /// Waits until the proxy has answered so many requests with this line of its log.
    fn until(&mut self, count: usize, line: &str) {
        let log = self.folder.path().join("requests");
        let count_now = || fs::read_to_string(&log).unwrap_or_default().lines().filter(|told| *told == line).count();
        while count_now() < count {
            let ended = self.running.as_mut().unwrap().try_wait().unwrap();
            assert!(ended.is_none(), "{}", fs::read_to_string(self.folder.path().join("errors")).unwrap());
            pause();
        }
    }
}

impl Drop for Nginx {
    fn drop(&mut self) {
        self.stop();
    }
}

/// Passes all requests on to this server, as the first page of a manual says.
fn passes_to(server: SocketAddr) -> String {
    format!("proxy_pass http://{server};")
}

/// A client that reads what the proxy sends, compressed or not, as it comes.
struct Client(Child);

impl Client {
    /// The events after one of them, or from the beginning, and the client that reads them.
    fn follow(proxy: &Nginx, last: Option<&str>) -> Option<(Client, Events)> {
        let mut command = Command::new(required("curl")?);
        command.args(["--silent", "--include", "--no-buffer", "--compressed", "--max-time", "300"]);
        if let Some(last) = last {
            command.args(["--header", &format!("Last-Event-ID: {last}")]);
        }
        command.arg(format!("http://{}/api/events", proxy.address()));
        let mut child = command.stdin(Stdio::null()).stdout(Stdio::piped()).spawn().unwrap();
        let events = Events::of(child.stdout.take().unwrap());
        Some((Client(child), events))
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

#[test]
fn each_event_comes_through_a_proxy_at_once_and_none_is_lost_or_doubled_when_it_starts_again() {
    let Some(mut nginx) = Nginx::new() else { return };
    let compressing = "gzip on; gzip_types *; gzip_min_length 0;";
    for settings in ["", "proxy_http_version 1.1;", compressing] {
        let arena = Arena::start();
        let location = passes_to(arena.site.0);
        nginx.start(settings, &location);
        let Some((client, mut events)) = Client::follow(&nginx, None) else { return };
        assert_eq!(events.next().unwrap().kind, "state");
        let mut last = String::new();
        // The next team registers only once the proxy has passed on that the one before has.
        for team in 0..5 {
            arena.site.register(&format!("Team {team}"));
            last = events.until("bots", |bots| bots[team]["name"] == format!("Team {team}")).id;
        }
        nginx.stop();
        while events.next().is_some() {}
        drop(client);
        arena.site.register("Team 5");
        arena.site.register("Team 6");
        nginx.start(settings, &location);
        let Some((client, mut events)) = Client::follow(&nginx, Some(&last)) else { return };
        let count = |kind: &str, events: &mut Events| events.one(kind).as_array().map(Vec::len);
        assert_eq!([6, 7].map(|_| count("bots", &mut events)), [Some(6), Some(7)], "{settings}");
        arena.site.register("Team 7");
        assert_eq!(count("bots", &mut events), Some(8));
        drop(client);
        let encoding = if settings == compressing { "gzip" } else { "-" };
        nginx.until(1, &format!("200 /api/events {encoding}"));
        fs::remove_file(nginx.folder.path().join("requests")).unwrap();
    }
}

#[test]
fn a_screen_comes_back_from_a_proxy_that_starts_again_and_from_one_that_does_not_reach_the_server() {
    let arena = Arena::start();
    let Some(mut nginx) = Nginx::new() else { return };
    Chromium::run(|chromium| {
        let location = passes_to(arena.site.0);
        nginx.start("", &location);
        let screen = chromium.open_sped_up(&format!("http://{}/view", nginx.address()), 20);
        let mut names = Vec::new();
        let mut joins = |name: &'static str| {
            arena.site.register(name);
            names.push(name);
            let teams = "[...document.querySelectorAll('#teams li')].map((team) => team.textContent).join()";
            screen.until(&format!("{teams} === '{}'", names.join(",")));
        };
        joins("Ann");
        nginx.start("", &location);
        joins("Bob");
        let nobody = TestBot::nobody();
        for (status, location, next) in
            [(502, format!("proxy_pass {nobody};"), "Cid"), (404, "return 404;".to_owned(), "Dan")]
        {
            nginx.start("", &location);
            // The browser's own request, and that of the page for what is there.
            nginx.until(2, &format!("{status} /api/events -"));
            nginx.start("", &passes_to(arena.site.0));
            joins(next);
        }
    });
}

/// The body of a registration.
fn registration(name: &str) -> String {
    json!({"name": name, "password": PASSWORD, "confirmPassword": PASSWORD}).to_string()
}

#[test]
fn pages_of_a_proxy_that_names_the_server_otherwise_may_send_forms() {
    let folder = tempfile::tempdir().unwrap();
    let public_hosts = vec!["arena.example".to_owned()];
    let server = TournamentServer::start(ServeOptions { public_hosts, ..options(folder.path()) }).unwrap();
    let site = Site(server.address);
    // The name of the server is that of the address to which the proxy passes requests on.
    let register = |origin: &str, name: &str| {
        let headers = [("Host", "localhost:3000"), ("Origin", origin), ("Content-Type", "application/json")];
        site.ask("POST", "/api/bots/register", &headers, &registration(name))
    };
    assert_eq!(register("http://arena.example", "Ann").status, 200);
    assert_eq!(register("https://arena.example:8443", "Bob").status, 200);
    let refused = register("http://evil.example", "Cid");
    assert!(refused.status == 403 && refused.error().contains("--public-host"), "{refused:?}");
    server.finish();
}

#[test]
fn a_health_check_without_a_host_is_answered() {
    let arena = Arena::start();
    let mut stream = TcpStream::connect(arena.site.0).unwrap();
    stream.write_all(b"GET /api/tournament HTTP/1.0\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.0 200 OK\r\n"), "{answer}");
}

#[test]
fn a_body_that_is_encoded_is_refused_in_words() {
    let arena = Arena::start();
    let send = |encoding: &str, name: &str| {
        let headers = [("Content-Type", "application/json"), ("Content-Encoding", encoding)];
        arena.site.ask("POST", "/api/bots/register", &headers, &registration(name))
    };
    let refused = send("gzip", "Ann");
    let why = "the body is encoded (gzip); send it as it is, without the header Content-Encoding";
    assert_eq!((refused.status, refused.error().as_str()), (415, why));
    assert_eq!(send("identity", "Ann").status, 200);
}

#[test]
fn an_address_with_a_slash_at_its_end_leads_to_the_one_without() {
    let arena = Arena::start();
    for (asked, found) in
        [("/view/", "/view"), ("/api/bots/", "/api/bots"), ("/api/events//?turns=no", "/api/events?turns=no")]
    {
        let answer = arena.site.get(asked);
        assert_eq!((answer.status, answer.header("location")), (308, found), "the method of the request stays");
    }
    for nothing in ["//evil.example/", "///", "/nothing"] {
        assert_eq!(arena.site.get(nothing).status, 404, "{nothing}");
    }
}

#[test]
fn a_proxy_may_use_a_connection_again_after_a_longer_time_than_a_client_has_for_its_first_request() {
    let folder = tempfile::tempdir().unwrap();
    let request_time = Duration::from_secs(5);
    let server = TournamentServer::start(ServeOptions { request_time, ..options(folder.path()) }).unwrap();
    let connect = || TcpStream::connect(server.address).unwrap();
    let mut used = BufReader::new(connect());
    let mut ask = || {
        used.get_mut().write_all(b"HEAD /api/bots HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
        let mut head = vec![String::new()];
        while head.last().is_none_or(|line| line != "\r\n") {
            head.push(String::new());
            assert!(used.read_line(head.last_mut().unwrap()).unwrap() > 0, "the server has closed the connection");
        }
        head[1].clone()
    };
    assert_eq!(ask(), "HTTP/1.1 200 OK\r\n");
    // This one came later, has sent half a request, and its time is over.
    let mut slow = connect();
    slow.write_all(b"GET /api/bots HTTP/1.1\r\nHost:").unwrap();
    assert_eq!(slow.read(&mut [0]).unwrap_or_default(), 0);
    assert_eq!(ask(), "HTTP/1.1 200 OK\r\n");
    server.finish();
}
