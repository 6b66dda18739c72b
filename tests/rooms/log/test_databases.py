import asyncio
import os
from pathlib import Path

from argentum.rooms.log.sql import SqlJournal


def test_only_the_owner_can_read_the_database_file(tmp_path: Path) -> None:
    async def begin() -> None:
        await SqlJournal.open(str(tmp_path / "tables.db")).close()

    old = os.umask(0o022)
    try:
        asyncio.run(begin())
    finally:
        os.umask(old)
    assert (tmp_path / "tables.db").stat().st_mode & 0o777 == 0o600
