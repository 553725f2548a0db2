//! The addresses that the engine may call when strangers tell it URLs.

use ipnet::IpNet;
use std::fmt;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use std::str::FromStr;

/// The end of the reason why an address is not called, whatever a list of hosts has.
pub const NEVER_CALLED: &str = "is never called";

/// The hosts that may be called: `private`, `any`, or a list of `private`, names, addresses and networks
/// (`private,bots.example.org,192.0.2.7,2001:db8::/32`).
///
/// `private` is this machine and private networks (RFC 1918, fc00::/7). A name on the list may lead to any address;
/// else the address counts to which a name leads, at the moment it is called. Some addresses are never called, on no
/// list: link-local ones, those under which clouds tell machines their secrets, and those that are not of one machine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AllowedHosts {
    rules: Vec<Rule>,
    /// Another list that has to allow a host as well.
    also: Option<Box<AllowedHosts>>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Rule {
    Any,
    Private,
    Loopback,
    Network(IpNet),
    Name(String),
}

/// A text that is not a list of hosts.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is neither `private`, `any`, a name, an address nor a network such as 10.0.0.0/8")]
pub struct AllowedHostsError(String);

impl AllowedHosts {
    /// This machine and private networks.
    pub fn private() -> AllowedHosts {
        AllowedHosts { rules: vec![Rule::Private], also: None }
    }

    /// No host at all.
    pub fn none() -> AllowedHosts {
        AllowedHosts { rules: Vec::new(), also: None }
    }

    /// The hosts of the list, and this address. All addresses of this machine's loopback are one.
    #[must_use]
    pub fn or(mut self, address: IpAddr) -> AllowedHosts {
        let address = address.to_canonical();
        self.rules.push(if address.is_loopback() { Rule::Loopback } else { Rule::Network(address.into()) });
        self
    }

    /// The hosts that both lists allow.
    #[must_use]
    pub fn and(self, also: AllowedHosts) -> AllowedHosts {
        AllowedHosts { rules: also.rules, also: Some(Box::new(self)) }
    }

    /// Checks that `host` may be called at `address`.
    ///
    /// # Errors
    /// The reason why not, for a person.
    pub fn check(&self, host: &str, address: IpAddr) -> Result<(), String> {
        if let Some(also) = &self.also {
            also.check(host, address)?;
        }
        if is_never_called(address) {
            return Err(format!("{address} {NEVER_CALLED}"));
        }
        let address = address.to_canonical();
        let allows = |rule: &Rule| match rule {
            Rule::Any => true,
            Rule::Private => is_private(address),
            Rule::Loopback => address.is_loopback(),
            Rule::Network(network) => network.contains(&address),
            Rule::Name(name) => *name == normal(host),
        };
        if self.rules.iter().any(allows) { Ok(()) } else { Err(format!("{address} is not an allowed host ({self})")) }
    }
}

impl Default for AllowedHosts {
    fn default() -> AllowedHosts {
        AllowedHosts::private()
    }
}

impl FromStr for AllowedHosts {
    type Err = AllowedHostsError;

    fn from_str(text: &str) -> Result<AllowedHosts, AllowedHostsError> {
        let rules = text.split(',').map(|item| rule(item.trim()).ok_or_else(|| AllowedHostsError(item.to_owned())));
        Ok(AllowedHosts { rules: rules.collect::<Result<_, _>>()?, also: None })
    }
}

fn rule(item: &str) -> Option<Rule> {
    match item {
        "any" => return Some(Rule::Any),
        "private" => return Some(Rule::Private),
        _ => {}
    }
    if let Ok(address) = item.trim_matches(['[', ']']).parse::<IpAddr>() {
        return Some(Rule::Network(address.to_canonical().into()));
    }
    if let Ok(network) = item.parse::<IpNet>() {
        return Some(Rule::Network(network.trunc()));
    }
    let name = normal(item);
    let is_label =
        |label: &str| !label.is_empty() && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
    // A name that ends with a number is an address that is written wrongly.
    let is_address = name.rsplit('.').next().is_some_and(|last| last.bytes().all(|b| b.is_ascii_digit()));
    (name.split('.').all(is_label) && !is_address).then_some(Rule::Name(name))
}

