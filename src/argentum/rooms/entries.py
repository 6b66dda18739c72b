"""The six kinds of entries in a room's log: how their bodies are written and read, and the state they add up to.

A stored kind or key is never renamed, so that every log stays readable. Keys that early logs lack are optional here.
"""

import secrets
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from time import time
from typing import Any, ClassVar, Final, TypeAlias

from argentum.display.replay import game_positions
from argentum.display.session import LOOK_SECONDS, GameSession, PlayedMove
from argentum.records.fairness import DealCommitment, make_commitment
from argentum.records.steps import moving_seat, written_moves
from argentum.rooms.access import SeatKeys
from argentum.rooms.arrangement import FIRST_KEY_VERSIONS, Arrangement
from argentum.rooms.log.journal import CorruptEntry, Entry
from argentum.rooms.names import DEFAULT_PLAYER_NAMES
from argentum.rules.boxes import check_foreign_box, describe_foreign_boxes
from argentum.rules.deal import Deal
from argentum.rules.game import Game
from argentum.rules.move import Move
from argentum.rules.notation import SEAT_LETTERS
from argentum.rules.table import FIRST_RULINGS

REPLAY_SLICE: Final = 100  # log entries replayed before the event loop serves others


@dataclass(frozen=True)
class TableCreated:
    """The first entry of a log."""

    kind: ClassVar[str] = "table"
    arrangement: Arrangement
    digests: dict[str, str]  # of keys, by role
    secret: bytes | None = None  # from which the secrets of all games derive; None in early logs

    def body(self) -> dict[str, Any]:
        body: dict[str, Any] = {"digests": self.digests, "arrangement": self.arrangement.to_log()}
        return body if self.secret is None else {**body, "secret": self.secret.hex()}

    @staticmethod
    def read(body: dict[str, Any], key_versions: tuple[int, ...]) -> "TableCreated":
        secret = bytes.fromhex(body["secret"]) if "secret" in body else None
        return TableCreated(Arrangement.from_log(body["arrangement"], key_versions), body["digests"], secret)


@dataclass(frozen=True)
class ArrangementChanged:
    kind: ClassVar[str] = "arrange"
    arrangement: Arrangement
    digests: dict[str, str]  # that have changed, by role

    def body(self) -> dict[str, Any]:
        return {"arrangement": self.arrangement.to_log(), "digests": self.digests}

    def after(self, previous: "ArrangementChanged") -> "ArrangementChanged":
        """Return the entry that replaces both this one and the previous one."""
        return replace(self, digests={**previous.digests, **self.digests})

    @staticmethod
    def read(body: dict[str, Any], key_versions: tuple[int, ...]) -> "ArrangementChanged":
        return ArrangementChanged(Arrangement.from_log(body["arrangement"], key_versions), body["digests"])


@dataclass(frozen=True)
class GameStarted:
    """The start of a game, which determines its first deal and, with the seed, all others."""

    kind: ClassVar[str] = "start"
    boxes: str  # deck code
    token: str
    names: tuple[str, ...]
    seed: int
    deal: Deal
    rulings: int = FIRST_RULINGS  # early logs lack it
    foreign_boxes: tuple[str, ...] = ()
    commitment: DealCommitment | None = None  # None in early logs and for branches

    @staticmethod
    def from_game(game: Game, seed: int, commitment: DealCommitment | None = None) -> "GameStarted":
        cast = game.cast
        boxes = tuple(describe_foreign_boxes(cast))
        return GameStarted(
            cast.code, cast.token, tuple(game.names), seed, game.deals[0], game.rulings, boxes, commitment
        )

    def body(self) -> dict[str, Any]:
        body = {"boxes": self.boxes, "token": self.token, "rulings": self.rulings, "names": self.names}
        body["seed"] = self.seed
        if self.foreign_boxes:
            body["foreign_boxes"] = self.foreign_boxes
        body["deal"] = _deal_to_json(self.deal)
        if self.commitment is not None:
            body |= {"secret": self.commitment.secret.hex(), "values": dict(self.commitment.values)}
        return body

    @staticmethod
    def read(body: dict[str, Any], _key_versions: tuple[int, ...]) -> "GameStarted":
        commitment = make_commitment(bytes.fromhex(body["secret"]), body["values"]) if "secret" in body else None
        return GameStarted(
            body["boxes"],
            body["token"],
            tuple(body["names"]),
            body["seed"],
            _read_deal(body["deal"]),
            body.get("rulings", FIRST_RULINGS),
            tuple(body.get("foreign_boxes", ())),
            commitment,
        )


