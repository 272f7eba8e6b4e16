"""Liar's Dice: hidden dice, rising bids and doubt, for 2 to 6 players."""
