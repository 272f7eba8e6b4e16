"""Trained agents that ship with Liar's Dice: each folder here is an agent by its name."""
