"""Dicewars: conquer a map of areas with dice; the course game of 2021, its predecessors, and its players."""
