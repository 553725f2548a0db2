//! Measures the speed of the Salvo server: `cargo bench -p salvo --bench salvo_speed`.
//!
//! Two teams with prepared shots play a match of 100 rounds into the water, 200 salvos of five shots, with the embedded
//! broker and with a Mosquitto. Each shot costs a key of argon2, so the same run measures keys alone as the lower
//! bound. The lower bound of a message is a Mosquitto that echoes it. The last measurement is a flood of 1,000 forged
//! shots. All figures are medians.
#![allow(clippy::unwrap_used, clippy::print_stdout, clippy::print_stderr, reason = "a benchmark")]
#![allow(dead_code, unreachable_pub, reason = "what the tests need is here, too")]

#[path = "../tests/salvo/fixture.rs"]
mod fixture;
#[path = "../tests/salvo/scripted_team.rs"]
mod scripted_team;

use fixture::{Mosquitto, RawClient, RunningServer, broker, options, secret};
use rules::Point;
use rules::salvo::Settings;
use rumqttc::QoS;
use salvo::{BrokerAddress, Cipher, Envelope, Options};
use scripted_team::{A, B, facing};
use std::fs;
use std::thread;
use std::time::{Duration, Instant};

const SHOTS: usize = 5;
const ROUNDS: usize = 100;
/// The number of clients that talk at the same time, and of messages of each: below the rate limit of the broker.
const TALKERS: usize = 16;
const TALKS: usize = 150;
const FORGED: usize = 1000;
const FLOODERS: usize = 10;

fn main() {
    talk();
    for own in [true, false] {
        let folder = tempfile::tempdir().unwrap();
        let mosquitto = (!own).then(|| Mosquitto::start(&[A, B]).unwrap());
        let options = Options { settings: Settings { rounds_without_sinking: ROUNDS as u32 }, ..options(&folder, 2) };
        let (server, broker, name) = match &mosquitto {
            None => {
                let server = RunningServer::start(options);
                let broker = broker(server.address);
                (server, broker, "our own broker")
            }
            Some(mosquitto) => (RunningServer::through(options, mosquitto.network()), mosquitto.broker(), "Mosquitto"),
        };
        shoot(name, server, &broker, own);
    }
    let folder = tempfile::tempdir().unwrap();
    let server = RunningServer::start(options(&folder, 2));
    let broker = broker(server.address);
    flood(server, &broker);
}

/// Plays a match into the water. With a broker that `knows_senders` the server also answers shots without a valid
/// signature.
fn shoot(name: &str, server: RunningServer, broker: &BrokerAddress, knows_senders: bool) {
    let (mut first, mut second) = facing(broker);
    let water = Point::new(9, 9);
    let mut sealed = thread::scope(|scope| {
        let seal = |team: &mut scripted_team::ScriptedTeam| {
            (0..ROUNDS * SHOTS).map(|_| team.shot(water)).collect::<Vec<String>>()
        };
        let both = [&mut first, &mut second].map(|team| scope.spawn(move || seal(team)));
        both.map(|shots| shots.join().unwrap().into_iter())
    });
    let (mut key, mut echo, mut next, mut salvos) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut cipher = Cipher::default();
    let envelope = Envelope::read(&cipher.seal("x", "secret")).unwrap();
    for turn in 0..2 * ROUNDS {
        let (shooter, target) = if turn % 2 == 0 { (&first, &second) } else { (&second, &first) };
        let shots: Vec<String> = sealed[turn % 2].by_ref().take(SHOTS).collect();
        let is_last = turn + 1 == 2 * ROUNDS;
        let ends = if is_last { "/game/winner" } else { "/game/current" };
        if knows_senders {
            // All steps of a shot except the key.
            echo.push(timed(|| {
                shooter.fires("Nobody", &shots[0]);
                shooter.waits_for(&format!("/players/{}/error", shooter.name));
            }));
        }
        key.push(timed(|| drop(cipher.open(&envelope, "secret"))));
        if turn % 8 < 2 {
            salvos.push(timed(|| {
                shots.iter().for_each(|shot| shooter.fires(target.name, shot));
                shooter.waits_for(if is_last { "/game/hits" } else { ends });
            }));
        } else {
            let hit = format!("/players/{}/hit", target.name);
            for shot in &shots[..SHOTS - 1] {
                shooter.fires(target.name, shot);
                target.waits_for(&hit);
            }
            next.push(timed(|| {
                shooter.fires(target.name, &shots[SHOTS - 1]);
                shooter.waits_for(if is_last { "/game/hits" } else { ends });
            }));
        }
        if !is_last {
            target.waits_for("/game/current");
        }
    }
    let key_median = median(&mut key);
    let rate = SHOTS as f64 / median(&mut salvos).as_secs_f64();
    println!("{name}, {} salvos of {SHOTS} shots:", 2 * ROUNDS);
    println!("  a key alone {}", shown(&mut key));
    if knows_senders {
        println!("  a message and its answer without a key {}", shown(&mut echo));
    }
    println!("  last shot to the next /game/current {}", shown(&mut next));
    println!(
        "  {rate:.1} shots a second, {:.0} % of keys alone ({:.1} a second)",
        100.0 * rate * key_median.as_secs_f64(),
        1.0 / key_median.as_secs_f64()
    );
    server.stop();
}

