"""The agent folders shipped with Hearthstone, by their short names."""
