"""The agents of Hearthstone, its levels, learners, models and commands."""

from ludens.core.roster import Roster

ROSTER = Roster(
    agents={
        "random": "ludens.games.hearthstone.thesis.bots:RandomBot",
        "random-action": "ludens.games.hearthstone.thesis.bots:RandomAction",
        "greedy": "ludens.games.hearthstone.agents:Greedy",
        "scripted": "ludens.games.hearthstone.styles:Scripted",
        "chooser": "ludens.games.hearthstone.chooser:Chooser",
        "mcts": "ludens.games.hearthstone.agents:HearthstoneMcts",
        "face-hunter": "ludens.games.hearthstone.thesis.bots:FaceHunter",
        "secret-paladin": "ludens.games.hearthstone.thesis.bots:SecretPaladin",
        "malygos-mage": "ludens.games.hearthstone.thesis.bots:MalygosMage",
        "average": "ludens.games.hearthstone.thesis.bots:Average",
    },
    levels=(
        *("random", "random-action", "malygos-mage", "secret-paladin", "greedy"),
        *("face-hunter", "mcts:sims=200", "mcts:sims=2000"),
    ),
    opponent="greedy",
    learners={
        "q-table": "ludens.games.hearthstone.thesis.q_learner:QTabular",
        "q-net": "ludens.games.hearthstone.thesis.q_learner:QNet",
        "q-full": "ludens.games.hearthstone.thesis.q_learner:QFull",
        "estimate": "ludens.games.hearthstone.estimate_training:EstimateLearner",
    },
    kinds={
        "hearthstone-q": "ludens.games.hearthstone.thesis.q_agent:FolderQ",
        "estimate": "ludens.games.hearthstone.estimate:EstimateAgent",
    },
    models="ludens.games.hearthstone.models",
    commands="ludens.games.hearthstone.commands:app",
    seconds_to_compile=(20, 36),  # python bench/first_start.py --cpu, and 2 s to load
)
