"""Find games and agents by name.

The names are those of ludens and of installed plug-ins (entry points ``ludens.games`` and ``ludens.agents``, each
``name = "module:Class"``), and a game has agents of its own. Agent specs are written as::

    heuristic                    a name
    mcts:sims=2000,c=1.4         a name with parameters
    ./mine.py:act                a function view -> action, or a class with `choose`, in a user's file
    cmd:./my-engine --fast       a program that speaks the text protocol (docs/protocol.md)
    runs/azul-ppo:play=sample    a trained agent: the folder that `ludens train` wrote
"""

from __future__ import annotations

import functools
import hashlib
import importlib
import importlib.util
import sys
import tomllib
import traceback
from importlib.metadata import entry_points
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from ludens.core.error import BadBot, BadOption, BrokenGame, LudensError, UnknownName, one_line
from ludens.core.option import closest, parse_options, read_pairs

if TYPE_CHECKING:
    from ludens.core.agent import Agent
    from ludens.core.game import Game

COMMAND = "cmd:"  # begins the spec of a program
CARD = "card.json"  # the file of an agent folder that says what it is
_PROJECT = Path(__file__).resolve().parents[3] / "pyproject.toml"  # if ludens runs from its sources


@functools.cache
def _found(group: str) -> dict[str, str]:
    """The entry points of a group, name -> "module:Class". A plug-in cannot replace those of ludens."""
    paths = {point.name: point.value for point in entry_points(group=group)}
    ours = {point.name: point.value for point in entry_points(group=group) if point.value.startswith("ludens.")}
    return dict(sorted((ours or _of_checkout(group)).items())) | {n: p for n, p in paths.items() if n not in ours}


def _of_checkout(group: str) -> dict[str, str]:
    """ludens's own entry points, from pyproject.toml, when it runs from its sources without being installed."""
    if not _PROJECT.is_file():
        return {}
    return dict(tomllib.loads(_PROJECT.read_text(encoding="utf-8"))["project"]["entry-points"][group])


def game_names() -> list[str]:
    """The ids of all games available here, plug-ins included."""
    return list(_found("ludens.games"))


def game_of(package: str) -> str:
    """The id of the game in a package: liars-dice for ludens.games.liars_dice; the package's name if there is none."""
    modules = {name: path.partition(":")[0] for name, path in _found("ludens.games").items()}
    return next((name for name, module in modules.items() if package in (module, module.rpartition(".")[0])), package)


def load(path: str, what: str) -> Any:
    """Import what ``"module:name"`` names; BrokenGame if that fails, in a sentence about ``what``."""
    name, _, attribute = path.partition(":")
    try:
        return getattr(importlib.import_module(name), attribute)
    except Exception as why:
        raise BrokenGame(f"{what} cannot be loaded: {_import_fault(why, name, attribute)}") from why


def _import_fault(why: Exception, name: str, attribute: str) -> str:
    """Why module ``name`` cannot be imported or has no ``attribute``, and the place, as text for people."""
    if isinstance(why, ModuleNotFoundError) and f"{name}.".startswith(f"{why.name}."):
        return f"there is no module {why.name}"
    if name in sys.modules and not hasattr(sys.modules[name], attribute):
        return f"the module {name} has no {attribute}"
    if isinstance(why, SyntaxError):
        return f"{why.filename}, line {why.lineno}: {why.msg}"
    package = name.partition(".")[0]
    frames = traceback.walk_tb(why.__traceback__)
    inside = [
        (f.f_code.co_filename, line)
        for f, line in frames
        if f.f_globals.get("__name__", "").partition(".")[0] == package
    ]
    place = f"{inside[-1][0]}, line {inside[-1][1]}: " if inside else ""
    return f"{place}{why if isinstance(why, LudensError) else one_line(f'{type(why).__name__}: {_said(why)}', 240)}"


def game_class(name: str) -> type[Game]:
    """The class of the game with this id; UnknownName if there is none, BrokenGame if it cannot be loaded."""
    path = _found("ludens.games").get(name)
    if path is None:
        raise UnknownName(
            f"there is no game '{name}'{closest(name, game_names())}; games are: {', '.join(game_names())}"
        )
    cls: type[Game] = load(path, name)
    if getattr(getattr(cls, "Rules", None), "id", "") != name:
        raise BrokenGame(f"{name} cannot be loaded: {path} must be a Game whose Rules have the id '{name}'")
    return cls


def working_games() -> tuple[dict[str, type[Game]], list[str]]:
    """The classes of the games that can be loaded, by id, and for each other game a sentence that says why not."""
    found, faults = {}, []
    for name in game_names():
        try:
            found[name] = game_class(name)
        except LudensError as why:
            faults.append(str(why))
    return found, faults


