"""The learning players of the Liar's Dice thesis, rebuilt."""
