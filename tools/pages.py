"""The pages that are made from the program's own data: the boxes and their cards, the rulings, the command line."""

import re
import sys
from pathlib import Path

import click

from argentum.book.gallery import card
from argentum.book.lookup import SECTIONS, WHEN, Ruling, rulings
from argentum.book.portrait import medal, portrait, token_label
from argentum.cli import main as command_line
from argentum.rules.boxes import BOX_OF, residents
from argentum.rules.residents import Box, Resident

MADE = "<!-- Made by `make docs` from the program's own data: change it there. -->"
CARDS = "pictures/cards"
WIDTH = 84

COMMANDS = """\
All of Argentum is in one command. `argentum` alone says what to do first, `argentum COMMAND --help` shows what stands
below. Words that are nearly right are answered with what may have been meant.

What a command prints is for people; with `--json` it is for programs, as one JSON document, or for `replay` as one a
line. Progress bars and remarks go to the error stream, the bars only if that is a terminal.

| exit code | what it means |
| --- | --- |
| 0 | all is well |
| 1 | something that was to hold does not: a scenario that fails, say; or nobody reads the output any more |
| 2 | what was given cannot be used; the last line says why, and what would be right |
| 130 | stopped by Ctrl-C (for `play` and `serve` that is how they end: 0) |

For completion of commands, options, boxes and bots, once: `argentum completion bash >> ~/.bashrc`. There is the same
for zsh and fish."""


def box_page(box: Box) -> str:
    """The page of a box: its residents, with card, text and ruling, and its token."""
    lines = [f"# Silver {box.name.title()}", "", MADE, ""]
    lines += [
        f"The fourteen residents of Silver {box.name.title()} and its token, in our own words. How the game is played"
        " is in [the common rules](common.md); every ruling is in [the rulings](rulings.md).",
        "",
    ]
    if any(one.reconstructed for one in box.residents):
        lines += [
            "The card reference of this box is missing from the rulebooks we have. Cards marked **reconstructed** rest"
            " on the best public evidence and are unofficial; anyone who owns the box can correct them in"
            f" `src/argentum/rules/boxes/{box.name}.py`.",
            "",
        ]
    lines += ["| | resident | when | what |", "| --- | --- | --- | --- |"]
    lines += [_row(one) for one in box.residents]
    lines += [f"| | [{box.token}](#{anchor('The ' + box.token)}) | token | {box.token_text} |", ""]
    for one in box.residents:
        lines += [f"## {one.number} {one.name}", "", _picture(one.label, one.name), ""]
        lines += [f"*{one.text}*", "", *_ruling(rulings()[one.label])]
        if one.source:
            lines += [f"Source: {one.source}.", ""]
    lines += [f"## The {box.token}", "", _picture(token_label(box), box.token), "", f"*{box.token_text}*", ""]
    return "\n".join([*lines, *_ruling(rulings()[token_label(box)])]).rstrip() + "\n"


def _row(one: Resident) -> str:
    note = " (reconstructed)" if one.reconstructed else " (inferred)" if one.source.startswith("inferred") else ""
    return f"| {one.number} | [{one.name}](#{_spot(one)}){note} | {WHEN[one.timing]} | {one.text} |"


def _picture(label: str, name: str) -> str:
    return f'<img class="card" align="right" width="112" src="../{CARDS}/{label}.svg" alt="{name}">'


def _ruling(ruling: Ruling) -> list[str]:
    return [ruling.text, "", f"({link(ruling.label)}.{_see(ruling)})", ""]


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
    lines = ["# The rulings", "", MADE, "", "How every gap and ambiguity is decided. Each ruling has a label to cite."]
    for letter, about in SECTIONS.items():
        lines += ["", f"## {about}", ""]
        for ruling in rulings().values():
            if ruling.label[0] == letter:
                lines += [f"### {_heading(ruling)}", "", ruling.text, ""]
                lines += [_see(ruling).strip(), ""] * bool(ruling.see)
    return "\n".join(lines).rstrip() + "\n"


def residents_page() -> str:
    """The page with everybody on it, number by number."""
    boxes = list(BOX_OF.values())
    lines = ["# The residents", "", MADE, ""]
    lines += [
        "A deck has one resident for each number from 0 to 13, from any of the boxes. Below each card is what it does"
        " in a few words; the card leads to all of it. In a terminal, `argentum rules magician` looks one up.",
        "",
        "| " + " | ".join(f"[Silver {box.name.title()}]({box.name}.md)" for box in boxes) + " |",
        "| --- " * len(boxes) + "|",
    ]
    for those in zip(*[box.residents for box in boxes], strict=True):
        lines.append(_cells([(one.label, f"{one.number} {one.name}", f"{one.box}.md#{_spot(one)}") for one in those]))
    tokens = [(token_label(box), box.token, f"{box.name}.md#{anchor('The ' + box.token)}") for box in boxes]
    return "\n".join([*lines, _cells(tokens)]) + "\n"


def _cells(cards: list[tuple[str, str, str]]) -> str:
    """A row of cards, each by its label, name and page."""
    shown = [f"[![{name}](../{CARDS}/{label}.svg)]({page})<br>{card(label).line}" for label, name, page in cards]
    return f"| {' | '.join(shown)} |"


def commands_page() -> str:
    """The page of the command line: each command's own help."""
    ctx = command_line.make_context("argentum", [], resilient_parsing=True, terminal_width=WIDTH)
    lines = ["# The command line", "", MADE, "", COMMANDS]
    for title, commands in command_line.sections(ctx).items():
        lines += ["", f"## {title}"]
        for name, one in commands:
            shown = one.get_help(click.Context(one, ctx, name))
            lines += ["", f"### argentum {name}", "", "```text", shown.rstrip(), "```"]
    return "\n".join(lines) + "\n"


def pages() -> dict[str, str]:
    """The pages and the pictures on them, by their paths in the folder of the documentation."""
    boxes = BOX_OF.values()
    return {
        **{f"rules/{box.name}.md": box_page(box) for box in boxes},
        "rules/residents.md": residents_page(),
        "rules/rulings.md": rulings_page(),
        "commands.md": commands_page(),
        **{f"{CARDS}/{one.label}.svg": portrait(one) for one in residents()},
        **{f"{CARDS}/{token_label(box)}.svg": medal(box) for box in boxes},
    }


def main(folder: Path) -> None:
    """Write the pages into a folder."""
    for name, text in pages().items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
