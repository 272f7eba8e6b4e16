"""The exceptions that ludens raises. Each message says what is wrong and what to do about it."""

from __future__ import annotations

_END = 0.3  # share of a text cut in the middle that comes from its end, where messages say what to do


def printed(text: object) -> str:
    """The text with every unprintable character (controls, lone surrogates) replaced by a space."""
    return "".join(letter if letter.isprintable() else " " for letter in str(text)).strip()


def one_line(text: object, most: int = 300) -> str:
    """A text as one line of at most ``most`` printable characters, cut in the middle, with single spaces."""
    whole = str(text)
    if len(whole) > most:
        end = int(most * _END)
        whole = f"{whole[: most - end - 5]} ... {whole[-end:]}"
    return " ".join(printed(whole).split())


class LudensError(Exception):
    """The base of all: catch it to catch every error that the caller or a plug-in has caused.

    Messages may quote files and other programs, so each is made one line that any terminal or page can show.
    """

    most = 300  # letters of the message

    def __init__(self, message: object = "") -> None:
        super().__init__(one_line(message, self.most))


class Stopped(LudensError):
    """Something long that ended early; the message ends with the command that continues it, however long that is."""

    most = 10_000


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


class DamagedStore(BadStore):
    """A store file with contents that ludens never writes; the message has the command that repairs it."""


class BadBot(BadOption):
    """A user's agent file that cannot be loaded or contains no agent."""


FAILURE_KINDS = ("crash", "timeout", "illegal")  # how an agent loses a game


class AgentFailure(LudensError):
    """An agent that crashed, hung, died or answered illegally: ``kind`` is one of FAILURE_KINDS.

    In the web app it can also be 'busy': the agent was not asked, for too many questions wait.
    """

    def __init__(self, message: str, kind: str = "crash") -> None:
        super().__init__(message)
        self.kind = kind


class BrokenGame(LudensError):
    """A plug-in that does not import or compile, or a game that breaks the contract: an operation is missing."""


class MissingExtra(LudensError):
    """A feature that needs packages which are not installed; the message has the command that installs them."""
