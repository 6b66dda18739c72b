"""The journal of games on this machine: record files, rewritten after each move, from which a game can be continued."""

import os
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from itertools import count
from pathlib import Path
from random import SystemRandom
from typing import Any, Final

from argentum import records
from argentum.records.fairness import DealCommitment, VerificationError, read_commitment
from argentum.rooms.arrangement import DEFAULT_BOT, Arrangement, SeatConfig
from argentum.rooms.entries import (
    ArrangementChanged,
    GameStarted,
    MovePlayed,
    RoomEntry,
    TableCreated,
    entries_of_game,
    read_entry,
    restore_game,
)
from argentum.rooms.log.memory import MemoryJournal
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


def record_text(game: Game, arrangement: Arrangement, seed: int, commitment: DealCommitment | None = None) -> str:
    """Return a game's record as text, with the comments needed to continue it: bots, memory, what deals derive from."""
    bots = [f"# seat {letter}: {seat.bot}" for letter, seat in zip(SEAT_LETTERS, arrangement.seats, strict=False)][1:]
    memory = ["# memory: yes"] if arrangement.memory else []
    text = records.write(game) + "\n".join([*bots, *memory, f"# seed: {seed}"]) + "\n"
    return text if commitment is None else text + commitment.record_comments()


@dataclass(frozen=True)
class SavedGame:
    """An unfinished game that can be continued."""

    file: Path
    text: str
    game: Game
    arrangement: Arrangement
    seed: int
    commitment: DealCommitment | None = None  # None in records of version 1.0.0rc1

    @staticmethod
    def read(file: Path, text: str) -> "SavedGame":
        """Restore a game from its record; raise `ValueError` if that is invalid.

        Later deals and shuffles derive from the secret or the seed in comments of the record, or from a random seed.
        """
        recorded = records.read(text)
        remarks = dict(REMARK.findall(text))
        seed = int(remarks["seed"]) if remarks.get("seed", "").isdecimal() else SystemRandom().getrandbits(64)
        commitment = None
        with suppress(VerificationError):
            commitment = read_commitment(text)
        cast, deals = recorded.cast, list(recorded.deals)
        if commitment is not None:
            deals += commitment.deals(recorded.players)[len(deals) :]
        game = Game.new(cast.code, recorded.players, seed, cast.token, recorded.names, deals, rulings=recorded.rulings)
        for move in recorded.history():
            game.play(move)
        others = zip(SEAT_LETTERS[1:], recorded.names[1:], strict=False)
        seats = [SeatConfig(recorded.names[0], claimed=True)]
        seats += [SeatConfig(name, remarks.get(f"seat {letter}", DEFAULT_BOT)) for letter, name in others]
        code, token = cast.code, cast.token
        arrangement = Arrangement(
            tuple(seats), code, "" if token == default_token(code) else token, "memory" in remarks
        )
        return SavedGame(file, text, game, arrangement, seed, commitment)

    def entries(self) -> list[RoomEntry]:
        """Return the log entries of the game so far."""
        _, *moves = entries_of_game(self.game, self.seed)
        return [GameStarted.from_game(self.game, self.seed, self.commitment), *moves]

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


class FileJournal(MemoryJournal):
    """The journal of tables with one player, whose games are saved in files.

    A file is written after each move from the player's first one on. If that fails, `on_error` gets a message, and the
    game continues.
    """

    def __init__(self, files: GameFiles, player_seat: str, on_error: Callable[[str], None]) -> None:
        super().__init__()
        self.files = files
        self.player_seat = player_seat
        self.on_error = on_error
        self.last_error = ""  # empty after a success
        self.arrangement: Arrangement
        self.game: Game | None = None  # the current or last game
        self.seed = 0
        self.commitment: DealCommitment | None = None
        self.has_moved = False  # whether the player has moved in this game

    @property
    def is_resumable(self) -> bool:
        """Whether the current game is saved and can be resumed."""
        return self.game is not None and self.has_moved and not self.game.over

    def record(self) -> str:
        """Return the record of the current or last game, from which it can be resumed."""
        assert self.game is not None
        return record_text(self.game, self.arrangement, self.seed, self.commitment)

    async def resume(self, table: str, saved: SavedGame) -> None:
        """Append the entries of a saved game to a table's log; later ones are saved in the same file."""
        for entry in saved.entries():
            await super().append(table, len(self.tables[table]), entry.kind, entry.body())
        self.files.resume(saved)
        self.game, self.seed, self.commitment = saved.game.copy(), saved.seed, saved.commitment
        self.has_moved = True

    async def append(self, table: str, seq: int, kind: str, body: Any) -> None:
        await super().append(table, seq, kind, body)
        match read_entry(self.tables[table][-1]):
            case TableCreated() | ArrangementChanged() as entry:
                self.arrangement = entry.arrangement
            case GameStarted() as entry:
                self.game, self.seed, self.commitment = restore_game(entry), entry.seed, entry.commitment
                self.files.begin()
                self.has_moved = False
            case MovePlayed() as entry:
                assert self.game is not None
                entry.apply(self.game)
                self.has_moved = self.has_moved or (entry.seat == self.player_seat and not entry.bot)
                if self.has_moved and self.files.files:
                    self._save()

    def _save(self) -> None:
        """Write the record; report an error unless it repeats the last one."""
        try:
            self.files.write(self.record())
            self.last_error = ""
        except OSError as error:
            file = f"{error.filename}: " if error.filename else ""  # A full disk is reported without the file.
            text = f"The game cannot be saved: {file}{error.strerror}."
            if text != self.last_error:
                self.on_error(text)
            self.last_error = text
