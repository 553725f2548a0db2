//! From names and texts of Python to the games.

use environments::{ActionMatch, Encoded, Layout, MaskKind, Options, Placement, Reward};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use rules::battleship::{self, Battleship};
use rules::bots_arena::{self, BotsArena};
use rules::entelect_2017::Entelect2017;
use rules::entelect_2017::files::{COMMAND_TXT, Files, PLACE_TXT};
use rules::salvo::{Salvo, ShotResult};
use rules::sea_battle::{self, SeaBattle};
use rules::{ContentType, Dialect, GameKind, Grid, Outcome, Part, PlayerInfo, Seat};
use serde_json::{Map, Value, json};

/// A game of the package: with what only Python needs to know of it.
pub(crate) trait PythonGame: Encoded {
    /// The message that a bot gets in this turn, as JSON.
    fn told(&self, seat: Seat, names: &[String]) -> String {
        Self::told_of(&self.view(seat), seat, names)
    }

    /// The message that a bot with this view gets, as JSON.
    fn told_of(view: &Self::View, seat: Seat, names: &[String]) -> String;

    /// The part that the text of an answer is now, where there is one only.
    fn part_now(is_placing: bool) -> Option<&'static str>;

    /// The usual settings, as far as those that are given leave them open.
    fn usual(_given: &Map<String, Value>) -> Map<String, Value> {
        Self::KIND.default_settings()
    }

    /// True if fleets are placed in this view.
    fn view_is_placing(view: &Self::View) -> bool;
}

fn infos(names: &[String]) -> rules::BySeat<PlayerInfo> {
    names.iter().map(|name| PlayerInfo::named(name)).collect()
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8_lossy(&bytes).into_owned()
}

impl PythonGame for Entelect2017 {
    fn told_of(view: &Self::View, _: Seat, names: &[String]) -> String {
        text(Files::new(infos(names)).player_files(view).swap_remove(0).bytes)
    }

    fn part_now(is_placing: bool) -> Option<&'static str> {
        Some(if is_placing { PLACE_TXT } else { COMMAND_TXT })
    }

    fn view_is_placing(view: &Self::View) -> bool {
        view.phase == rules::entelect_2017::Phase::One
    }
}

impl PythonGame for SeaBattle {
    /// The number of moves depends on the profile.
    fn usual(given: &Map<String, Value>) -> Map<String, Value> {
        let profile = given.get("profile").and_then(Value::as_str).and_then(sea_battle::Profile::from_name);
        let usual = serde_json::to_value(sea_battle::Settings::of(profile.unwrap_or_default()));
        usual.ok().and_then(|usual| usual.as_object().cloned()).unwrap_or_default()
    }

    fn told_of(view: &Self::View, seat: Seat, _: &[String]) -> String {
        text(sea_battle::Json::new("python").ask(seat, view).body)
    }

    fn part_now(is_placing: bool) -> Option<&'static str> {
        Some(if is_placing { sea_battle::PLACEMENT } else { sea_battle::MOVE })
    }

    fn view_is_placing(view: &Self::View) -> bool {
        view.turn == 0
    }
}

impl PythonGame for BotsArena {
    fn told_of(view: &Self::View, seat: Seat, names: &[String]) -> String {
        let names = names.iter().cloned().collect();
        let question = bots_arena::Requests::new(bots_arena::Body::Json, 1, names).ask(seat, view);
        debug_assert_eq!(question.content, ContentType::Json);
        text(question.body)
    }

    fn part_now(is_placing: bool) -> Option<&'static str> {
        Some(if is_placing { bots_arena::INIT_JSON } else { bots_arena::PLAY_TURN })
    }

    fn view_is_placing(view: &Self::View) -> bool {
        view.placing
    }
}

