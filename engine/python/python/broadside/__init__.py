"""Battleship environments."""
