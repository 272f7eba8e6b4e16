"""Agent folders that ship with the game: each has a short name in agent specs, that of its folder."""
