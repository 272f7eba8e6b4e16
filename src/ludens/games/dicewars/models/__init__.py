"""The agent folders shipped with Dicewars, by their short names."""
