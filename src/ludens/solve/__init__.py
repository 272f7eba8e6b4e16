"""Solvers: exact answers for small games, and vector CFR+ for two-player bluffing rounds."""
