"""Learning: networks, agent folders, and learners that know the contract of a game but no game."""
