"""The players of the Azul thesis, rebuilt."""
