"""The cards: one table a class, in the order of their numbers. New cards go to the end of their table."""
