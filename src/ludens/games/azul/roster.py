"""The roster of Azul: its agents, its levels, and its commands."""

from ludens.core.roster import Roster

ROSTER = Roster(
    agents={
        "naive": "ludens.games.azul.thesis.agents:Naive",
        "heuristic": "ludens.games.azul.thesis.agents:Heuristic",
        "reward": "ludens.games.azul.thesis.agents:Reward",
    },
    levels=(
        "random",
        "naive",
        "reward:r=3",
        "heuristic",
        "mcts:sims=1000,playout=suggest",
        "alphabeta:nodes=5000",
        "alphabeta:nodes=100000",
    ),
    opponent="heuristic",
    features={
        "points": "ludens.games.azul.points:points_features",
        "tiled": "ludens.games.azul.tiled:tiled_features",
    },
    rewards={"r0": "ludens.games.azul.reward:lead_reward", "tiled": "ludens.games.azul.reward:tiled_reward"},
    models="ludens.games.azul.models",
    commands="ludens.games.azul.commands:app",
    seconds_to_compile=(7, 14),  # python bench/first_start.py --cpu, and 2 s to load
)
