//! What a view of Battleship says of fleets.
