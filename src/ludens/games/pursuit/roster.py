"""The roster of the pursuit game: its agents, its levels, and its commands."""

from ludens.core.roster import Roster

ROSTER = Roster(
    agents={
        "nearest": "ludens.games.pursuit.thesis.heuristics:Nearest",
        "sum": "ludens.games.pursuit.thesis.heuristics:Sum",
        "weighted": "ludens.games.pursuit.thesis.heuristics:Weighted",
        "farthest": "ludens.games.pursuit.thesis.heuristics:Farthest",
        "conditional": "ludens.games.pursuit.thesis.heuristics:Conditional",
        "joint": "ludens.games.pursuit.thesis.joint:Joint",
        "mcts": "ludens.games.pursuit.agents:PursuitMcts",
        "mcts-thesis": "ludens.games.pursuit.thesis.agents:ThesisMcts",
    },
    levels=("random", "nearest", "mcts-thesis:sims=2000", "mcts:sims=200", "mcts:sims=2000"),
    opponent="mcts-thesis:sims=2000",
    person_seat=1,
    commands="ludens.games.pursuit.commands:app",
    seconds_to_compile=(12, 24),  # python bench/first_start.py --cpu, and 2 s to load
)
