"""Handle requests for a game's record, hints, reviews and forks."""

import asyncio
import json
import logging
from contextlib import suppress

from starlette.websockets import WebSocketDisconnect

from argentum.display.errors import Refused
from argentum.display.session import SPECTATOR
from argentum.rooms import hints, messages, post_game
from argentum.rooms.limits import TokenBucket
from argentum.rooms.post_game import record_json
from argentum.rooms.registry import RoomRegistry
from argentum.rooms.room import Room
from argentum.rooms.visitor import Visitor
from argentum.web.pages.renderer import PageRenderer
from argentum.web.sockets.readers import HtmlReader
from argentum.web.sockets.text_socket import TextSocket
from argentum.words import errors

HINT_BURST, HINT_RATE = 3, 0.2  # hints at once, and per second
logger = logging.getLogger(__name__)


class AdviceHandlers:
    """The requests of one visitor that cost CPU time, rate-limited."""

    def __init__(
        self, socket: TextSocket, registry: RoomRegistry, renderer: PageRenderer, visitor: Visitor, room: Room
    ) -> None:
        self.socket = socket
        self.registry = registry
        self.renderer = renderer
        self.visitor = visitor
        self.room = room
        self.hints = TokenBucket(HINT_BURST, HINT_RATE)
        self.reviewing: asyncio.Task[None] | None = None

    async def record(self) -> None:
        if not self.registry.records.of(self.visitor.address).try_take():
            raise Refused(errors.RECORD_JUST_GOT)
        await self.socket.send(record_json(self.room, self.visitor.role))

    async def hint(self) -> None:
        """Send the move of a strong bot."""
        if not self.hints.try_take():
            raise Refused(errors.HINTS_TOO_FAST)
        await self.socket.send(await hints.hint(self.room, self.visitor.role))

    async def of_picks(self, spots: object) -> None:
        """Send the guide's preview of an exchange of the selected cards."""
        await self.socket.send(hints.preview_exchange(self.room, self.visitor.role, spots))

    def review(self) -> None:
        """Start the review of a finished game in the background."""
        self.reviewing = asyncio.create_task(self._review())

    async def _review(self) -> None:
        """Compute the review, and send it."""
        room, visitor = self.room, self.visitor
        try:
            game = room.play.game_count
            rows = await post_game.review_rows(room, visitor.role, self.registry.reviews.of(visitor.address))
        except Refused as error:
            answer = messages.error_json("refused", str(error))
        except Exception:
            logger.exception("table %s cannot be reviewed", room.name)
            answer = messages.error_json("broken", errors.REVIEW_FAILED)
        else:
            visitor.reader.show_review(rows, game)
            form = {"type": "reviewed", "bot": post_game.review_bot(), "playouts": post_game.REVIEW_PLAYOUTS}
            browser = isinstance(visitor.reader, HtmlReader)  # browsers get the review as a page
            answer = json.dumps({**form, "rows": [] if browser else rows}, ensure_ascii=False)
        with suppress(WebSocketDisconnect):  # the client may have disconnected meanwhile
            await self.socket.send(answer)
            visitor.notify()

    async def branch(self, at: int | None) -> None:
        """Create a table that continues a finished game from one of its positions, against bots."""
        game = self.room.game
        if self.visitor.role == SPECTATOR or game is None or not game.over or at is None:
            raise Refused(errors.PLAY_ON_LATER)
        name, key = await post_game.create_branch(self.registry, self.room, self.visitor.role, at, self.visitor.address)
        await self.socket.send(json.dumps({"type": "table", "to": self.renderer.url_for(f"/table/{name}#{key}")}))
