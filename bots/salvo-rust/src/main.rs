//! A client of Salvo: `salvo-rust NAME [--host 127.0.0.1] [--port 1883] [--prefix NAME] [--join-code CODE]`.
//!
//! The team's secret is in the variable SALVO_SECRET; without it a new one is made up.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "it talks to whoever runs it")]

use clap::Parser;
use rumqttc::{Client, ConnectionError, Event, MqttOptions, NetworkOptions, Outgoing, Packet, QoS};
use salvo_rust::{Action, Player, cipher};
use std::process::ExitCode;
use std::time::Duration;
use std::{env, thread};

/// The number of messages that may wait to be sent: more than are sent at once.
const UNSENT: usize = 100;
/// The wait before the next attempt to connect, and the number of attempts that may fail in a row.
const AGAIN: Duration = Duration::from_secs(1);
const ATTEMPTS: u32 = 60;

/// A client of Salvo. The team's secret is in the variable SALVO_SECRET; without it a new one is made up.
#[derive(Debug, Parser)]
struct Arguments {
    /// Name of the team
    name: String,
    /// Host name or address of the broker
    #[arg(long, default_value = "127.0.0.1")]
    host: String,
    /// Its port
    #[arg(long, default_value_t = 1883)]
    port: u16,
    /// All topics are below /PREFIX
    #[arg(long)]
    prefix: Option<String>,
    /// The code of a server that wants one
    #[arg(long)]
    join_code: Option<String>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    match play(&arguments) {
        Ok(winner) => {
            println!("{}: the winner is {}", arguments.name, winner.as_deref().unwrap_or("nobody"));
            ExitCode::SUCCESS
        }
        Err(why) => {
            eprintln!("{}: {why}", arguments.name);
            ExitCode::FAILURE
        }
    }
}

/// Plays one game, and gives the winner.
fn play(arguments: &Arguments) -> Result<Option<String>, String> {
    let Arguments { name, host, port, prefix, join_code } = arguments;
    let secret = env::var("SALVO_SECRET").ok().filter(|secret| !secret.is_empty()).unwrap_or_else(random_text);
    let mut player = Player::new(name, &secret, prefix.as_deref());
    player.join_code = join_code.clone();
    let mut options = MqttOptions::new(format!("salvo-{}", random_text()), host, *port);
    // With name and secret as login, the broker knows that this client may read what is told to its team alone.
    options.set_credentials(name, &secret);
    options.set_keep_alive(Duration::from_secs(10));
    let (client, mut connection) = Client::new(options, UNSENT);
    let mut network = NetworkOptions::new();
    network.set_tcp_nodelay(true);
    connection.eventloop.set_network_options(network);

    let mut failed = 0;
    let mut ended = None;
    // After an error this connects again.
    for event in connection.iter() {
        let actions = match event {
            Ok(Event::Incoming(Packet::ConnAck(_))) => {
                failed = 0;
                player.connected()
            }
            Ok(Event::Incoming(Packet::Publish(message))) => {
                player.hear(&message.topic, &String::from_utf8_lossy(&message.payload))
            }
            Ok(Event::Outgoing(Outgoing::Disconnect)) => break,
            Ok(_) => continue,
            Err(_) if ended.is_some() => break,
            Err(ConnectionError::ConnectionRefused(why)) => {
                return Err(format!("the broker at {host}:{port} refuses name and secret: {why:?}"));
            }
            Err(error) => {
                failed += 1;
                if failed == ATTEMPTS {
                    return Err(format!("no connection to {host}:{port}: {error}"));
                }
                eprintln!("{name}: no connection to {host}:{port}, trying again: {error}");
                thread::sleep(AGAIN);
                continue;
            }
        };
        for action in actions {
            let done = match action {
                Action::Listen(topic) => client.try_subscribe(topic, QoS::ExactlyOnce),
                Action::Send { topic, text } => client.try_publish(topic, QoS::ExactlyOnce, false, text),
                Action::Tell(text) => {
                    eprintln!("{name}: {text}");
                    Ok(())
                }
                Action::Win { winner } => {
                    ended = Some(Ok(winner));
                    client.try_disconnect()
                }
                Action::GiveUp(why) => {
                    ended = Some(Err(format!("the server refuses the team: {why}")));
                    client.try_disconnect()
                }
            };
            if let Err(error) = done {
                eprintln!("{name}: {error}");
            }
        }
    }
    ended.unwrap_or_else(|| Err("the connection is closed".to_owned()))
}

/// Something that nobody can guess.
fn random_text() -> String {
    cipher::random_bytes::<16>().map(|byte| format!("{byte:02x}")).concat()
}
