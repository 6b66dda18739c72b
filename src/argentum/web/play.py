"""The games of one table: each step is written to the log before it is taken, and can be taken again from there."""

import hmac
import json
import secrets
from base64 import urlsafe_b64encode
from collections.abc import Iterable
from time import time
from typing import Any

from argentum.display.session import Made, Sitting
from argentum.records.fairness import Opening, opening
from argentum.rooms.arrangement import Arrangement
from argentum.rooms.bot_players import Mind
from argentum.rules.game import Game
from argentum.rules.notation import SEATS
from argentum.web import story
from argentum.web.keys import KEY_BYTES
from argentum.web.log import Entry, Journal, LogError


def secret_of(root: bytes, nth: int) -> bytes:
    """The secret of a table's nth game; those of others do not tell it."""
    return hmac.digest(root, f"game {nth}".encode(), "sha256")


def commitment_of(root: bytes, nth: int) -> str:
    """What is told before a table's nth game."""
    return Opening(secret_of(root, nth)).commitment


class Play:
    """What is played at a table, and its log."""

    def __init__(self, name: str, log: Journal, fade: float) -> None:
        self.name = name
        self.log = log
        self.fade = fade
        self.root = secrets.token_bytes(32)  # what the secret of each game follows from
        self.opening: Opening | None = None  # what the deals of the last game follow from
        self.values: dict[str, str] = {}  # of the seats, for the next game
        self.people = ""  # the seats where people sat when the game began
        self.shut = False  # nothing may be written any more: another server may have the table
        self.seq = 0  # of the next entry of the log
        self.arranged: dict[str, str] | None = None  # digests in the last entry, if that is an arrangement
        self.written = time()  # when the last one was written
        self.set_at = self.written  # and the first
        self.kept = False  # for good, as somebody at the table wants it
        self.games = 0  # that were begun
        self.sitting: Sitting | None = None
        self.minds = [Mind() for _ in SEATS]
        self.by_bot = [0 for _ in SEATS]  # moves of each seat that a bot has made
        self.rounds_seen = [0 for _ in SEATS]  # of whose ends each seat has left the reveal

    @property
    def game(self) -> Game | None:
        """The game that is played, or was played last."""
        return self.sitting.game if self.sitting is not None else None

    async def write(self, kind: str, body: dict[str, Any]) -> None:
        """Write an entry; `Conflict`, if the log has another of that number. An arrangement replaces one before it."""
        if self.shut:
            raise LogError("another server has this table now")
        if kind == "arrange" and self.arranged is not None:
            body = {**body, "digests": {**self.arranged, **body["digests"]}}
            await self.log.replace(self.name, self.seq, kind, body)
        else:
            await self.log.append(self.name, self.seq, kind, body)
        self.seq += 1
        self.arranged = body["digests"] if kind == "arrange" else None
        self.written = time()

    async def start(self, one: Arrangement) -> None:
        """Begin a game."""
        names = [place.name for place in one.places]
        opened = opening(secret_of(self.root, self.games), self.values)
        game = Game.new(one.code, len(names), opened.seed, one.chosen_token, names, opened.deals(len(names)))
        await self.write("start", story.start_body(game, opened.seed, opened))
        self.opening = opened
        self.begin(game, one.memory)

    async def play_on(self, game: Game, entries: Iterable[tuple[str, dict[str, Any]]], memory: bool) -> None:
        """Begin in the middle of a game; the entries of what happened in it are written as if that had been here."""
        for kind, body in entries:
            await self.write(kind, body)
        self.opening = None
        self.begin(game, memory)
        self.rounds_seen = [game.rounds_over for _ in SEATS]

    async def keep(self) -> None:
        """Keep the table's games for good, however long the server keeps others."""
        if not self.kept:
            await self.write("keep", {})
            self.kept = True

    def share_key(self, game: int) -> str:
        """The key of a link to one of the table's games, for when it is over."""
        code = hmac.digest(self.root, f"replay {game}".encode(), "sha256")
        return urlsafe_b64encode(code[:KEY_BYTES]).decode().rstrip("=")

    def commitment(self, gathering: bool) -> str:
        """What was promised for the game on the table, or is promised for the next."""
        if gathering:
            return commitment_of(self.root, self.games)
        return self.opening.commitment if self.opening is not None else ""

    def opened(self) -> str:
        """What a page needs to check the round that was over last, as JSON; empty if nothing was promised."""
        if self.opening is None or self.game is None or not self.game.rounds_over:
            return ""
        nth = self.game.rounds_over
        return json.dumps(self.opening.opened(nth, self.game.dealt[nth - 1]))

    def begin(self, game: Game, memory: bool) -> None:
        """A game is on the table."""
        self.sitting = Sitting(game, self.seq, memory, self.fade)
        self.games += 1
        self.values = {}
        self.minds = [Mind() for _ in SEATS]
        self.by_bot = [0 for _ in SEATS]
        self.rounds_seen = [0 for _ in SEATS]

    async def commit(self, made: Made) -> None:
        """Write a move down; only then does the game go on."""
        assert self.sitting is not None
        await self.write("move", story.move_body(self.sitting.game, made))
        self._went_on(made)

    def _went_on(self, made: Made) -> None:
        assert self.sitting is not None
        self.sitting.go_on(made, self.seq)
        self.by_bot[SEATS.index(made.seat)] += bool(made.bot)

    def redo(self, entries: list[Entry], nth: int, memory: bool) -> None:
        """Take the step again that an entry tells of; those after it say how its game was dealt later on."""
        entry = entries[nth]
        self.seq, self.written = entry.seq + 1, entry.at
        self.arranged = entry.body["digests"] if entry.kind == "arrange" else None
        self.set_at = min(self.set_at, entry.at)
        self.kept = self.kept or entry.kind == "keep"
        if entry.kind == "table" and "secret" in entry.body:
            self.root = bytes.fromhex(entry.body["secret"])
        if entry.kind == "start":
            self.opening = story.opening_of(entry.body)
            self.begin(story.started(entries[nth:]), memory)
        elif entry.kind == "move":
            assert self.sitting is not None
            self._went_on(story.redone(self.sitting.game, entry.body))

    def wake(self, last: Entry) -> None:
        """Go on after a restart: if the last thing that happened was a round's end, some may not have seen it yet."""
        if self.game is not None:
            ended = last.kind == "move" and ("deal" in last.body or self.game.over)
            self.rounds_seen = [self.game.rounds_over - ended for _ in SEATS]

    def take_on(self, other: "Play") -> None:
        """Be as another is, who has read the log; what seats saw a moment ago is forgotten."""
        self.seq, self.games, self.sitting = other.seq, other.games, other.sitting
        self.arranged = other.arranged
        self.written, self.set_at, self.kept = other.written, other.set_at, other.kept
        self.root, self.opening, self.people = other.root, other.opening, other.people
        self.minds, self.by_bot = other.minds, other.by_bot
        self.rounds_seen = [min(pair) for pair in zip(self.rounds_seen, other.rounds_seen, strict=True)]
