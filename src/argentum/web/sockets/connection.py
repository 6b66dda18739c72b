"""One WebSocket: somebody sits down or looks on, is kept up to date, and says what they want."""

import asyncio
import json
import logging
from contextlib import suppress

from starlette.websockets import WebSocket, WebSocketDisconnect

from argentum.display.errors import Refused, Stale
from argentum.display.session import SPECTATOR
from argentum.rooms import messages
from argentum.rooms.limits import TokenBucket
from argentum.rooms.log.databases import LogError
from argentum.rooms.registry import RoomRegistry
from argentum.rooms.room import Room
from argentum.rooms.visitor import Visitor
from argentum.web.pages.renderer import Painter
from argentum.web.sockets.advice import Advice
from argentum.web.sockets.entrance import Entrance
from argentum.web.sockets.wire import POLICY, TRY_LATER, Wire
from argentum.web.sockets.wishes import Wishes
from argentum.words import errors as why

PATIENCE = 200  # messages too many before the line is cut
logger = logging.getLogger(__name__)


class Connection:
    """A client at a table."""

    def __init__(self, socket: WebSocket, hall: RoomRegistry, painter: Painter, address: str = "") -> None:
        self.wire = Wire(socket)
        self.hall = hall
        self.painter = painter
        self.guest = Visitor(address, shared=hall.porch.is_proxy(address))
        self.gate = TokenBucket(hall.limits.burst, hall.limits.rate)
        self.answering = asyncio.Lock()
        self.unsaved = 0  # of the table's attempts that failed, how many the client knows of

    async def run(self) -> None:
        """Serve the client until it goes."""
        await self.wire.socket.accept()
        guest = self.guest
        try:
            room = await Entrance(self.wire, self.hall, self.painter, guest).admit()
            if room is None:
                return
            if guest.role != SPECTATOR:
                self.hall.porch.knows(guest.address)
            if room.arrangement.host in guest.roles:
                room.host_address = guest.address
            try:
                await guest.enter(room)
                if guest.key:
                    await self.hall.record_visit(room)
                await self._serve(room)
            finally:
                guest.leave(room)
                if self.hall.rooms.get(room.name) is not room:  # a game of the past, for this reader alone
                    await room.close()
        except (WebSocketDisconnect, ConnectionError):
            pass
        except (Stale, LogError) as error:  # it could not be written down that they came
            logger.error("nobody could sit down as %s: %s", guest.role, error)
            with suppress(WebSocketDisconnect):
                await self.wire.cut(TRY_LATER, "try again")
        except Refused as error:
            with suppress(WebSocketDisconnect):
                await self.wire.send(messages.error_json("no seat", str(error)))
                await self.wire.cut(POLICY, "no seat")

    async def _serve(self, room: Room) -> None:
        self.unsaved = room.unsaved
        self.guest.notify()
        advice = Advice(self.wire, self.hall, self.painter, self.guest, room)
        wishes = Wishes(self.wire, self.hall, self.guest, room, advice)
        tasks = [asyncio.create_task(self._listen(room, wishes)), asyncio.create_task(self._show(room))]
        done = (await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED))[0]
        async with self.answering:  # a move that is being written down is also made, though nobody waits for the answer
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        try:
            for task in done:
                task.result()
        finally:  # an exception knows this frame: if that knew it in turn, both, and all they hold, would stay for long
            del task, tasks, done

    async def _show(self, room: Room) -> None:
        """Send what has changed whenever something has; if the client is slow, the latest is enough."""
        guest = self.guest
        while True:
            await guest.changed.wait()
            guest.changed.clear()
            if self.hall.porch.is_banned(guest.address):
                await self.wire.cut(POLICY, "banned")
                return
            if guest.superseded:
                await self.wire.send(messages.error_json("moved", why.SEAT_MOVED))
                await self.wire.cut(POLICY, "moved")
                return
            try:
                news = await self._news(room)
            except Refused as error:
                await self.wire.send(messages.error_json("no seat", str(error)))
                await self.wire.cut(POLICY, "no seat")
                return
            if news is None:
                await self.wire.cut(TRY_LATER, "try again")
                return
            for text in news:
                await self.wire.send(text)

    async def _news(self, room: Room) -> list[str] | None:
        """What to send now; None if another server has the table."""
        guest = self.guest
        try:
            while True:
                guest.revalidate(room)
                if room.play.released:
                    return None
                if not room.playing:
                    guest.switch_to(room.arrangement.host)  # who arranges the next game, if it is on this device
                # While a replay is built, anything may change at the table.
                if not await guest.reader.prepare(room, guest.role, self.hall.replays, guest.address):
                    break
            news = guest.reader.updates(room, guest.role, guest.key, guest.roles[1:])
            if self.unsaved != room.unsaved:
                self.unsaved = room.unsaved
                news = [*news, messages.error_json("storage", why.TABLE_WAITS)]
            return news
        except Refused:
            raise
        except Exception:  # a fault of ours must not cut the line, nor make the client come back for ever
            logger.exception("table %s cannot be shown to %s", room.name, guest.role)
            return [messages.error_json("broken", why.TABLE_NOT_RENDERED)]

    async def _listen(self, room: Room, wishes: Wishes) -> None:
        patience = PATIENCE
        while True:
            text = await self.wire.receive()
            if not self.gate.try_take():
                patience -= 1
                if patience < 0:
                    await self.wire.cut(POLICY, "too many messages")
                    return
                await self.wire.send(messages.error_json("too fast", why.TOO_FAST))
                continue
            async with self.answering:
                await self._answer(room, wishes, text)

    async def _answer(self, room: Room, wishes: Wishes, text: str | bytes) -> None:
        """Do what a message asks, or say why not."""
        name = None
        try:
            message = messages.read_message(text)
            name = message.get("id")
            shown = self.guest.role
            self.guest.revalidate(room)
            if self.guest.role != shown:  # it was said in that seat, not in that of who is left
                raise Stale(why.SEAT_FREED)
            await wishes.grant(message)
            if isinstance(name, str | int):
                await self.wire.send(json.dumps({"type": "done", "id": name, "seq": room.play.seq}))
        except Stale as error:
            await self.wire.send(messages.error_json("stale", str(error), room.play.seq, name))
            self.guest.notify()
        except messages.Malformed as error:
            await self.wire.send(messages.error_json("malformed", str(error), message_id=name))
        except Refused as error:
            await self.wire.send(messages.error_json("refused", str(error), room.play.seq, name))
        except LogError as error:
            logger.error("table %s: %s", room.name, error)
            words = why.NOT_SAVED
            await self.wire.send(messages.error_json("not saved", words, message_id=name))
