"""The cards: one list per class, in the order of their card numbers. New cards go to the end of a list."""
