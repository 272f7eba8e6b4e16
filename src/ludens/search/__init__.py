"""Tree searches and rollouts that play any game through its operations."""
