"""Load rulings and topics; look up residents, rulings, boxes and topics."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from textwrap import fill
from typing import Any, Final

from argentum.rulebook.card_art import load_box_file
from argentum.rules.boxes import ALL_BOXES, BOX_BY_NAME, FOREIGN_BOXES, residents
from argentum.rules.residents import (
    RESIDENTS_PER_BOX,
    TIMING_DRAWN,
    TIMING_NONE,
    TIMING_SCORING,
    TIMING_VILLAGE,
    Box,
    Resident,
    parse_label,
)

# Pairs of the first words of a source and the status of the text. Texts from a rulebook have neither.
SOURCE_PREFIXES = (
    ("agreed:", "agreed"),
    ("agreed", "partly reconstructed"),
    ("inferred", "inferred"),
    ("reconstructed", "reconstructed"),
)


def source_status(source: str) -> str:
    """Return how certain a card's text is, from its source; empty for a text from a rulebook.

    >>> from argentum.rules.boxes import resident_of
    >>> [source_status(resident_of("amulet", number).source) for number in (2, 3)]
    ['agreed', 'partly reconstructed']
    """
    return next((word for prefix, word in SOURCE_PREFIXES if source.startswith(prefix)), "")


TEXT_WIDTH = 96
# Titles of the sections of rulings, by the first letter of their labels.
RULING_SECTIONS: Final = {
    "G": "The game",
    **{box.letter.upper(): box.title for box in ALL_BOXES},
    "X": "Mixed boxes",
}
TIMING_TEXT: Final = {
    TIMING_DRAWN: "when drawn",
    TIMING_SCORING: "at scoring",
    TIMING_VILLAGE: "in the village",
    TIMING_NONE: "no ability",
}
# The meaning of each `source_status`, the most certain first.
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
    """A query matches nothing. `candidates` lists the names that can be looked up, for suggestions."""

    def __init__(self, text: str, query: str, candidates: list[str]) -> None:
        super().__init__(text)
        self.query, self.candidates = query, candidates


@dataclass(frozen=True)
class Ruling:
    """A ruling; `source` is its evidence, empty if it follows a rulebook."""

    label: str
    title: str
    text: str
    see: tuple[str, ...] = ()
    source: str = ""
    # Rows of the table of protected cards: by label, a cell for each of PROTECTION_COLUMNS.
    protected: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class Topic:
    """A help text that summarizes several rulings."""

    title: str
    words: tuple[str, ...]
    text: str
    see: tuple[str, ...]


def _load_toml(name: str) -> dict[str, Any]:
    return tomllib.loads(files("argentum.rulebook").joinpath(name).read_text(encoding="utf-8"))


def _ruling_entries() -> dict[str, Any]:
    """Return the rulings of all files, in the order of `RULING_SECTIONS`."""
    common = _load_toml("rulings.toml")
    entries = {label: entry for label, entry in common.items() if label[0] == "G"}
    for box in ALL_BOXES:
        box_file = load_box_file(box.name)
        entries |= {label: box_file.get(label) or _card_entry(box, label) for label in box.own_labels}
        common["X11"]["protected"] |= box_file.get("protected", {})
    if FOREIGN_BOXES:
        letters = ", ".join([f"{box.letter} for {box.title}" for box in FOREIGN_BOXES])
        entries["G1"]["text"] += f"\n\nInstalled here besides the published boxes: {letters}."
    return entries | common


def _card_entry(box: Box, label: str) -> dict[str, Any]:
    """Return a ruling that repeats the card's text, for boxes that have no ruling on a card."""
    number = parse_label(label).number
    if number == RESIDENTS_PER_BOX:
        return {"title": f"{box.name.title()} token", "text": box.token_text}
    return {"title": box.residents[number].name, "text": box.residents[number].text}


@cache
def rulings() -> dict[str, Ruling]:
    """Return all rulings by label.

    >>> rulings()["G13"].title
    'End of a round'
    >>> rulings()["A9"].source
    'agreed: three or more independent public transcriptions of the card say the same'
    """
    sources = {resident.label: resident.source for resident in residents()}
    sources |= {box.token_label: box.token_source for box in ALL_BOXES if box.has_token}
    return {
        label: Ruling(
            label,
            entry["title"],
            entry["text"].strip(),
            tuple(entry.get("see", ())),
            OWN_RULING_SOURCE if label[0] == "X" else " ".join(entry.get("source", sources.get(label, "")).split()),
            {row: tuple(words) for row, words in entry.get("protected", {}).items()},
        )
        for label, entry in _ruling_entries().items()
    }