/// Names are the same in capitals, and with the dot of the root.
fn normal(name: &str) -> String {
    name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase()
}

impl fmt::Display for AllowedHosts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, rule) in self.rules.iter().enumerate() {
            f.write_str(if index == 0 { "" } else { "," })?;
            match rule {
                Rule::Any => f.write_str("any")?,
                Rule::Private => f.write_str("private")?,
                Rule::Loopback => f.write_str("this machine")?,
                Rule::Network(network) if network.prefix_len() == network.max_prefix_len() => {
                    write!(f, "{}", network.addr())?;
                }
                Rule::Network(network) => write!(f, "{network}")?,
                Rule::Name(name) => f.write_str(name)?,
            }
        }
        Ok(())
    }
}

fn is_private(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => address.is_loopback() || address.is_private(),
        IpAddr::V6(address) => address.is_loopback() || address.is_unique_local(),
    }
}

/// Addresses outside the link-local ones under which clouds tell a machine its secrets.
const METADATA_V4: [Ipv4Addr; 3] = [
    // Alibaba, Azure, Oracle.
    Ipv4Addr::new(100, 100, 100, 200),
    Ipv4Addr::new(168, 63, 129, 16),
    Ipv4Addr::new(192, 0, 0, 192),
];
const METADATA_V6: [Ipv6Addr; 2] = [
    // Amazon, Google.
    Ipv6Addr::new(0xfd00, 0xec2, 0, 0, 0, 0, 0, 0x254),
    Ipv6Addr::new(0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254),
];

fn is_never_called(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => {
            address.is_link_local()
                || METADATA_V4.contains(&address)
                // 0.0.0.0 would lead to this machine, as would the rest of its network on some systems.
                || address.octets()[0] == 0
                || address.is_multicast()
                || address.is_broadcast()
        }
        IpAddr::V6(address) => {
            address.is_unicast_link_local()
                || METADATA_V6.contains(&address)
                || address.is_unspecified()
                || address.is_multicast()
                || within(address).is_some_and(|address| is_never_called(IpAddr::V4(address)))
        }
    }
}