impl PythonGame for Salvo {
    fn told_of(view: &Self::View, _: Seat, names: &[String]) -> String {
        let cell = |at: rules::Point| json!([at.x, at.y]);
        let found = |found: ShotResult| match found {
            ShotResult::Water => json!("miss"),
            ShotResult::Again => json!("hit again"),
            ShotResult::Hit => json!("hit"),
            ShotResult::Sunk(ship) => json!(format!("sank {ship}")),
        };
        let shot = |shot: &rules::salvo::OwnShot| json!({ "target": shot.target, "at": cell(shot.at), "sank": shot.sank.map(|ship| ship.name()) });
        let players = view.players.iter().map(|(seat, player)| {
            let afloat: Vec<&str> = player.afloat.iter().map(|ship| ship.name()).collect();
            json!({ "seat": seat, "name": names.get(seat.index()), "in": player.is_in, "afloat": afloat })
        });
        let salvo = view.salvo.map(|salvo| json!({ "seat": salvo.seat, "shots": salvo.shots, "left": salvo.left }));
        let last = view.last.map(|last| json!({ "seat": last.seat, "shots": last.shots, "hits": last.hits }));
        let told = json!({
            "seat": view.seat,
            "turn": view.turn,
            "round": view.round,
            "salvo": salvo,
            "lastSalvo": last,
            "players": players.collect::<Vec<Value>>(),
            "fleet": view.fleet.iter().map(|ship| json!({ "ship": ship.ship, "at": cell(ship.at), "orientation": ship.orientation.name() })).collect::<Vec<_>>(),
            "received": view.received.iter().map(|shot| json!({ "by": shot.by, "at": cell(shot.at), "found": found(shot.found) })).collect::<Vec<_>>(),
            "ownSalvos": view.own_salvos.iter().map(|salvo| json!({ "hits": salvo.hits, "shots": salvo.shots.iter().map(shot).collect::<Vec<_>>() })).collect::<Vec<_>>(),
            "ownShots": view.own_shots.iter().map(shot).collect::<Vec<_>>(),
        });
        told.to_string()
    }

    fn part_now(_: bool) -> Option<&'static str> {
        None
    }

    fn view_is_placing(view: &Self::View) -> bool {
        view.turn == 0
    }
}

impl PythonGame for Battleship {
    fn told_of(view: &Self::View, seat: Seat, names: &[String]) -> String {
        text(battleship::Json::new("python", names.iter().cloned().collect()).ask(seat, view).body)
    }

    fn part_now(is_placing: bool) -> Option<&'static str> {
        Some(if is_placing { battleship::PLACE } else { battleship::FIRE })
    }

    fn view_is_placing(view: &Self::View) -> bool {
        view.placing
    }
}

/// The kind of a game by its name.
pub(crate) fn kind(game: &str) -> PyResult<GameKind> {
    GameKind::from_name(game).ok_or_else(|| {
        let all = GameKind::ALL.map(GameKind::name).join(", ");
        PyValueError::new_err(format!("there is no game {}; the games are {all}", quoted(game)))
    })
}

/// The settings of a game, from JSON.
pub(crate) fn settings<G: PythonGame>(text: &str) -> PyResult<G::Settings> {
    let given: Value = serde_json::from_str(text)
        .map_err(|error| PyValueError::new_err(format!("settings: {}", rules::json_mistake(&error))))?;
    let Value::Object(given) = given else { return Err(PyValueError::new_err("settings are a JSON object")) };
    let mut all = G::usual(&given);
    all.extend(given);
    serde_json::from_value(all.into()).map_err(|error| {
        PyValueError::new_err(format!("settings of {}: {}", G::KIND.name(), rules::json_mistake(&error)))
    })
}

/// The options of a match by their names.
pub(crate) fn options(placement: &str, mask: &str, reward: &str) -> PyResult<Options> {
    Ok(Options {
        placement: choice("placement", placement, [("random", Placement::Random), ("agents", Placement::Agents)])?,
        mask: mask_kind(mask)?,
        reward: choice("reward", reward, [("outcome", Reward::Outcome), ("hits", Reward::Hits)])?,
    })
}

pub(crate) fn mask_kind(mask: &str) -> PyResult<MaskKind> {
    choice("mask", mask, [("useful", MaskKind::Useful), ("legal", MaskKind::Legal)])
}

/// A text as Python shows it.
pub(crate) fn quoted(text: &str) -> String {
    format!("'{}'", rules::printable(text))
}

/// One of the values by its name.
pub(crate) fn choice<T: Copy, const N: usize>(what: &str, given: &str, all: [(&str, T); N]) -> PyResult<T> {
    all.iter().find(|(name, _)| *name == given).map(|(_, value)| *value).ok_or_else(|| {
        let names = all.map(|(name, _)| quoted(name)).join(" or ");
        PyValueError::new_err(format!("{what} is {names}, not {}", quoted(given)))
    })
}

/// The seat with this number.
pub(crate) fn seat(number: usize, seats: usize) -> PyResult<Seat> {
    let seat = u8::try_from(number).ok().filter(|_| number < seats).and_then(Seat::new);
    let most = seats.saturating_sub(1);
    seat.ok_or_else(|| PyValueError::new_err(format!("there is no seat {number}; they go from 0 to {most}")))
}

