"""Games that were played, in a file: whoever asks for them again need not play them again."""

import json
from collections.abc import Generator, Sequence
from os import SEEK_END
from pathlib import Path

from argentum.arena.crew import played
from argentum.arena.playing import Deal, Job, Played, Result


def read(file: Path) -> dict[Job, tuple[Result, ...]]:
    """The games in a file, one a line; a last line that was cut off is left out."""
    found: dict[Job, tuple[Result, ...]] = {}
    for nth, line in enumerate(whole_lines(file).splitlines(), 1):
        try:
            one = json.loads(line)
            job = Job(Deal(*one["deal"]), tuple(one["seating"]))
            found[job] = tuple([Result(*seat) for seat in one["seats"]])
        except (ValueError, TypeError, KeyError):
            raise ValueError(f"{file}, line {nth}: this is not a game of the arena") from None
    return found


def whole_lines(file: Path) -> str:
    """A file's text up to the end of its last whole line; nothing if there is no file."""
    text = file.read_text(encoding="utf-8") if file.exists() else ""
    return text[: text.rfind("\n") + 1]


def written(one: Played) -> str:
    """A game as a line of a file."""
    job, seats = one
    return json.dumps({"deal": job.deal, "seating": job.seating, "seats": seats}, separators=(",", ":"))


def played_once(
    jobs: Sequence[Job], file: Path | None = None, processes: int = 0, ray: str = ""
) -> Generator[Played, None, None]:
    """Games that are in the file, then those that have yet to be played, which are added to it."""
    jobs = list(dict.fromkeys(jobs))
    if file is None:
        yield from played(jobs, processes, ray)
        return
    known = read(file)
    yield from [(job, known[job]) for job in jobs if job in known]
    missing = [job for job in jobs if job not in known]
    if missing:
        with file.open("r+" if file.exists() else "w", encoding="utf-8") as out:
            out.truncate(len(whole_lines(file).encode()))
            out.seek(0, SEEK_END)
            for one in played(missing, processes, ray):
                print(written(one), file=out, flush=True)
                yield one
