"""The players of the pursuit thesis, and the files of its program, rebuilt."""
