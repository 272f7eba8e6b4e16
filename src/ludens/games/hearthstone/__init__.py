"""Hearthstone as of February 2016: two heroes, two decks of thirty cards; the rules compiled, the cards as data."""