@dataclass(frozen=True)
class MovePlayed:
    """A complete move, with the shuffles and the deal of the next round that it caused."""

    kind: ClassVar[str] = "move"
    seat: str
    steps: tuple[str, ...]
    bot: str = ""  # the bot that chose the move
    shuffles: tuple[Sequence[int], ...] = ()
    deal: Deal | None = None

    @staticmethod
    def from_move(before: Game, move: PlayedMove) -> "MovePlayed":
        """Return the entry of a move that was played on a copy of the game `before`."""
        shuffles = move.game.shuffles(before.round)[len(before.shuffles(before.round)) :]
        has_deal = move.game.rounds_finished > before.rounds_finished and not move.game.over
        return MovePlayed(
            move.seat,
            tuple([str(step) for step in move.steps]),
            move.bot,
            tuple([shuffle.numbers for shuffle in shuffles]),
            move.game.deals[-1] if has_deal else None,
        )

    def body(self) -> dict[str, Any]:
        body: dict[str, Any] = {"seat": self.seat, "steps": self.steps}
        if self.bot:
            body["bot"] = self.bot
        if self.shuffles:
            body["shuffles"] = self.shuffles
        if self.deal is not None:
            body["deal"] = _deal_to_json(self.deal)
        return body

    @staticmethod
    def read(body: dict[str, Any], _key_versions: tuple[int, ...]) -> "MovePlayed":
        deal = _read_deal(body["deal"]) if "deal" in body else None
        return MovePlayed(
            body["seat"], tuple(body["steps"]), body.get("bot", ""), tuple(body.get("shuffles", ())), deal
        )

    def apply(self, game: Game) -> PlayedMove:
        """Play the move on `game` itself, not on a copy."""
        steps = [step for text in self.steps for step in game.play(int(Move.of(text)), self.seat)]
        return PlayedMove(game, self.seat, steps, self.bot)


@dataclass(frozen=True)
class GameKept:
    """A player asked to keep the games, so the table does not expire."""

    kind: ClassVar[str] = "keep"

    def body(self) -> dict[str, Any]:
        return {}

    @staticmethod
    def read(_body: dict[str, Any], _key_versions: tuple[int, ...]) -> "GameKept":
        return GameKept()


@dataclass(frozen=True)
class TableVisited:
    """A player opened a finished game, which resets its expiry."""

    kind: ClassVar[str] = "visit"

    def body(self) -> dict[str, Any]:
        return {}

    @staticmethod
    def read(_body: dict[str, Any], _key_versions: tuple[int, ...]) -> "TableVisited":
        return TableVisited()


RoomEntry: TypeAlias = TableCreated | ArrangementChanged | GameStarted | MovePlayed | GameKept | TableVisited
_KINDS: Final = (TableCreated, ArrangementChanged, GameStarted, MovePlayed, GameKept, TableVisited)
_READERS: Final = {entry_class.kind: entry_class.read for entry_class in _KINDS}


def read_entry(entry: Entry, key_versions: tuple[int, ...] = FIRST_KEY_VERSIONS) -> RoomEntry:
    """Read an entry; raise `CorruptEntry` if it is invalid.

    `key_versions` are those of the previous arrangement in the log, which early logs need (`Arrangement.from_log`).
    """
    if entry.kind not in _READERS:
        raise CorruptEntry(f"entry {entry.seq} has the kind {entry.kind!r}, which this Argentum does not know")
    try:
        return _READERS[entry.kind](entry.body, key_versions)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise CorruptEntry(f"entry {entry.seq}, of kind {entry.kind}, is invalid: {error!r}") from error


def read_entries(entries: Iterable[Entry]) -> list[RoomEntry]:
    """Read all entries of a room from the first one; raise `CorruptEntry` if one is invalid."""
    room_entries: list[RoomEntry] = []
    key_versions = FIRST_KEY_VERSIONS
    for entry in entries:
        room_entry = read_entry(entry, key_versions)
        if isinstance(room_entry, TableCreated | ArrangementChanged):
            key_versions = room_entry.arrangement.key_versions
        room_entries.append(room_entry)
    return room_entries


def _deal_to_json(deal: Deal) -> dict[str, Any]:
    """Return a deal as JSON, without the results of later shuffles, which are in the entries of moves."""
    return {"start": deal.start, "villages": deal.villages, "discard": deal.discard, "deck": deal.deck}


def _read_deal(fields: dict[str, Any]) -> Deal:
    return Deal(fields["start"], fields["villages"], fields["discard"], fields["deck"])


