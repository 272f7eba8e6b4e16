"""The roster of Dicewars: its agents, levels, default opponent, learners and models."""

from ludens.core.roster import Roster

ROSTER = Roster(
    agents={
        "rand": "ludens.games.dicewars.bots:Rand",
        "xlogin00": "ludens.games.dicewars.bots:Xlogin00",
        "xlogin42": "ludens.games.dicewars.bots:Xlogin42",
        "sdc": "ludens.games.dicewars.bots:Sdc",
        "ste": "ludens.games.dicewars.bots:Ste",
        "stei": "ludens.games.dicewars.bots:Stei",
        "sdc-pre-at": "ludens.games.dicewars.bots:SdcPreAt",
        "sdc-post-at": "ludens.games.dicewars.bots:SdcPostAt",
        "sdc-post-dt": "ludens.games.dicewars.bots:SdcPostDt",
        "stei-at": "ludens.games.dicewars.bots:SteiAt",
        "stei-dt": "ludens.games.dicewars.bots:SteiDt",
        "stei-adt": "ludens.games.dicewars.bots:SteiAdt",
        "wpm-d": "ludens.games.dicewars.thesis.wpm:WpmD",
        "wpm-s": "ludens.games.dicewars.thesis.wpm:WpmS",
        "wpm-c": "ludens.games.dicewars.thesis.wpm:WpmC",
        "thesis": "ludens.games.dicewars.thesis.agent:Thesis",
        "conqueror": "ludens.games.dicewars.agents:Conqueror",
    },
    levels=("random", "stei", "sdc-pre-at", "thesis", "stei-adt", "conqueror:sims=0", "conqueror"),
    opponent="stei-adt",
    learners={
        "pruner": "ludens.games.dicewars.thesis.pruner_training:PrunerLearner",
        "value": "ludens.games.dicewars.value_training:ValueLearner",
        "evaluation": "ludens.games.dicewars.thesis.forest_training:EvaluationLearner",
        "policy": "ludens.games.dicewars.thesis.policy_training:PolicyLearner",
    },
    kinds={
        "pruner": "ludens.games.dicewars.thesis.agent:PrunerAgent",
        "conqueror-value": "ludens.games.dicewars.agents:ValueAgent",
        "evaluation": "ludens.games.dicewars.thesis.agent:EvaluationAgent",
        "policy": "ludens.games.dicewars.thesis.policy:PolicyAgent",
    },
    models="ludens.games.dicewars.models",
    seconds_to_compile=(9, 22),  # python bench/first_start.py --cpu, and 2 s to load
)
