"""Azul: tile drafting for 2 to 4 players."""
