"""Serve one WebSocket: receive and dispatch messages, send updates."""

import asyncio
import logging
from contextlib import suppress

from starlette.status import WS_1008_POLICY_VIOLATION, WS_1013_TRY_AGAIN_LATER
from starlette.websockets import WebSocket, WebSocketDisconnect

from argentum.display.errors import Refused, Stale
from argentum.display.session import SPECTATOR
from argentum.rooms import messages
from argentum.rooms.limits import TokenBucket
from argentum.rooms.log.databases import LogError
from argentum.rooms.protocol import Malformed, error_json
from argentum.rooms.registry import RoomRegistry
from argentum.rooms.room import Room
from argentum.rooms.visitor import MOVED, Visitor
from argentum.web.pages.renderer import PageRenderer
from argentum.web.server.admission import ConnectionLimiter
from argentum.web.sockets.entrance import Entrance
from argentum.web.sockets.readers import MESSAGES
from argentum.words import errors

MAX_TOO_FAST = 200  # messages over the rate limit before the connection is closed
logger = logging.getLogger(__name__)


class TextSocket:
    """Wraps a WebSocket so that every failure raises `WebSocketDisconnect`."""

    def __init__(self, socket: WebSocket) -> None:
        self.socket = socket

    async def send(self, text: str) -> None:
        try:
            await self.socket.send_text(text)
        except RuntimeError:  # uvicorn has already closed the connection because of a malformed frame
            raise WebSocketDisconnect(1006) from None

    async def close(self, code: int, reason: str) -> None:
        try:
            await self.socket.close(code, reason)
        except RuntimeError:
            raise WebSocketDisconnect(1006) from None

    async def receive(self) -> str | bytes:
        message = await self.socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1000))
        text: str | bytes | None = message.get("text")
        return text if text is not None else bytes(message.get("bytes") or b"")


