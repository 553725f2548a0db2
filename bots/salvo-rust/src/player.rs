//! The reaction of the team to messages: topics and messages are those of docs/protocols/salvo.md in Broadside's
//! repository.

use crate::battle::Battle;
use crate::cipher::Cipher;
use crate::fleet::{Fleet, SHIPS};
use rand::SeedableRng;
use rand::rngs::StdRng;
use serde_json::{Value, json};

/// So many ships are put elsewhere after the server has refused them.
const PATIENCE: u32 = 50;

/// Something that is to be done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Action {
    /// Listen to a topic.
    Listen(String),
    /// Send a text.
    Send {
        /// On which topic.
        topic: String,
        /// The text of the message.
        text: String,
    },
    /// Tell whoever runs the bot.
    Tell(String),
    /// Stop: the game is over.
    Win {
        /// The winner; `None` if nobody has won.
        winner: Option<String>,
    },
    /// Stop: the server will not have the team, for this reason.
    GiveUp(String),
}

/// The state of the game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Lobby,
    Turn,
    Over,
}

/// A team at the table.
#[derive(Debug)]
pub struct Player {
    name: String,
    secret: String,
    /// The code that the server wants in a request; `None` if it wants none.
    pub join_code: Option<String>,
    cipher: Cipher,
    /// The beginning of all topics: nothing, or `/PREFIX`.
    root: String,
    random: StdRng,
    state: Option<State>,
    /// True if the state was told since the connection was made. Messages kept on other topics may come before.
    is_informed: bool,
    /// Those who take part.
    players: Vec<String>,
    /// True if the team was one of them in this game.
    takes_part: bool,
    fleet: Fleet,
    is_placed: bool,
    /// The number of ships that may still be put elsewhere.
    patience: u32,
    battle: Battle,
    winner: Option<String>,
}

impl Player {
    /// A team; all topics are below `/PREFIX` if there is a prefix.
    pub fn new(name: &str, secret: &str, prefix: Option<&str>) -> Player {
        let mut random = StdRng::from_rng(&mut rand::rng());
        Player {
            name: name.to_owned(),
            secret: secret.to_owned(),
            join_code: None,
            cipher: Cipher::new(secret),
            root: prefix.map_or_else(String::new, |prefix| format!("/{prefix}")),
            state: None,
            is_informed: false,
            players: Vec::new(),
            takes_part: false,
            fleet: Fleet::random(&mut random),
            is_placed: false,
            patience: PATIENCE,
            battle: Battle::default(),
            winner: None,
            random,
        }
    }

    /// There is a connection; also after it was lost, because the broker may have forgotten what we listen to.
    pub fn connected(&mut self) -> Vec<Action> {
        self.is_informed = false;
        // The placements may not have arrived.
        self.is_placed = false;
        let own = ["error", "ships/+/error", "ships/+/sunk"].map(|what| format!("/players/{}/{what}", self.name));
        let all = ["/players/list", "/players/+/defeated", "/game/refused", "/game/hits", "/game/winner"];
        // The state comes last: by then everything else that the broker has kept is known.
        let last = ["/game/current", "/game/state"];
        let topics = own.into_iter().chain(all.into_iter().chain(last).map(str::to_owned));
        topics.map(|topic| Action::Listen(format!("{}{topic}", self.root))).collect()
    }

