"""The server's application: its pages and sockets, what is said when something goes wrong, its begin and its end."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ExceptionHandler

from argentum.display.errors import Refused
from argentum.rooms.clock import Timing
from argentum.rooms.limits import Limits
from argentum.rooms.log.databases import LogError, is_postgres
from argentum.rooms.log.journal import Journal
from argentum.rooms.log.sql import SqlJournal
from argentum.rooms.registry import RoomRegistry
from argentum.web.middleware import SECURITY, KnownHost, NotBanned, SecurityHeaders
from argentum.web.pages.renderer import Painter
from argentum.web.settings import Settings
from argentum.web.site import Site
from argentum.words import errors as why

if TYPE_CHECKING:
    from argentum.web.cluster.membership import Fleet

logger = logging.getLogger(__name__)


def make_app(
    database: str,
    pace: Timing | None = None,
    limits: Limits | None = None,
    ready: Callable[[], None] | None = None,
    settings: Settings | None = None,
    inner_address: str = "127.0.0.1",
) -> Starlette:
    """The server's application, with its log; on PostgreSQL, as one of several servers."""
    log = SqlJournal.open(database)
    if not is_postgres(database):
        return app_of(log, Painter(), pace, limits, ready, settings)
    from argentum.web.cluster.membership import Fleet  # (the static edition has no network)

    return app_of(log, Painter(), pace, limits, ready, settings, Fleet(database, log, inner_address))


def app_of(
    log: Journal,
    painter: Painter,
    pace: Timing | None = None,
    limits: Limits | None = None,
    ready: Callable[[], None] | None = None,
    settings: Settings | None = None,
    fleet: "Fleet | None" = None,
) -> Starlette:
    """The application, wherever its log is and whatever draws its pages."""
    hall = RoomRegistry(log, pace, limits, settings, fleet)
    site = Site(hall, painter)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        if fleet is not None:
            await fleet.open(hall, app)
        await hall.refresh()
        chores = [asyncio.create_task(hall.keep_tidy()), asyncio.create_task(hall.run())]
        if ready is not None:
            ready()
        try:
            yield
        finally:
            for chore in chores:
                chore.cancel()
            hall.closing = True
            if fleet is not None:
                await fleet.close()
            await hall.close()
            await log.close()
            if fleet is not None:
                await fleet.leave()

    middleware = [
        Middleware(SecurityHeaders),
        Middleware(NotBanned, porch=hall.porch),
        Middleware(KnownHost, public_url=hall.settings.public_url),
        Middleware(GZipMiddleware, minimum_size=800),
    ]
    app = Starlette(routes=site.routes(), middleware=middleware, exception_handlers=troubles(site), lifespan=lifespan)
    app.state.hall = hall
    return app


def troubles(site: Site) -> dict[int | type[Exception], ExceptionHandler]:
    """What is answered when something goes wrong."""

    async def refused(request: Request, error: Exception) -> Response:
        return site.sorry(str(error)[:1].upper() + str(error)[1:] + ".", 409)

    async def unsaved(request: Request, error: Exception) -> Response:
        logger.error("the log failed: %s", error)
        return site.sorry(why.TABLE_NOT_SAVED, 503)

    async def broken(request: Request, error: Exception) -> Response:
        logger.error("a page failed: %s", error)
        answer = site.sorry(why.INTERNAL_ERROR, 500)
        answer.headers.update(SECURITY)  # this answer is made outside of what adds them
        return answer

    async def gone(request: Request, error: Exception) -> Response:
        logger.warning("a client left before its request was complete")
        return Response(status_code=400)

    async def missing(request: Request, error: Exception) -> Response:
        return site.sorry(why.NO_SUCH_PAGE, 404)

    return {Refused: refused, ClientDisconnect: gone, LogError: unsaved, 404: missing, 500: broken}
