"""Looking up a resident, a ruling, a box or a topic, in our own words."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from textwrap import fill
from typing import Any, Final

from argentum.rules.boxes import BOX_BY_LETTER, residents
from argentum.rules.residents import TIMING_DRAWN, TIMING_SCORING, Box, Resident

# How sure a card's text is, by how its source begins. Texts from a rulebook need no word.
SOURCE_PREFIXES = (
    ("agreed:", "agreed"),
    ("agreed", "partly reconstructed"),
    ("inferred", "inferred"),
    ("reconstructed", "reconstructed"),
)


def source_status(source: str) -> str:
    """How sure a card's text is, by where it comes from; empty for a text of the rulebooks.

    >>> from argentum.rules.boxes import resident_of
    >>> [sureness(resident_of(*one).source) for one in (("amulet", 2), ("amulet", 3), ("bullet", 3), ("dagger", 3))]
    ['agreed', 'partly reconstructed', 'reconstructed', '']
    """
    return next((word for start, word in SOURCE_PREFIXES if source.startswith(start)), "")


WIDTH = 96
# What the rulings are about, by the letter of their labels.
RULING_SECTIONS: Final = {
    "G": "The game",
    "A": "Silver Amulet",
    "B": "Silver Bullet",
    "C": "Silver Coin",
    "D": "Silver Dagger",
    "X": "Mixed boxes",
}
TIMING_TEXT: Final = {TIMING_DRAWN: "when drawn", TIMING_SCORING: "at scoring", "village": "in the village"}
# What is meant by how sure a text is (`sureness`), the surest first.
STATUS_MEANINGS: Final = {
    "inferred": "worked out from the rest of the rulebook, because the printed text is damaged",
    "agreed": "three or more independent public transcriptions of the card say the same",
    "partly reconstructed": "transcriptions agree on the card's own line; the details are reconstructed, unofficial",
    "reconstructed": "missing from our rulebooks, put together from the best public evidence, unofficial",
}
OWN_RULING_SOURCE: Final = "our own ruling; the rulebooks say little about mixed boxes"
# The columns of the table of protected cards (X11).
PROTECTION_COLUMNS: Final = ("guarded card elsewhere", "card under the token", "itself, under the amulet")


class NotFound(ValueError):
    """Nothing is called that; `candidates` are the names of what there is."""

    def __init__(self, text: str, query: str, candidates: list[str]) -> None:
        super().__init__(text)
        self.query, self.candidates = query, candidates


@dataclass(frozen=True)
class Ruling:
    """A ruling of record: its label, what it is about, what it says, and on what it rests if not on a rulebook."""

    label: str
    title: str
    text: str
    see: tuple[str, ...] = ()
    source: str = ""
    protected: Mapping[str, tuple[str, ...]] = field(default_factory=dict)  # by label, see PROTECTED


@dataclass(frozen=True)
class Topic:
    """Something a player may want to know that is spread over several rulings."""

    title: str
    words: tuple[str, ...]
    text: str
    see: tuple[str, ...]


def _load_toml(name: str) -> dict[str, Any]:
    return tomllib.loads(files("argentum.rulebook").joinpath(name).read_text(encoding="utf-8"))


def _entries() -> dict[str, Any]:
    """Rulings as the files have them: of the game, of each box, of mixed boxes."""
    common = _load_toml("rulings.toml")
    result = {label: entry for label, entry in common.items() if label[0] == "G"}
    for box in BOX_BY_LETTER.values():
        result |= {label: entry for label, entry in _load_toml(f"boxes/{box.name}.toml").items() if label != "art"}
    return result | common


@cache
def rulings() -> dict[str, Ruling]:
    """All rulings by their labels.

    >>> rulings()["G13"].title
    'End of a round'
    >>> rulings()["A9"].source
    'agreed: three or more independent public transcriptions of the card say the same'
    """
    sources = {one.label: one.source for one in residents()}
    sources |= {box.token_label: box.token_source for box in BOX_BY_LETTER.values()}
    return {
        label: Ruling(
            label,
            entry["title"],
            entry["text"].strip(),
            tuple(entry.get("see", ())),
            OWN_RULING_SOURCE if label[0] == "X" else " ".join(entry.get("source", sources.get(label, "")).split()),
            {one: tuple(words) for one, words in entry.get("protected", {}).items()},
        )
        for label, entry in _entries().items()
    }


@cache
def topics() -> dict[str, Topic]:
    """All topics by the word that names them.

    >>> topics()["call"].see
    ('G9', 'G13', 'G16', 'G17')
    """
    return {
        word: Topic(entry["title"], tuple(entry["words"]), entry["text"].strip(), tuple(entry["see"]))
        for word, entry in _load_toml("topics.toml").items()
    }


def find_entries(query: str) -> list[Box] | list[Resident] | list[Ruling] | list[Topic]:
    """The box, the residents, the topic or the rulings that a query names.

    >>> [one.name for one in find("hunt")]
    ['Hunter', 'Huntress']
    """
    word = " ".join(query.lower().split())
    boxes = [box for box in BOX_BY_LETTER.values() if word in (box.name, f"silver {box.name}")]
    if boxes:
        return boxes
    if word.upper() in rulings():
        return [entry for entry in residents() if entry.label == word.upper()] or [rulings()[word.upper()]]
    named = [entry for entry in residents() if word in (entry.name.lower(), str(entry.number))]
    if named:
        return named
    about = [topic for name, topic in topics().items() if word in (name, topic.title.lower(), *topic.words)]
    if about:
        return about
    found = [entry for entry in residents() if word and word in entry.name.lower()]
    titled = [ruling for ruling in rulings().values() if word and word in ruling.title.lower()]
    if not found and not titled:
        raise NotFound(
            f"{query!r} is not a resident, ruling, box or topic. Try a name such as 'magician', a label from"
            f" G1 to {list(rulings())[-1]}, a box ({', '.join(_box_names())}) or a topic ({', '.join(topics())}).",
            word,
            [*_box_names(), *topics(), *[entry.name for entry in residents()]],
        )
    return found or titled


def _box_names() -> list[str]:
    return [box.name for box in BOX_BY_LETTER.values()]


def look_up(query: str, width: int = WIDTH) -> str:
    """What there is to say of a resident, a label, a box or a topic, in lines of at most that width.

    >>> print(look_up("mystic seer"))
    Mystic Seer (D9): 9 of Silver Dagger, when drawn
    When drawn: look at up to two facedown cards of any villages.
    <BLANKLINE>
    Draw ability: look at up to two facedown cards, in any villages.
    """
    return "\n\n".join(_entry_text(entry, width) for entry in find_entries(query))


def _entry_text(entry: Box | Resident | Ruling | Topic, width: int) -> str:
    match entry:
        case Box():
            return box_text(entry, width)
        case Resident():
            return resident_text(entry, width)
        case Topic():
            return topic_text(entry, width)
    return _ruling_body(entry, width)


def lookup_json(query: str) -> list[dict[str, Any]]:
    """The same as plain values, for programs; all boxes if nothing is asked.

    >>> as_data("spy")[0]["number"], as_data("G13")[0]["title"], len(as_data(""))
    (1, 'End of a round', 4)
    """
    return [_entry_json(entry) for entry in (find_entries(query) if query.split() else BOX_BY_LETTER.values())]


def _entry_json(entry: Box | Resident | Ruling | Topic) -> dict[str, Any]:
    match entry:
        case Box():
            token = {
                "name": entry.token_name,
                "label": entry.token_label,
                "text": entry.token_text,
                **_source_json(entry.token_source),
            }
            return {
                "box": entry.name,
                "token": token,
                "residents": [_entry_json(resident) for resident in entry.residents],
            }
        case Resident():
            said = {
                "resident": entry.name,
                "number": entry.number,
                "box": entry.box,
                "label": entry.label,
                "text": entry.text,
            }
            ruling = rulings()[entry.label]
            return said | {"timing": TIMING_TEXT[entry.timing], **_source_json(ruling.source), "ruling": ruling.text}
        case Topic():
            return {"topic": entry.title, "text": entry.text, "see": list(entry.see)}
    said = {
        "label": entry.label,
        "title": entry.title,
        "ruling": entry.text,
        "see": list(entry.see),
        **_source_json(entry.source),
    }
    return said | ({"protected": dict(entry.protected)} if entry.protected else {})


def _source_json(source: str) -> dict[str, str]:
    return {"source_status": source_status(source), "source": source}


def _ruling_body(ruling: Ruling, width: int) -> str:
    lines = [fill(f"{ruling.label}: {ruling.title}", width), wrap_paragraphs(ruling.text, width)]
    if ruling.protected:
        lines += ["", protected_table(ruling, width), ""]
    if ruling.see:
        lines.append(fill(f"See also {', '.join(ruling.see)}.", width))
    return "\n".join(lines + _source_lines(ruling.source, width))


def _source_lines(source: str, width: int) -> list[str]:
    return ["", fill(f"Source: {source}.", width)] if source else []


def name_of_label(label: str) -> str:
    """The resident, or else the token, that a label stands for.

    >>> name_of("D8"), name_of("A14")
    ('Magician', 'Amulet token')
    """
    return next((entry.name for entry in residents() if entry.label == label), rulings()[label].title)


def protected_table(ruling: Ruling, width: int = WIDTH) -> str:
    """The table of protected cards as plain text; a list where the table is too wide."""
    rows: list[tuple[str, ...]] = [("", *PROTECTION_COLUMNS)]
    rows += [(f"{label} {name_of_label(label)}", *words) for label, words in ruling.protected.items()]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    if width >= WIDTH or sum(widths) + 2 * (len(widths) - 1) <= width:
        return "\n".join(
            "  ".join(word.ljust(wide) for word, wide in zip(row, widths, strict=True)).rstrip() for row in rows
        )
    listed = [
        f"{who}: {'; '.join(f'{what} {word}' for what, word in zip(PROTECTION_COLUMNS, words, strict=True))}"
        for who, *words in rows[1:]
    ]
    return "\n".join(fill(line, width, subsequent_indent="    ") for line in listed)


def resident_text(resident: Resident, width: int = WIDTH) -> str:
    """A resident: who, when, what, and the ruling."""
    ruling = rulings()[resident.label]
    heading = f"{resident.name} ({resident.label}): {resident.number} of Silver {resident.box.title()}"
    lines = [
        fill(f"{heading}, {TIMING_TEXT[resident.timing]}", width),
        fill(resident.text, width),
        "",
        wrap_paragraphs(ruling.text, width),
    ]
    return "\n".join(lines + _source_lines(ruling.source, width))


def topic_text(topic: Topic, width: int = WIDTH) -> str:
    """A topic, and where the details are."""
    details = fill(f"The details: {', '.join(topic.see)}.", width)
    return "\n".join([topic.title, "", wrap_paragraphs(topic.text, width), "", details])


def box_text(box: Box, width: int = WIDTH) -> str:
    """A box: its residents, a line each, and its token."""
    lines = [f"Silver {box.name.title()}", ""]
    for entry in box.residents:
        name = f"{entry.number:2d}  {entry.name} ({TIMING_TEXT[entry.timing]}){_status_suffix(entry.source)}"
        lines.append(fill(name, width, subsequent_indent="    "))
        lines.append(fill(entry.text, width, initial_indent="    ", subsequent_indent="    "))
    token = f"The {box.token_name} ({box.token_label}){_status_suffix(box.token_source)}. {box.token_text}"
    lines += ["", fill(token, width)]
    legend = [
        fill(f"[{word}] {STATUS_MEANINGS[word]}.", width, subsequent_indent="    ") for word in source_statuses(box)
    ]
    return "\n".join([*lines, *([""] if legend else []), *legend])


def source_statuses(box: Box) -> list[str]:
    """The marks that a box's residents and token have, the surest first."""
    there = {source_status(source) for source in (box.token_source, *[entry.source for entry in box.residents])}
    return [word for word in STATUS_MEANINGS if word in there]


