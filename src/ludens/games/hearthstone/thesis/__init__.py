"""The scripted players of the Hearthstone thesis, rebuilt."""
