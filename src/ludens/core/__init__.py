"""The core: what games, agents and drivers are made of. Nothing here knows a particular game."""

import os

# Set before Numba is imported: LLVM's level 3 takes a sixth longer to compile, for no measurable speed.
os.environ.setdefault("NUMBA_OPT", "2")
