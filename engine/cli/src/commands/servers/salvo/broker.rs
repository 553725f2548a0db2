//! The broker and the topics that the command line names.

use crate::failure::Failure;
use rules::salvo::Topics;
use salvo::BrokerAddress;

/// The environment variable with the password for a broker.
pub(super) const PASSWORD: &str = "BROADSIDE_BROKER_PASSWORD";

/// The default port of MQTT brokers.
const PORT: u16 = 1883;

/// The broker at `mqtt://HOST[:PORT]`.
///
/// # Errors
/// [`Failure::Usage`] for another scheme, a password in the URL, and a wrong host or port.
pub(super) fn broker(url: &str, login: Option<(String, String)>) -> Result<BrokerAddress, Failure> {
    let wrong =
        |hint: &str| Failure::Usage { what: format!("{} is not a broker", without_login(url)), hint: hint.to_owned() };
    let place = url.strip_prefix("mqtt://").ok_or_else(|| wrong("name a broker as mqtt://HOST:PORT"))?;
    let place = place.trim_end_matches('/');
    if place.contains('@') {
        return Err(wrong("remove the password: others can see the command line; see --help"));
    }
    let (host, port) = match place.rsplit_once(':') {
        Some((host, port)) if !host.ends_with(':') && (!host.contains(':') || host.ends_with(']')) => {
            (host, Some(port))
        }
        _ => (place, None),
    };
    let port = port.map_or(Ok(PORT), |port| port.parse().map_err(|_| wrong("the port is a number from 0 to 65535")))?;
    let host = host.trim_start_matches('[').trim_end_matches(']');
    if host.is_empty() || host.contains('/') {
        return Err(wrong("name a broker as mqtt://HOST:PORT"));
    }
    Ok(BrokerAddress { host: host.to_owned(), port, login })
}

fn without_login(url: &str) -> String {
    match url.rsplit_once('@') {
        Some((_, place)) => format!("mqtt://{place}"),
        None => url.to_owned(),
    }
}

pub(super) fn topics(prefix: Option<&str>) -> Result<Topics, Failure> {
    let topics = prefix.map_or(Ok(Topics::default()), Topics::below);
    topics.map_err(|error| Failure::Usage {
        what: format!("--topic-prefix: {error}"),
        hint: "the prefix is one word, such as monday".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brokers_are_named_by_host_and_port() {
        let place = |url: &str| broker(url, None).map(|broker| (broker.host, broker.port)).ok();
        assert_eq!(place("mqtt://localhost"), Some(("localhost".to_owned(), 1883)));
        assert_eq!(place("mqtt://10.0.0.7:8000/"), Some(("10.0.0.7".to_owned(), 8000)));
        assert_eq!(place("mqtt://[::1]:8000"), Some(("::1".to_owned(), 8000)));
        assert_eq!(place("mqtt://[::1]"), Some(("::1".to_owned(), 1883)));
        for wrong in ["localhost:1883", "mqtt://", "mqtt://host:port", "mqtt://host:99999", "mqtt://a/b", "http://host"]
        {
            assert_eq!(place(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_password_in_a_url_is_not_repeated() {
        let Err(Failure::Usage { what, .. }) = broker("mqtt://me:hidden@host", None) else { panic!() };
        assert_eq!(what, "mqtt://host is not a broker");
    }
}
