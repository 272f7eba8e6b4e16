"""What the README shows runs as it stands there."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from ludens.studies.study import find_study, study_names

README = (Path(__file__).parent.parent / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


@pytest.mark.parametrize("code", [block for block in BLOCKS if "import ludens" in block])
def test_the_code_runs(code: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LUDENS_STORE", str(tmp_path / "store.db"))
    exec(compile(code, "README.md", "exec"), {"__name__": "readme"})


def test_the_agent_in_the_readme_plays(tmp_path: Path) -> None:
    import ludens

    file = tmp_path / "mine.py"
    file.write_text(next(block for block in BLOCKS if "def act" in block), encoding="utf-8")
    result = ludens.arena("azul", [f"{file}:act", "random"], games=2, seed=1, store=False)
    assert result.agents[0].games == 2
    assert result.agents[0].crashes == 0


def test_a_game_plays_itself() -> None:
    shown = subprocess.run([sys.executable, "-m", "ludens.games.azul"], capture_output=True, text=True, check=True)
    assert "scores" in shown.stdout


def test_places_for_tables_name_tables_of_a_study() -> None:
    studies = [find_study(name) for name in study_names()]
    known = {section + more for study in studies for section in study.sections for more in ("", ": counted")}
    for page in [
        README,
        *(file.read_text(encoding="utf-8") for file in (Path(__file__).parent.parent / "docs").rglob("*.md")),
    ]:
        assert set(re.findall(r"^<!-- study: (.+) -->$", page, re.MULTILINE)) <= known


def test_linked_files_exist() -> None:
    for page in [Path("README.md"), *Path("docs").rglob("*.md")]:
        text = (Path(__file__).parent.parent / page).read_text(encoding="utf-8")
        for link in re.findall(r"\]\((?!http)([^)#]+)", text):
            assert (Path(__file__).parent.parent / page.parent / link).exists(), f"{page} links to {link}"