class Connection:
    """One client's connection to a table."""

    def __init__(
        self,
        socket: WebSocket,
        registry: RoomRegistry,
        renderer: PageRenderer,
        address: str = "",
        limiter: ConnectionLimiter | None = None,
    ) -> None:
        self.socket = TextSocket(socket)
        self.registry = registry
        self.renderer = renderer
        self.limiter = limiter or ConnectionLimiter(registry.limits)
        self.visitor = Visitor(address, is_shared_address=self.limiter.is_proxy(address))
        self.bucket = TokenBucket(registry.limits.message_burst, registry.limits.message_rate)
        self.handling = asyncio.Lock()
        self.failed_saves = 0  # of the room, as last reported to the client

    async def run(self) -> None:
        """Serve the client until it disconnects."""
        await self.socket.socket.accept()
        visitor = self.visitor
        self.limiter.visitors.add(visitor)
        try:
            room = await Entrance(self.socket, self.registry, self.renderer, visitor).admit()
            if room is None:
                return
            if visitor.role != SPECTATOR:
                self.limiter.allow_reserved(visitor.address)
            if room.arrangement.host in visitor.roles:
                room.set_host_address(visitor.address)
            try:
                await visitor.enter(room)
                if visitor.key:
                    await self.registry.record_visit(room)
                await self._serve(room)
            finally:
                visitor.leave(room)
                if self.registry.rooms.get(room.name) is not room:  # a past game, loaded only for this visitor
                    await room.close()
        except (WebSocketDisconnect, ConnectionError):
            pass
        except (Stale, LogError) as error:  # the visit has not been saved
            logger.error("nobody could sit down as %s: %s", visitor.role, error)
            with suppress(WebSocketDisconnect):
                await self.socket.close(WS_1013_TRY_AGAIN_LATER, "try again")
        except Refused as error:
            with suppress(WebSocketDisconnect):
                await self.socket.send(error_json("no seat", str(error)))
                await self.socket.close(WS_1008_POLICY_VIOLATION, "no seat")
        finally:
            self.limiter.visitors.discard(visitor)

    async def send(self, text: str) -> None:
        """Send a message; do nothing if the client has disconnected."""
        with suppress(WebSocketDisconnect):
            await self.socket.send(text)

    def url_for(self, path: str) -> str:
        return self.renderer.url_for(path)

    async def _serve(self, room: Room) -> None:
        self.failed_saves = room.failed_saves
        self.visitor.notify()
        tasks = [asyncio.create_task(self._receive(room)), asyncio.create_task(self._send_updates(room))]
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
        """Send updates whenever the visitor is notified; for a slow client, several changes become one update."""
        visitor = self.visitor
        while True:
            await visitor.changed.wait()
            visitor.changed.clear()
            if visitor.disconnect_reason:
                if visitor.disconnect_reason == MOVED:
                    await self.socket.send(error_json("moved", errors.SEAT_MOVED))
                await self.socket.close(WS_1008_POLICY_VIOLATION, visitor.disconnect_reason)
                return
            try:
                updates = await self._next_updates(room)
            except Refused as error:
                await self.socket.send(error_json("no seat", str(error)))
                await self.socket.close(WS_1008_POLICY_VIOLATION, "no seat")
                return
            if updates is None:
                await self.socket.close(WS_1013_TRY_AGAIN_LATER, "try again")
                return
            for text in updates:
                await self.socket.send(text)

    async def _next_updates(self, room: Room) -> list[str] | None:
        """Return the messages with all changes since the last call; None if another server may own the table now."""
        visitor = self.visitor
        try:
            while True:
                visitor.revalidate(room)
                if room.released:
                    return None
                if not room.playing:
                    visitor.switch_to(room.arrangement.host)  # show the host's lobby if the host is on this device
                # The room may change while a replay is built.
                if not await visitor.reader.prepare(room, visitor.role, self.registry.replays, visitor.address):
                    break
            updates = visitor.reader.updates(room, visitor.role, visitor.key, visitor.roles[1:])
            if self.failed_saves != room.failed_saves:
                self.failed_saves = room.failed_saves
                updates = [*updates, error_json("storage", errors.TABLE_WAITS)]
            return updates
        except Refused:
            raise
        except Exception:  # a bug must not disconnect the client, which would reconnect in a loop
            logger.exception("table %s cannot be shown to %s", room.name, visitor.role)
            return [error_json("broken", errors.TABLE_NOT_RENDERED)]

    async def _receive(self, room: Room) -> None:
        too_fast_left = MAX_TOO_FAST
        while True:
            text = await self.socket.receive()
            if not self.bucket.try_take():
                too_fast_left -= 1
                if too_fast_left < 0:
                    await self.socket.close(WS_1008_POLICY_VIOLATION, "too many messages")
                    return
                await self.socket.send(error_json("too fast", errors.TOO_FAST))
                continue
            async with self.handling:
                await self._handle(room, text)

    async def _handle(self, room: Room, text: str | bytes) -> None:
        """Handle a message of the client, and send the reply or an error."""
        message_id = None
        try:
            message = messages.read_message(text, MESSAGES)
            message_id = message.get("id")
            previous_role = self.visitor.role
            self.visitor.revalidate(room)
            if self.visitor.role != previous_role:  # the message was meant for the seat that was freed
                raise Stale(errors.SEAT_FREED)
            for text in await messages.dispatch(self, room, message, MESSAGES):
                await self.socket.send(text)
            if previous_role == SPECTATOR and self.visitor.role != SPECTATOR:
                self.limiter.allow_reserved(self.visitor.address)
        except Stale as error:
            await self.socket.send(error_json("stale", str(error), room.seq, message_id))
            self.visitor.notify()
        except Malformed as error:
            await self.socket.send(error_json("malformed", str(error), message_id=message_id))
        except Refused as error:
            await self.socket.send(error_json("refused", str(error), room.seq, message_id))
        except LogError as error:
            logger.error("table %s: %s", room.name, error)
            await self.socket.send(error_json("not saved", errors.NOT_SAVED, message_id=message_id))
