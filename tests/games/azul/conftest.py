"""Lets the tests of Azul import the reference engine and the helpers beside them by their full names."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))
