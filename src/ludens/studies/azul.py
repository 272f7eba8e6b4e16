"""The study of Azul: what the thesis (Sádovský 2025) left empty: its six graphs, its table of results, why 256 units.

The thesis trained PPO with three rewards against its heuristic and against a random player, and says that it trained a
DQN; its graphs have captions and no curves, its list of tables is empty. Every row here is about agents that a command
of ``ludens train`` makes: `study_of` gives the study for a folder of such runs, and ``ludens study azul --train --runs
FOLDER`` makes those that are missing. One setting of each learner, chosen on exam seeds, serves all rewards.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

from ludens.core.registry import make_game, shipped_folders
from ludens.studies.azul_plots import curves_by_reward, curves_of
from ludens.studies.meeting import Meeting, finding
from ludens.studies.study import Finding, Report, Row, Study, over_runs
from ludens.studies.training import Training

REWARDS = ("r1", "r2", "r3", "r1-fixed", "r2-fixed", "r3-fixed")
OPPONENTS = ("heuristic", "random")
SEEDS = (1, 2, 3)
_GAMES, _SEARCH_GAMES = 1000, 400  # against each opponent; against a search
_PARTS = (0.05, 0.1, 0.25, 0.5, 0.75, 1.0)  # of a run, at which the tables of curves show it

CURVES, RESULTS = "Azul: learning curves against the heuristic", "Azul: learned players against fixed ones"
WAYS, WIDTHS = "Azul: the best action, or one drawn", "Azul: units of the hidden layers"
ELSEWHERE, BEST = "Azul: grey wall, three and four players", "Azul: the best configurations"
SHIPPED = "Azul: trained agents that ship with the game"

_EXAM = {"exam": "heuristic,random", "exam_games": "300", "final_games": "400"}
_PPO = {"lanes": "512", "groups": "2", "horizon": "16", "epochs": "2", "minibatches": "8", "lam": "0.8"}
_DQN = {
    "lanes": "512",
    "groups": "2",
    "replay": "100000",
    "batch": "512",
    "samples": "1",
    "gamma": "0.95",
    "ahead": "3",
}
_DQN |= {"target_every": "100", "epsilon": "0.3", "last_epsilon": "0.02", "explore": "0.1"}
ALIKE: Mapping[str, Mapping[str, str]] = {  # what all runs of a learner have in common
    "ppo": {"steps": "12000000", "exam_every": "600000", **_EXAM, **_PPO},
    "dqn": {"steps": "12000000", "exam_every": "600000", **_EXAM, **_DQN},
}
_LEAD = "lead=0.05+return=0.5"  # the reward of the best configurations
_LONG = {"opponent": "heuristic", "exam_games": "400", "final_games": "2000"}
BEST_PPO = {**_LONG, "steps": "250000000", "exam_every": "10000000", "reward": _LEAD}
BEST_PPO |= {"lanes": "4096", "groups": "16", "minibatches": "32"}
BEST_DQN = {**_LONG, "steps": "120000000", "exam_every": "5000000", "reward": "tiled"}
BEST_DQN |= {"replay": "400000", "epsilon": "1", "last_rate": "3e-05"}


def _train(learner: str, name: str, seeds: Sequence[int] = (1,), **settings: str) -> Training:
    """A training of the study, with these settings beside those that all have.

    The settings ``players`` and ``wall`` are options of the game. Of the thesis's rewards a 50th is paid, so that
    values are numbers of a few units.
    """
    options = tuple((name, settings.pop(name)) for name in ("players", "wall") if name in settings)
    if settings["reward"] in REWARDS:
        settings["reward"] += "=0.02"
    chosen = {**ALIKE[learner], **settings}
    return Training("azul", learner, f"azul-{learner}-{name}", tuple(chosen.items()), options, tuple(seeds))


def _by_reward() -> dict[str, Training]:
    """The trainings with each reward and opponent, by the names of their lines in the tables.

    The thesis's rewards have three seeds against the heuristic, and with PPO against the random player too: its graphs.
    """
    found = {}
    for learner, reward, opponent in _which():
        many = reward in REWARDS[:3] and (opponent == "heuristic" or (learner, opponent) == ("ppo", "random"))
        chosen = {"reward": reward, "opponent": opponent}
        found[_line(learner, reward, opponent)] = _train(
            learner, f"{reward}-{opponent}", SEEDS if many else (1,), **chosen
        )
    for reward in REWARDS[:3]:  # each move for its own reward alone, as the agent `reward` plays
        line = f"PPO {reward}, gamma=0, trained v heuristic"
        found[line] = _train("ppo", f"{reward}-gamma0", reward=reward, opponent="heuristic", gamma="0")
    return found


def _which() -> Iterator[tuple[str, str, str]]:
    """Each learner, reward and opponent that meet: both opponents; with PPO past selves too, where nothing is repaired.

    The result alone and the reward `tiled` are paid against the heuristic only.
    """
    for learner in ("ppo", "dqn"):
        for reward in (*REWARDS, "r0"):
            yield from ((learner, reward, opponent) for opponent in OPPONENTS)
            if learner == "ppo" and not reward.endswith("fixed"):
                yield learner, reward, "past"
        for reward in ("return", "tiled"):
            yield learner, reward, "heuristic"


def _line(learner: str, reward: str, opponent: str) -> str:
    """The name of a line: learner, reward and opponent of the training."""
    return f"{learner.upper()} {reward}, trained v {opponent}"


_WIDTHS = {f"{width}-{width}": f"width-{width}" for width in (64, 128, 256, 512)}


def _by_width() -> dict[str, Training]:
    """The trainings with each number of hidden units, by the text of the setting ``hidden``."""
    return {
        hidden: _train("ppo", name, reward=_LEAD, opponent="heuristic", hidden=hidden)
        for hidden, name in _WIDTHS.items()
    }


def _elsewhere() -> dict[str, Training]:
    """The trainings for other tables and the other wall, by the titles of their rows."""
    learn = partial(_train, "ppo", reward=_LEAD, opponent="heuristic")
    return {
        "grey wall, 2 players": learn("grey", wall="grey"),
        "3 players, v two heuristics": learn("three", players="3"),
        "4 players, v three heuristics": learn("four", players="4"),
    }


def _best() -> dict[str, tuple[Training, str]]:
    """The trainings behind the bars, by the titles of their rows, each with its bar."""
    return {
        "PPO, 250 M decisions": (_train("ppo", "best", SEEDS, **BEST_PPO), "our bar: at least 88"),
        "DQN, 120 M decisions": (_train("dqn", "best", SEEDS, **BEST_DQN), "our bar: at least 65"),
    }


# measuring


def _meet(training: Training, runs: Path, opponent: str, games: int, play: str, quick: bool) -> Finding:
    """How often the agents of a training win against ``opponent``: the mean of its seeds.

    With several seeds the interval is that of the mean of the runs, with one it is that of its games.
    """
    found = []
    for seed in training.seeds:
        meeting = _meeting(training, str(training.folder(runs, seed)), opponent, games, play)
        found.append((meeting.quick() if quick else meeting).play().share_of(0))
    if len(found) == 1:
        return finding(found[0])
    rates = [one.rate for one in found]
    total = sum(one.games for one in found)
    return Finding(sum(rates) / len(rates), total, training.seeds, over_runs(rates), (min(rates), max(rates)))


def _meeting(training: Training, folder: str, opponent: str, games: int, play: str) -> Meeting:
    """The games of the agent in a folder, playing as ``play`` says, against ``opponent`` in all other seats."""
    spec = f"{folder}:play={play}" if play else folder
    if dict(training.options).get("players", "2") == "2":
        return Meeting("azul", (spec, opponent), games, options=training.options)
    return Meeting("azul", (spec,), games, (opponent,), training.options)


def match_row(
    section: str,
    at: str | tuple[str, str],
    training: Training,
    runs: Path,
    opponent: str = "heuristic",
    play: str = "",
    published: str = "",
) -> Row:
    """The row of how often the agents of a training win against ``opponent``."""
    games = _SEARCH_GAMES if opponent.startswith("alphabeta") else _GAMES
    many = "S" if len(training.seeds) > 1 else str(training.seeds[0])
    told = _meeting(training, f"RUNS/{training.name}-{many}", opponent, games, play).command
    title, grid = (at, ("", "")) if isinstance(at, str) else (", ".join(at), at)
    return Row(
        section,
        title,
        f"{told}, made by {training.command()}",
        partial(_meet, training, runs, opponent, games, play),
        published,
        grid=grid,
        runs=_runs(training),
    )


def _runs(training: Training) -> tuple[tuple[Training, int], ...]:
    """The runs of a training, each with its seed."""
    return tuple((training, seed) for seed in training.seeds)


def _at(training: Training, runs: Path, part: float, quick: bool) -> Finding:
    """How often the agents of a training beat the heuristic in the last exam of the first ``part`` of the run."""
    steps = part * int(dict(training.settings)["steps"])
    points = [training.curve(runs, seed, "heuristic") for seed in training.seeds]
    rates = [[rate for done, rate in curve if done <= steps or part == 1.0][-1] for curve in points]
    games = int(_EXAM["exam_games"]) * len(rates)
    if len(rates) == 1:
        return Finding(rates[0], games)
    return Finding(sum(rates) / len(rates), games, training.seeds, over_runs(rates), (min(rates), max(rates)))


def curve_rows(trainings: Mapping[str, Training], runs: Path) -> list[Row]:
    """The rows of the learning curves at some parts of the runs."""
    return [
        Row(
            CURVES,
            f"{line}, after {100 * part:.0f} %",
            f"exams of {training.command()}",
            partial(_at, training, runs, part),
            grid=(line, f"{100 * part:.0f} %"),
            runs=_runs(training),
        )
        for line, training in trainings.items()
        for part in _PARTS
    ]


def _result_rows(trainings: Mapping[str, Training], runs: Path) -> list[Row]:
    """The rows of the table of results: each learned player against every fixed one, playing its best action."""
    opponents = ("random", "naive", "reward:r=1", "reward:r=2", "reward:r=3", "heuristic", "alphabeta:nodes=200")
    return [
        match_row(RESULTS, (line, opponent), training, runs, opponent)
        for line, training in trainings.items()
        for opponent in opponents
    ]


def _way_rows(trainings: Mapping[str, Training], runs: Path) -> list[Row]:
    """The rows of PPO's players choosing the best action and drawing one by the policy's odds."""
    return [
        match_row(WAYS, (line, f"{play} v {opponent}"), training, runs, opponent, play)
        for line, training in trainings.items()
        if training.learner == "ppo"
        for opponent in OPPONENTS
        for play in ("argmax", "sample")
    ]


def _width_rows(runs: Path) -> list[Row]:
    """The rows of PPO with each number of hidden units."""
    return [
        match_row(WIDTHS, (hidden, opponent), training, runs, opponent)
        for hidden, training in _by_width().items()
        for opponent in ("random", "reward:r=3", "heuristic", "alphabeta:nodes=200")
    ]


def _elsewhere_rows(runs: Path) -> list[Row]:
    """The rows of PPO on the grey wall and at larger tables."""
    return [match_row(ELSEWHERE, title, training, runs) for title, training in _elsewhere().items()]


def _best_rows(runs: Path) -> list[Row]:
    """The rows of the best configurations, and of PPO's best one against other opponents."""
    rows = []
    for title, (training, bar) in _best().items():
        rows.append(match_row(BEST, f"{title}, v heuristic", training, runs, "heuristic", "", bar))
        for opponent in ("random", "alphabeta:nodes=200"):
            is_bar = opponent == "random" and training.learner == "ppo"
            told = "our bar: 100" * is_bar
            rows.append(match_row(BEST, f"{title}, v {opponent}", training, runs, opponent, "", told))
    return rows


