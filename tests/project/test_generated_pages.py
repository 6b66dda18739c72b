"""The pages of docs/ that `make docs` generates, and the rulings on them."""

import re
from pathlib import Path
from xml.etree import ElementTree

import pytest

from argentum.rulebook.lookup import rulings, source_status
from argentum.rules.boxes import ALL_BOXES, BOX_BY_LETTER, residents
from docs_pages import main
from docs_pages import pages as generated_files

DOCS = Path(__file__).parents[2] / "docs"
PAGES = {name: text for name, text in generated_files().items() if name.endswith(".md")}
CARD_PICTURES = {name: text for name, text in generated_files().items() if name.endswith(".svg")}


@pytest.mark.parametrize("name", sorted(PAGES))
def test_generated_pages_are_current(name: str) -> None:
    assert (DOCS / name).read_text(encoding="utf-8") == PAGES[name], "run make docs"


def test_generated_card_pictures_are_current() -> None:
    committed = {
        f"pictures/cards/{path.name}": path.read_text(encoding="utf-8") for path in DOCS.glob("pictures/cards/*")
    }
    assert committed == CARD_PICTURES, "run make docs"


def test_every_resident_and_token_has_a_picture() -> None:
    titles = [ElementTree.fromstring(text)[0].text for text in CARD_PICTURES.values()]
    assert titles == [f"{resident.number} {resident.name}" for resident in residents()] + [
        box.token_name for box in ALL_BOXES
    ]


def test_every_resident_is_on_the_page_of_its_box_with_its_card_and_ruling() -> None:
    for resident in residents():
        page = PAGES[f"rules/{resident.box}.md"]
        _, _, section = page.partition(f"\n## {resident.number} {resident.name}\n")
        section = section.partition("\n## ")[0]
        assert f"/{resident.label}.svg" in section
        assert resident.text in section
        assert rulings()[resident.label].text in section


def test_pages_show_the_status_of_each_text() -> None:
    for resident in residents():
        status = source_status(resident.source)
        row = next(line for line in PAGES[f"rules/{resident.box}.md"].splitlines() if f"| [{resident.name}](#" in line)
        assert (f" ({status}) |" in row) == bool(status)
        assert resident.source in PAGES["rules/rulings.md"]
    for box in ALL_BOXES:
        assert box.token_source in PAGES["rules/rulings.md"]


@pytest.mark.parametrize("label", ["D4", "D11", "D13", "D14", "G8", "G9", "G10", "G24", "C1"])
def test_a_ruling_beyond_the_rulebook_names_its_source(label: str) -> None:
    source = rulings()[label].source
    assert re.search(r"\bours\b", source)
    _, _, section = PAGES["rules/rulings.md"].partition(f"\n### {label}: ")
    assert f"\nSource: {source}.\n" in section.partition("\n### ")[0]


@pytest.mark.parametrize("label", ["D1", "C2"])
def test_rulings_of_spy_and_curator_name_the_difference_from_the_printed_card(label: str) -> None:
    text = " ".join(rulings()[label].text.split())
    assert "The printed card allows this at any time during your turn. Here it is offered before" in text


def test_the_rules_say_how_open_notes_change_what_is_remembered() -> None:
    for page in (DOCS / "rules/common.md", DOCS.parent / "src/argentum/web/templates/rules.html"):
        text = " ".join(page.read_text(encoding="utf-8").split())
        assert (
            "At a table with open notes, the cards that you have seen stay visible to you; without, you have to" in text
        )


def test_short_texts_of_zombie_and_wolfman_are_consistent_with_their_rulings() -> None:
    # A Zombie can get on top of the discard pile in other ways; a Wolfman counts a card under the bullet as 0.
    zombie = next(resident for resident in residents() if resident.label == "D4")
    assert zombie.text.endswith("No discard puts it on top of the discard pile.")
    assert "a card under the bullet" in rulings()["C13"].text


def test_the_table_of_protected_cards_has_a_row_per_resident_and_token() -> None:
    _, _, section = PAGES["rules/rulings.md"].partition("### X11: ")
    rows = [line for line in section.partition("\n### ")[0].splitlines() if line.startswith("| [")]
    assert len(rows) == len(residents()) + len(BOX_BY_LETTER)
    assert "| [D6](rulings.md#d6-flipper) Flipper | passes over it | passes over it | - |" in rows


@pytest.mark.parametrize("path", sorted(DOCS.rglob("*.md")), ids=lambda path: path.name)
def test_rulings_cited_on_a_page_exist(path: Path) -> None:
    cited = re.findall(r"\(([GABCDX]\d+(?:(?:, | to | and )[GABCDX]\d+)*)\)", path.read_text(encoding="utf-8"))
    labels = {label for citation in cited for label in re.findall(r"[GABCDX]\d+", citation)}
    assert labels <= set(rulings())


def test_the_rules_define_sets_last_turns_and_decks() -> None:
    rules = " ".join((DOCS / "rules" / "common.md").read_text(encoding="utf-8").split())
    assert "Normally each other player has one more turn." in rules
    assert "A **set** is two or more of your cards that have the same number." in rules
    for box in ALL_BOXES:
        assert f"`{box.name[0] * 14}` | Silver {box.name.title()} |" in rules
        assert f"- **{box.name}**: " in rules


def test_generated_files_are_written_to_a_folder(tmp_path: Path) -> None:
    main(tmp_path / "docs")
    files = [path for path in (tmp_path / "docs").rglob("*") if path.is_file()]
    assert {path.relative_to(tmp_path / "docs").as_posix() for path in files} == set(generated_files())