# The state of a room.


class RoomState:
    """What a room's entries add up to: everything about it that is saved."""

    def __init__(self, created: TableCreated, look_seconds: float = LOOK_SECONDS) -> None:
        self.arrangement = created.arrangement
        self.keys = SeatKeys(created.digests)
        self.secret_root = created.secret or secrets.token_bytes(32)  # the secret of each game is derived from it
        self.look_seconds = look_seconds
        self.seq = 0  # number of the next entry
        self.last_entry: RoomEntry = created
        self.created_at = self.last_entry_at = self.last_move_at = time()
        self.is_kept = False
        # Games.
        self.last_session: GameSession | None = None  # the current or last game
        self.game_count = 0  # games started
        self.opening: DealCommitment | None = None  # from which the deals of the last game are derived
        self.human_seats_at_start = ""  # seats of players when the game began
        self.held_seats: set[str] = set()  # seats that players have held since the game began
        self.played_by: dict[str, str] = {}  # key digests of the players of the last game, by seat
        self.bot_move_counts = [0 for _ in SEAT_LETTERS]  # by seat: moves that a bot has made

    @property
    def session(self) -> GameSession | None:
        """The current game, or the last one until a rematch is opened; None if there is none."""
        return self.last_session if self.arrangement.rematch is None else None

    @property
    def game(self) -> Game | None:
        """The current or last game."""
        return self.last_session.game if self.last_session is not None else None

    @property
    def playing(self) -> bool:
        session = self.session
        return session is not None and not session.game.over

    @property
    def rounds_before_last_entry(self) -> int:
        """The number of rounds that were finished before the last entry."""
        game, last = self.game, self.last_entry
        if game is None:
            return 0
        return game.rounds_finished - (isinstance(last, MovePlayed) and (last.deal is not None or game.over))

    def claimed_seats(self) -> set[str]:
        configs = zip(SEAT_LETTERS, self.arrangement.seats, strict=False)
        return {letter for letter, seat_config in configs if seat_config.claimed and not seat_config.bot}

    def record(self, entry: RoomEntry, seq: int, at: float) -> None:
        """Record that entry number `seq` was saved. What it contains is applied by another method."""
        self.seq, self.last_entry, self.last_entry_at = seq + 1, entry, at
        if isinstance(entry, GameStarted | MovePlayed):
            self.last_move_at = at
        self.created_at = min(self.created_at, at)
        self.is_kept = self.is_kept or isinstance(entry, GameKept)

    def set_arrangement(self, new: Arrangement, digests: dict[str, str]) -> None:
        """Change the settings, and the digests of some roles; rename the players of a running game."""
        self.arrangement, self.keys = new, self.keys.with_digests(digests)
        if self.playing and self.session is not None:
            self.held_seats |= self.claimed_seats()
            self._record_players()
            self.session.rename([seat_config.name for seat_config in new.seats], self.seq)

    def start_game(self, game: Game, commitment: DealCommitment | None) -> None:
        """Begin a game. This ends the preparation of a rematch."""
        self.last_session = GameSession(game, self.seq, self.arrangement.memory, self.look_seconds)
        self.game_count += 1
        self.opening = commitment
        self.bot_move_counts = [0 for _ in SEAT_LETTERS]
        self.held_seats = self.claimed_seats()
        self.human_seats_at_start = "".join(sorted(self.held_seats))
        self.arrangement = replace(self.arrangement, rematch=None)
        self._record_players()

    def apply_move(self, move: PlayedMove) -> None:
        """Apply a move that was played on a copy of the game, or on the game itself."""
        assert self.last_session is not None
        self.last_session.commit(move, self.seq)
        self.bot_move_counts[SEAT_LETTERS.index(move.seat)] += bool(move.bot)

    def _record_players(self) -> None:
        self.played_by = {letter: self.keys.digest_of(letter) for letter in self.claimed_seats()}


def replay(stored: Sequence[Entry], entries: Sequence[RoomEntry], look_seconds: float) -> Iterator[RoomState]:
    """Yield the state of a room after each slice of its entries; the last one is complete.

    `entries` are the `stored` ones as :func:`read_entries` returns them.
    """
    if not entries or not isinstance(entries[0], TableCreated):
        raise CorruptEntry(f"a log begins with an entry of kind {TableCreated.kind}")
    state = RoomState(entries[0], look_seconds)
    for index, (row, entry) in enumerate(zip(stored, entries, strict=True)):
        state.record(entry, row.seq, row.at)
        match entry:
            case ArrangementChanged():
                state.set_arrangement(entry.arrangement, entry.digests)
            case GameStarted():
                state.start_game(restore_game(entry, entries[index + 1 :]), entry.commitment)
            case MovePlayed():
                assert state.last_session is not None
                state.apply_move(entry.apply(state.last_session.game))
        if index % REPLAY_SLICE == REPLAY_SLICE - 1:
            yield state
    yield state


