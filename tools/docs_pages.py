"""Write the generated documentation pages: boxes and their cards, rulings, commands; and the protocol's messages."""

import re
import sys
from collections.abc import Iterable
from pathlib import Path

import click

from argentum.cli import main as command_line
from argentum.rooms.messages import ALIASES, MessageSpec
from argentum.rulebook.card_art import box_style, card_art
from argentum.rulebook.lookup import (
    PROTECTION_COLUMNS,
    RULING_SECTIONS,
    STATUS_MEANINGS,
    TIMING_TEXT,
    Ruling,
    name_of_label,
    rulings,
    source_status,
    source_statuses,
)
from argentum.rules.boxes import PUBLISHED_BOXES
from argentum.rules.residents import Box, Resident
from argentum.web.sockets.readers import MESSAGES
from card_svg import resident_svg, token_svg

GENERATED_MARK = "<!-- Made by `make docs` from the program's own data: change it there. -->"
PROTOCOL_PAGE = Path(__file__).parents[1] / "docs" / "protocol.md"
# A table of a page that is written by hand: everything from the comment to the next empty line after the table.
GENERATED_TABLE = "<!-- Made by `make docs` from {source}: change it there. -->\n\n"
CARDS = "pictures/cards"
WIDTH = 84

COMMANDS = """\
Everything Argentum does is one command with sub-commands. Run `argentum` for a quick start, and `argentum COMMAND
--help` for what is shown below. Typos get suggestions.

Commands print text for people. With `--json` they print one JSON document for programs (`replay`: one per line).
Progress bars and remarks go to standard error; bars only appear in a terminal.

| exit code | meaning |
| --- | --- |
| 0 | success |
| 1 | a check failed (a scenario, for example), or the reader of the output went away |
| 2 | invalid input; the last line says what is wrong and what to do |
| 130 | stopped by Ctrl-C (`play` and `serve` end that way normally: 0) |

`--box FILE`, before or after a command, adds a [box of your own](contributing.md#a-box-of-your-own).

To complete commands, options, boxes and bots in your shell, run `argentum completion bash >> ~/.bashrc` once. It
also works for zsh and fish."""

RULINGS = """\
This is how every gap and ambiguity in the rulebooks is decided. Each ruling has a label, so that it can be cited.
A ruling without a source line follows a rulebook or its card reference, and fills in details where they are silent. A
source line names what else a ruling rests on: another box's rulebook, public evidence, or our own decision ("ours"),
with the reason. The rulings about mixed boxes (X) are mostly our own: the rulebooks say little about them."""


def box_page(box: Box) -> str:
    """Return the page of a box: each resident and the token with picture, text and ruling."""
    lines = [f"# {box.title}", "", GENERATED_MARK, ""]
    lines += [
        f"The fourteen residents of {box.title} and its token, in our own words. How the game is played"
        " is in [the common rules](common.md); every ruling is in [the rulings](rulings.md).",
        "",
    ]
    lines += _source_note(box)
    lines += ["| | resident | when | what |", "| --- | --- | --- | --- |"]
    lines += [_resident_row(resident) for resident in box.residents]
    token = f"[{box.token_name}](#{anchor('The ' + box.token_name)}){_source_mark(box.token_source)}"
    lines += [f"| | {token} | token | {box.token_text} |", ""]
    for resident in box.residents:
        lines += [f"## {resident.number} {resident.name}", "", _picture_html(resident.label, resident.name), ""]
        lines += [f"*{resident.text}*", "", *_ruling_lines(rulings()[resident.label])]
    lines += [
        f"## The {box.token_name}",
        "",
        _picture_html(box.token_label, box.token_name),
        "",
        f"*{box.token_text}*",
        "",
    ]
    return "\n".join([*lines, *_ruling_lines(rulings()[box.token_label])]).rstrip() + "\n"


