"""Everything ludens raises on purpose. Each message says what is wrong and what to do about it."""

from __future__ import annotations


class LudensError(Exception):
    """The root of the tree: catch this to catch everything that is the caller's or a plug-in's fault."""


class IllegalAction(LudensError):
    """A move the rules do not allow here; the position is unchanged."""


class BadOption(LudensError):
    """An option or parameter that does not exist or has a value out of range."""


class UnknownName(BadOption):
    """A game, agent, seat or run that is not there."""


class BadRecord(LudensError):
    """A saved game that is broken, cut short or does not replay."""


class BadStore(LudensError):
    """A store file that cannot be read or written."""


class BadBot(BadOption):
    """An agent file that does not load or holds no agent."""


class AgentFailure(LudensError):
    """An agent that crashed, hung, died or answered illegally. ``kind`` is 'crash', 'timeout' or 'illegal'."""

    def __init__(self, message: str, kind: str = "crash") -> None:
        super().__init__(message)
        self.kind = kind


class BrokenGame(LudensError):
    """A game that breaks the contract (a buffer too small, a missing operation)."""


class MissingExtra(LudensError):
    """A feature that needs packages of an extra; the message holds the install line."""
