"""The configuration of the runner, read from a TOML file or from the command line. Unknown names are errors."""

import dataclasses
import difflib
import tomllib
import types
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from referee_client.bot.faults import Usage

T = TypeVar("T")


@dataclass(frozen=True)
class Invitations:
    """Which invitations are accepted; the others are declined."""

    accept: bool = True
    rulesets: list[str] = field(default_factory=list)
    """Only to these titles; empty: to all."""
    players: list[str] = field(default_factory=list)
    """Only from these players, by id; empty: from all."""


@dataclass(frozen=True)
class Seek:
    """Which games the runner looks for."""

    rulesets: list[str] = field(default_factory=list)
    """The titles, in turn; empty: the runner seeks no games."""
    games: int = 1
    """How many games of its own it keeps going."""
    seats: int = 2
    """The seats of a game that it creates."""
    opponents: list[str] = field(default_factory=list)
    """Built-in bots to play against. Empty: it sits down at tables that take bots, and opens one if there is none."""
    options: dict[str, Any] = field(default_factory=dict)
    clock: dict[str, Any] = field(default_factory=dict)
    """The options and the clock of games that it creates."""


@dataclass(frozen=True)
class Config:
    """All settings of a runner."""

    url: str = ""
    key_file: str = ""
    bot: str = ""
    """A Python function or class: my_bot:choose."""
    program: list[str] = field(default_factory=list)
    """A program in any language, as a list of arguments."""
    games_max: int = 20
    """It accepts and seeks no more games while it plays this number."""
    stop_after: int = 0
    """It ends when this number of games is over; 0: never."""
    think_s: float = 30
    """The most time for one move, even if the clock of the game allows more."""
    memory_mb: int = 2048
    """The most memory of one process of the bot."""
    logs: str = "logs"
    """The directory for what the bot writes to its error output, one file per game."""
    environment: list[str] = field(default_factory=list)
    """The names of more environment variables that the bot gets."""
    agree_to_pauses: bool = True
    invitations: Invitations = field(default_factory=Invitations)
    seek: Seek = field(default_factory=Seek)
    directory: Path = field(default_factory=Path.cwd)
    """Where the files of this configuration are."""

    def path(self, name: str) -> Path:
        """Return a file that the configuration names."""
        return self.directory / Path(name).expanduser()


def read_config(file: Path) -> Config:
    """Read a configuration; raises Usage with a sentence that says what to correct."""
    try:
        with file.open("rb") as opened:
            data = tomllib.load(opened)
    except OSError as error:
        raise Usage(f"The configuration {file} cannot be read: {error.strerror}.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Usage(f"The configuration {file} is not valid TOML: {error}.") from None
    return dataclasses.replace(_section(Config, data, str(file)), directory=file.resolve().parent)


def check(config: Config) -> Config:
    """Return the configuration if it can be used; raises Usage."""
    if not config.url:
        raise Usage("Which service? Give its address with --url, or with `url` in the configuration.")
    if not config.key_file:
        raise Usage("Which key? Give the file that holds it with --key-file, or with `key_file` in the configuration.")
    if bool(config.bot) == bool(config.program):
        raise Usage("Give either a Python bot (my_bot:choose) or a program with its arguments (-- ./bot.sh).")
    if config.bot and not all(part.replace(".", "_").isidentifier() for part in config.bot.partition(":")[::2]):
        raise Usage(f"A Python bot is written as module:function, such as my_bot:choose, not {config.bot!r}.")
    for name, at_least in (("games_max", 1), ("stop_after", 0), ("think_s", 0.1), ("memory_mb", 16)):
        if not getattr(config, name) >= at_least:  # also for NaN
            raise Usage(f"`{name}` must be at least {at_least}, not {getattr(config, name)}.")
    if config.seek.games < 0 or not 1 <= config.seek.seats <= 16:
        raise Usage("`games` in [seek] must not be negative, and `seats` must be 1 to 16.")
    return config


def _section(kind: type[T], data: dict[str, Any], where: str) -> T:
    hints = {name: hint for name, hint in get_type_hints(kind).items() if name != "directory"}
    values: dict[str, Any] = {}
    for name, value in data.items():
        if name not in hints:
            close = difflib.get_close_matches(name, hints, 1)
            hint = f" Did you mean `{close[0]}`?" if close else f" Known names: {', '.join(sorted(hints))}."
            raise Usage(f"{where} has the unknown name `{name}`.{hint}")
        if dataclasses.is_dataclass(hints[name]) and isinstance(value, dict):
            values[name] = _section(hints[name], value, f"{where}, [{name}]")
        elif _fits(value, hints[name]):
            values[name] = value
        else:
            raise Usage(f"{where}: `{name}` must be {_words(hints[name])}, not {value!r}.")
    return kind(**values)


def _fits(value: Any, hint: Any) -> bool:
    if get_origin(hint) is list:
        return isinstance(value, list) and all(_fits(each, get_args(hint)[0]) for each in value)
    if hint is float:
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    kind = get_origin(hint) or hint
    return isinstance(value, kind) and (kind is bool or not isinstance(value, bool))


def _words(hint: Any) -> str:
    words: dict[Any, str] = {str: "a text", bool: "true or false", int: "a whole number", float: "a number"}
    if isinstance(hint, types.GenericAlias) and get_origin(hint) is list:
        return f"a list, each {_words(get_args(hint)[0])}"
    return words.get(hint, "a table")
