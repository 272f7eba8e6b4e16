"""The public contract kit: tests whether a game keeps what agents, the arena and the web app rely on.

    from ludens.testing import check_game
    assert check_game(ludens.game("azul")).ok

``ludens check GAME`` does the same from the command line; ``check_many`` checks a part of it in very many games.
"""

from __future__ import annotations

from ludens.testing.kit import CHECKS, check_game, check_id
from ludens.testing.many import ManyReport, check_many
from ludens.testing.report import Check, Finding, Report

__all__ = ["CHECKS", "Check", "Finding", "ManyReport", "Report", "check_game", "check_id", "check_many"]