def make_game(name: str, /, **options: Any) -> Game:
    """A game with its options: ``make_game("azul", players=3)``."""
    return game_class(name)(**options)


def _agent_paths(game: Game) -> dict[str, str]:
    """The agents registered for a game, name -> "module:Class": those for any game and its own."""
    paths = {}
    for name, path in _found("ludens.agents").items():
        owner, slash, short = name.rpartition("/")
        if not slash or owner == game.id:  # 'azul/mine' is an agent for one game
            paths[short] = path
    return paths | dict(game.roster.agents)


def agent_names(game: Game) -> list[str]:
    """The names of the registered agents that can play this game with these options."""
    names = [*_agent_paths(game), *shipped_folders(game)]
    return [name for name in names if not agent_class(name, game).refuses(game)]


def agent_class(name: str, game: Game, *, by_path: bool = True) -> type[Agent]:
    """The class of a registered or trained agent, by name; UnknownName if there is none for this game.

    ``by_path`` False: of trained agents only those that ship with the game, so that no file system is looked at.
    """
    path = _agent_paths(game).get(name)
    folder = None if path else agent_folder(name, game) if by_path else shipped_folders(game).get(name)
    if folder:
        return load("ludens.learn.model:agent_class_of", f"the agent folder {name}")(folder, name, game)
    if path is None:
        able = agent_names(game)
        known = ", ".join(able)
        raise UnknownName(
            f"{game.id} has no agent '{name}'{closest(name, able)}; it knows: {known}, and files like ./mine.py:act"
        )
    return load(path, f"the agent '{name}' that {game.id} names as {path}")


def agent_folder(name: str, game: Game) -> Path | None:
    """The folder of a trained agent: one that ships with the game, by its short name, or one given by its path.

    None if ``name`` is neither. BadOption if it is written as a path but no agent is there.
    """
    shipped = shipped_folders(game).get(name)
    if shipped:
        return shipped
    try:
        path = Path(name).expanduser()
        is_there = (path / CARD).is_file()
    except (OSError, RuntimeError, ValueError):  # too long, an unknown home folder, or no path at all
        return None
    if is_there:
        return path
    if path.is_dir() or len(path.parts) > 1:
        raise BadOption(f"there is no trained agent in {name[:200]}: name a folder that `ludens train` wrote")
    return None


def shipped_folders(game: Game) -> dict[str, Path]:
    """The agent folders that ship with a game, by their short names."""
    return _folders_of(game.roster.models)


@functools.cache
def _folders_of(package: str) -> dict[str, Path]:
    """The agent folders in a package, by name; {} if there is no such package."""
    found = importlib.util.find_spec(package) if package else None
    homes = list(found.submodule_search_locations or ()) if found else []
    return {card.parent.name: card.parent for home in homes for card in sorted(Path(home).glob(f"*/{CARD}"))}


def folders_in(spec: str, game: Game) -> dict[str, Path]:
    """The agent folders that a spec names, by the name they have in it: as the agent itself, or as ``model=`` of it."""
    if is_file_spec(spec):
        return {}
    name, _, rest = spec.strip().partition(":")
    names = [name] if name not in _agent_paths(game) else []
    names += [value for key, value in read_pairs(rest, name).items() if key == "model" and value]
    folders = {one: agent_folder(one, game) for one in names}
    return {one: folder for one, folder in folders.items() if folder}


def folder_digest(folder: Path) -> str:
    """A hash (16 hex digits) of the arrays in an agent folder: it tells whether it holds another agent than before."""
    contents = hashlib.sha256()
    for file in sorted(folder.glob("*.safetensors")):
        contents.update(file.read_bytes())
    return contents.hexdigest()[:16]


def advisers(game: Game, method: str) -> list[str]:
    """The specs of agents that implement ``method``: 'policy' (they can give hints) or 'value' (judge positions).

    The game's levels come first, from strong to weak, then other agents; 'random' is left out.
    """
    from ludens.core.agent import Agent

    able = [
        name for name in agent_names(game) if getattr(agent_class(name, game), method) is not getattr(Agent, method)
    ]
    levels = [spec for spec in reversed(game.roster.levels) if spec.partition(":")[0] in able]
    others = [name for name in able if name not in {spec.partition(":")[0] for spec in levels}]
    return [spec for spec in levels + others if spec != "random"]


def split_specs(text: str) -> list[str]:
    """The agent specs in a text with commas between them: 'random,mcts:sims=200,c=1.4' has two.

    A part such as 'c=1.4' belongs to the spec before it.
    """
    specs: list[str] = []
    for part in filter(None, (piece.strip() for piece in text.split(","))):
        if specs and "=" in part and ":" not in part.partition("=")[0]:
            specs[-1] += f",{part}"
        else:
            specs.append(part)
    return specs