# Games.


def entries_of_game(game: Game, seed: int) -> list[RoomEntry]:
    """Return the entries of a game so far."""
    entries: list[RoomEntry] = [GameStarted.from_game(game, seed)]
    positions = game_positions(game)
    for index, (_, move_steps) in enumerate(written_moves(game)):
        seat, steps = moving_seat(positions[index], move_steps), [Move(step) for step in move_steps]
        entries.append(MovePlayed.from_move(positions[index], PlayedMove(positions[index + 1], seat, steps)))
    return entries


def restore_game(start: GameStarted, later: Iterable[RoomEntry] = ()) -> Game:
    """Create the game that an entry started; no move is played.

    Later entries are read only for the deals of later rounds and the results of shuffles.
    """
    for description in start.foreign_boxes:
        check_foreign_box(description)
    deals, players = _deals_of_game(start, later), len(start.names)
    if start.commitment is not None:
        deals += start.commitment.deals(players)[len(deals) :]
    return Game.new(start.boxes, players, start.seed, start.token, start.names, deals, rulings=start.rulings)


def _deals_of_game(start: GameStarted, later: Iterable[RoomEntry]) -> list[Deal]:
    """Return the deals of a game with the results of its shuffles; `later` are the entries after its start."""
    deals: list[Deal] = []
    deal, shuffles = start.deal, list[Sequence[int]]()
    for entry in later:
        if isinstance(entry, GameStarted):
            break
        if isinstance(entry, MovePlayed):
            shuffles += entry.shuffles
            if entry.deal is not None:
                deals.append(_with_shuffles(deal, shuffles))
                deal, shuffles = entry.deal, []
    return [*deals, _with_shuffles(deal, shuffles)]


def _with_shuffles(deal: Deal, shuffles: Sequence[Sequence[int]]) -> Deal:
    return Deal(deal.start, deal.villages, deal.discard, deal.deck, shuffles)


def entries_until_game_end(entries: list[Entry], game: int) -> list[Entry]:
    """Return the entries up to the last move of game number `game`, counted from 1; empty if it has not started."""
    starts = [*[index for index, entry in enumerate(entries) if entry.kind == GameStarted.kind], len(entries)]
    if not 0 < game < len(starts):
        return []
    kinds = (GameStarted.kind, MovePlayed.kind)
    last = max([index for index in range(starts[game - 1], starts[game]) if entries[index].kind in kinds])
    return entries[: last + 1]


# Data of players, in stored bodies. These are not converted, so that whatever else they contain stays as it is.

_SECRET_KEYS: Final = ("digests", "secret", "seed")  # they would help to open seats, or reveal cards


def public_body(body: dict[str, Any]) -> dict[str, Any]:
    """Return the body of an entry without secrets."""
    return {key: value for key, value in body.items() if key not in _SECRET_KEYS}


def has_player(body: dict[str, Any], name: str) -> bool:
    """Whether the body of an entry contains a player's name, in any case."""
    names = [*[seat[0] for seat in _seats_in(body)], *body.get("names", [])]
    return name.casefold() in {str(other).casefold() for other in names}


def replace_name(body: dict[str, Any], name: str) -> dict[str, Any]:
    """Replace a name in the body of an entry, in place, with the seat's default name; return the body."""
    for index, seat in enumerate(_seats_in(body)):
        if str(seat[0]).casefold() == name.casefold():
            seat[0] = _default_name(index, [str(other[0]) for other in _seats_in(body)])
    names = body.get("names", [])
    for index, other in enumerate(names):
        if str(other).casefold() == name.casefold():
            names[index] = _default_name(index, names)
    return body


def _seats_in(body: dict[str, Any]) -> list[list[Any]]:
    seats: list[list[Any]] = body.get("arrangement", {}).get("places", [])
    return seats


def _default_name(seat: int, taken: list[str]) -> str:
    """Return the seat's default name, with a number appended if it is taken."""
    name = DEFAULT_PLAYER_NAMES[seat]
    return name if name.casefold() not in [other.casefold() for other in taken] else f"{name} {seat + 1}"
