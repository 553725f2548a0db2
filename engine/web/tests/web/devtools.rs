//! A browser's process, driven by the Chrome DevTools Protocol: JSON messages over a pipe, each ended by a zero byte.

use rustix::process::{Pid, Signal, kill_process_group};
use serde_json::{Value, json};
use std::cell::{Cell, RefCell};
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// The longest time for an answer, and for a condition to come true. Only a failing test waits so long.
pub(crate) const PATIENCE: Duration = Duration::from_secs(120);

/// Runs a program with the pipe where the browser looks for it: commands on descriptor 3, answers and events on 4.
const WITH_PIPE: &str = r#"exec "$0" "$@" 3<&0 4>&1 0</dev/null 1>/dev/null"#;

/// Flags that keep the browser to itself and every page awake, and colours, language and sizes the same on all machines.
const FLAGS: [&str; 16] = [
    "--remote-debugging-pipe",
    "--headless",
    "--no-sandbox",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-breakpad",
    "--disable-dev-shm-usage",
    "--disable-extensions",
    "--disable-ipc-flooding-protection",
    "--disable-renderer-backgrounding",
    "--disable-sync",
    "--force-color-profile=srgb",
    "--hide-scrollbars",
    "--lang=en-US",
];

/// A running browser and the connection to it.
pub(crate) struct DevTools {
    process: Child,
    commands: RefCell<ChildStdin>,
    messages: Receiver<Value>,
    /// The number of commands so far; each has its own as its id.
    sent: Cell<u64>,
    /// Everything that the browser told unasked, of all pages.
    events: RefCell<Vec<Value>>,
    /// The browser's profile and its standard error.
    folder: TempDir,
}

impl DevTools {
    pub(crate) fn start(browser: &Path) -> DevTools {
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::new("sh");
        command.args(["-c", WITH_PIPE]).arg(browser).args(FLAGS);
        command.arg(format!("--user-data-dir={}", folder.path().display())).process_group(0);
        command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(File::create(folder.path().join("stderr")).unwrap());
        let mut process = command.spawn().unwrap();
        let commands = RefCell::new(process.stdin.take().unwrap());
        let answers = BufReader::new(process.stdout.take().unwrap());
        let (sender, messages) = mpsc::channel();
        std::thread::spawn(move || {
            for message in answers.split(0).map_while(Result::ok) {
                // Nobody listens once the test is over.
                let _ = sender.send(serde_json::from_slice(&message).unwrap());
            }
        });
        DevTools { process, commands, messages, sent: Cell::default(), events: RefCell::default(), folder }
    }

    /// The answer to a command, to the page of this session or to the browser itself.
    #[track_caller]
    pub(crate) fn call(&self, session: Option<&str>, method: &str, params: &Value) -> Result<Value, String> {
        let begun = Instant::now();
        let id = self.send(session, method, params);
        loop {
            let mut message = match self.messages.recv_timeout(PATIENCE.saturating_sub(begun.elapsed())) {
                Ok(message) => message,
                Err(RecvTimeoutError::Timeout) => {
                    panic!("{method} {params} came to no end; complaints: {:?}", self.complaints(session))
                }
                Err(RecvTimeoutError::Disconnected) => self.fail_ended(),
            };
            if message["id"] == id {
                return match message.get("error") {
                    Some(error) => Err(error.to_string()),
                    None => Ok(message["result"].take()),
                };
            }
            if message["method"] == "Page.javascriptDialogOpening" {
                // The page waits for it. The answer is not of interest.
                self.send(message["sessionId"].as_str(), "Page.handleJavaScriptDialog", &json!({ "accept": false }));
            }
            if message.get("method").is_some() {
                self.events.borrow_mut().push(message);
            }
        }
    }

    #[track_caller]
    fn send(&self, session: Option<&str>, method: &str, params: &Value) -> u64 {
        let id = self.sent.get() + 1;
        self.sent.set(id);
        let mut message = json!({ "id": id, "method": method, "params": params });
        if let Some(session) = session {
            message["sessionId"] = session.into();
        }
        if self.commands.borrow_mut().write_all(format!("{message}\0").as_bytes()).is_err() {
            self.fail_ended();
        }
        id
    }

    #[track_caller]
    fn fail_ended(&self) -> ! {
        let told = fs::read(self.folder.path().join("stderr")).unwrap_or_default();
        panic!("the browser ended: {}", String::from_utf8_lossy(&told));
    }

    /// Errors, warnings and dialogs of a page so far.
    pub(crate) fn complaints(&self, session: Option<&str>) -> Vec<String> {
        self.noted(session, |method, params| match method {
            "Runtime.consoleAPICalled" => Some(format!("console: {}", params["args"])),
            "Runtime.exceptionThrown" => Some(params["exceptionDetails"].to_string()),
            "Log.entryAdded" => Some(params["entry"]["text"].to_string()),
            "Page.javascriptDialogOpening" => Some(params["message"].to_string()),
            _ => None,
        })
    }

    /// The addresses that a page requested so far, without those of data that is part of it.
    pub(crate) fn requests(&self, session: Option<&str>) -> Vec<String> {
        self.noted(session, |method, params| {
            let address = params["request"]["url"].as_str().filter(|address| !address.starts_with("data:"));
            address.filter(|_| method == "Network.requestWillBeSent").map(str::to_owned)
        })
    }

    fn noted(&self, session: Option<&str>, text: fn(&str, &Value) -> Option<String>) -> Vec<String> {
        let events = self.events.borrow();
        let of_page = events.iter().filter(|event| event["sessionId"].as_str() == session);
        of_page.filter_map(|event| text(event["method"].as_str()?, &event["params"])).collect()
    }
}

impl Drop for DevTools {
    fn drop(&mut self) {
        // Debian's program is a script that starts the browser, so that the whole group has to end.
        let _ = kill_process_group(Pid::from_child(&self.process), Signal::KILL);
        let _ = self.process.wait();
        // The channel ends when no process is left that has the pipe.
        while self.messages.recv_timeout(PATIENCE).is_ok() {}
    }
}
