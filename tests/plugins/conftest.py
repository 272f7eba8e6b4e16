"""The plug-in is a package of its own, installed before the tests: pytest must not import its files from here."""

collect_ignore = ["kuhn"]