def _status_suffix(source: str) -> str:
    return f" [{source_status(source)}]" if source_status(source) else ""


def overview(width: int = WIDTH) -> str:
    """How to play, and what there is to look up."""
    lines = [topic_text(topics()["play"], width), "", "Boxes:"]
    lines += [
        fill(f"{box.name:8}{', '.join(entry.name for entry in box.residents)}", width, **_HANGING)
        for box in BOX_BY_LETTER.values()
    ]
    lines += ["", "Rulings:"]
    for letter, about in RULING_SECTIONS.items():
        labels = [label for label in rulings() if label[0] == letter]
        lines.append(f"  {labels[0]} to {labels[-1]:5}{about}")
    lines += ["", fill(f"{'Topics:':10}{', '.join(name.replace('-', ' ') for name in topics())}", width), ""]
    how = "Look one up: argentum rules magician, argentum rules G10, argentum rules scoring"
    return "\n".join([*lines, fill(how, width)])


_HANGING: Final[dict[str, Any]] = {"initial_indent": "  ", "subsequent_indent": " " * 10}


def wrap_paragraphs(text: str, width: int = WIDTH) -> str:
    """A text wrapped paragraph by paragraph; lines that begin a list keep their own line."""
    blocks: list[str] = []
    for block in text.split("\n\n"):
        items = block.replace("\n- ", "\n\0- ").split("\n\0")
        blocks.append(
            "\n".join(
                fill(" ".join(item.split()), width, subsequent_indent="  " * item.startswith("- ")) for item in items
            )
        )
    return "\n\n".join(blocks)
