"""The contract, and nothing about any particular game."""

import os

# Before Numba is imported: LLVM's third level compiles a sixth longer for no speed we could measure.
os.environ.setdefault("NUMBA_OPT", "2")
