//! Refusals of logins, with their reasons. The library of the broker answers a refused CONNECT with a code only (in MQTT 5 with
//! `Authentication failed` beside every code), and an unknown protocol not at all. So the CONNECT is looked at before the library
//! reads it. One that has not come as a whole is left to the library, which refuses the same logins.

use crate::access::MAX_SHOWN;
use crate::embedded::AccessControl;
use log::warn;
use mqtt5::packet::MqttPacket;
use mqtt5::packet::connack::ConnAckPacket;
use mqtt5::packet::connect::ConnectPacket;
use mqtt5::protocol::v5::reason_codes::ReasonCode;
use mqtt5::{FixedHeader, PacketType, constants::limits::MAX_CLIENT_ID_LENGTH, is_path_safe_client_id};
use platform::locks::lock;
use platform::sockets;
use rules::printable_prefix;
use std::net::SocketAddr;
use tokio::net::TcpStream;

/// The most bytes of a CONNECT that are looked at: those of the longest name and secret, and of a long identifier.
const MAX_CONNECT_BYTES: usize = 4096;

/// The versions of the protocol: 3.1.1 and 5.
const VERSIONS: [u8; 2] = [4, 5];

/// A reason to refuse a login, as a code and in words.
pub(crate) type Refusal = (ReasonCode, String);

/// Answers a client whose login is refused, and logs the refusal; false if the library is to read the login.
pub(crate) async fn refuses(stream: &TcpStream, peer: SocketAddr, access: &AccessControl) -> bool {
    let mut bytes = vec![0; MAX_CONNECT_BYTES];
    let length = stream.peek(&mut bytes).await.unwrap_or_default();
    let Some((version, who, (code, why))) = refusal(&bytes[..length], access) else { return false };
    if lock(&access.refusals).allows_one() {
        warn!("the client {who} at {peer} is refused: {why}");
    }
    let answer = if version < 5 { ConnAckPacket::new_v311(false, code) } else { ConnAckPacket::new(false, code) };
    let mut text = Vec::new();
    // A packet of this length can be written.
    let _ = answer.with_reason_string(why).encode(&mut text);
    sockets::refuse(stream, &text);
    true
}

/// The version and the client of the CONNECT with which these bytes begin, and why it is refused, if it is.
fn refusal(mut bytes: &[u8], access: &AccessControl) -> Option<(u8, String, Refusal)> {
    let header = FixedHeader::decode(&mut bytes).ok().filter(|header| header.packet_type == PacketType::Connect)?;
    let body = bytes.get(..usize::try_from(header.remaining_length).ok()?)?;
    let name = body.get(2..2 + usize::from(u16::from_be_bytes([*body.first()?, *body.get(1)?])))?;
    let version = *body.get(2 + name.len())?;
    if name != b"MQTT" || !VERSIONS.contains(&version) {
        let why = "the broker speaks MQTT 3.1.1 and 5".to_owned();
        return Some((version, "of another protocol".to_owned(), (ReasonCode::UnsupportedProtocolVersion, why)));
    }
    let connect = ConnectPacket::decode_body(&mut &*body, &header).ok()?;
    let who = format!("{:?}", printable_prefix(&connect.client_id, MAX_SHOWN));
    let why = identifier_refusal(&connect).map(|why| (ReasonCode::ClientIdentifierNotValid, why));
    Some((version, who, why.or_else(|| access.admit(&connect).err())?))
}

/// The reason why no client may have this identifier.
fn identifier_refusal(connect: &ConnectPacket) -> Option<String> {
    let identifier = &connect.client_id;
    if identifier.is_empty() && !connect.clean_start && connect.protocol_version == 4 {
        return Some("a client without an identifier needs a clean session".to_owned());
    }
    // The library takes `cert:` for the name in a certificate.
    (!is_path_safe_client_id(identifier) || identifier.starts_with("cert:")).then(|| {
        format!(
            "a client identifier has at most {MAX_CLIENT_ID_LENGTH} bytes, without / \\ and control characters, \
             is not . or .., and does not begin with cert:"
        )
    })
}
