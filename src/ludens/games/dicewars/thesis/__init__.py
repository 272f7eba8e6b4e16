"""The agent of the Dicewars thesis and three bots of its course, rebuilt."""
