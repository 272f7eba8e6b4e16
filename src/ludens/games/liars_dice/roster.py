"""The roster of Liar's Dice: its agents, the levels people can choose, and its solver's commands."""

from ludens.core.roster import Roster

ROSTER = Roster(
    agents={
        "honest": "ludens.games.liars_dice.agents:Honest",
        "odds": "ludens.games.liars_dice.agents:Odds",
        "q": "ludens.games.liars_dice.thesis.learners:QLearner",
        "sarsa": "ludens.games.liars_dice.thesis.learners:Sarsa",
        "sarsa-profile": "ludens.games.liars_dice.thesis.learners:SarsaProfile",
        "expected-sarsa": "ludens.games.liars_dice.thesis.learners:ExpectedSarsa",
        "double-q": "ludens.games.liars_dice.thesis.learners:DoubleQ",
        "tabular": "ludens.games.liars_dice.thesis.learners:Tabular",
        "equilibrium": "ludens.games.liars_dice.equilibrium:Equilibrium",
        "cfr": "ludens.games.liars_dice.agents:Cfr",
        "sampled-cfr": "ludens.games.liars_dice.sampled_cfr:SampledCfr",
        "exploiter": "ludens.games.liars_dice.exploiter:Exploiter",
        "best-response": "ludens.games.liars_dice.agents:BestResponse",
    },
    levels=("random", "mcts:sims=200", "mcts:sims=2000", "odds", "honest", "equilibrium"),
    opponent="odds",
    rewards={
        "round": "ludens.games.liars_dice.thesis.layout:round_reward",
        "thesis": "ludens.games.liars_dice.thesis.layout:thesis_reward",
    },
    layouts={
        "thesis": "ludens.games.liars_dice.thesis.layout:thesis_layout",
        "profile": "ludens.games.liars_dice.thesis.layout:profile_layout",
        "sight": "ludens.games.liars_dice.thesis.layout:sight_layout",
    },
    models="ludens.games.liars_dice.models",
    solver="ludens.games.liars_dice.solve_commands:app",
    seconds_to_compile=(6, 14),  # python bench/first_start.py --cpu, and 2 s to load
)
