"""Trained agents that ship with Azul: each folder here is an agent by its name."""
