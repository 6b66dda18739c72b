"""Looking up a resident, a ruling or a box, in our own words."""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from textwrap import fill
from typing import Any

from argentum.rules.boxes import BOX_OF, residents
from argentum.rules.residents import DRAWN, SCORING, Box, Resident
from argentum.words.likeness import closest

WIDTH = 96
# What the rulings are about, by the letter of their labels.
SECTIONS = {"G": "The game", "D": "Silver Dagger", "C": "Silver Coin", "B": "Silver Bullet", "X": "Mixed boxes"}
WHEN = {DRAWN: "when drawn", SCORING: "at scoring", "village": "in the village"}


@dataclass(frozen=True)
class Ruling:
    """A ruling of record: its label, what it is about, and what it says."""

    label: str
    title: str
    text: str
    see: tuple[str, ...] = ()


@cache
def rulings() -> dict[str, Ruling]:
    """All rulings by their labels.

    >>> rulings()["G13"].title
    'End of a round'
    """
    source = tomllib.loads(files("argentum.book").joinpath("rulings.toml").read_text(encoding="utf-8"))
    return {
        label: Ruling(label, entry["title"], entry["text"].strip(), tuple(entry.get("see", ())))
        for label, entry in source.items()
    }


def find(query: str) -> list[Box] | list[Resident] | list[Ruling]:
    """The box, the residents or the rulings that a query names.

    >>> [one.name for one in find("hunt")]
    ['Hunter', 'Huntress']
    """
    word = " ".join(query.lower().split())
    boxes = [box for box in BOX_OF.values() if word in (box.name, f"silver {box.name}")]
    if boxes:
        return boxes
    if word.upper() in rulings():
        return [one for one in residents() if one.label == word.upper()] or [rulings()[word.upper()]]
    found = [one for one in residents() if word in (one.name.lower(), str(one.number))] or [
        one for one in residents() if word and word in one.name.lower()
    ]
    titled = [ruling for ruling in rulings().values() if word and word in ruling.title.lower()]
    if not found and not titled:
        names = [box.name for box in BOX_OF.values()]
        raise ValueError(
            f"{query!r} is no resident, label or box; try a name such as 'magician', a label from"
            f" G1 to {list(rulings())[-1]}, or one of {', '.join(names)}."
            + closest(word, [*names, *[one.name for one in residents()]])
        )
    return found or titled


def look_up(query: str) -> str:
    """What there is to say of a resident, a label or a box.

    >>> print(look_up("spy"))
    Spy (D1): 1 of Silver Dagger, in the village
    While faceup: once a turn, look at a facedown card of another village.
    <BLANKLINE>
    Village ability: look at one facedown card in another village.
    """
    return "\n\n".join(_text(one) for one in find(query))


def _text(one: Box | Resident | Ruling) -> str:
    match one:
        case Box():
            return box_text(one)
        case Resident():
            return resident_text(one)
    return _ruling_body(one)


def as_data(query: str) -> list[dict[str, Any]]:
    """The same as plain values, for programs; of everything if nothing is asked.

    >>> as_data("spy")[0]["number"], as_data("G13")[0]["title"], len(as_data(""))
    (1, 'End of a round', 3)
    """
    return [_data(one) for one in (find(query) if query.split() else BOX_OF.values())]


def _data(one: Box | Resident | Ruling) -> dict[str, Any]:
    match one:
        case Box():
            token = {"name": one.token, "label": f"{one.name[0].upper()}14", "text": one.token_text}
            return {"box": one.name, "token": token, "residents": [_data(resident) for resident in one.residents]}
        case Resident():
            said = {"resident": one.name, "number": one.number, "box": one.box, "label": one.label, "text": one.text}
            sure = {"when": WHEN[one.timing], "reconstructed": one.reconstructed, "source": one.source}
            return said | sure | {"ruling": rulings()[one.label].text}
    return {"label": one.label, "title": one.title, "ruling": one.text, "see": list(one.see)}


def _ruling_body(ruling: Ruling) -> str:
    lines = [f"{ruling.label}: {ruling.title}", paragraphs(ruling.text)]
    if ruling.see:
        lines.append(f"See also {', '.join(ruling.see)}.")
    return "\n".join(lines)


def resident_text(resident: Resident) -> str:
    """A resident: who, when, what, and the ruling."""
    lines = [
        f"{resident.name} ({resident.label}): {resident.number} of Silver {resident.box.title()},"
        f" {WHEN[resident.timing]}",
        fill(resident.text, WIDTH),
        "",
        paragraphs(rulings()[resident.label].text),
    ]
    if resident.source:
        lines += ["", fill(f"Source: {resident.source}.", WIDTH)]
    return "\n".join(lines)


def box_text(box: Box) -> str:
    """A box: its residents, a line each, and its token."""
    lines = [f"Silver {box.name.title()}", ""]
    for one in box.residents:
        note = " [reconstructed]" if one.reconstructed else ""
        lines.append(f"{one.number:2d}  {one.name} ({WHEN[one.timing]}){note}")
        lines.append(fill(one.text, WIDTH, initial_indent="    ", subsequent_indent="    "))
    lines += ["", fill(f"The {box.token} ({box.name[0].upper()}14). {box.token_text}", WIDTH)]
    if any(one.reconstructed for one in box.residents):
        lines += ["", "Cards marked [reconstructed] are missing from our rulebooks; their texts are unofficial."]
    return "\n".join(lines)


def overview() -> str:
    """What there is to look up."""
    lines = ["Boxes:"]
    lines += [f"  {box.name:8}{', '.join(one.name for one in box.residents)}" for box in BOX_OF.values()]
    lines += ["", "Rulings:"]
    for letter, about in SECTIONS.items():
        labels = [label for label in rulings() if label[0] == letter]
        lines.append(f"  {labels[0]} to {labels[-1]:5}{about}")
    return "\n".join([*lines, "", "Look one up: argentum rules magician, argentum rules G10, argentum rules coin"])


def paragraphs(text: str) -> str:
    """A text wrapped paragraph by paragraph; lines that begin a list keep their own line."""
    blocks: list[str] = []
    for block in text.split("\n\n"):
        items = block.replace("\n- ", "\n\0- ").split("\n\0")
        blocks.append(
            "\n".join(
                fill(" ".join(item.split()), WIDTH, subsequent_indent="  " * item.startswith("- ")) for item in items
            )
        )
    return "\n\n".join(blocks)
