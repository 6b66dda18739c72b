import asyncio

from argentum.rooms.log.sql import SqlJournal


def entries(database: str) -> list[str]:
    async def read() -> list[str]:
        log = SqlJournal.open(database)
        found = [table for table, _ in log.all_entries()]
        await log.close()
        return found

    return asyncio.run(read())
