"""The exceptions that ludens raises. Each message says what is wrong and what to do about it."""

from __future__ import annotations


class LudensError(Exception):
    """The base of all: catch it to catch every error that the caller or a plug-in has caused."""


class IllegalAction(LudensError):
    """A move that the rules do not allow in this position, which stays unchanged."""


class BadOption(LudensError):
    """An option or parameter that does not exist, or a value that it cannot take."""


class UnknownName(BadOption):
    """The name of a game, agent, seat or run that does not exist."""


class BadRecord(LudensError):
    """A saved game (or other file of saved data) that is broken, cut short or does not replay."""


class BadStore(LudensError):
    """A store file that cannot be read or written."""


class BadBot(BadOption):
    """A user's agent file that cannot be loaded or contains no agent."""


class AgentFailure(LudensError):
    """An agent that crashed, hung, died or answered illegally. ``kind`` is 'crash', 'timeout' or 'illegal'."""

    def __init__(self, message: str, kind: str = "crash") -> None:
        super().__init__(message)
        self.kind = kind


class BrokenGame(LudensError):
    """A plug-in that does not import or compile, or a game that breaks the contract: an operation is missing."""


class MissingExtra(LudensError):
    """A feature that needs packages which are not installed; the message has the command that installs them."""