/// Measures clients that wait for the answer to each message, with the embedded broker and its server, and with a
/// Mosquitto that echoes.
fn talk() {
    let folder = tempfile::tempdir().unwrap();
    let server = RunningServer::start(options(&folder, 2));
    let own = broker(server.address);
    let bare = Mosquitto::open(tempfile::tempdir().unwrap(), "");
    let elsewhere = bare.broker();
    let mut rates = [Vec::new(), Vec::new()];
    for round in 0..5 {
        for (at, broker) in [&own, &elsewhere].into_iter().enumerate() {
            let talkers: Vec<(RawClient, String, String)> = (0..TALKERS)
                .map(|talker| {
                    let name = format!("talker {round} {talker}");
                    let login = (at == 0).then(|| (name.clone(), secret(&name)));
                    let client = RawClient::come(&name, &BrokerAddress { login, ..broker.clone() }, |_| {});
                    let (to, from) = match at {
                        0 => ("/players/Nobody/fire".to_owned(), format!("/players/{name}/error")),
                        _ => (format!("/echo/{talker}"), format!("/echo/{talker}")),
                    };
                    assert!(client.subscribes(&from));
                    (client, to, from)
                })
                .collect();
            let time = timed(|| {
                thread::scope(|scope| {
                    for (client, to, from) in talkers {
                        scope.spawn(move || {
                            for _ in 0..TALKS {
                                client.says(&to, "{}");
                                client.hears_until(|topic, _| topic == from);
                            }
                        });
                    }
                });
            });
            rates[at].push((TALKERS * TALKS) as f64 / time.as_secs_f64());
        }
    }
    let [own, bare_rate] = rates.map(|mut rates| {
        rates.sort_by(f64::total_cmp);
        rates[rates.len() / 2]
    });
    println!("{TALKERS} clients that wait for each answer:");
    println!(
        "  our own broker with the server {own:.0} messages and answers a second, a Mosquitto that echoes {bare_rate:.0}"
    );
    server.stop();
}

/// Measures a salvo after a flood of forged shots from unknown senders.
fn flood(server: RunningServer, broker: &BrokerAddress) {
    let (mut first, second) = facing(broker);
    let shots: Vec<String> = (0..SHOTS as i32).map(|x| first.shot(Point::new(x, 9))).collect();
    let forged = first.shot_with(Point::new(0, 0), Point::new(0, 0), "another secret");
    let flooders: Vec<RawClient> =
        (0..FLOODERS).map(|at| RawClient::come(&format!("flood {at}"), broker, |_| {})).collect();
    for flooder in &flooders {
        while flooder.next() != fixture::Traffic::Connected {}
    }
    // This resets the peak of memory in the kernel's count.
    fs::write("/proc/self/clear_refs", "5").unwrap();
    let before = memory("VmRSS:");
    for _ in 0..FORGED / FLOODERS {
        for flooder in &flooders {
            let topic = format!("/players/{}/fire", second.name);
            flooder.client.publish(topic, QoS::AtMostOnce, false, forged.as_str()).unwrap();
        }
    }
    let mut salvo = Duration::ZERO;
    let goes_on = timed(|| {
        first.fires(second.name, &shots[0]);
        second.waits_for(&format!("/players/{}/hit", second.name));
        salvo = timed(|| {
            shots[1..].iter().for_each(|shot| first.fires(second.name, shot));
            first.waits_for("/game/current");
        });
    }) - salvo;
    let most = memory("VmHWM:");
    println!("{FORGED} forged shots at once, then a salvo:");
    println!("  its first shot has fallen after {goes_on:.0?}, the other four after {salvo:.0?} more");
    println!("  memory of server and clients {before} kB before, {most} kB at most");
    server.stop();
}

fn memory(field: &str) -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix(field)).unwrap();
    line.trim().trim_end_matches(" kB").parse().unwrap()
}

fn timed(work: impl FnOnce()) -> Duration {
    let begun = Instant::now();
    work();
    begun.elapsed()
}

fn median(times: &mut [Duration]) -> Duration {
    times.sort();
    times[times.len() / 2]
}

/// The median and the 99th percentile.
fn shown(times: &mut [Duration]) -> String {
    times.sort();
    let at = |part: f64| times[((times.len() - 1) as f64 * part).round() as usize].as_secs_f64() * 1000.0;
    format!("{:.1} ms (p99 {:.1})", at(0.5), at(0.99))
}
