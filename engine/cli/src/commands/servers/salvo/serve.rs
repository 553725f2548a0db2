//! `broadside salvo serve`: runs a game server.

use super::broker::{PASSWORD, broker, topics};
use crate::args::SalvoServeArgs;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::show::{self, Names};
use crate::signals;
use arena::record::Header;
use arena::{ArenaError, MatchEvent, Observer};
use rules::salvo::{Salvo, Settings};
use rules::{Eye, Game};
use salvo::{Absence, Network, Options, Server, ServerEvent, Spectator};
use std::net::SocketAddr;
use std::thread;
use std::time::Duration;
use web::LiveTable;
use web::wire::{LobbyView, WaitingTeam};

/// Serves until a signal stops the program, or the given number of matches was played.
///
/// # Errors
/// A broker that cannot be reached, an address that is taken, a folder in use, and a damaged journal or record.
pub(super) fn serve(args: &SalvoServeArgs) -> Result<Exit, Failure> {
    topics(args.topic_prefix.as_deref())?;
    let interrupt = signals::interrupt()?;
    let network = match &args.broker {
        None => Network::Embedded(args.listen),
        Some(url) => {
            let password = || args.password.clone().or_else(|| std::env::var(PASSWORD).ok()).unwrap_or_default();
            Network::External(broker(url, args.user.clone().map(|user| (user, password())))?)
        }
    };
    let options = Options {
        folder: args.dir.clone(),
        prefix: args.topic_prefix.clone(),
        place: args.place_seconds,
        turn: args.turn_seconds,
        absence: Absence {
            pass_after: Some(args.pass_after).filter(|salvos| *salvos > 0),
            forfeit_after: Some(args.forfeit_after).filter(|salvos| *salvos > 0),
            grace: args.grace_seconds,
        },
        teams_per_address: args.teams_per_address.unwrap_or_else(|| usual_teams_per_address(args.listen)),
        join_code: args.join_code.clone(),
        lobby_after: args.lobby_after,
        players: args.players,
        matches: args.matches,
        seed: args.seed,
        settings: Settings { rounds_without_sinking: args.rounds_without_sinking },
    };
    let mut server = Server::open(options, network)?;
    match (server.address(), &args.broker) {
        (Some(address), _) => show::tell(&format!("Clients connect to mqtt://{address}")),
        (None, Some(url)) => show::tell(&format!("Connected to {url}")),
        (None, None) => {}
    }
    show::tell(&format!("Administrator: broadside salvo admin --dir {} --help", args.dir.display()));
    let how = how_to_join(args, server.address());
    let live = args.live.map(|address| LiveTable::open(address, &LobbyView { teams: Vec::new(), how: how.clone() }));
    let live = live.transpose()?;
    if let Some(live) = &live {
        show::tell(&format!("Live: {}", live.url()));
    }
    let stopper = server.stopper();
    let stop = interrupt.clone();
    thread::spawn(move || {
        stop.wait();
        stopper.stop();
    });
    server.run(&mut ServerConsole { live, how, turn: args.turn_seconds })?;
    if interrupt.is_raised() {
        show::tell("Stopped; the same command continues with the data in the folder");
        return Ok(Exit::Interrupted);
    }
    Ok(Exit::Success)
}

/// The most teams of one address, unless the user says how many: half of the lobby, so that one address leaves room for others, but
/// all of it if nobody else can reach the broker.
fn usual_teams_per_address(listen: SocketAddr) -> u8 {
    if listen.ip().is_loopback() { 16 } else { 8 }
}

/// The address at which teams connect, in a sentence.
fn how_to_join(args: &SalvoServeArgs, own: Option<SocketAddr>) -> String {
    let broker = match (own, &args.broker) {
        (Some(address), _) if address.ip().is_unspecified() => format!("port {} of this machine", address.port()),
        (Some(address), _) => format!("mqtt://{address}"),
        (None, url) => url.clone().unwrap_or_default(),
    };
    let prefix = args.topic_prefix.as_ref().map(|prefix| format!("; topics begin with /{prefix}")).unwrap_or_default();
    format!("Teams connect by MQTT at {broker}{prefix}.")
}

/// Prints events to standard error, and shows them in the browser with `--live`.
struct ServerConsole {
    live: Option<LiveTable<Salvo>>,
    how: String,
    /// The time limit of a salvo.
    turn: Duration,
}

impl Spectator for ServerConsole {
    fn hear(&mut self, event: &ServerEvent<'_>) {
        let text = match event {
            ServerEvent::Lobby { teams: 0 } => "The lobby is open".to_owned(),
            ServerEvent::Lobby { teams } => format!("The lobby is open; teams from before: {teams}"),
            ServerEvent::Joined(name) => format!("{name} takes part"),
            ServerEvent::Ready(name) => format!("{name} has placed all ships"),
            ServerEvent::Removed { name, why } => format!("{name} is out: {why}"),
            ServerEvent::Ended => "The administrator has ended the match".to_owned(),
            ServerEvent::Begun { record, turns: 0, names } => {
                let names: Vec<&str> = names.iter().map(|(_, name)| name.as_str()).collect();
                format!("The match begins: {}; record {}", names.join(", "), record.display())
            }
            ServerEvent::Begun { record, turns, .. } => {
                format!("The match goes on after {turns} turns; record {}", record.display())
            }
            ServerEvent::Over { outcome, names } => {
                let why = outcome.ending.told(|seat| names[seat].clone());
                match outcome.winner {
                    Some(winner) => format!("{} wins: {why}", names[winner]),
                    None => format!("Nobody wins: {why}"),
                }
            }
        };
        show::say(&text);
    }

    fn wait(&mut self, teams: &[salvo::TeamStatus<'_>]) {
        let Some(live) = &mut self.live else { return };
        let teams = teams.iter().map(|team| WaitingTeam { name: team.name.to_owned(), ready: team.is_ready });
        live.lobby(&LobbyView { teams: teams.collect(), how: self.how.clone() });
    }

    fn begin(&mut self, header: &Header, first: &Salvo) -> Result<(), ArenaError> {
        if let Some(live) = &mut self.live {
            let names = Names::of_players(header.seats.iter().map(|(_, seat)| seat.details.name()));
            live.begin(first, show::about(header, &first.scene(Eye::Everyone), &names));
        }
        Ok(())
    }

    fn see(&mut self, event: &MatchEvent<'_, Salvo>) -> Result<(), ArenaError> {
        let Some(live) = &mut self.live else { return Ok(()) };
        live.on(event)?;
        if let MatchEvent::Opened { game, .. } = event
            && let Some(salvo) = game.salvo().filter(|salvo| salvo.left == salvo.shots)
        {
            live.clock(salvo.seat, self.turn);
        }
        Ok(())
    }
}
