"""The thesis's Q agents: what they see, how they learn, that runs can be interrupted, and that folders play."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.command import caller

from ludens.core.error import LudensError
from ludens.core.registry import make_agent, make_game
from ludens.games.hearthstone.thesis import q_player as q
from ludens.games.hearthstone.thesis import q_rule, q_view
from ludens.games.hearthstone.thesis.q_agent import options_of
from ludens.games.hearthstone.thesis.q_learner import QFull, QFullSettings, QNet, QNetSettings, QSettings, QTabular
from ludens.learn.model import read, write

GAME = make_game("hearthstone", compat="fireplace2016")


def net(method: int = q.Q_LEARNING) -> q.QPlayer:
    """A small network with drawn weights."""
    player = q.new_player(options_of("net", "text", method=method, alpha=0.5), 6, 1)
    q.draw_weights(player, 3)
    return player


def forward(player: q.QPlayer, state: np.ndarray, action: int) -> float:
    """The output of a network, by NumPy."""
    inputs = np.zeros(player.inner.shape[1])
    inputs[: q.COSTS], inputs[q.COSTS + action] = state[: q.COSTS], 1
    hidden = 1 / (1 + np.exp(-(inputs @ player.inner[0] + player.bias[0])))
    return float(hidden @ player.outer[0] + player.offset[0])


def test_a_network_is_evaluated_and_moved_towards_a_target() -> None:
    player, state = net(), np.zeros(q.STATE, np.float32)
    state[:4] = 3, 1, 0, 2
    before = q_rule._descend(player, 0, state, 151, 0.0, True)
    assert before == pytest.approx(forward(player, state, 151))
    value = np.array([forward(player, state, each) for each in (0, 151)])
    step = 1e-6
    slope = player.outer.copy()
    for unit in range(6):
        player.outer[0, unit] += step
        slope[0, unit] = (forward(player, state, 151) - value[1]) / step
        player.outer[0, unit] -= step
    old = player.outer.copy()
    q_rule._descend(player, 0, state, 151, before + 2, False)
    assert player.outer - old == pytest.approx(0.01 * 2 * slope, rel=1e-3)
    assert before < forward(player, state, 151) < before + 2


def test_states_are_numbered_as_the_thesis_counts_them() -> None:
    text, code = options_of("table", "text"), options_of("table", "code")
    assert q.table_states(text[0]) == 760_320 // 10 * 11  # and those without mana
    assert q.table_states(code[0]) == 691_200 // 10 * 11
    state = np.zeros(q.STATE, np.float32)
    assert q_view.state_number(text[0], state) == 0
    state[0] = 10
    full = q_view.state_number(code[0], state)
    state[0] = 0
    assert q_view.state_number(code[0], state) == full  # the program's index wraps round
    state[:3] = 10, 9, 9
    most = q_view.state_number(text[0], state)
    state[2] = 5
    assert q_view.state_number(text[0], state) == most


@pytest.mark.parametrize(
    ("cls", "settings"),
    [
        (QTabular, QSettings(steps=200, alpha=0.8, gamma=0.8)),
        (QTabular, QSettings(steps=200, method="double", opponent="random-action:deck=liege")),
        (QNet, QNetSettings(steps=200, hidden=10, as_="text")),
        (QNet, QNetSettings(steps=150, hidden=5, method="sarsa", explore=0.2)),
        (QFull, QFullSettings(steps=100, hidden=10)),
    ],
)
def test_a_run_goes_on_to_the_same_values(cls: Any, settings: Any, tmp_path: Path) -> None:
    whole = cls(GAME, settings)
    whole.update()
    whole.save(tmp_path)
    whole.update()
    again = cls(GAME, settings)
    again.load(tmp_path)
    again.update()
    assert again.done == whole.done == 100
    one, other = whole.arrays(), again.arrays()
    assert all(np.array_equal(one[name], other[name]) for name in one)


def test_a_table_learns_to_play_and_its_folder_plays(tmp_path: Path) -> None:
    learner = QTabular(GAME, QSettings(steps=600, opponent="random-action:deck=liege"))
    won = [learner.update()["won"] for _ in range(12)]
    assert np.mean(won[-4:]) > np.mean(won[:2]) + 0.2
    write(tmp_path / "mine", learner.model())
    agent: Any = make_agent(str(tmp_path / "mine"), GAME)
    kept = {
        (state, action): value
        for state, place in enumerate(agent.player.places)
        if place >= 0
        for action, value in enumerate(agent.player.rows[0, place])
        if value
    }
    table = learner.player
    for (state, action), value in list(kept.items())[:200]:
        assert value == pytest.approx(table.rows[0, table.places[state], action], rel=1e-6)
    game = GAME.start(5, {"lists": [agent.start_fields()["lists"].tolist()] * 2, "classes": [5, 5]})
    memory = agent.new_memory(1)
    while not game.over:
        game.play(int(agent.act(game.view().array, memory)[0]))


def test_broken_folders_are_refused_in_a_sentence(tmp_path: Path) -> None:
    learner = QNet(GAME, QNetSettings(steps=10, hidden=4))
    write(tmp_path / "mine", learner.model())
    model, card = read(tmp_path / "mine"), tmp_path / "mine" / "card.json"
    whole = card.read_text()
    for name, wrong in (("q", "oracle"), ("as", 3), ("hidden", 9), ("hidden", 1 << 40)):
        card.write_text(json.dumps({**json.loads(whole), name: wrong}))
        with pytest.raises(LudensError, match=r"train the agent again|do not fit"):
            make_agent(str(tmp_path / "mine"), GAME)
    card.write_text(whole)
    arrays = {**model.arrays, "outer": np.full((1, 4), np.nan, np.float32)}
    write(tmp_path / "mine", type(model)(arrays, model.card))
    with pytest.raises(LudensError, match="do not fit"):
        make_agent(str(tmp_path / "mine"), GAME)


def test_opponents_must_be_scripted() -> None:
    with pytest.raises(LudensError, match="name scripted agents"):
        QTabular(GAME, QSettings(opponent="mcts:sims=10"))


def test_the_command_takes_the_reading(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    run: Any = caller(monkeypatch, capsys, "train")
    few = ("--steps", 20, "--exam-games", 4, "--final-games", 4, "--out", "mine")
    done = run("hearthstone", "q-table", "--as", "text", "--opponent", "random-action:deck=face", *few)
    assert done.code == 0
    assert "--as text" in done.out
    card = json.loads((tmp_path / "mine" / "card.json").read_text())
    assert (card["kind"], card["as"], card["steps"], card["finished"]) == ("hearthstone-q", "text", 20, True)
