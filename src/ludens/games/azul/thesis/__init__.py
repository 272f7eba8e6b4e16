"""The players of the Azul thesis, rebuilt from its text."""
