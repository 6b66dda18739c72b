"""The rules pages that are made from the rules' own data: a page a box, and the rulings."""

import sys
from pathlib import Path

from argentum.lookup import WHEN, Ruling, rulings
from argentum.rules.boxes import BOX_OF
from argentum.rules.residents import Box, Resident

MADE = "<!-- Made by `make docs` from the rules' own data: change it there. -->"
SECTIONS = {"G": "The game", "D": "Silver Dagger", "C": "Silver Coin", "B": "Silver Bullet", "X": "Mixed boxes"}


def box_page(box: Box) -> str:
    """The page of a box: its residents, with text and ruling, and its token."""
    lines = [MADE, "", f"# Silver {box.name.title()}", ""]
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
    lines += [f"| | {box.token} | token | {box.token_text} |", ""]
    for one in box.residents:
        lines += [f"## {one.number} {one.name}", "", *_ruling(rulings()[one.label])]
        if one.source:
            lines += [f"Source: {one.source}.", ""]
    token = rulings()[f"{box.name[0].upper()}14"]
    return "\n".join([*lines, f"## The {box.token}", "", *_ruling(token)]).rstrip() + "\n"


def _row(one: Resident) -> str:
    note = " (reconstructed)" if one.reconstructed else " (inferred)" if one.source.startswith("inferred") else ""
    return f"| {one.number} | {one.name}{note} | {WHEN[one.timing]} | {one.text} |"


def _ruling(ruling: Ruling) -> list[str]:
    see = f" See also {', '.join(ruling.see)}." if ruling.see else ""
    return [ruling.text, "", f"({ruling.label}.{see})", ""]


def rulings_page() -> str:
    """The page of all rulings, by label."""
    lines = [MADE, "", "# The rulings", "", "How every gap and ambiguity is decided. Each ruling has a label to cite."]
    for letter, about in SECTIONS.items():
        lines += ["", f"## {about}", ""]
        for ruling in rulings().values():
            if ruling.label[0] == letter:
                lines += [f"### {ruling.label}: {ruling.title}", "", ruling.text, ""]
                lines += [f"See also {', '.join(ruling.see)}.", ""] * bool(ruling.see)
    return "\n".join(lines).rstrip() + "\n"


def pages() -> dict[str, str]:
    """The pages by the names of their files."""
    return {**{f"{box.name}.md": box_page(box) for box in BOX_OF.values()}, "rulings.md": rulings_page()}


def main(folder: Path) -> None:
    """Write the pages into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in pages().items():
        (folder / name).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
