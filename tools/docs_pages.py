"""The pages that are made from the program's own data: the boxes and their cards, the rulings, the command line."""

import re
import sys
from pathlib import Path

import click

from argentum.cli import main as command_line
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
from argentum.rules.boxes import ALL_BOXES, residents
from argentum.rules.residents import Box, Resident
from card_svg import resident_svg, token_svg

MADE = "<!-- Made by `make docs` from the program's own data: change it there. -->"
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

To complete commands, options, boxes and bots in your shell, run `argentum completion bash >> ~/.bashrc` once. It
also works for zsh and fish."""

RULINGS = """\
This is how every gap and ambiguity in the rulebooks is decided. Each ruling has a label, so that it can be cited.
A ruling without a source line follows a rulebook or its card reference, and fills in details where they are silent. A
source line names what else a ruling rests on: another box's rulebook, public evidence, or our own decision ("ours"),
with the reason. The rulings about mixed boxes (X) are mostly our own: the rulebooks say little about them."""


def box_page(box: Box) -> str:
    """The page of a box: its residents, with card, text and ruling, and its token."""
    lines = [f"# Silver {box.name.title()}", "", MADE, ""]
    lines += [
        f"The fourteen residents of Silver {box.name.title()} and its token, in our own words. How the game is played"
        " is in [the common rules](common.md); every ruling is in [the rulings](rulings.md).",
        "",
    ]
    lines += _how_sure(box)
    lines += ["| | resident | when | what |", "| --- | --- | --- | --- |"]
    lines += [_row(one) for one in box.residents]
    token = f"[{box.token_name}](#{anchor('The ' + box.token_name)}){_note(box.token_source)}"
    lines += [f"| | {token} | token | {box.token_text} |", ""]
    for one in box.residents:
        lines += [f"## {one.number} {one.name}", "", _picture(one.label, one.name), ""]
        lines += [f"*{one.text}*", "", *_ruling(rulings()[one.label])]
    lines += [f"## The {box.token_name}", "", _picture(box.token_label, box.token_name), "", f"*{box.token_text}*", ""]
    return "\n".join([*lines, *_ruling(rulings()[box.token_label])]).rstrip() + "\n"


def _how_sure(box: Box) -> list[str]:
    """Where a box's texts come from, and what the marks on this page mean."""
    marks = source_statuses(box)
    if not marks:
        return []
    meant = "; ".join(f"**{mark}**: {STATUS_MEANINGS[mark]}" for mark in marks)
    where = f"`src/argentum/rules/boxes/{box.name}.py`"
    return [f"{box_style(box.name).sources_note}. {meant}. If you own the box, you can correct a text in {where}.", ""]


def _note(source: str) -> str:
    return f" ({source_status(source)})" if source_status(source) else ""


def _row(one: Resident) -> str:
    return f"| {one.number} | [{one.name}](#{_spot(one)}){_note(one.source)} | {TIMING_TEXT[one.timing]} | {one.text} |"


def _picture(label: str, name: str) -> str:
    return f'<img class="card" align="right" width="112" src="../{CARDS}/{label}.svg" alt="{name}">'


def _ruling(ruling: Ruling) -> list[str]:
    return [ruling.text, "", f"({link(ruling.label)}.{_see(ruling)})", "", *_source(ruling)]


def _source(ruling: Ruling) -> list[str]:
    return [f"Source: {ruling.source}.", ""] if ruling.source else []


def _see(ruling: Ruling) -> str:
    return f" See also {', '.join(link(label) for label in ruling.see)}." if ruling.see else ""


def link(label: str) -> str:
    """A label that leads to its ruling, from any page of the rules."""
    return f"[{label}](rulings.md#{anchor(_heading(rulings()[label]))})"


def _heading(ruling: Ruling) -> str:
    return f"{ruling.label}: {ruling.title}"


def _spot(one: Resident) -> str:
    return anchor(f"{one.number} {one.name}")


def anchor(heading: str) -> str:
    """What a heading is called in a link.

    >>> anchor("X9: Count's Zombies and ends of a village")
    'x9-counts-zombies-and-ends-of-a-village'
    """
    return re.sub(r"[\s-]+", "-", re.sub(r"[^\w\s-]", "", heading).strip().lower())