/// The IPv4 address to which an IPv6 address is translated on its way.
fn within(address: Ipv6Addr) -> Option<Ipv4Addr> {
    let ipv4 = |high: u16, low: u16| Some(Ipv4Addr::from((u32::from(high) << 16) | u32::from(low)));
    match address.segments() {
        // ::1 is not meant.
        [0, 0, 0, 0, 0, 0, 0, _] => None,
        // ::ffff:a.b.c.d, ::a.b.c.d, ::ffff:0:a.b.c.d, 64:ff9b::a.b.c.d, 64:ff9b:1::a.b.c.d
        [0, 0, 0, 0, 0, 0xffff | 0, high, low]
        | [0, 0, 0, 0, 0xffff, 0, high, low]
        | [0x64, 0xff9b, 0 | 1, 0, 0, 0, high, low]
        // 2002:a.b.c.d::
        | [0x2002, high, low, ..] => ipv4(high, low),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::AllowedHosts;

    fn allows(list: &str, host: &str, address: &str) -> bool {
        let allowed: AllowedHosts = list.parse().unwrap();
        allowed.check(host, address.parse().unwrap()).is_ok()
    }

    #[test]
    fn private_is_this_machine_and_private_networks() {
        for address in
            ["127.0.0.1", "127.9.9.9", "::1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "fd12::1", "::ffff:10.0.0.1"]
        {
            assert!(allows("private", "x", address), "{address}");
        }
        for address in ["8.8.8.8", "172.32.0.1", "100.64.0.1", "2001:db8::1", "::ffff:8.8.8.8", "64:ff9b::10.0.0.1"] {
            assert!(!allows("private", "x", address) && allows("any", "x", address), "{address}");
        }
    }

    #[test]
    fn some_addresses_are_never_called() {
        let lists = ["private", "any", "named.example", "0.0.0.0/0,::/0", "169.254.169.254,fd00::/8,100.100.100.200"];
        let never = [
            ("link-local", &["169.254.169.254", "169.254.170.2", "fe80::1"][..]),
            ("link-local in IPv6", &["::ffff:169.254.169.254", "::169.254.169.254", "2002:a9fe:a9fe::"]),
            ("link-local behind a translator", &["64:ff9b::169.254.169.254", "64:ff9b:1::169.254.169.254"]),
            ("a cloud's", &["100.100.100.200", "::ffff:100.100.100.200", "168.63.129.16", "192.0.0.192"]),
            ("a cloud's in IPv6", &["fd00:ec2::254", "fd20:ce::254"]),
            ("not of a machine", &["0.0.0.0", "0.1.2.3", "::", "::ffff:0.0.0.0"]),
            ("of several machines", &["224.0.0.1", "255.255.255.255", "ff02::1"]),
        ];
        for (why, addresses) in never {
            for (address, list) in addresses.iter().flat_map(|address| lists.map(|list| (address, list))) {
                assert!(!allows(list, "named.example", address), "{list} {address}, which is {why}");
            }
        }
    }

    #[test]
    fn names_addresses_and_networks_can_be_listed() {
        let list = "private, Bots.Example.org, 192.0.2.7, 198.51.100.0/24, [2001:db8::1], 2001:db8:1::/48";
        for (host, address) in [
            ("bots.example.org", "8.8.8.8"),
            ("BOTS.example.org.", "8.8.8.8"),
            ("x", "192.0.2.7"),
            ("x", "::ffff:192.0.2.7"),
            ("x", "198.51.100.200"),
            ("x", "2001:db8::1"),
            ("x", "2001:db8:1::9"),
            ("x", "127.0.0.1"),
        ] {
            assert!(allows(list, host, address), "{host} {address}");
        }
        for (host, address) in [("more.bots.example.org", "8.8.8.8"), ("x", "192.0.2.8"), ("x", "2001:db8::2")] {
            assert!(!allows(list, host, address), "{host} {address}");
        }
        assert!(!allows("192.0.2.7", "x", "127.0.0.1"));
    }

    #[test]
    fn an_address_is_added_to_a_list_and_lists_are_combined() {
        let own = |address: &str| AllowedHosts::none().or(address.parse().unwrap());
        let allows = |hosts: &AllowedHosts, address: &str| hosts.check("x", address.parse().unwrap()).is_ok();
        assert!(allows(&own("::ffff:192.168.0.7"), "192.168.0.7") && !allows(&own("192.168.0.7"), "192.168.0.8"));
        assert!(allows(&own("127.0.0.1"), "::1") && !allows(&own("192.168.0.7"), "127.0.0.1"));
        assert!(!allows(&AllowedHosts::none(), "127.0.0.1"));
        let listed: AllowedHosts = "10.0.0.0/8,192.0.2.7".parse().unwrap();
        let both = AllowedHosts::private().and(listed.or("203.0.113.9".parse().unwrap()));
        assert!(allows(&both, "10.1.1.1"));
        assert!(!allows(&both, "192.0.2.7") && !allows(&both, "203.0.113.9"), "they are not private");
        assert!(!allows(&both, "192.168.0.7"), "it is not listed");
    }

    #[test]
    fn a_list_is_written_as_it_is_read() {
        for list in ["private", "any", "private,bots.example.org,192.0.2.7,198.51.100.0/24,2001:db8::/32"] {
            assert_eq!(list.parse::<AllowedHosts>().unwrap().to_string(), list);
        }
    }

    #[test]
    fn mistakes_in_a_list_are_refused() {
        for list in
            ["", "private,", "a b", "10.0.0.0/33", "1.2.3", "host:80", "http://host", "*.example.org", "300.1.1.1"]
        {
            let error = list.parse::<AllowedHosts>().unwrap_err();
            assert!(error.to_string().contains("neither"), "{error}");
        }
    }
}
