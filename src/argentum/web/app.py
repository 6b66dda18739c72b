"""Build the Starlette application: routes, middleware, error handlers, lifespan."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
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
from argentum.rooms.ownership import OwnedElsewhere
from argentum.rooms.registry import RoomRegistry
from argentum.web.health import DatabaseHealth
from argentum.web.middleware import SECURITY_HEADERS, BanCheck, HostCheck, SecurityHeaders
from argentum.web.operator import server_summary
from argentum.web.pages.renderer import PageRenderer
from argentum.web.server.admission import BanList, ConnectionLimiter
from argentum.web.server.gc_policy import GcPolicy
from argentum.web.server.logs import log_event
from argentum.web.settings import Settings
from argentum.web.site import Site
from argentum.words import errors

if TYPE_CHECKING:
    from argentum.web.cluster.membership import ClusterMembership

logger = logging.getLogger(__name__)


def create_app(
    database: str,
    timing: Timing | None = None,
    limits: Limits | None = None,
    on_ready: Callable[[], None] | None = None,
    settings: Settings | None = None,
) -> Starlette:
    """Open the database and build the application; with PostgreSQL, it shares the tables with other servers."""
    log = SqlJournal.open(database)
    if not is_postgres(database):
        return build_app(log, PageRenderer(), timing, limits, on_ready, settings)
    from argentum.web.cluster.membership import ClusterMembership  # imported late: the static edition has no threads

    return build_app(log, PageRenderer(), timing, limits, on_ready, settings, ClusterMembership(database, log))


def build_app(
    log: Journal,
    renderer: PageRenderer,
    timing: Timing | None = None,
    limits: Limits | None = None,
    on_ready: Callable[[], None] | None = None,
    settings: Settings | None = None,
    membership: "ClusterMembership | None" = None,
) -> Starlette:
    """Build the application on an open journal; it calls `on_ready` at the end of its startup."""
    limits, settings = limits or Limits(), settings or Settings()
    limiter = ConnectionLimiter(limits, settings)
    registry = RoomRegistry(log, timing, limits, membership, limiter.is_proxy, log_event)
    bans = BanList(log, limiter)
    gc_policy = GcPolicy()
    site = Site(registry, renderer, settings, limiter, bans, DatabaseHealth(log))

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        if membership is not None:
            await membership.open(registry, partial(server_summary, registry, limiter))
        await bans.refresh()
        housekeeping = registry.housekeeper.run(gc_policy.collect)
        tasks = [asyncio.create_task(housekeeping), asyncio.create_task(bans.run())]
        if on_ready is not None:
            on_ready()
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            registry.closing = True
            if membership is not None:
                await membership.close()
            await registry.close()
            await log.close()
            if membership is not None:
                await membership.leave()

    middleware = [
        Middleware(SecurityHeaders),
        Middleware(BanCheck, limiter=limiter),
        Middleware(HostCheck, public_url=settings.public_url),
        Middleware(GZipMiddleware, minimum_size=800),
    ]
    app = Starlette(
        routes=site.routes(), middleware=middleware, exception_handlers=error_handlers(site), lifespan=lifespan
    )
    app.state.registry = registry
    app.state.limiter = limiter
    return app


def error_handlers(site: Site) -> dict[int | type[Exception], ExceptionHandler]:
    """Return Starlette's mapping of exceptions and status codes to handlers, which respond with error pages."""

    async def refused(request: Request, error: Exception) -> Response:
        return site.error_page(str(error)[:1].upper() + str(error)[1:] + ".", 409)

    async def log_failed(request: Request, error: Exception) -> Response:
        logger.error("the log failed: %s", error)
        return site.error_page(errors.TABLE_NOT_SAVED, 503)

    async def owned_elsewhere(request: Request, error: Exception) -> Response:
        return site.error_page(errors.TABLE_UNAVAILABLE, 503)

    async def internal_error(request: Request, error: Exception) -> Response:
        logger.error("a page failed: %s", error)
        response = site.error_page(errors.INTERNAL_ERROR, 500)
        response.headers.update(SECURITY_HEADERS)  # The middleware that adds them does not see this response.
        return response

    async def client_gone(request: Request, error: Exception) -> Response:
        logger.warning("a client left before its request was complete")
        return Response(status_code=400)

    async def not_found(request: Request, error: Exception) -> Response:
        return site.error_page(errors.NO_SUCH_PAGE, 404)

    return {
        Refused: refused,
        ClientDisconnect: client_gone,
        LogError: log_failed,
        OwnedElsewhere: owned_elsewhere,
        404: not_found,
        500: internal_error,
    }
