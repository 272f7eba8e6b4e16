"""The learning agents of the Liar's Dice thesis, rebuilt."""
