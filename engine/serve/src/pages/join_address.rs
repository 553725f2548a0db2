//! The address at which teams reach the server, as a text and as a QR code.

use crate::http::reach::Reach;
use axum::http::HeaderMap;
use axum::http::header::HOST;
use qrcodegen::{QrCode, QrCodeEcc};
use std::fmt::Write as _;
use std::net::{IpAddr, SocketAddr};
use web::http_server::{outward_ip, without_port};

/// The longest host of a request that is shown, in bytes. Longer ones are not names.
const LONGEST_HOST: usize = 262;
/// The empty border of a QR code, in modules.
const BORDER: i32 = 4;

/// The address of the lobby for teams: `http://`, a host, and a port if there is one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct JoinAddress {
    /// The address, without a slash at the end.
    pub(crate) text: String,
    /// True if only this machine can reach the address.
    pub(crate) is_local: bool,
}

impl Reach {
    /// The address for teams, as far as the server knows it: the host of the request, unless that is a name of this machine;
    /// else the first public host; else the address that the server listens on, or that of this machine in its network.
    pub(crate) fn join_address(&self, headers: &HeaderMap) -> JoinAddress {
        let found = |scheme: &str, host: &str| JoinAddress { text: format!("{scheme}://{host}"), is_local: false };
        if let Some(host) = host_of(headers).filter(|host| !is_this_machine(host)) {
            let scheme = headers.get("x-forwarded-proto").and_then(|scheme| scheme.to_str().ok());
            let is_public = self.public_hosts.iter().any(|known| known.eq_ignore_ascii_case(without_port(host)));
            // Tunnels and proxies with a name of their own speak https, unless they say otherwise.
            let is_safe = scheme.map_or(is_public, |scheme| scheme.eq_ignore_ascii_case("https"));
            return found(if is_safe { "https" } else { "http" }, host);
        }
        if let Some(host) = self.public_hosts.first() {
            return found("https", host);
        }
        let ip =
            if self.address.ip().is_unspecified() { outward_ip(self.address.ip()) } else { Some(self.address.ip()) };
        let ip = ip.filter(|ip| !ip.is_loopback() && !self.is_local);
        match ip {
            Some(ip) => found("http", &SocketAddr::new(ip, self.address.port()).to_string()),
            None => {
                let host = host_of(headers).map_or_else(|| format!("localhost:{}", self.address.port()), str::to_owned);
                JoinAddress { text: format!("http://{host}"), is_local: true }
            }
        }
    }
}

/// The host of a request, with its port, if it looks like one.
fn host_of(headers: &HeaderMap) -> Option<&str> {
    let host = headers.get(HOST)?.to_str().ok()?;
    let is_usual = |byte: u8| byte.is_ascii_alphanumeric() || b".-:[]_".contains(&byte);
    (!host.is_empty() && host.len() <= LONGEST_HOST && host.bytes().all(is_usual)).then_some(host)
}

/// True for names that mean this machine on every machine.
fn is_this_machine(host: &str) -> bool {
    let name = without_port(host);
    let ip: Option<IpAddr> = name.trim_start_matches('[').trim_end_matches(']').parse().ok();
    name.eq_ignore_ascii_case("localhost")
        || ip.is_some_and(|ip| ip.to_canonical().is_loopback() || ip.is_unspecified())
}

/// A QR code as the path of an SVG picture.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct QrPicture {
    /// The width and the height, in modules, with the empty border.
    pub(crate) size: i32,
    /// The dark modules, one unit wide and high each: the attribute `d` of a path.
    pub(crate) path: String,
}

/// The QR code of a text; empty if the text is too long for one.
pub(crate) fn qr_picture(text: &str) -> QrPicture {
    let Ok(code) = QrCode::encode_text(text, QrCodeEcc::Medium) else { return QrPicture::default() };
    let mut path = String::new();
    for y in 0..code.size() {
        let mut x = 0;
        while x < code.size() {
            let run = (x..code.size()).take_while(|x| code.get_module(*x, y)).count() as i32;
            if run > 0 {
                let _ = write!(path, "M{} {}h{run}v1h-{run}z", x + BORDER, y + BORDER);
            }
            x += run + 1;
        }
    }
    QrPicture { size: code.size() + 2 * BORDER, path }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reach(address: &str, public_hosts: &[&str]) -> Reach {
        let address: SocketAddr = address.parse().unwrap();
        let public_hosts = public_hosts.iter().map(|host| (*host).to_owned()).collect();
        Reach { is_local: address.ip().is_loopback(), public_hosts, address }
    }

    fn told(reach: &Reach, headers: &[(&'static str, &'static str)]) -> (String, bool) {
        let headers = headers.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect();
        let JoinAddress { text, is_local } = reach.join_address(&headers);
        (text, is_local)
    }

    #[test]
    fn the_address_is_the_one_by_which_others_reach_the_server() {
        let open = reach("192.168.0.7:3000", &[]);
        let fixed = ("http://192.168.0.7:3000".to_owned(), false);
        assert_eq!(told(&open, &[("host", "arena.lan:3000")]), ("http://arena.lan:3000".to_owned(), false));
        for here in ["localhost:3000", "127.0.0.1:3000", "[::1]:3000", "LOCALHOST", "0.0.0.0:3000"] {
            assert_eq!(told(&open, &[("host", here)]), fixed, "{here}");
        }
        for hostile in ["a b", "<script>", "evil\"", ""] {
            assert_eq!(told(&open, &[("host", hostile)]), fixed, "{hostile}");
        }
        assert_eq!(told(&open, &[]), fixed);
    }

    #[test]
    fn a_proxy_has_a_name_of_its_own() {
        let behind = reach("127.0.0.1:3000", &["arena.example"]);
        assert_eq!(told(&behind, &[("host", "localhost:3000")]), ("https://arena.example".to_owned(), false));
        assert_eq!(told(&behind, &[("host", "Arena.example")]), ("https://Arena.example".to_owned(), false));
        let plain = [("host", "arena.example"), ("x-forwarded-proto", "http")];
        assert_eq!(told(&behind, &plain), ("http://arena.example".to_owned(), false));
    }

    #[test]
    fn a_server_for_this_machine_says_that_nobody_else_reaches_it() {
        let local = reach("127.0.0.1:3000", &[]);
        assert_eq!(told(&local, &[("host", "localhost:3000")]), ("http://localhost:3000".to_owned(), true));
        assert_eq!(told(&local, &[]), ("http://localhost:3000".to_owned(), true));
        let (text, is_local) = told(&reach("0.0.0.0:3000", &[]), &[("host", "localhost:3000")]);
        // A machine without a network has no other address.
        assert!(text.ends_with(":3000") && (is_local || !text.contains("localhost")), "{text}");
        assert!(!text.contains("0.0.0.0"), "{text}");
    }

    #[test]
    fn the_code_has_its_three_corners_and_a_border() {
        let QrPicture { size, path } = qr_picture("http://192.168.0.7:3000");
        // Version 2 of a QR code has 25 modules on each side.
        assert_eq!(size, 25 + 8);
        for corner in ["M4 4h7v1h-7z", "M22 4h7v1h-7z", "M4 22h7v1h-7z"] {
            assert!(path.contains(corner), "{corner}: {path}");
        }
        assert_eq!(qr_picture(&"x".repeat(9999)), QrPicture::default());
    }
}
