"""What the operator can see: figures in the text format of Prometheus."""

import time
from collections import Counter

from argentum.bots.search.worker_pool import CREW
from argentum.web.hall import Hall
from argentum.web.room import GATHERING, OVER, PLAYING


def exposition(hall: Hall) -> str:
    """All figures."""
    server = f'server="{hall.neighbours.number}"'  # several may tell on one page
    stages = Counter([room.stage for room in hall.rooms.values()])
    lines: list[str] = []

    def tell(name: str, kind: str, words: str, values: dict[str, float]) -> None:
        lines.append(f"# HELP argentum_{name} {words}")
        lines.append(f"# TYPE argentum_{name} {kind}")
        lines.extend([f"argentum_{name}{{{label}{server}}} {value:g}" for label, value in values.items()])

    tables = {f'stage="{stage}",': float(stages[stage]) for stage in (GATHERING, PLAYING, OVER)}
    tell("tables", "gauge", "Tables in memory.", tables)
    readers = sum([len(room.doors.readers) for room in hall.rooms.values()])
    tell("readers", "gauge", "Connections that sit at a table or watch.", {"": readers})
    tell("connections", "gauge", "Open connections.", {"": hall.porch.lines})
    tell("connections_refused_total", "counter", "Connections for which there was no room.", {"": hall.porch.refused})
    tell("banned_addresses", "gauge", "Banned addresses and networks.", {"": len(hall.porch.banned)})
    tell("thoughts_wanted", "gauge", "Bots that think or wait to.", {"": CREW.wanted})
    tell("cpu_seconds_total", "counter", "CPU time of this process.", {"": time.process_time()})
    return "\n".join(lines) + "\n"


def merged(pages: list[str]) -> str:
    """The figures of several servers on one page: each figure is described once, before all its values.

    >>> print(merged(["# HELP a A.\\n# TYPE a gauge\\na 1\\n", "# HELP a A.\\n# TYPE a gauge\\na 2\\n"]), end="")
    # HELP a A.
    # TYPE a gauge
    a 1
    a 2
    """
    figures: dict[str, list[str]] = {}
    for page in pages:
        lines: list[str] = []
        for line in page.splitlines():
            if line.startswith("# HELP"):
                lines = figures.setdefault(line, [])
            elif line not in lines:
                lines.append(line)
    return "\n".join([line for head, rest in figures.items() for line in (head, *rest)]) + "\n"
