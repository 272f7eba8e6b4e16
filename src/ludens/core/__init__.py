"""The contract, and nothing about any particular game."""