@cache
def topics() -> dict[str, Topic]:
    """Return all topics by name.

    >>> topics()["call"].see
    ('G9', 'G13', 'G16', 'G17')
    """
    entries = _load_toml("topics.toml")
    for box in FOREIGN_BOXES:
        if box.has_token:
            entries["token"]["text"] += f"\n- {box.name.title()}: {box.token_text}"
            entries["token"]["see"].append(box.token_label)
    return {
        word: Topic(entry["title"], tuple(entry["words"]), entry["text"].strip(), tuple(entry["see"]))
        for word, entry in entries.items()
    }


def find_entries(query: str) -> list[Box] | list[Resident] | list[Ruling] | list[Topic]:
    """Return the entries that match a query; raise `NotFound` if there are none.

    The entries are all of one type. Parts of names and titles match only if nothing matches exactly.

    >>> [resident.name for resident in find_entries("hunt")]
    ['Hunter', 'Huntress']
    """
    word = " ".join(query.lower().split())
    boxes = [box for box in ALL_BOXES if word in (box.name, box.title.lower())]
    if boxes:
        return boxes
    if word.upper() in rulings():
        return [entry for entry in residents() if entry.label == word.upper()] or [rulings()[word.upper()]]
    exact_matches = [entry for entry in residents() if word in (entry.name.lower(), str(entry.number))]
    if exact_matches:
        return exact_matches
    matching_topics = [topic for name, topic in topics().items() if word in (name, topic.title.lower(), *topic.words)]
    if matching_topics:
        return matching_topics
    matches = [entry for entry in residents() if word and word in entry.name.lower()]
    title_matches = [ruling for ruling in rulings().values() if word and word in ruling.title.lower()]
    if not matches and not title_matches:
        raise NotFound(
            f"{query!r} is not a resident, ruling, box or topic. Try a name such as 'magician', a label from"
            f" G1 to {list(rulings())[-1]}, a box ({', '.join(_box_names())}) or a topic ({', '.join(topics())}).",
            word,
            [*_box_names(), *topics(), *[entry.name for entry in residents()]],
        )
    return matches or title_matches


def _box_names() -> list[str]:
    return [box.name for box in ALL_BOXES]


