"""A game on this machine, without a server: a room with one player and bots, whose games are saved as records."""

import json
from collections.abc import Sequence
from dataclasses import replace
from itertools import count
from random import Random
from typing import Final

from argentum.display.errors import Refused, Stale
from argentum.records.fairness import SECRET_BYTES
from argentum.rooms import messages
from argentum.rooms.access import derive_key, key_digest, new_key
from argentum.rooms.arrangement import DEFAULT_BOT, Arrangement, SeatConfig
from argentum.rooms.clock import BOT_DELAY, Timing
from argentum.rooms.entries import TableCreated
from argentum.rooms.json_reader import JsonReader
from argentum.rooms.log.file import FileJournal, GameFiles, SavedGame
from argentum.rooms.names import DEFAULT_PLAYER_NAMES
from argentum.rooms.registry import RoomRegistry
from argentum.rooms.room import Room
from argentum.rooms.visitor import Visitor
from argentum.rules.boxes import DEFAULT_BOX, resolve_deck_code
from argentum.rules.notation import SEAT_LETTERS
from argentum.terminal.sources import OnMessage, ProtocolMessage, Source

OWN_SEAT: Final = SEAT_LETTERS[0]


class LocalConnection:
    """The player's connection to the room, as message handlers use it."""

    def __init__(self, registry: RoomRegistry, on_message: OnMessage) -> None:
        self.registry = registry
        self.on_message = on_message
        self.visitor = Visitor()
        self.visitor.role, self.visitor.key = OWN_SEAT, new_key()

    async def send(self, text: str) -> None:
        self.on_message(json.loads(text))

    def url_for(self, path: str) -> str:
        """Return the path: without a server there is no URL."""
        return path


class LocalSource(Source):
    """A room in this process, with a person in seat A and bots in the other seats."""

    is_local = True
    leave_text = "The game is saved; run `argentum terminal` to continue."

    def __init__(
        self,
        name: str,
        opponents: Sequence[str],
        boxes: str = DEFAULT_BOX,
        seed: int | None = None,
        memory: bool = False,
        pause: float = BOT_DELAY,
        game_files: GameFiles | None = None,
    ) -> None:
        self.random = Random(seed)
        default_names = DEFAULT_PLAYER_NAMES[1 : len(opponents) + 1]
        bot_names = [f"{bot_name} 2" if bot_name == name else bot_name for bot_name in default_names]
        seats = [SeatConfig(bot_name, bot) for bot_name, bot in zip(bot_names, opponents, strict=True)]
        code = resolve_deck_code(boxes, self.random)
        self.new_arrangement = Arrangement((SeatConfig(name, claimed=True), *seats), code, memory=memory)
        self.begins_in_lobby = False
        self.saved_game: SavedGame | None = None  # to continue instead of a new game
        self.journal = FileJournal(game_files or GameFiles(), OWN_SEAT, self._report_save_error)
        self.registry = RoomRegistry(self.journal, Timing(bot_delay=pause))
        self.table_numbers = count(1)
        self.is_open = False  # whether there is a table
        self.room: Room
        self.connection: LocalConnection

    @property
    def is_resumable(self) -> bool:
        """Whether the current game is saved and can be resumed."""
        return self.journal.is_resumable

    async def run(self, on_message: OnMessage) -> None:
        """Open the table, and pass on its updates until cancelled."""
        self.connection = LocalConnection(self.registry, on_message)
        visitor, saved = self.connection.visitor, self.saved_game
        await self._open_table(saved.arrangement if saved is not None else self.new_arrangement, saved)
        if saved is None and not self.begins_in_lobby:
            await self.send({"type": "start"})
        try:
            while True:
                await visitor.changed.wait()
                visitor.changed.clear()
                for text in visitor.reader.updates(self.room, visitor.role, visitor.key):
                    await self.connection.send(text)
        finally:
            visitor.leave(self.room)
            await self.registry.close()

    async def _open_table(self, arrangement: Arrangement, saved: SavedGame | None = None) -> None:
        """Create a table with an arrangement, which the player enters, and continue a saved game there."""
        name, visitor = f"local-game-{next(self.table_numbers)}", self.connection.visitor
        keys = {letter: derive_key(visitor.key, letter) for letter in SEAT_LETTERS} | {OWN_SEAT: visitor.key}
        digests = {letter: key_digest(seat_key) for letter, seat_key in keys.items()}
        created = TableCreated(arrangement, digests, self.random.randbytes(SECRET_BYTES))
        await self.journal.append(name, 0, created.kind, created.body())
        if saved is not None:
            await self.journal.resume(name, saved)
        room = await self.registry.find(name)
        assert room is not None, "the table was just created"
        self.room, visitor.reader, self.is_open = room, JsonReader(), True
        await visitor.enter(room)
        self.connection.on_message({"type": "connection", "up": True, "message": ""})

    async def send(self, message: ProtocolMessage) -> None:
        """Handle a message of the protocol, or of the local type `new_table`, which opens the lobby after a game.

        Report a refused message to `on_message` as an error. Ignore a move for a choice that was already answered, and
        keys that are pressed before there is a table.
        """
        if not self.is_open:
            return
        try:
            await self._handle(dict(message))
        except Stale:  # The choice was already answered, for example by a double key press.
            return
        except Refused as error:
            self.connection.on_message({"type": "error", "code": "refused", "message": str(error)})

    async def _handle(self, message: ProtocolMessage) -> None:
        kind = message["type"]
        if kind == "record":  # complete, and also before the end of the game, to continue it elsewhere
            record = self.journal.record()
            self.connection.on_message({"type": "record", "name": "game.silver", "text": record})
        elif kind == "new_table":
            await self._open_new_table()
        elif kind in messages.REGISTRY:
            for text in await messages.dispatch(self.connection, self.room, message, messages.REGISTRY):
                await self.connection.send(text)
            for letter in self.room.free_seats:  # nobody else can join
                change = {"type": "arrange", "seat": letter, "bot": DEFAULT_BOT}
                await messages.dispatch(self.connection, self.room, change, messages.REGISTRY)

    async def _open_new_table(self) -> None:
        """Open the lobby of another table with the present settings, unless a game can still be continued."""
        if self.is_resumable:
            return
        self.connection.visitor.leave(self.room)
        await self.room.close()
        await self._open_table(replace(self.room.arrangement, rematch=None))

    def _report_save_error(self, text: str) -> None:
        self.connection.on_message({"type": "error", "code": "not saved", "message": text})