def _source_note(box: Box) -> list[str]:
    """Return the note on the sources of a box's texts, with a legend of the marks; empty if no text has a mark."""
    marks = source_statuses(box)
    if not marks:
        return []
    legend = "; ".join(f"**{mark}**: {STATUS_MEANINGS[mark]}" for mark in marks)
    path = f"`src/argentum/rules/boxes/{box.name}.py`"
    return [f"{box_style(box.name).sources_note}. {legend}. If you own the box, you can correct a text in {path}.", ""]


def _source_mark(source: str) -> str:
    return f" ({source_status(source)})" if source_status(source) else ""


def _resident_row(resident: Resident) -> str:
    name = f"[{resident.name}](#{_resident_anchor(resident)}){_source_mark(resident.source)}"
    return f"| {resident.number} | {name} | {TIMING_TEXT[resident.timing]} | {resident.text} |"


def _picture_html(label: str, name: str) -> str:
    return f'<img class="card" align="right" width="112" src="../{CARDS}/{label}.svg" alt="{name}">'


def _ruling_lines(ruling: Ruling) -> list[str]:
    return [ruling.text, "", f"({link(ruling.label)}.{_see_also(ruling)})", "", *_source_lines(ruling)]


def _source_lines(ruling: Ruling) -> list[str]:
    return [f"Source: {ruling.source}.", ""] if ruling.source else []


def _see_also(ruling: Ruling) -> str:
    return f" See also {', '.join(link(label) for label in ruling.see)}." if ruling.see else ""


def link(label: str) -> str:
    """Return a Markdown link to a ruling, with its label as the text, for pages in the folder `rules`."""
    return f"[{label}](rulings.md#{anchor(_heading(rulings()[label]))})"


def _heading(ruling: Ruling) -> str:
    return f"{ruling.label}: {ruling.title}"


def _resident_anchor(resident: Resident) -> str:
    return anchor(f"{resident.number} {resident.name}")


def anchor(heading: str) -> str:
    """Return the anchor that MkDocs gives a heading.

    >>> anchor("X9: Count's Zombies and ends of a village")
    'x9-counts-zombies-and-ends-of-a-village'
    """
    return re.sub(r"[\s-]+", "-", re.sub(r"[^\w\s-]", "", heading).strip().lower())


def rulings_page() -> str:
    lines = ["# The rulings", "", GENERATED_MARK, "", RULINGS]
    for letter, title in RULING_SECTIONS.items():
        lines += ["", f"## {title}", ""]
        for ruling in rulings().values():
            if ruling.label[0] == letter:
                lines += [f"### {_heading(ruling)}", "", ruling.text, "", *_protection_table(ruling)]
                lines += [_see_also(ruling).strip(), ""] * bool(ruling.see)
                lines += _source_lines(ruling) if letter != "X" else []
    return "\n".join(lines).rstrip() + "\n"


def _protection_table(ruling: Ruling) -> list[str]:
    """Return the lines of a ruling's table of protected cards; empty if it has none."""
    if not ruling.protected:
        return []
    lines = [f"| | {' | '.join(PROTECTION_COLUMNS)} |", "| --- | --- | --- | --- |"]
    lines += [
        f"| {link(label)} {name_of_label(label)} | {' | '.join(words)} |" for label, words in ruling.protected.items()
    ]
    return [*lines, ""]


def residents_page() -> str:
    """Return the overview of all residents: a row per number, a column per box."""
    boxes = list(PUBLISHED_BOXES)
    lines = ["# The residents", "", GENERATED_MARK, ""]
    lines += [
        "A deck has one resident for each number from 0 to 13, from any of the four boxes. Below each card is what it"
        " does in a few words; click a card for the details. In a terminal, try `argentum rules magician`.",
        "",
        "| " + " | ".join(f"[{box.title}]({box.name}.md)" for box in boxes) + " |",
        "| --- " * len(boxes) + "|",
    ]
    for row in zip(*[box.residents for box in boxes], strict=True):
        lines.append(
            _card_row(
                [
                    (
                        resident.label,
                        f"{resident.number} {resident.name}",
                        f"{resident.box}.md#{_resident_anchor(resident)}",
                    )
                    for resident in row
                ]
            )
        )
    tokens = [(box.token_label, box.token_name, f"{box.name}.md#{anchor('The ' + box.token_name)}") for box in boxes]
    return "\n".join([*lines, _card_row(tokens)]) + "\n"


