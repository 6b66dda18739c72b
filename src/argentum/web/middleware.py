"""ASGI middleware: security headers, host check, bans."""

from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.status import WS_1008_POLICY_VIOLATION
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from argentum.web.server.admission import ConnectionLimiter

SECURITY_HEADERS = {
    "Content-Security-Policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self';"
    " font-src 'self'; connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none';"
    " frame-ancestors 'none'",
    "Referrer-Policy": "same-origin",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
OPERATOR_PATHS = ("/health", "/ready", "/metrics", "/admin/tables", "/admin/close", "/admin/bans", "/admin/ban")


class SecurityHeaders:
    """Adds headers that restrict a page to its own site, and forbid caching unless the response allows it."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in SECURITY_HEADERS.items():
                    headers[name] = value
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        await self.app(scope, receive, send_with_headers if scope["type"] == "http" else send)


class HostCheck:
    """If a public URL is set, refuses requests for other hosts, except on the operator's paths."""

    def __init__(self, app: ASGIApp, public_url: str) -> None:
        self.app = app
        self.host = urlsplit(public_url).netloc.lower()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] in ("http", "websocket") and self.host and scope["path"] not in OPERATOR_PATHS:
            host = Headers(scope=scope).get("host", "").lower()
            if host != self.host:
                if scope["type"] == "websocket":
                    await send({"type": "websocket.close", "code": WS_1008_POLICY_VIOLATION})
                else:
                    await PlainTextResponse("There is no such site here.\n", 421)(scope, receive, send)
                return
        await self.app(scope, receive, send)


class BanCheck:
    """Refuses requests from banned addresses through a proxy; `HttpProtocol` refuses direct connections."""

    def __init__(self, app: ASGIApp, limiter: ConnectionLimiter) -> None:
        self.app = app
        self.limiter = limiter

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        client = scope.get("client")
        if scope["type"] == "http" and client and self.limiter.is_banned(client[0]):
            await PlainTextResponse("The operator of this site has banned your address.\n", 403)(scope, receive, send)
        else:
            await self.app(scope, receive, send)
