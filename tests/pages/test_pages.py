"""The pages that are made from the program's own data are those in the repository."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from argentum.rulebook.lookup import rulings, sureness
from argentum.rules.boxes import BOX_OF, residents
from docs_pages import main, pages

DOCS = Path(__file__).parents[2] / "docs"
PAGES = {name: text for name, text in pages().items() if name.endswith(".md")}
PICTURES = {name: text for name, text in pages().items() if name.endswith(".svg")}


@pytest.mark.parametrize("name", sorted(PAGES))
def test_the_pages_are_those_of_the_programs_own_data(name: str) -> None:
    assert (DOCS / name).read_text(encoding="utf-8") == PAGES[name], "run make docs"


def test_the_pictures_are_those_of_the_gallery() -> None:
    there = {f"pictures/cards/{path.name}": path.read_text(encoding="utf-8") for path in DOCS.glob("pictures/cards/*")}
    assert there == PICTURES, "run make docs"


def test_every_resident_and_token_has_a_picture() -> None:
    titles = [ElementTree.fromstring(text)[0].text for text in PICTURES.values()]
    assert titles == [f"{one.number} {one.name}" for one in residents()] + [box.token for box in BOX_OF.values()]


def test_every_resident_is_on_the_page_of_its_box_with_its_card_and_ruling() -> None:
    for one in residents():
        page = PAGES[f"rules/{one.box}.md"]
        _, _, section = page.partition(f"\n## {one.number} {one.name}\n")
        section = section.partition("\n## ")[0]
        assert f"/{one.label}.svg" in section
        assert one.text in section
        assert rulings()[one.label].text in section


def test_how_sure_a_text_is_stands_beside_it() -> None:
    for one in residents():
        word = sureness(one.source)
        row = next(line for line in PAGES[f"rules/{one.box}.md"].splitlines() if f"| [{one.name}](#" in line)
        assert (f" ({word}) |" in row) == bool(word)
        assert one.source in PAGES["rules/rulings.md"]
    for box in BOX_OF.values():
        assert box.token_source in PAGES["rules/rulings.md"]


@pytest.mark.parametrize("label", ["D4", "D11", "D13", "D14", "G8", "G9", "G10", "G24", "C1"])
def test_a_ruling_that_goes_beyond_its_rulebook_says_on_what_it_rests(label: str) -> None:
    source = rulings()[label].source
    assert re.search(r"\bours\b", source)
    _, _, section = PAGES["rules/rulings.md"].partition(f"\n### {label}: ")
    assert f"\nSource: {source}.\n" in section.partition("\n### ")[0]


@pytest.mark.parametrize("label", ["D1", "C2"])
def test_spy_and_curator_say_what_their_printed_cards_allow_and_what_holds_here(label: str) -> None:
    text = " ".join(rulings()[label].text.split())
    assert "The printed card allows this at any time during your turn. Here it is offered before" in text


def test_what_has_to_be_remembered_depends_on_the_tables_notes() -> None:
    for page in (DOCS / "rules/common.md", DOCS.parent / "src/argentum/web/templates/rules.html"):
        text = " ".join(page.read_text(encoding="utf-8").split())
        assert (
            "At a table with open notes, the cards that you have seen stay visible to you; without, you have to" in text
        )


def test_no_short_text_says_more_than_its_ruling() -> None:
    """A Zombie may come to lie on top of the discard pile; a Wolfman counts the card under the bullet as 0."""
    zombie = next(one for one in residents() if one.label == "D4")
    assert zombie.text.endswith("No discard puts it on top of the discard pile.")
    assert "a card under the bullet" in rulings()["C13"].text


def test_the_table_of_protected_cards_has_a_row_for_everybody() -> None:
    _, _, section = PAGES["rules/rulings.md"].partition("### X11: ")
    rows = [line for line in section.partition("\n### ")[0].splitlines() if line.startswith("| [")]
    assert len(rows) == len(residents()) + len(BOX_OF)
    assert "| [D6](rulings.md#d6-flipper) Flipper | passes over it | passes over it | - |" in rows


@pytest.mark.parametrize("path", sorted(DOCS.rglob("*.md")), ids=lambda path: path.name)
def test_what_a_page_cites_in_brackets_is_a_ruling(path: Path) -> None:
    cited = re.findall(r"\(([GABCDX]\d+(?:(?:, | to | and )[GABCDX]\d+)*)\)", path.read_text(encoding="utf-8"))
    labels = {label for one in cited for label in re.findall(r"[GABCDX]\d+", one)}
    assert labels <= set(rulings())


def test_the_rules_say_what_players_ask_first() -> None:
    rules = " ".join((DOCS / "rules" / "common.md").read_text(encoding="utf-8").split())
    assert "Normally each other player has one more turn." in rules
    assert "A **set** is two or more of your cards that have the same number." in rules
    for box in BOX_OF.values():
        assert f"`{box.name[0] * 14}` | Silver {box.name.title()} |" in rules
        assert f"- **{box.name}**: " in rules


def test_pages_are_written_into_a_folder(tmp_path: Path) -> None:
    main(tmp_path / "docs")
    files = [path for path in (tmp_path / "docs").rglob("*") if path.is_file()]
    assert {path.relative_to(tmp_path / "docs").as_posix() for path in files} == set(pages())