def _card_row(cards: list[tuple[str, str, str]]) -> str:
    """Return a Markdown table row of cards, which are tuples of label, name and page."""
    cells = [f"[![{name}](../{CARDS}/{label}.svg)]({page})<br>{card_art(label).line}" for label, name, page in cards]
    return f"| {' | '.join(cells)} |"


def commands_page() -> str:
    """Return the command-line reference page, with the help text of each command."""
    ctx = command_line.make_context("argentum", [], resilient_parsing=True, terminal_width=WIDTH)
    lines = ["# The command line", "", GENERATED_MARK, "", COMMANDS]
    for title, commands in command_line.sections(ctx).items():
        lines += ["", f"## {title}"]
        for name, command in commands:
            lines += ["", f"### argentum {name}", "", "```text", "\n\n\n".join(_help_texts(command, ctx, name)), "```"]
    return "\n".join(lines) + "\n"


def _help_texts(command: click.Command, parent: click.Context, name: str) -> list[str]:
    """Return the help texts of a command and its sub-commands."""
    ctx = click.Context(command, parent, name)
    subcommands = sorted(command.commands.items()) if isinstance(command, click.Group) else []
    return [
        command.get_help(ctx).rstrip(),
        *[text for name, sub in subcommands for text in _help_texts(sub, ctx, name)],
    ]


def protocol_page() -> str:
    """Return the protocol page with current tables of messages; the rest of the page is written by hand."""
    text = PROTOCOL_PAGE.read_text(encoding="utf-8")
    rows = [_message_row(kind, spec) for kind, spec in MESSAGES.items()]
    head = ("message", "from", "must have", "may have", "what it does")
    text = _replace_table(text, "the registry of messages", head, rows)
    aliases = [(f"`{old}`", f"`{new}`") for old, new in ALIASES.items()]
    return _replace_table(text, "the earlier names of messages", ("earlier name", "message"), aliases)


def _replace_table(text: str, source: str, head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    """Replace the table below the comment that names its source; raise `ValueError` unless there is exactly one."""
    mark = GENERATED_TABLE.format(source=source)
    if text.count(mark) != 1:
        raise ValueError(f"{PROTOCOL_PAGE} needs one comment {mark.strip()!r}")
    before, _, rest = text.partition(mark)
    table = [_table_row(cells) for cells in (head, ("---",) * len(head), *rows)]
    return "\n".join([before + mark + table[0], *table[1:], "", rest.partition("\n\n")[2]])


def _table_row(cells: Iterable[str]) -> str:
    return "|" + "".join([f" {cell} |" if cell else " |" for cell in cells])


def _message_row(kind: str, spec: MessageSpec) -> tuple[str, ...]:
    return (f"`{kind}`", spec.sender.value, _field_names(spec.required), _field_names(spec.optional), spec.description)


def _field_names(names: Iterable[str]) -> str:
    return ", ".join([f"`{name}`" for name in names])


def pages() -> dict[str, str]:
    """Return the texts of the generated pages and pictures by path in the documentation folder."""
    boxes = PUBLISHED_BOXES
    return {
        **{f"rules/{box.name}.md": box_page(box) for box in boxes},
        "rules/residents.md": residents_page(),
        "rules/rulings.md": rulings_page(),
        "commands.md": commands_page(),
        "protocol.md": protocol_page(),
        **{f"{CARDS}/{resident.label}.svg": resident_svg(resident) for box in boxes for resident in box.residents},
        **{f"{CARDS}/{box.token_label}.svg": token_svg(box) for box in boxes},
    }


def main(folder: Path) -> None:
    for name, text in pages().items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 2 or not Path(sys.argv[1]).is_dir():
        sys.exit("Name the folder of the pages: python tools/docs_pages.py docs")
    main(Path(sys.argv[1]))
