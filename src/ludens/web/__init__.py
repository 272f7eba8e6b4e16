"""The web app: every game playable by a person in a browser, watched, replayed and measured."""
