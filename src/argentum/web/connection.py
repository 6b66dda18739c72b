"""One WebSocket: somebody sits down or looks on, is kept up to date, and says what they want."""

import asyncio
import json
import logging
from contextlib import suppress
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from argentum import records
from argentum.tableside.refusals import Refused, Stale
from argentum.tableside.sitting import WATCH
from argentum.web import protocol
from argentum.web.gate import Gate
from argentum.web.hall import Hall
from argentum.web.keys import LONGEST
from argentum.web.listeners import Browser, Listener, Program
from argentum.web.log import LogError
from argentum.web.painter import Painter
from argentum.web.room import Room

SIT_WITHIN = 20.0  # seconds
PATIENCE = 200  # messages too many before the line is cut
logger = logging.getLogger(__name__)

POLICY, TRY_LATER = 1008, 1013


class Connection:
    """A client at a table."""

    def __init__(self, socket: WebSocket, hall: Hall, painter: Painter) -> None:
        self.socket = socket
        self.hall = hall
        self.painter = painter
        self.role = WATCH
        self.key = ""
        self.name: object = None
        self.reader: Listener = Program()
        self.dirty = asyncio.Event()
        self.gate = Gate(hall.limits.burst, hall.limits.rate)
        self.answering = asyncio.Lock()

    def touch(self) -> None:
        """Something changed at the table."""
        self.dirty.set()

    async def run(self) -> None:
        """Serve the client until it goes."""
        await self.socket.accept()
        try:
            room = await self._sit()
            if room is None:
                return
            try:
                await room.enter(self, self.name)
                await self._serve(room)
            finally:
                room.leave(self)
        except (WebSocketDisconnect, ConnectionError):
            pass
        except (Stale, LogError) as error:  # it could not be written down that they came
            logger.error("nobody could sit down as %s: %s", self.role, error)
            with suppress(WebSocketDisconnect):
                await self._cut(TRY_LATER, "try again")

    async def _sit(self) -> Room | None:
        """The first message says which table, and by its key which seat."""
        try:
            message = protocol.read_message(await asyncio.wait_for(self._receive(), SIT_WITHIN))
            if message["type"] != "sit":
                raise protocol.Malformed("the first message is sit")
            room = await self._room(message)
        except TimeoutError:
            await self._cut(POLICY, "nobody sat down")
            return None
        except Refused as error:
            await self._send(protocol.error("no seat", str(error)))
            await self._cut(POLICY, "no seat")
            return None
        if room.doors.crowd(self.role) >= self.hall.limits.connections:
            await self._send(protocol.error("full", "too many are connected to this table"))
            await self._cut(TRY_LATER, "full")
            return None
        return room

    async def _room(self, message: dict[str, Any]) -> Room:
        if message.get("protocol", protocol.VERSION) != protocol.VERSION:
            raise Refused(f"this server speaks version {protocol.VERSION} of the protocol")
        key, table = message.get("key", ""), message["table"]
        if not isinstance(key, str) or not isinstance(table, str) or len(key) > LONGEST:
            raise protocol.Malformed("table and key are short texts")
        room = await self.hall.find(table)
        if room is None:
            raise Refused("there is no such table; it may have been cleared away")
        self.role, self.key, self.name = room.doors.role_of(key), key, message.get("name")
        self._check_seat(room)
        if message.get("format") == "html":
            self.reader = Browser(self.painter, room)
        return room

    def _check_seat(self, room: Room) -> None:
        """Fail if the client's key does not, or no longer, open its seat."""
        room.doors.check(self.role, self.key, room.arrangement)

    async def _send(self, text: str) -> None:
        try:
            await self.socket.send_text(text)
        except RuntimeError:  # uvicorn has cut the line already, for bytes that are no message
            raise WebSocketDisconnect(1006) from None

    async def _cut(self, code: int, reason: str) -> None:
        try:
            await self.socket.close(code, reason)
        except RuntimeError:
            raise WebSocketDisconnect(1006) from None

    async def _receive(self) -> str | bytes:
        message = await self.socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1000))
        text: str | bytes | None = message.get("text")
        return text if text is not None else bytes(message.get("bytes") or b"")

    async def _serve(self, room: Room) -> None:
        self.dirty.set()
        tasks = [asyncio.create_task(self._listen(room)), asyncio.create_task(self._show(room))]
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        async with self.answering:  # a move that is being written down is also made, though nobody waits for the answer
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        for task in done:
            task.result()

    async def _show(self, room: Room) -> None:
        """Send what has changed whenever something has; if the client is slow, the latest is enough."""
        while True:
            await self.dirty.wait()
            self.dirty.clear()
            try:
                self._check_seat(room)
                news = self.reader.news(room, self.role, self.key)
            except Refused as error:
                await self._send(protocol.error("no seat", str(error)))
                await self._cut(POLICY, "no seat")
                return
            except Exception:  # a fault of ours must not cut the line, nor make the client come back for ever
                logger.exception("table %s cannot be shown to %s", room.name, self.role)
                news = [protocol.error("broken", "something went wrong in showing the table; it is noted")]
            for text in news:
                await self._send(text)

    async def _listen(self, room: Room) -> None:
        patience = PATIENCE
        while True:
            text = await self._receive()
            if not self.gate.admits():
                patience -= 1
                if patience < 0:
                    await self._cut(POLICY, "too many messages")
                    return
                await self._send(protocol.error("too fast", "too many messages; this one was not read"))
                continue
            async with self.answering:
                await self._answer(room, text)

    async def _answer(self, room: Room, text: str | bytes) -> None:
        """Do what a message asks, or say why not."""
        name = None
        try:
            message = protocol.read_message(text)
            name = message.get("id")
            self._check_seat(room)
            await self._do(room, message)
            if isinstance(name, str | int):
                await self._send(json.dumps({"type": "done", "id": name, "seq": room.play.seq}))
        except Stale as error:
            await self._send(protocol.error("stale", str(error), room.play.seq, name))
            self.touch()
        except protocol.Malformed as error:
            await self._send(protocol.error("malformed", str(error), answers=name))
        except Refused as error:
            await self._send(protocol.error("refused", str(error), room.play.seq, name))
        except LogError as error:
            logger.error("table %s: %s", room.name, error)
            words = "the move could not be saved; please try again"
            await self._send(protocol.error("not saved", words, answers=name))

    async def _do(self, room: Room, message: dict[str, Any]) -> None:
        match message.pop("type"):
            case "move":
                await room.move(self.role, message["choice"], message["move"])
            case "arrange":
                await room.arrange(self.role, message, self.key)
            case "swap":
                await room.swap(self.role, message["number"], message.get("box"))
            case "start":
                await room.start(self.role)
            case "rematch":
                if room.arrangement.rematch is None:
                    await room.rematch(self.role)
                self.reader.leave_result(room)
                self.touch()
            case "back":
                if self.role != WATCH:
                    room.return_to(self.role)
            case "seen":
                self._saw(room, message["round"])
            case "replay":
                self.reader.replay(_step(message.get("at")))
                self.touch()
            case "record":
                await self._send(_record(room, self.role))
            case _:
                raise protocol.Malformed("you are already at a table")

    def _saw(self, room: Room, round_: object) -> None:
        """The reveal of a round has been left."""
        if not isinstance(round_, int) or isinstance(round_, bool):
            raise protocol.Malformed("round is a number")
        if room.game is None:
            raise Refused("no game has begun")
        seen = min(max(round_, 0), room.game.rounds_over)
        self.reader.see(seen)
        if self.role != WATCH:
            room.saw(self.role, seen)
        self.touch()


def _step(at: object) -> int | None:
    """Where to look at in a replay; None to leave it."""
    if isinstance(at, str) and at.isdecimal():
        at = int(at[:6])
    if at is None or (isinstance(at, int) and not isinstance(at, bool)):
        return at
    raise protocol.Malformed("at is a number, or null to leave the replay")


def _record(room: Room, role: str) -> str:
    """The game's record: the whole of it when it is over, till then what the seat was told."""
    if room.game is None:
        raise Refused("there is no game to record yet")
    if not room.game.over and role == WATCH:
        raise Refused("onlookers get the record when the game is over")
    if not room.game.over and room.arrangement.memory:
        raise Refused("at a table with memory there is a record when the game is over; till then, remember")
    text = records.write(room.game) if room.game.over else records.write_for(room.game, role)
    return json.dumps({"type": "record", "name": f"{room.name}.silver", "text": text}, ensure_ascii=False)