    /// Somebody says something.
    pub fn hear(&mut self, topic: &str, text: &str) -> Vec<Action> {
        let Some(path) = topic.strip_prefix(self.root.as_str()) else { return Vec::new() };
        // An empty message takes back one that was kept of an earlier game.
        if text.is_empty() {
            return Vec::new();
        }
        let levels: Vec<&str> = path.split('/').skip(1).collect();
        match levels.as_slice() {
            ["game", "state"] => return self.game_is(text),
            ["game", "refused"] => return self.refused(text),
            ["players", "list"] => {
                let was_in = self.players.contains(&self.name);
                self.players = serde_json::from_str(text).unwrap_or_default();
                if was_in && !self.players.contains(&self.name) && self.is_in(State::Lobby) {
                    // Our ships were not there in time.
                    self.is_placed = false;
                    return vec![self.request()];
                }
                return self.place();
            }
            ["players", _, "ships", ship, "error"] => return self.misplaced(ship, text),
            ["players", _, "error"] => {
                let tell = Action::Tell(format!("the server says: {text}"));
                // `4 shots are lost: …` is no answer to a shot.
                if text.contains(" lost: ") {
                    return vec![tell];
                }
                self.battle.shot_refused();
                return [tell].into_iter().chain(self.fire()).collect();
            }
            ["game", "current"] => {
                self.battle.salvo_begins(text == self.name);
                return self.fire();
            }
            ["game", "hits"] => self.battle.salvo_over(text.parse().unwrap_or_default()),
            ["game", "winner"] => self.winner = Some(text.to_owned()),
            ["players", player, "ships", ship, "sunk"] if *player == self.name => self.battle.lost_ship(ship),
            ["players", player, "defeated"] => self.battle.defeated(player),
            _ => {}
        }
        Vec::new()
    }

    fn game_is(&mut self, state: &str) -> Vec<Action> {
        let before = self.state;
        self.is_informed = true;
        self.state = match state {
            "lobby" => Some(State::Lobby),
            "turn" => Some(State::Turn),
            "over" => Some(State::Over),
            _ => None,
        };
        match self.state {
            Some(State::Lobby) => {
                if before != self.state {
                    self.forget();
                }
                [self.request()].into_iter().chain(self.place()).collect()
            }
            Some(State::Turn) => {
                self.takes_part |= self.players.contains(&self.name);
                self.fire()
            }
            // Of a game of others, the team waits for the end.
            Some(State::Over) if self.takes_part => vec![Action::Win { winner: self.winner.clone() }],
            _ => Vec::new(),
        }
    }

    /// A new game begins.
    fn forget(&mut self) {
        (self.takes_part, self.is_placed, self.patience) = (false, false, PATIENCE);
        (self.battle, self.winner) = (Battle::default(), None);
        self.fleet = Fleet::random(&mut self.random);
    }

    fn is_in(&self, state: State) -> bool {
        self.is_informed && self.state == Some(state)
    }

    fn refused(&self, text: &str) -> Vec<Action> {
        let refused: Value = serde_json::from_str(text).unwrap_or_default();
        let is_us = refused["name"] == self.name.as_str() && self.is_in(State::Lobby);
        // Somebody else may have asked for our name.
        if !is_us || self.players.contains(&self.name) {
            return Vec::new();
        }
        vec![Action::GiveUp(refused["error"].as_str().unwrap_or("no reason is given").to_owned())]
    }

    /// Places all ships, as soon as the server knows the team.
    fn place(&mut self) -> Vec<Action> {
        if self.is_placed || !self.is_in(State::Lobby) || !self.players.contains(&self.name) {
            return Vec::new();
        }
        (self.is_placed, self.takes_part) = (true, true);
        SHIPS.iter().filter_map(|(ship, _)| self.place_ship(ship)).collect()
    }

    fn place_ship(&self, ship: &str) -> Option<Action> {
        let place = self.cipher.encrypt(&self.fleet.message(ship)?);
        Some(self.send(&format!("/players/{}/ships/{ship}/place", self.name), place))
    }

    /// A ship cannot lie there: that of a bot that was started again may be above one that was placed before.
    fn misplaced(&mut self, ship: &str, why: &str) -> Vec<Action> {
        let mut actions = vec![Action::Tell(format!("the server says of the {ship}: {why}"))];
        if self.patience > 0 && self.is_in(State::Lobby) {
            self.patience -= 1;
            self.fleet.move_ship(ship, &mut self.random);
            actions.extend(self.place_ship(ship));
        }
        actions
    }

