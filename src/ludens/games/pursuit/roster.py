"""The roster of the pursuit game: its agents, its levels, what learners are told of it, and its commands."""

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
    learners={"placements": "ludens.games.pursuit.thesis.network_training:Placements"},
    features={
        "short": "ludens.games.pursuit.thesis.encoding:short",
        "long": "ludens.games.pursuit.thesis.encoding:long",
        "role": "ludens.games.pursuit.thesis.encoding:role",
        "short-seen": "ludens.games.pursuit.thesis.encoding:short_seen",
        "long-seen": "ludens.games.pursuit.thesis.encoding:long_seen",
        "role-seen": "ludens.games.pursuit.thesis.encoding:role_seen",
    },
    rewards={"steps": "ludens.games.pursuit.reward:steps"},
    kinds={"stops": "ludens.games.pursuit.thesis.network:StopAgent"},
    models="ludens.games.pursuit.models",
    levels=("random", "nearest", "mcts-thesis:sims=2000", "mcts:sims=200", "mcts:sims=2000"),
    opponent="mcts-thesis:sims=2000",
    person_seat=1,
    commands="ludens.games.pursuit.commands:app",
    seconds_to_compile=(12, 24),  # python bench/first_start.py --cpu, and 2 s to load
)
