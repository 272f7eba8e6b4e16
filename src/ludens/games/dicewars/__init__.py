"""Dicewars: conquer a map of areas with dice. The course game of 2021, its predecessors as options, and its agents."""