def rulings_page() -> str:
    """The page of all rulings, by label."""
    lines = ["# The rulings", "", MADE, "", RULINGS]
    for letter, about in RULING_SECTIONS.items():
        lines += ["", f"## {about}", ""]
        for ruling in rulings().values():
            if ruling.label[0] == letter:
                lines += [f"### {_heading(ruling)}", "", ruling.text, "", *_protected(ruling)]
                lines += [_see(ruling).strip(), ""] * bool(ruling.see)
                lines += _source(ruling) if letter != "X" else []
    return "\n".join(lines).rstrip() + "\n"


def _protected(ruling: Ruling) -> list[str]:
    """The table of protected cards, where a ruling has it."""
    if not ruling.protected:
        return []
    lines = [f"| | {' | '.join(PROTECTION_COLUMNS)} |", "| --- | --- | --- | --- |"]
    lines += [f"| {link(one)} {name_of_label(one)} | {' | '.join(words)} |" for one, words in ruling.protected.items()]
    return [*lines, ""]


def residents_page() -> str:
    """The page with everybody on it, number by number."""
    boxes = list(ALL_BOXES)
    lines = ["# The residents", "", MADE, ""]
    lines += [
        "A deck has one resident for each number from 0 to 13, from any of the four boxes. Below each card is what it"
        " does in a few words; click a card for the details. In a terminal, try `argentum rules magician`.",
        "",
        "| " + " | ".join(f"[Silver {box.name.title()}]({box.name}.md)" for box in boxes) + " |",
        "| --- " * len(boxes) + "|",
    ]
    for those in zip(*[box.residents for box in boxes], strict=True):
        lines.append(_cells([(one.label, f"{one.number} {one.name}", f"{one.box}.md#{_spot(one)}") for one in those]))
    tokens = [(box.token_label, box.token_name, f"{box.name}.md#{anchor('The ' + box.token_name)}") for box in boxes]
    return "\n".join([*lines, _cells(tokens)]) + "\n"


def _cells(cards: list[tuple[str, str, str]]) -> str:
    """A row of cards, each by its label, name and page."""
    shown = [f"[![{name}](../{CARDS}/{label}.svg)]({page})<br>{card_art(label).line}" for label, name, page in cards]
    return f"| {' | '.join(shown)} |"


def commands_page() -> str:
    """The page of the command line: each command's own help."""
    ctx = command_line.make_context("argentum", [], resilient_parsing=True, terminal_width=WIDTH)
    lines = ["# The command line", "", MADE, "", COMMANDS]
    for title, commands in command_line.sections(ctx).items():
        lines += ["", f"## {title}"]
        for name, one in commands:
            lines += ["", f"### argentum {name}", "", "```text", "\n\n\n".join(_helps(one, ctx, name)), "```"]
    return "\n".join(lines) + "\n"


def _helps(command: click.Command, parent: click.Context, name: str) -> list[str]:
    """A command's help, and those of its own sub-commands."""
    ctx = click.Context(command, parent, name)
    below = sorted(command.commands.items()) if isinstance(command, click.Group) else []
    return [command.get_help(ctx).rstrip(), *[text for name, one in below for text in _helps(one, ctx, name)]]


def pages() -> dict[str, str]:
    """The pages and the pictures on them, by their paths in the folder of the documentation."""
    boxes = ALL_BOXES
    return {
        **{f"rules/{box.name}.md": box_page(box) for box in boxes},
        "rules/residents.md": residents_page(),
        "rules/rulings.md": rulings_page(),
        "commands.md": commands_page(),
        **{f"{CARDS}/{one.label}.svg": resident_svg(one) for one in residents()},
        **{f"{CARDS}/{box.token_label}.svg": token_svg(box) for box in boxes},
    }


def main(folder: Path) -> None:
    """Write the pages into a folder."""
    for name, text in pages().items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    if len(sys.argv) != 2 or not Path(sys.argv[1]).is_dir():
        sys.exit("Name the folder of the pages: python tools/docs_pages.py docs")
    main(Path(sys.argv[1]))
