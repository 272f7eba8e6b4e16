"""The players of the Dicewars thesis and three of its course's, rebuilt."""
