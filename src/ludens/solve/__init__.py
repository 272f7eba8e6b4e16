"""Equilibria: exact best responses and exploitability."""