/// The number of players that is given, or the least of the game with these settings.
pub(crate) fn seats<G: Encoded>(settings: &G::Settings, players: Option<u8>) -> u8 {
    players.unwrap_or(*G::seats(settings).start())
}

/// The parts of an answer. Their names must be among those of the game, each once.
pub(crate) fn parts<G: Encoded>(given: Vec<(String, Vec<u8>)>) -> PyResult<Vec<Part>> {
    for (at, (name, _)) in given.iter().enumerate() {
        if given[..at].iter().any(|(other, _)| other == name) {
            return Err(PyValueError::new_err(format!("an answer has the part {} once only", quoted(name))));
        }
    }
    let part = |(name, bytes): (String, Vec<u8>)| {
        let known = G::ANSWER_PARTS.iter().find(|known| **known == name);
        let name = known.ok_or_else(|| {
            let all = G::ANSWER_PARTS.join(", ");
            PyValueError::new_err(format!(
                "an answer of {} has no part {}; its parts are {all}",
                G::KIND.name(),
                quoted(&name)
            ))
        })?;
        Ok(Part { name, bytes })
    };
    given.into_iter().map(part).collect()
}

/// An error of the engine.
pub(crate) fn failed(error: impl std::fmt::Display) -> PyErr {
    PyRuntimeError::new_err(error.to_string())
}

/// A mistake of the caller.
pub(crate) fn wrong(error: impl std::fmt::Display) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// An outcome as a dictionary.
pub(crate) fn outcome<'py>(py: Python<'py>, outcome: &Outcome) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("winner", outcome.winner.map(Seat::index))?;
    dict.set_item("ranking", outcome.ranking.iter().map(|seat| seat.index()).collect::<Vec<_>>())?;
    dict.set_item("points", outcome.points.iter().map(|(_, points)| *points).collect::<Vec<_>>())?;
    dict.set_item("scoring", outcome.scoring.unit())?;
    dict.set_item("ending", outcome.ending.told(|seat| seat.to_string()))?;
    dict.set_item("turns", outcome.turns)?;
    Ok(dict)
}

/// A layout as a dictionary.
pub(crate) fn layout_of<'py>(py: Python<'py>, layout: &Layout) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    let Layout { grid, kinds, place_kinds, planes, scalars, ships, .. } = layout;
    let sides = |grid: &Grid| (grid.width(), grid.height());
    dict.set_item("board", sides(grid))?;
    dict.set_item("actions", layout.actions())?;
    dict.set_item("kinds", kinds)?;
    dict.set_item("place_kinds", if layout.agents_place { *place_kinds } else { 0 })?;
    dict.set_item("planes", planes)?;
    dict.set_item("scalars", scalars)?;
    let ships: Vec<(&str, usize)> = ships.iter().map(|ship| (ship.name.as_str(), ship.length())).collect();
    dict.set_item("ships", PyList::new(py, ships)?)?;
    dict.set_item("agents_place", layout.agents_place)?;
    Ok(dict)
}

/// The layout of a game with these settings, as a dictionary.
#[pyfunction]
#[pyo3(signature = (game, settings="{}", players=None, placement="random"))]
pub(crate) fn layout<'py>(
    py: Python<'py>,
    game: &str,
    settings: &str,
    players: Option<u8>,
    placement: &str,
) -> PyResult<Bound<'py, PyDict>> {
    let options = options(placement, "useful", "outcome")?;
    rules::for_game!(kind(game)?, G => {
        let settings = self::settings::<G>(settings)?;
        let seats = seats::<G>(&settings, players);
        let action_match = ActionMatch::<G>::new(settings, seats, options).map_err(wrong)?;
        layout_of(py, action_match.layout())
    })
}

/// The rules of this name, a preset or the path of a file, as JSON.
#[pyfunction]
pub(crate) fn rules_as_json(wanted: &str) -> PyResult<String> {
    let rules = rule_files::find(wanted).map_err(|error| wrong(runner::with_causes(&error)))?;
    serde_json::to_string(&rules).map_err(failed)
}

/// The seed that the player in a seat is given in a match with this seed.
#[pyfunction]
pub(crate) fn seat_seed(seed: u64, seat: usize) -> PyResult<u64> {
    Ok(rules::seat_seed(seed, self::seat(seat, Seat::MAX.into())?))
}

/// Writes the lines of a record to a file, compressed if its name ends with `.zst`.
#[pyfunction]
pub(crate) fn save(path: std::path::PathBuf, lines: &[u8]) -> PyResult<()> {
    arena::record::save(&path, lines).map_err(|error| pyo3::exceptions::PyOSError::new_err(error.to_string()))
}
