"""Lets the tests import the toy games by their full names, here and in child processes."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
collect_ignore = ["toys"]
