//! What a view of Salvo says of fleets.
