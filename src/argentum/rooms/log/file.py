"""Games that are kept: each game's record is written as it goes, so that nothing is lost and it can be gone on with."""

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
ABANDONED_SUFFIX: Final = ".given-up"  # behind the name of a game that is not to be offered any more
MAX_OFFERED: Final = 5
WINNER_PREFIX: Final = "\nwinner "  # how the last line of a finished game's record begins
# What a record does not say and a table needs: who plays, from memory or not, and what is yet to be dealt.
REMARK: Final = re.compile(r"^# (seat [B-D]|memory|seed): (\S+)$", re.MULTILINE)


def default_directory() -> Path:
    """Where games are kept unless somebody says otherwise: where the platform has what programs keep for a user."""
    home = Path.home()
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or home / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = home / "Library" / "Application Support"
    else:
        given = Path(os.environ.get("XDG_STATE_HOME", ""))
        base = given if given.is_absolute() else home / ".local" / "state"
    return base / "argentum" / "games"


def record_text(game: Game, arrangement: Arrangement, seed: int) -> str:
    """A game's record, with what it takes to go on as remarks."""
    bots = [f"# seat {letter}: {place.bot}" for letter, place in zip(SEAT_LETTERS, arrangement.seats, strict=False)][1:]
    memory = ["# memory: yes"] if arrangement.memory else []
    return records.write(game) + "\n".join([*bots, *memory, f"# seed: {seed}"]) + "\n"


@dataclass(frozen=True)
class SavedGame:
    """A game that can be gone on with."""

    file: Path
    text: str
    game: Game
    arrangement: Arrangement
    seed: int

    @staticmethod
    def read(file: Path, text: str) -> "SavedGame":
        """The game of a record. What was yet to be dealt or shuffled follows from its seed, if it has one."""
        once = records.read(text)
        said = dict(REMARK.findall(text))
        seed = int(said["seed"]) if said.get("seed", "").isdecimal() else SystemRandom().getrandbits(64)
        cast = once.cast
        game = Game.new(cast.code, once.players, seed, cast.token, once.names, once.deals, rulings=once.rulings)
        for move in once.history():
            game.step(move)
        others = zip(SEAT_LETTERS[1:], once.names[1:], strict=False)
        places = [SeatConfig(once.names[0], claimed=True)]
        places += [SeatConfig(name, said.get(f"seat {letter}", DEFAULT_BOT)) for letter, name in others]
        code, token = cast.code, cast.token
        arrangement = Arrangement(tuple(places), code, "" if token == default_token(code) else token, "memory" in said)
        return SavedGame(file, text, game, arrangement, seed)

    def abandon(self) -> None:
        """Do not offer it any more; its record stays."""
        self.file.replace(unused_path(self.file.with_name(self.file.name + ABANDONED_SUFFIX)))


def unfinished_games(folder: Path) -> list[SavedGame]:
    """The games of a folder that are not over, the one played last first."""
    return [kept for _, kept in zip(range(MAX_OFFERED), _unfinished(folder), strict=False)]


def _unfinished(folder: Path) -> Iterator[SavedGame]:
    dated = []
    for file in folder.glob(f"*{RECORD_SUFFIX}"):
        with suppress(OSError):  # it has just gone
            dated.append((file.stat().st_mtime, file))
    for _, file in sorted(dated, reverse=True):
        text = _read_text(file)
        if WINNER_PREFIX not in text:
            with suppress(ValueError):  # not ours, or somebody has changed it
                yield SavedGame.read(file, text)


def unused_path(wanted: Path) -> Path:
    """A path like the wanted one where nothing is yet: game.silver, game-2.silver and so on."""
    others = (wanted.with_name(f"{wanted.stem}-{nth}{wanted.suffix}") for nth in count(2))
    return wanted if not wanted.exists() else next(path for path in others if not path.exists())


def _read_text(file: Path) -> str:
    """What a file says; nothing if it is not there or no text."""
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return ""


def _first_deal(text: str) -> str:
    """The head of a record and its first deal, which no other game has."""
    head, deck, rest = text.partition("\ndeck ")
    return head + deck + rest.partition("\n")[0]


class GameFile:
    """A file that a game's record is written to again and again. What is not this game's is never overwritten."""

    def __init__(self, path: Path, last: str = "") -> None:
        self.path = path
        self.last_text = last  # what it says, as far as we know

    @staticmethod
    def of(path: Path, text: str) -> "GameFile":
        """A file that somebody named. It may have an earlier part of the same game, which goes on there."""
        there = _read_text(path)
        same = WINNER_PREFIX not in there and text and _first_deal(there) == _first_deal(text)
        return GameFile(path, there if same else "")

    def write(self, text: str) -> None:
        """Write the record: at every moment the file is whole, whatever happens to us or the machine's power."""
        if self.path.exists() and _read_text(self.path) != self.last_text:
            self.path = unused_path(self.path)  # another game, or somebody else goes on with this one
        self.path.parent.mkdir(parents=True, exist_ok=True)
        path = self.path.resolve()
        draft = path.with_name(f".{path.name}.{os.getpid()}")
        try:
            draft.write_text(text, encoding="utf-8")
            draft.replace(path)
        except OSError:
            draft.unlink(missing_ok=True)
            raise
        self.last_text = text


@dataclass
class GameFiles:
    """Where the games of a table are kept: in a folder, each in a file of its own, and where the player wants it."""

    directory: Path | None = None
    copy_path: Path | None = None
    files: list[GameFile] = field(default_factory=list)  # of the game that is played
    written_copies: list[Path] = field(default_factory=list)  # all that were written where the player wants them

    def begin(self) -> None:
        """Another game begins."""
        self.files = []
        if self.directory is not None:
            self.files.append(GameFile(self.directory / f"{datetime.now():%Y-%m-%d-%H%M%S}{RECORD_SUFFIX}"))
        if self.copy_path is not None:
            self.files.append(GameFile.of(self.copy_path, ""))

    def resume(self, kept: SavedGame) -> None:
        """A game goes on where it was kept."""
        self.files = [GameFile(kept.file, kept.text)]
        if self.copy_path is not None:
            self.files.append(GameFile.of(self.copy_path, kept.text))

    def write(self, text: str) -> None:
        """Write the record of the game that is played."""
        for file in self.files:
            file.write(text)
        if self.copy_path is not None and self.files[-1].path not in self.written_copies:
            self.written_copies.append(self.files[-1].path)
