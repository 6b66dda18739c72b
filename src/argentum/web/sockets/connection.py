"""Serve one WebSocket: receive and dispatch messages, send updates."""

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
from argentum.web.pages.renderer import PageRenderer
from argentum.web.server.admission import ConnectionLimiter
from argentum.web.sockets.advice import AdviceHandlers
from argentum.web.sockets.entrance import Entrance
from argentum.web.sockets.handlers import MessageHandlers
from argentum.web.sockets.text_socket import POLICY, TRY_LATER, TextSocket
from argentum.words import errors

MAX_TOO_FAST = 200  # messages over the rate limit before the connection is closed
logger = logging.getLogger(__name__)


class Connection:
    """One client's connection to a table."""

    def __init__(
        self,
        socket: WebSocket,
        hall: RoomRegistry,
        painter: PageRenderer,
        address: str = "",
        limiter: ConnectionLimiter | None = None,
    ) -> None:
        self.socket = TextSocket(socket)
        self.hall = hall
        self.painter = painter
        self.limiter = limiter or ConnectionLimiter(hall.limits)
        self.visitor = Visitor(address, shared=self.limiter.is_proxy(address))
        self.bucket = TokenBucket(hall.limits.message_burst, hall.limits.message_rate)
        self.handling = asyncio.Lock()
        self.unsaved = 0  # failed saves of the table that the client has been notified of

    async def run(self) -> None:
        """Serve the client until it disconnects."""
        await self.socket.socket.accept()
        guest = self.visitor
        try:
            room = await Entrance(self.socket, self.hall, self.painter, guest).admit()
            if room is None:
                return
            if guest.role != SPECTATOR:
                self.limiter.remember(guest.address)
            if room.arrangement.host in guest.roles:
                room.host_address = guest.address
            try:
                await guest.enter(room)
                if guest.key:
                    await self.hall.record_visit(room)
                await self._serve(room)
            finally:
                guest.leave(room)
                if self.hall.rooms.get(room.name) is not room:  # a past game, loaded for this visitor only
                    await room.close()
        except (WebSocketDisconnect, ConnectionError):
            pass
        except (Stale, LogError) as error:  # it could not be written down that they came
            logger.error("nobody could sit down as %s: %s", guest.role, error)
            with suppress(WebSocketDisconnect):
                await self.socket.close(TRY_LATER, "try again")
        except Refused as error:
            with suppress(WebSocketDisconnect):
                await self.socket.send(messages.error_json("no seat", str(error)))
                await self.socket.close(POLICY, "no seat")

    async def _serve(self, room: Room) -> None:
        self.unsaved = room.unsaved
        self.visitor.notify()
        advice = AdviceHandlers(self.socket, self.hall, self.painter, self.visitor, room)
        handlers = MessageHandlers(self.socket, self.hall, self.visitor, room, advice)
        tasks = [asyncio.create_task(self._receive(room, handlers)), asyncio.create_task(self._send_updates(room))]
        done = (await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED))[0]
        async with self.handling:  # a message that is being handled is completed even if the client is gone
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        try:
            for task in done:
                task.result()
        finally:  # break the reference cycle between an exception and this frame
            del task, tasks, done

    async def _send_updates(self, room: Room) -> None:
        """Send updates after every change; a slow client gets only the latest."""
        guest = self.visitor
        while True:
            await guest.changed.wait()
            guest.changed.clear()
            if self.limiter.is_banned(guest.address):
                await self.socket.close(POLICY, "banned")
                return
            if guest.superseded:
                await self.socket.send(messages.error_json("moved", errors.SEAT_MOVED))
                await self.socket.close(POLICY, "moved")
                return
            try:
                news = await self._next_updates(room)
            except Refused as error:
                await self.socket.send(messages.error_json("no seat", str(error)))
                await self.socket.close(POLICY, "no seat")
                return
            if news is None:
                await self.socket.close(TRY_LATER, "try again")
                return
            for text in news:
                await self.socket.send(text)

    async def _next_updates(self, room: Room) -> list[str] | None:
        """Return the messages to send; None if another server has the table."""
        guest = self.visitor
        try:
            while True:
                guest.revalidate(room)
                if room.play.released:
                    return None
                if not room.playing:
                    guest.switch_to(room.arrangement.host)  # show the host's lobby if the host is on this device
                # The room may change while a replay is built.
                if not await guest.reader.prepare(room, guest.role, self.hall.replays, guest.address):
                    break
            news = guest.reader.updates(room, guest.role, guest.key, guest.roles[1:])
            if self.unsaved != room.unsaved:
                self.unsaved = room.unsaved
                news = [*news, messages.error_json("storage", errors.TABLE_WAITS)]
            return news
        except Refused:
            raise
        except Exception:  # a bug must not disconnect the client, which would reconnect in a loop
            logger.exception("table %s cannot be shown to %s", room.name, guest.role)
            return [messages.error_json("broken", errors.TABLE_NOT_RENDERED)]

    async def _receive(self, room: Room, handlers: MessageHandlers) -> None:
        too_fast_left = MAX_TOO_FAST
        while True:
            text = await self.socket.receive()
            if not self.bucket.try_take():
                too_fast_left -= 1
                if too_fast_left < 0:
                    await self.socket.close(POLICY, "too many messages")
                    return
                await self.socket.send(messages.error_json("too fast", errors.TOO_FAST))
                continue
            async with self.handling:
                await self._handle(room, handlers, text)

    async def _handle(self, room: Room, handlers: MessageHandlers, text: str | bytes) -> None:
        """Handle a message, and answer errors."""
        name = None
        try:
            message = messages.read_message(text)
            name = message.get("id")
            shown = self.visitor.role
            self.visitor.revalidate(room)
            if self.visitor.role != shown:  # the message was meant for the seat that was freed
                raise Stale(errors.SEAT_FREED)
            await handlers.dispatch(message)
            if isinstance(name, str | int):
                await self.socket.send(json.dumps({"type": "done", "id": name, "seq": room.play.seq}))
        except Stale as error:
            await self.socket.send(messages.error_json("stale", str(error), room.play.seq, name))
            self.visitor.notify()
        except messages.Malformed as error:
            await self.socket.send(messages.error_json("malformed", str(error), message_id=name))
        except Refused as error:
            await self.socket.send(messages.error_json("refused", str(error), room.play.seq, name))
        except LogError as error:
            logger.error("table %s: %s", room.name, error)
            words = errors.NOT_SAVED
            await self.socket.send(messages.error_json("not saved", words, message_id=name))