    /// Fires what is left of the salvo, if it is ours.
    fn fire(&mut self) -> Vec<Action> {
        let mut actions = Vec::new();
        if !self.is_in(State::Turn) {
            return actions;
        }
        let others: Vec<String> = self.players.iter().filter(|player| **player != self.name).cloned().collect();
        while let Some((target, cell)) = self.battle.next_shot(&others, &mut self.random) {
            let data = json!({ "x": cell.x, "y": cell.y });
            let signature = self.cipher.encrypt(&data.to_string());
            let shot = json!({ "data": data, "signature": signature }).to_string();
            actions.push(self.send(&format!("/players/{target}/fire"), shot));
        }
        actions
    }

    fn request(&self) -> Action {
        let mut request = json!({ "name": self.name, "secret": self.secret });
        if let Some(code) = &self.join_code {
            request["code"] = json!(code);
        }
        self.send("/game/request_participation", request.to_string())
    }

    fn send(&self, topic: &str, text: String) -> Action {
        Action::Send { topic: format!("{}{topic}", self.root), text }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cipher::decrypt;

    /// A team that was let into the lobby.
    fn listed() -> Player {
        let mut player = Player::new("Henkiebunch", "cockadoodledoo", None);
        player.connected();
        let request = r#"{"name":"Henkiebunch","secret":"cockadoodledoo"}"#;
        assert_eq!(
            player.hear("/game/state", "lobby"),
            [player.send("/game/request_participation", request.to_owned())]
        );
        assert_eq!(sent(&player.hear("/players/list", r#"["Henkiebunch","Hunter"]"#)).len(), 5);
        player
    }

    /// One whose turn it is, and the shots it fires.
    fn firing() -> (Player, Vec<(String, String)>) {
        let mut player = listed();
        assert_eq!(player.hear("/game/state", "turn"), []);
        let shots = sent(&player.hear("/game/current", "Henkiebunch"));
        (player, shots)
    }

    fn sent(actions: &[Action]) -> Vec<(String, String)> {
        let sent = |action: &Action| match action {
            Action::Send { topic, text } => Some((topic.clone(), text.clone())),
            _ => None,
        };
        actions.iter().filter_map(sent).collect()
    }

    #[test]
    fn all_ships_are_placed_once_the_server_knows_the_team() {
        let mut player = Player::new("Henkiebunch", "cockadoodledoo", Some("monday"));
        let topics = player.connected();
        assert_eq!(topics[0], Action::Listen("/monday/players/Henkiebunch/error".to_owned()));
        assert_eq!(topics.last(), Some(&Action::Listen("/monday/game/state".to_owned())));
        assert_eq!(player.hear("/game/state", "lobby"), [], "another prefix is another game");
        assert_eq!(sent(&player.hear("/monday/game/state", "lobby")).len(), 1);
        assert_eq!(player.hear("/monday/players/list", r#"["Hunter"]"#), []);
        let placed = sent(&player.hear("/monday/players/list", r#"["Hunter","Henkiebunch"]"#));
        assert_eq!(placed[0].0, "/monday/players/Henkiebunch/ships/carrier/place");
        assert_eq!(decrypt(&placed[0].1, "cockadoodledoo"), player.fleet.message("carrier"));
        assert_eq!(placed.len(), 5);
        assert_eq!(player.hear("/monday/players/list", r#"["Hunter","Henkiebunch","Third"]"#), []);
    }

    #[test]
    fn after_a_lost_connection_the_same_ships_are_placed_and_shots_are_fired_anew() {
        let mut player = listed();
        let fleet = player.fleet.clone();
        player.connected();
        assert_eq!(player.hear("/players/list", r#"["Henkiebunch","Hunter"]"#), []);
        assert_eq!(sent(&player.hear("/game/state", "lobby")).len(), 6);
        assert_eq!(player.fleet, fleet);
        player.connected();
        assert_eq!(player.hear("/game/current", "Henkiebunch"), [], "more may be known by the time the state is");
        assert_eq!(sent(&player.hear("/game/state", "turn")).len(), 5);
    }

    #[test]
    fn a_request_has_the_join_code() {
        let mut player = Player::new("A", "x", None);
        player.join_code = Some("kraken".to_owned());
        player.connected();
        let request = json!({ "name": "A", "secret": "x", "code": "kraken" }).to_string();
        assert_eq!(sent(&player.hear("/game/state", "lobby"))[0].1, request);
    }

    #[test]
    fn who_was_put_out_asks_again_and_places_again() {
        let mut player = listed();
        assert_eq!(sent(&player.hear("/players/list", r#"["Hunter"]"#))[0].0, "/game/request_participation");
        assert_eq!(sent(&player.hear("/players/list", r#"["Hunter","Henkiebunch"]"#)).len(), 5);
    }

    #[test]
    fn shots_that_are_lost_are_not_fired_again() {
        let (mut player, _) = firing();
        let told = player.hear("/players/Henkiebunch/error", "2 shots are lost: Henkiebunch took too long");
        assert!(matches!(told.as_slice(), [Action::Tell(_)]), "{told:?}");
    }

    #[test]
    fn shots_are_signed() {
        let (_, shots) = firing();
        assert_eq!(shots.len(), 5);
        for (topic, shot) in shots {
            assert_eq!(topic, "/players/Hunter/fire");
            let shot: Value = serde_json::from_str(&shot).unwrap();
            let signed = decrypt(shot["signature"].as_str().unwrap(), "cockadoodledoo").unwrap();
            assert_eq!(serde_json::from_str::<Value>(&signed).unwrap(), shot["data"]);
        }
    }

    #[test]
    fn a_refused_shot_is_replaced_and_a_refused_ship_is_moved() {
        let (mut player, _) = firing();
        let again = player.hear("/players/Henkiebunch/error", "the signature was used before");
        assert_eq!(again[0], Action::Tell("the server says: the signature was used before".to_owned()));
        assert_eq!(sent(&again).len(), 1);
        player.hear("/game/hits", "2");
        assert_eq!(sent(&player.hear("/players/Henkiebunch/error", "it is the turn of Hunter")), []);

        let mut player = listed();
        let moved = sent(&player.hear("/players/Henkiebunch/ships/carrier/error", "there is the battleship"));
        assert_eq!(moved[0].0, "/players/Henkiebunch/ships/carrier/place");
        assert_eq!(decrypt(&moved[0].1, "cockadoodledoo"), player.fleet.message("carrier"));
    }

    #[test]
    fn the_winner_is_told_at_the_end() {
        let (mut player, _) = firing();
        player.hear("/players/Hunter/defeated", "true");
        player.hear("/game/winner", "Henkiebunch");
        let winner = Some("Henkiebunch".to_owned());
        assert_eq!(player.hear("/game/state", "over"), [Action::Win { winner }]);
        assert_eq!(firing().0.hear("/game/state", "over"), [Action::Win { winner: None }]);
    }

    #[test]
    fn the_end_of_a_game_of_others_is_waited_for() {
        let mut player = Player::new("Henkiebunch", "cockadoodledoo", None);
        player.connected();
        player.hear("/players/list", r#"["Hunter","Deep Water"]"#);
        player.hear("/players/Hunter/defeated", "true");
        assert_eq!(player.hear("/game/state", "over"), []);
        player.hear("/players/Hunter/defeated", "");
        assert_eq!(sent(&player.hear("/game/state", "lobby")).len(), 1);
        player.hear("/players/list", r#"["Hunter","Henkiebunch"]"#);
        player.hear("/game/state", "turn");
        let shots = sent(&player.hear("/game/current", "Henkiebunch"));
        assert_eq!(shots.len(), 5, "Hunter is in again");
    }

    #[test]
    fn who_is_refused_in_the_lobby_gives_up() {
        let mut player = Player::new("Henkiebunch", "cockadoodledoo", None);
        player.connected();
        player.hear("/game/state", "lobby");
        assert_eq!(player.hear("/game/refused", r#"{"name":"Hunter","error":"no"}"#), []);
        let refused = r#"{"name":"Henkiebunch","error":"another team has this name"}"#;
        assert_eq!(player.hear("/game/refused", refused), [Action::GiveUp("another team has this name".to_owned())]);
        assert_eq!(listed().hear("/game/refused", refused), [], "somebody else has tried");
    }
}
