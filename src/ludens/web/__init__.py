"""The web app: people play every game in a browser, watch agents, look at replays and at results."""
