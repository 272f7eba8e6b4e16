"""The agents of the pursuit thesis, and its program's configuration and log files, rebuilt."""