def is_file_spec(spec: str) -> bool:
    """Whether the spec names a user's own code, a Python file or a program: it has to run in a process of its own."""
    bound = spec.partition("=")[2]  # phantom=cmd:./my-engine
    return COMMAND in (spec[:4], bound[:4]) or ".py:" in spec or spec.endswith(".py")


def make_agent(spec: str, game: Game) -> Agent:
    """The agent that a spec names, for this game; BadOption if the spec is wrong or the agent refuses the game.

    Code in a Python file then runs in this process, with all it may do: only the arena and `ludens play` cage it.
    """
    if spec.startswith(COMMAND):
        raise BadBot(f"{spec} is a program: it plays only by the commands ludens arena and ludens play")
    if is_file_spec(spec):
        from ludens.core.file_agent import FileAgent

        return FileAgent(game, spec)
    cls, settings = read_agent(spec, game)
    return cls(game, settings)


def read_agent(spec: str, game: Game) -> tuple[type[Agent], Any]:
    """The class and settings that the spec of a registered agent names, without making the agent."""
    name, _, rest = spec.strip().partition(":")
    cls = agent_class(name, game)
    return cls, parse_options(cls.Settings, read_pairs(rest, name), name)


def quick_spec(spec: str, game: Game) -> str:
    """The spec of the same agent with the smallest budget: 2 ``sims`` or ``nodes``, 0 ``seconds`` if it has seconds.

    Such an agent compiles the same kernels, but moves at once.
    """
    name, _, rest = spec.partition(":")
    known = getattr(agent_class(name, game).Settings, "__dataclass_fields__", {})
    values = read_pairs(rest, name) | {budget: "2" for budget in ("sims", "nodes") if budget in known}
    if "seconds" in values:
        values["seconds"] = "0"
    return name + (":" + ",".join(f"{key}={value}" for key, value in values.items()) if values else "")


def learns(spec: str, game: Game) -> bool:
    """Whether the agent of a spec learns from game to game; False for one from a file, which is not loaded."""
    if is_file_spec(spec):
        return False
    cls, settings = read_agent(spec, game)
    return cls.learns(settings)


def load_file(spec: str) -> Any:
    """The function or class that ``./mine.py:act`` names ('act' if no name is given); BadBot if there is none."""
    file, name = _file_and_name(spec)
    module = _run_file(agent_file(spec).resolve())
    found = getattr(module, name, None)
    if not callable(found):
        raise BadBot(f"{file} has no function or class '{name}': write one, or name another after the colon")
    if isinstance(found, type) and not callable(getattr(found, "choose", None)):
        raise BadBot(f"the class '{name}' of {file} cannot play: give it a method choose(self, view)")
    return found


def _file_and_name(spec: str) -> tuple[str, str]:
    """The two parts of ``./mine.py:act``."""
    file, _, name = spec.rpartition(":") if not spec.endswith(".py") else (spec, "", "act")
    return file, name


def _file_path(spec: str) -> Path:
    """The absolute path of the file that ``./mine.py:act`` names."""
    return Path(_file_and_name(spec)[0]).expanduser().resolve()


def agent_file(spec: str) -> Path:
    """The path of the file that ``./mine.py:act`` names; BadBot if there is none."""
    path = Path(_file_and_name(spec)[0]).expanduser()
    if not path.is_file():
        raise BadBot(f"there is no agent file {_file_and_name(spec)[0]}: check the path")
    return path


def crash_message(why: BaseException, spec: str) -> str:
    """What went wrong in a user's file, and where, on one line: 'KeyError: 0 in mine.py, line 3'."""
    file, words = _file_path(spec), one_line(f"{type(why).__name__}: {_said(why)}", 240)
    lines = [line for frame, line in traceback.walk_tb(why.__traceback__) if frame.f_code.co_filename == str(file)]
    return f"{words} in {file.name}, line {lines[-1]}" if lines else words


def _said(why: BaseException) -> str:
    """The message of an error, whose class may come from a user's file and fail to give one."""
    try:
        return str(why)
    except Exception:
        return "an error without a message"


def _run_file(path: Path) -> ModuleType:
    """Import a user's file as a module; BadBot, with the line, if that fails."""
    spec = importlib.util.spec_from_file_location(f"ludens_agent_{path.stem}", path)
    if spec is None or spec.loader is None:
        raise BadBot(f"{path.name} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module  # so that its kernels and classes can be found by name, as any module's
    sys.path.insert(0, str(path.parent))
    try:
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as why:  # SystemExit: the file calls exit()
        raise BadBot(f"{path.name} does not import: {crash_message(why, str(path))}") from None
    finally:
        sys.path.remove(str(path.parent))
    return module