def look_up(query: str, width: int = TEXT_WIDTH) -> str:
    """Return the texts of the entries that match a query, wrapped to `width`; raise `NotFound` if there are none.

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
    return ruling_text(entry, width)


def lookup_json(query: str) -> list[dict[str, Any]]:
    """Return the entries that match a query as JSON values, or all boxes for an empty query.

    Raise `NotFound` if nothing matches.

    >>> lookup_json("spy")[0]["number"], lookup_json("G13")[0]["title"], len(lookup_json(""))
    (1, 'End of a round', 4)
    """
    return [_entry_json(entry) for entry in (find_entries(query) if query.split() else ALL_BOXES)]


def _entry_json(entry: Box | Resident | Ruling | Topic) -> dict[str, Any]:
    match entry:
        case Box():
            token = {
                "name": entry.token_box.token_name,
                "label": entry.token_box.token_label,
                "text": entry.token_box.token_text,
                **_source_json(entry.token_box.token_source),
            }
            return {
                "box": entry.name,
                "token": token,
                "residents": [_entry_json(resident) for resident in entry.residents],
            }
        case Resident():
            values = {
                "resident": entry.name,
                "number": entry.number,
                "box": entry.box,
                "label": entry.label,
                "text": entry.text,
            }
            ruling = rulings()[entry.label]
            return values | {"timing": TIMING_TEXT[entry.timing], **_source_json(ruling.source), "ruling": ruling.text}
        case Topic():
            return {"topic": entry.title, "text": entry.text, "see": list(entry.see)}
    values = {
        "label": entry.label,
        "title": entry.title,
        "ruling": entry.text,
        "see": list(entry.see),
        **_source_json(entry.source),
    }
    return values | ({"protected": dict(entry.protected)} if entry.protected else {})


def _source_json(source: str) -> dict[str, str]:
    return {"source_status": source_status(source), "source": source}


def ruling_text(ruling: Ruling, width: int) -> str:
    lines = [fill(f"{ruling.label}: {ruling.title}", width), wrap_paragraphs(ruling.text, width)]
    if ruling.protected:
        lines += ["", protected_table(ruling, width), ""]
    if ruling.see:
        lines.append(fill(f"See also {', '.join(ruling.see)}.", width))
    return "\n".join(lines + _source_lines(ruling.source, width))


def _source_lines(source: str, width: int) -> list[str]:
    return ["", fill(f"Source: {source}.", width)] if source else []


def name_of_label(label: str) -> str:
    """Return the name of a resident, or the title of any other ruling.

    >>> name_of_label("D8"), name_of_label("A14")
    ('Magician', 'Amulet token')
    """
    return next((entry.name for entry in residents() if entry.label == label), rulings()[label].title)


def protected_table(ruling: Ruling, width: int = TEXT_WIDTH) -> str:
    """Format the table of protected cards as plain text, or as a list if the table is too wide."""
    rows: list[tuple[str, ...]] = [("", *PROTECTION_COLUMNS)]
    rows += [(f"{label} {name_of_label(label)}", *words) for label, words in ruling.protected.items()]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    if width >= TEXT_WIDTH or sum(widths) + 2 * (len(widths) - 1) <= width:
        return "\n".join(
            "  ".join(word.ljust(column_width) for word, column_width in zip(row, widths, strict=True)).rstrip()
            for row in rows
        )
    listed = [
        f"{name}: {'; '.join(f'{column} {word}' for column, word in zip(PROTECTION_COLUMNS, words, strict=True))}"
        for name, *words in rows[1:]
    ]
    return "\n".join(fill(line, width, subsequent_indent="    ") for line in listed)


def resident_text(resident: Resident, width: int = TEXT_WIDTH) -> str:
    ruling = rulings()[resident.label]
    heading = f"{resident.name} ({resident.label}): {resident.number} of {BOX_BY_NAME[resident.box].title}"
    lines = [
        fill(f"{heading}, {TIMING_TEXT[resident.timing]}", width),
        fill(resident.text, width),
        "",
        wrap_paragraphs(ruling.text, width),
    ]
    return "\n".join(lines + _source_lines(ruling.source, width))


def topic_text(topic: Topic, width: int = TEXT_WIDTH) -> str:
    details = fill(f"The details: {', '.join(topic.see)}.", width)
    return "\n".join([topic.title, "", wrap_paragraphs(topic.text, width), "", details])


def box_text(box: Box, width: int = TEXT_WIDTH) -> str:
    lines = [box.title, ""]
    for entry in box.residents:
        name = f"{entry.number:2d}  {entry.name} ({TIMING_TEXT[entry.timing]}){_status_suffix(entry.source)}"
        lines.append(fill(name, width, subsequent_indent="    "))
        lines.append(fill(entry.text, width, initial_indent="    ", subsequent_indent="    "))
    token_box = box.token_box
    status = _status_suffix(token_box.token_source)
    lines += ["", fill(f"The {token_box.token_name} ({token_box.token_label}){status}. {token_box.token_text}", width)]
    legend = [
        fill(f"[{word}] {STATUS_MEANINGS[word]}.", width, subsequent_indent="    ") for word in source_statuses(box)
    ]
    return "\n".join([*lines, *([""] if legend else []), *legend])


def source_statuses(box: Box) -> list[str]:
    """Return the distinct statuses of the texts of a box, the most certain first."""
    statuses = {source_status(source) for source in (box.token_source, *[entry.source for entry in box.residents])}
    return [word for word in STATUS_MEANINGS if word in statuses]


def _status_suffix(source: str) -> str:
    return f" [{source_status(source)}]" if source_status(source) else ""


def overview(width: int = TEXT_WIDTH) -> str:
    """Return a summary of how to play, and a list of everything that can be looked up."""
    lines = [topic_text(topics()["play"], width), "", "Boxes:"]
    lines += [
        fill(f"{box.name:8}{', '.join(entry.name for entry in box.residents)}", width, **_HANGING) for box in ALL_BOXES
    ]
    lines += ["", "Rulings:"]
    for letter, section in RULING_SECTIONS.items():
        labels = [label for label in rulings() if label[0] == letter]
        lines.append(f"  {labels[0]} to {labels[-1]:5}{section}")
    lines += ["", fill(f"{'Topics:':10}{', '.join(name.replace('-', ' ') for name in topics())}", width), ""]
    hint = "Look one up: argentum rules magician, argentum rules G10, argentum rules scoring"
    return "\n".join([*lines, fill(hint, width)])


_HANGING: Final[dict[str, Any]] = {"initial_indent": "  ", "subsequent_indent": " " * 10}


def wrap_paragraphs(text: str, width: int = TEXT_WIDTH) -> str:
    """Wrap a text paragraph by paragraph; list items stay on their own lines."""
    blocks: list[str] = []
    for block in text.split("\n\n"):
        items = block.replace("\n- ", "\n\0- ").split("\n\0")
        blocks.append(
            "\n".join(
                fill(" ".join(item.split()), width, subsequent_indent="  " * item.startswith("- ")) for item in items
            )
        )
    return "\n\n".join(blocks)
