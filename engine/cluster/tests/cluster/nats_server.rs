//! A NATS server of a test's own.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use tempfile::TempDir;

/// A NATS server on a free port of the loopback. It ends with the value.
pub(crate) struct NatsServer {
    process: Child,
    folder: TempDir,
    port: u16,
}

impl NatsServer {
    /// Starts a server; `None` where there is none.
    pub(crate) fn start() -> Option<NatsServer> {
        NatsServer::configured("")
    }

    /// Starts a server with this configuration besides.
    pub(crate) fn configured(configuration: &str) -> Option<NatsServer> {
        test_tools::required("nats-server")?;
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(CONFIGURATION), configuration).unwrap();
        let process = spawn(folder.path(), "-1");
        let mut server = NatsServer { process, folder, port: 0 };
        server.port = server.wait_for_port();
        Some(server)
    }

    /// The port.
    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// The address of its monitor, if that is configured.
    pub(crate) fn monitor(&self) -> String {
        let told: serde_json::Value = serde_json::from_slice(&fs::read(self.ports()).unwrap()).unwrap();
        told["monitoring"][0].as_str().unwrap().trim_start_matches("http://").to_owned()
    }

    /// The file in which the server tells its ports.
    fn ports(&self) -> PathBuf {
        self.folder.path().join(format!("nats-server_{}.ports", self.process.id()))
    }

    /// The address.
    pub(crate) fn url(&self) -> String {
        self.url_for("")
    }

    /// The address with `NAME:PASSWORD@`.
    pub(crate) fn url_for(&self, login: &str) -> String {
        format!("nats://{login}127.0.0.1:{}", self.port)
    }

    /// Kills the server and starts it again on the same port.
    pub(crate) fn restart(&mut self) {
        self.process.kill().unwrap();
        self.process.wait().unwrap();
        self.process = spawn(self.folder.path(), &self.port.to_string());
        assert_eq!(self.wait_for_port(), self.port);
    }

    /// The port that the server has told.
    fn wait_for_port(&mut self) -> u16 {
        let path = self.ports();
        loop {
            let told = fs::read(&path).ok().and_then(|text| serde_json::from_slice::<serde_json::Value>(&text).ok());
            if let Some(told) = told {
                let url = told["nats"][0].as_str().unwrap();
                return url.rsplit_once(':').unwrap().1.parse().unwrap();
            }
            let log = || fs::read_to_string(self.folder.path().join("log")).unwrap_or_default();
            assert!(self.process.try_wait().unwrap().is_none(), "it has ended: {}", log());
            test_tools::pause();
        }
    }
}

const CONFIGURATION: &str = "nats.conf";

fn spawn(folder: &Path, port: &str) -> Child {
    let mut command = Command::new("nats-server");
    command.current_dir(folder).args(["-c", CONFIGURATION]);
    command.args(["-a", "127.0.0.1", "-p", port]);
    command.arg("--ports_file_dir").arg(folder).arg("-l").arg(folder.join("log"));
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
}

impl Drop for NatsServer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
