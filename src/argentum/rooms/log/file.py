"""Local games as record files, rewritten after each move, so that a game can be continued."""

import os
import re
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from itertools import count
from pathlib import Path
from random import SystemRandom
from typing import Final

from argentum import records
from argentum.rooms.arrangement import DEFAULT_BOT, Arrangement, SeatConfig
from argentum.rules.boxes import default_token
from argentum.rules.game import Game
from argentum.rules.notation import SEAT_LETTERS

RECORD_SUFFIX: Final = ".silver"
ABANDONED_SUFFIX: Final = ".given-up"  # appended to the file name of an abandoned game
MAX_OFFERED: Final = 5
WINNER_PREFIX: Final = "\nwinner "  # how the last line of a finished game's record begins
# Comments that we add to a record, because its format lacks the bots, memory mode, and the seed of later deals.
REMARK: Final = re.compile(r"^# (seat [B-D]|memory|seed): (\S+)$", re.MULTILINE)


def default_directory() -> Path:
    """Return the default folder for saved games, in the platform's folder for user data."""
    home = Path.home()
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = home / "Library" / "Application Support"
    else:
        state_home = Path(os.environ.get("XDG_STATE_HOME", ""))
        base = state_home if state_home.is_absolute() else home / ".local" / "state"
    return base / "argentum" / "games"


def record_text(game: Game, arrangement: Arrangement, seed: int) -> str:
    """Return a game's record as text, with the comments (bots, memory, seed) needed to continue it."""
    bots = [f"# seat {letter}: {seat.bot}" for letter, seat in zip(SEAT_LETTERS, arrangement.seats, strict=False)][1:]
    memory = ["# memory: yes"] if arrangement.memory else []
    return records.write(game) + "\n".join([*bots, *memory, f"# seed: {seed}"]) + "\n"


@dataclass(frozen=True)
class SavedGame:
    """An unfinished game that can be continued."""

    file: Path
    text: str
    game: Game
    arrangement: Arrangement
    seed: int

    @staticmethod
    def read(file: Path, text: str) -> "SavedGame":
        """Restore a game from its record; raise `ValueError` if that is invalid.

        Later deals and shuffles derive from the seed in a comment of the record, or from a random one.
        """
        recorded = records.read(text)
        remarks = dict(REMARK.findall(text))
        seed = int(remarks["seed"]) if remarks.get("seed", "").isdecimal() else SystemRandom().getrandbits(64)
        cast = recorded.cast
        game = Game.new(
            cast.code, recorded.players, seed, cast.token, recorded.names, recorded.deals, rulings=recorded.rulings
        )
        for move in recorded.history():
            game.play(move)
        others = zip(SEAT_LETTERS[1:], recorded.names[1:], strict=False)
        seats = [SeatConfig(recorded.names[0], claimed=True)]
        seats += [SeatConfig(name, remarks.get(f"seat {letter}", DEFAULT_BOT)) for letter, name in others]
        code, token = cast.code, cast.token
        arrangement = Arrangement(
            tuple(seats), code, "" if token == default_token(code) else token, "memory" in remarks
        )
        return SavedGame(file, text, game, arrangement, seed)

    def abandon(self) -> None:
        """Append `ABANDONED_SUFFIX` to the name of the record's file, so that the game is no longer offered."""
        self.file.replace(unused_path(self.file.with_name(self.file.name + ABANDONED_SUFFIX)))


def unfinished_games(folder: Path) -> list[SavedGame]:
    """Return up to `MAX_OFFERED` unfinished games in a folder, the most recent first."""
    return [saved for _, saved in zip(range(MAX_OFFERED), _unfinished(folder), strict=False)]


def _unfinished(folder: Path) -> Iterator[SavedGame]:
    dated_files = []
    for file in folder.glob(f"*{RECORD_SUFFIX}"):
        with suppress(OSError):  # deleted meanwhile
            dated_files.append((file.stat().st_mtime, file))
    for _, file in sorted(dated_files, reverse=True):
        text = _read_text(file)
        if WINNER_PREFIX not in text:
            with suppress(ValueError):  # another format, or edited
                yield SavedGame.read(file, text)


def unused_path(path: Path) -> Path:
    """Return the path, or if it exists, the first unused one of game-2.silver, game-3.silver and so on."""
    candidates = (path.with_name(f"{path.stem}-{number}{path.suffix}") for number in count(2))
    return path if not path.exists() else next(other for other in candidates if not other.exists())


def _read_text(file: Path) -> str:
    """Return the text of a file, or an empty string if it cannot be read as UTF-8."""
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def _first_deal(text: str) -> str:
    """Return the head of a record and its first deal, which identify a game."""
    head, deck, remainder = text.partition("\ndeck ")
    return head + deck + remainder.partition("\n")[0]


class GameFile:
    """A file for the record of one game. Writing it never overwrites other contents."""

    def __init__(self, path: Path, last_text: str = "") -> None:
        self.path = path
        self.last_text = last_text  # the contents as last read or written

    @staticmethod
    def for_record(path: Path, record: str) -> "GameFile":
        """Return the file at a path that the player named, for the game whose record so far is `record`.

        If the file holds an unfinished record of the same game, `write` replaces it; other contents are kept.
        """
        existing = _read_text(path)
        is_same_game = WINNER_PREFIX not in existing and record and _first_deal(existing) == _first_deal(record)
        return GameFile(path, existing if is_same_game else "")

    def write(self, text: str) -> None:
        """Write the record atomically; if the file has other contents, switch to an unused name."""
        if self.path.exists() and _read_text(self.path) != self.last_text:
            self.path = unused_path(self.path)  # the file has another game, or another program has changed it
        self.path.parent.mkdir(parents=True, exist_ok=True)
        path = self.path.resolve()
        temporary = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            temporary.write_text(text, encoding="utf-8")
            temporary.replace(path)
        except OSError:
            temporary.unlink(missing_ok=True)
            raise
        self.last_text = text


@dataclass
class GameFiles:
    """The files of a table's games: one for each game in a folder, and a copy under a path that the player named."""

    directory: Path | None = None
    copy_path: Path | None = None
    files: list[GameFile] = field(default_factory=list)  # of the current game
    written_copies: list[Path] = field(default_factory=list)  # paths of the copies of all games

    def begin(self) -> None:
        self.files = []
        if self.directory is not None:
            self.files.append(GameFile(self.directory / f"{datetime.now():%Y-%m-%d-%H%M%S}{RECORD_SUFFIX}"))
        if self.copy_path is not None:
            self.files.append(GameFile.for_record(self.copy_path, ""))

    def resume(self, saved: SavedGame) -> None:
        self.files = [GameFile(saved.file, saved.text)]
        if self.copy_path is not None:
            self.files.append(GameFile.for_record(self.copy_path, saved.text))

    def write(self, text: str) -> None:
        for file in self.files:
            file.write(text)
        if self.copy_path is not None and self.files[-1].path not in self.written_copies:
            self.written_copies.append(self.files[-1].path)
