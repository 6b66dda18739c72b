"""What somebody at a table can learn of a game: its record, a hint, its review, and how it would have gone on."""

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
from argentum.web.sockets.wire import TextSocket
from argentum.words import errors as why

HINT_BURST, HINT_RATE = 3, 0.2  # at once, and a second
logger = logging.getLogger(__name__)


class Advice:
    """For one guest; not too often, as it takes a processor."""

    def __init__(self, wire: TextSocket, hall: RoomRegistry, painter: PageRenderer, guest: Visitor, room: Room) -> None:
        self.wire = wire
        self.hall = hall
        self.painter = painter
        self.guest = guest
        self.room = room
        self.hints = TokenBucket(HINT_BURST, HINT_RATE)
        self.reviewing: asyncio.Task[None] | None = None

    async def record(self) -> None:
        """Send the game's record."""
        if not self.hall.records.of(self.guest.address).try_take():
            raise Refused(why.RECORD_JUST_GOT)
        await self.wire.send(record_json(self.room, self.guest.role))

    async def hint(self) -> None:
        """Send what a strong bot would do."""
        if not self.hints.try_take():
            raise Refused(why.HINTS_TOO_FAST)
        await self.wire.send(await hints.hint(self.room, self.guest.role))

    async def of_picks(self, spots: object) -> None:
        """Send what the guide says of the cards that are picked."""
        await self.wire.send(hints.preview_exchange(self.room, self.guest.role, spots))

    def review(self) -> None:
        """Begin to review a finished game: it takes long, and the line stays open."""
        self.reviewing = asyncio.create_task(self._review())

    async def _review(self) -> None:
        """Send the review when it is done."""
        room, guest = self.room, self.guest
        try:
            game = room.play.game_count
            rows = await post_game.review_rows(room, guest.role, self.hall.reviews.of(guest.address))
        except Refused as error:
            answer = messages.error_json("refused", str(error))
        except Exception:
            logger.exception("table %s cannot be reviewed", room.name)
            answer = messages.error_json("broken", why.REVIEW_FAILED)
        else:
            guest.reader.show_review(rows, game)
            form = {"type": "reviewed", "bot": post_game.review_bot(), "playouts": post_game.REVIEW_PLAYOUTS}
            browser = isinstance(guest.reader, HtmlReader)  # which is shown a page instead
            answer = json.dumps({**form, "rows": [] if browser else rows}, ensure_ascii=False)
        with suppress(WebSocketDisconnect):  # the client may have left meanwhile
            await self.wire.send(answer)
            guest.notify()

    async def branch(self, at: int | None) -> None:
        """Set a new table, from a position of the game that is over, for the reader and bots."""
        game = self.room.game
        if self.guest.role == SPECTATOR or game is None or not game.over or at is None:
            raise Refused(why.PLAY_ON_LATER)
        name, key = await post_game.create_branch(self.hall, self.room, self.guest.role, at, self.guest.address)
        await self.wire.send(json.dumps({"type": "table", "to": self.painter.url_for(f"/table/{name}#{key}")}))
