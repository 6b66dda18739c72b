"""Receive notifications of PostgreSQL, by which servers ask each other for tables."""

import threading
from collections.abc import Callable
from typing import Any

from argentum.rooms.log.databases import Database
from argentum.web.cluster.leases import CHANNEL

CHECK_INTERVAL = 0.5  # seconds between checks of the connection


class NotificationListener:
    """A thread with its own connection that calls `on_notification` with each payload, and reconnects on failures.

    Notifications that are sent while it has no connection are lost, so senders repeat them until they see an effect.
    """

    def __init__(self, database: Database, on_notification: Callable[[str], None]) -> None:
        self._database = database
        self._on_notification = on_notification
        self._stop = threading.Event()

    def start(self) -> None:
        threading.Thread(target=self._run, name="listen", daemon=True).start()

    def stop(self) -> None:
        """Stop the thread, within `CHECK_INTERVAL`, without waiting for it."""
        self._stop.set()

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                self._listen()
            except RuntimeError:  # The event loop is closed.
                return
            except Exception:  # Drivers raise more than their own errors. The journal logs failures of the database.
                self._stop.wait(CHECK_INTERVAL)

    def _listen(self) -> None:
        connection: Any = self._database.connect()  # a psycopg connection
        try:
            connection.execute(f"LISTEN {CHANNEL}")
            while not self._stop.is_set():
                for notification in connection.notifies(timeout=CHECK_INTERVAL):
                    self._on_notification(notification.payload)
                connection.execute("SELECT 1")  # Otherwise a connection that was lost would go unnoticed.
        finally:
            connection.close()