def _shipped_rows() -> list[Row]:
    """The rows of the trained agents that ship with the game, which ask their network once a move and do not search."""
    bars = {("ppo", "heuristic"): "at least 93"}
    return [
        Meeting("azul", (name, opponent), games).row(
            SHIPPED,
            (name, opponent),
            lambda meeting: finding(meeting.play().share_of(0)),
            bars.get((name, opponent), ""),
            "our bar",
        )
        for name in shipped_folders(make_game("azul"))
        for opponent, games in (("heuristic", 4000), ("random", 4000), ("alphabeta:nodes=200", 2000))
    ]


def _draw(report: Report, folder: Path) -> list[Path]:
    """Draw the study's pictures into ``folder``; returns the files.

    The curves of PPO and of DQN by reward and opponent, those by hidden units, and those of the best configurations.
    """
    trained, runs = _by_reward(), report.study.runs
    panels = {
        learner: {
            (reward, opponent): {
                version: trained[_line(learner, f"{reward}{ending}", opponent)]
                for version, ending in (("as the thesis has it", ""), ("floor repaired", "-fixed"))
            }
            for opponent in OPPONENTS
            for reward in REWARDS[:3]
        }
        for learner in ("ppo", "dqn")
    }
    best = {title: training for title, (training, _) in _best().items()}
    return [
        curves_by_reward(panels["ppo"], runs, "PPO", folder / "azul-ppo.png"),
        curves_by_reward(panels["dqn"], runs, "DQN", folder / "azul-dqn.png"),
        curves_of(_by_width(), runs, "PPO by the units of its two hidden layers", folder / "azul-width.png"),
        curves_of(best, runs, "The best configurations", folder / "azul-best.png"),
    ]


def study_of(runs: Path) -> Study:
    """The study, with its training runs in the folder ``runs``."""
    trained = _by_reward()
    return Study(
        game="azul",
        title="Azul: the thesis's learners, and ours",
        notes=(
            "Rates are shares of games won; a draw is none. With three training seeds a figure is the mean of the three"
            " agents, its interval (95 %) Student's t over them; with one seed the interval is bootstrapped over deals,"
            " each played in both seats, and says nothing about other seeds.",
            "r1, r2, r3 are the thesis's rewards with constants of ours (it gives none): c = 5, c1 = 1, c2 = 2,"
            " c3 = 0.5; -fixed has the floor move repaired. r0 is the change of the lead, divided by 20. A 50th of the"
            " thesis's rewards is paid, which changes nothing but the size of the values.",
            "An agent is the best of its run's exams (mean of heuristic and random). Exams and these games have seeds"
            " of their own.",
        ),
        rows=(
            *curve_rows(trained, runs),
            *_result_rows(trained, runs),
            *_way_rows(trained, runs),
            *_width_rows(runs),
            *_elsewhere_rows(runs),
            *_best_rows(runs),
            *_shipped_rows(),
        ),
        plots=_draw,
        runs=runs,
    )
