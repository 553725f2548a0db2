//! state.json as the hunter reads it.

use crate::json::Json;
use rules::entelect_2017::files::wire::{
    Cell, OpponentCell, OpponentMap, OpponentShip, OwnShip, OwnWeapon, Owner, PlayerMap, Shield, StateFile,
};

/// The state that a text describes.
///
/// # Errors
/// The text is not JSON, or lacks something: a sentence about it.
pub(crate) fn read(text: &str) -> Result<StateFile, String> {
    StateFile::read(&Json::read(text)?)
}

/// A type that can be read.
trait Read: Sized {
    fn read(json: &Json) -> Result<Self, String>;
}

/// Reads the objects: the names of their members, and the fields.
macro_rules! objects {
    ($($object:ident { $($name:ident: $field:ident),* })*) => {$(
        impl Read for $object {
            fn read(json: &Json) -> Result<$object, String> {
                Ok($object { $($field: member(json, stringify!($name))?),* })
            }
        }
    )*};
}

/// The member of an object. One that is not there is as good as null.
fn member<T: Read>(json: &Json, name: &str) -> Result<T, String> {
    T::read(json.get(name).unwrap_or(&Json::Null)).map_err(|why| format!("{name}: {why}"))
}

objects! {
    StateFile {
        PlayerMap: player_map, OpponentMap: opponent_map, GameVersion: game_version, GameLevel: game_level,
        Round: round, MapDimension: map_dimension, Phase: phase, Player1Map: player1_map, Player2Map: player2_map
    }
    PlayerMap { Cells: cells, Owner: owner, MapWidth: map_width, MapHeight: map_height }
    Cell { Occupied: occupied, Hit: hit, X: x, Y: y, Shielded: shielded, ShieldHit: shield_hit }
    Owner {
        FailedFirstPhaseCommands: failed_first_phase_commands, Name: name, Ships: ships, Points: points, Energy: energy,
        Killed: killed, IsWinner: is_winner, ShotsFired: shots_fired, ShotsHit: shots_hit, Shield: shield,
        ShipsRemaining: ships_remaining, Key: key
    }
    OwnShip { Cells: cells, Destroyed: destroyed, Placed: placed, ShipType: ship_type, Weapons: weapons }
    OwnWeapon { WeaponType: weapon_type, EnergyRequired: energy_required }
    Shield {
        ChargeTime: charge_time, RoundLastUsed: round_last_used, CurrentCharges: current_charges, Active: active,
        CurrentRadius: current_radius, MaxRadius: max_radius, CenterPoint: center_point
    }
    OpponentMap { Ships: ships, Alive: alive, Points: points, Name: name, Cells: cells }
    OpponentShip { Destroyed: destroyed, ShipType: ship_type }
    OpponentCell { Damaged: damaged, Missed: missed, X: x, Y: y, ShieldHit: shield_hit }
}

impl<T: Read> Read for Option<T> {
    fn read(json: &Json) -> Result<Option<T>, String> {
        if *json == Json::Null { Ok(None) } else { T::read(json).map(Some) }
    }
}

impl<T: Read> Read for Vec<T> {
    fn read(json: &Json) -> Result<Vec<T>, String> {
        let Json::List(items) = json else { return Err("it is not a list".to_owned()) };
        items.iter().map(T::read).collect()
    }
}

impl Read for bool {
    fn read(json: &Json) -> Result<bool, String> {
        if let Json::Bool(value) = json { Ok(*value) } else { Err("it is not true or false".to_owned()) }
    }
}

impl Read for String {
    fn read(json: &Json) -> Result<String, String> {
        if let Json::Text(text) = json { Ok(text.clone()) } else { Err("it is not a text".to_owned()) }
    }
}

impl Read for u32 {
    fn read(json: &Json) -> Result<u32, String> {
        whole(json, 0.0, f64::from(u32::MAX)).map(|number| number as u32)
    }
}

impl Read for i32 {
    fn read(json: &Json) -> Result<i32, String> {
        whole(json, f64::from(i32::MIN), f64::from(i32::MAX)).map(|number| number as i32)
    }
}

fn whole(json: &Json, least: f64, most: f64) -> Result<f64, String> {
    match json {
        Json::Number(number) if number.fract() == 0.0 && (least..=most).contains(number) => Ok(*number),
        _ => Err("it is not a whole number of this size".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::entelect_2017::files::{Files, STATE_JSON};
    use rules::entelect_2017::{Entelect2017, MapSize, Settings};
    use rules::{Game, PlayerInfo, Seat};

    #[test]
    fn a_state_is_read_as_the_engine_reads_it() {
        for size in MapSize::ALL {
            let game = Entelect2017::start(&Settings { size }, 2, 0).unwrap();
            let files = Files::new(["Alpha \"\\é", "Bravo"].into_iter().map(PlayerInfo::named).collect());
            let parts = files.player_files(&game.view(Seat::A));
            let state = parts.into_iter().find(|part| part.name == STATE_JSON).unwrap();
            let expected: StateFile = serde_json::from_slice(&state.bytes).unwrap();
            let found = read(std::str::from_utf8(&state.bytes).unwrap()).unwrap();
            assert_eq!(format!("{found:?}"), format!("{expected:?}"));
        }
    }

    #[test]
    fn a_state_that_lacks_something_is_refused_with_its_name() {
        assert_eq!(read("{\"Phase\":1}").unwrap_err(), "GameVersion: it is not a text");
        let cells = "{\"OpponentMap\":{\"Ships\":[],\"Alive\":true,\"Points\":0,\"Name\":\"\",\"Cells\":[{}]}}";
        assert_eq!(read(cells).unwrap_err(), "OpponentMap: Cells: Damaged: it is not true or false");
        assert!(read("{\"Phase\":").unwrap_err().contains(" at byte "));
    }
}
