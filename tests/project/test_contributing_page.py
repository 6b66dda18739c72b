"""The worked examples of docs/contributing.md, followed step by step, each in a copy of the repository."""

import os
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote, urljoin, urlsplit
from xml.etree import ElementTree

import pytest

from argentum.rulebook.lookup import rulings, source_status
from argentum.rules.boxes import ALL_BOXES, BOX_BY_LETTER, residents
from docs_pages import main
from docs_pages import pages as docs_pages_pages

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "contributing.md").read_text(encoding="utf-8")
STEP = re.compile(r"\nIn `([^`]+)`, ([^\n]*?)(?:\.\n|:\n\n```\w+\n(.*?)```)", re.DOTALL)
BOX, WORDS = "src/argentum/rules/boxes/dagger.py", "src/argentum/words/residents/dagger.py"
MODELS, RULEBOOK = "src/argentum/bots/heuristics/abilities/dagger.py", "src/argentum/rulebook/boxes/dagger.toml"
# The pattern that each step replaces, by its file and the phrase of the page.
OLD = {
    (BOX, "instead of the Mystic Seer"): r"@DAGGER\.draw_ability\(9, .*?\n(?=\n\n@DAGGER)",
    (BOX, "instead of the line that imports moves"): r"from argentum\.rules\.notation import [^\n]*\n",
    (BOX, "instead of the Spy"): r"@DAGGER\.village_ability\(\n    1, .*?\n(?=\n\n@DAGGER)",
    (RULEBOOK, "instead of the ruling D9"): r"\[D9\]\n.*?\n(?=\n\[D10\])",
    (RULEBOOK, "instead of the ruling D1"): r"\[D1\]\n.*?\n(?=\n\[D2\])",
    (WORDS, "instead of the entry of D9"): r'    "D9": .*?\n(?=    "D12")',
    (WORDS, "take out the entry of D1"): r'    "D1": .*?\n(?=    "D2")',
    (MODELS, "instead of the model of D9"): r'def mystic_seer.*?ABILITY_MODELS\["D9"\][^\n]*\n',
    (MODELS, "instead of the model of D1"): r'def spy_sum.*?ABILITY_MODELS\["D1"\][^\n]*\n',
    (RULEBOOK, "instead of the icon of D9"): r"D9 = [^\n]*\n",
    (RULEBOOK, "instead of the icon of D1"): r"D1 = [^\n]*\n",
}
ABOVE = {(WORDS, "above `RESIDENT_TEXTS`"): "\nRESIDENT_TEXTS: dict[str, ResidentTexts] = {"}
NEW = "which is new"


class Step(NamedTuple):
    """A step of the page: the file, what becomes of it, and the text."""

    file: str
    how: str
    text: str


def steps(heading: str) -> list[Step]:
    """The steps of one example."""
    section = PAGE.split(f"\n### {heading}")[1].split("\n### ")[0]
    return [Step(*found) for found in STEP.findall(section)]


def take(root: Path, step: Step) -> None:
    """Take a step in a copy."""
    file = root / step.file
    if step.how == NEW:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(step.text, encoding="utf-8")
        return
    source = file.read_text(encoding="utf-8")
    key = (step.file, step.how)
    if key in ABOVE:
        assert source.count(ABOVE[key]) == 1
        source = source.replace(ABOVE[key], f"\n{step.text}\n{ABOVE[key]}")
    else:
        [old] = re.findall(OLD[key], source, re.DOTALL)
        source = source.replace(old, step.text)
    file.write_text(source, encoding="utf-8")


def copied(root: Path, heading: str) -> Path:
    """A copy of the package in which all the steps of an example were taken."""
    shutil.copytree(ROOT / "src", root / "src", ignore=shutil.ignore_patterns("__pycache__", "static", "*.so"))
    shutil.copy(ROOT / "pyproject.toml", root)
    for step in steps(heading):
        take(root, step)
    tool(root, "ruff", "check", "--quiet", "--fix", BOX, WORDS, MODELS)  # as the page says
    return root


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copied(tmp_path_factory.mktemp("watched"), "A resident with choices")


@pytest.fixture(scope="module")
def buried(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return copied(tmp_path_factory.mktemp("buried"), "A resident without choices")


def tool(copy: Path, *words: str) -> str:
    """Run a module in a copy; it must go well."""
    done = subprocess.run(
        [sys.executable, "-m", *words],
        cwd=copy,
        env=os.environ | {"PYTHONPATH": str(copy / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def python(copy: Path, *lines: str) -> list[str]:
    """Run a few lines of Python in a copy; what they print."""
    file = copy / "lines.py"
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return tool(copy, "lines").splitlines()


def test_each_example_has_its_steps() -> None:
    kinds = [BOX, RULEBOOK, WORDS, MODELS]
    for heading in ("A resident with choices", "A resident without choices"):
        files = list(dict.fromkeys(step.file for step in steps(heading)))
        assert files[:-1] == kinds
        assert files[-1].startswith("tests/conformance/scenarios/")


@pytest.mark.parametrize("name", ["watched", "buried"])
def test_the_code_of_the_page_is_clean(name: str, request: pytest.FixtureRequest) -> None:
    copy: Path = request.getfixturevalue(name)
    files = [BOX, WORDS, MODELS]
    tool(copy, "ruff", "check", *files)
    tool(copy, "ruff", "format", "--check", *files)
    assert tool(copy, "mypy", "--no-incremental", *files).startswith("Success")


def test_the_night_watch_can_be_looked_up(watched: Path) -> None:
    shown = tool(watched, "argentum", "rules", "night", "watch")
    assert shown.startswith("Night Watch (D9): 9 of Silver Dagger, when drawn\n")
    assert "even if it is in another village" in " ".join(shown.split())


@pytest.mark.parametrize("name", ["watched", "buried"])
def test_the_scenario_holds(name: str, request: pytest.FixtureRequest) -> None:
    copy: Path = request.getfixturevalue(name)
    assert tool(copy, "argentum", "scenario", "tests/conformance/scenarios").endswith("1 passed, 0 failed\n")


def test_both_questions_of_the_night_watch_are_its_own(watched: Path) -> None:
    villages = '{"A": "7 12^", "B": "6 11"}'
    first, second, other, label, yes, no = python(
        watched,
        "from argentum import Game",
        "from argentum.words import button_text, prompt",
        f'game = Game.at({{"boxes": "dagger", "deck": "9 10", "discard": "8", "villages": {villages}}}, ["Ann", "Bo"])',
        "moves = game.play('draw') + game.play('use')",
        "print(prompt(game.view('A')).title)",
        "moves = game.play('B1')",
        "view = game.view('A')",
        "print(prompt(view).title)",
        "print(prompt(game.view('B')).title)",
        "print(view.asking.label, view.asking.step, *view.asking.picked)",
        "for move in view.legal: print(button_text(move, view))",
    )
    assert first == "Choose a facedown card to look at."
    assert second.startswith("Turn ")
    assert second.endswith(" spot 1, the Flipper, faceup?")
    assert "whether to turn it faceup" in other
    assert label == "D9 second B1"
    assert yes != no == "Leave it facedown"


def test_games_are_played_with_the_night_watch(watched: Path) -> None:
    tool(watched, "argentum", "simulate", "--games", "20", "--players", "3", "--records", "games")
    moves = "".join(path.read_text(encoding="utf-8") for path in (watched / "games").iterdir())
    assert re.search(r"use, ([ABC]\d), \1", moves)  # somebody turned up what it had looked at
    assert "stop" in moves


def test_an_undertakers_discards_are_visible_to_nobody(buried: Path) -> None:
    villages = '{"A": "1^ 12 5", "B": "7 11"}'
    told = python(
        buried,
        "from random import Random",
        "from argentum import Game",
        f'game = Game.at({{"boxes": "dagger", "deck": "6 10", "discard": "8", "villages": {villages}}})',
        "moves = game.play('draw') + game.play('exchange A2')",
        "for seat in ('A', 'B', None):",
        "    left = [event for event in game.events(seat) if event.kind == 'left'][-1]",
        "    print(left.goes, left.number, game.view(seat).discard[0].number)",
        "print(game.redeal('B', Random(1)).view('B') == game.view('B'))",
    )
    assert told == ["discard None None"] * 3 + ["True"]


def test_games_are_played_with_the_undertaker(buried: Path) -> None:
    shown = tool(buried, "argentum", "simulate", "--games", "20", "--players", "3")
    assert shown.startswith("20 games, ")


DOCS = Path(__file__).parents[2] / "docs"
PAGES = {name: text for name, text in docs_pages_pages().items() if name.endswith(".md")}
PICTURES = {name: text for name, text in docs_pages_pages().items() if name.endswith(".svg")}


@pytest.mark.parametrize("name", sorted(PAGES))
def test_the_pages_are_those_of_the_programs_own_data(name: str) -> None:
    assert (DOCS / name).read_text(encoding="utf-8") == PAGES[name], "run make docs"


def test_the_pictures_are_those_of_the_gallery() -> None:
    there = {f"pictures/cards/{path.name}": path.read_text(encoding="utf-8") for path in DOCS.glob("pictures/cards/*")}
    assert there == PICTURES, "run make docs"


def test_every_resident_and_token_has_a_picture() -> None:
    titles = [ElementTree.fromstring(text)[0].text for text in PICTURES.values()]
    assert titles == [f"{one.number} {one.name}" for one in residents()] + [box.token_name for box in ALL_BOXES]


def test_every_resident_is_on_the_page_of_its_box_with_its_card_and_ruling() -> None:
    for one in residents():
        page = PAGES[f"rules/{one.box}.md"]
        _, _, section = page.partition(f"\n## {one.number} {one.name}\n")
        section = section.partition("\n## ")[0]
        assert f"/{one.label}.svg" in section
        assert one.text in section
        assert rulings()[one.label].text in section


def test_pages_show_the_status_of_each_text() -> None:
    for one in residents():
        word = source_status(one.source)
        row = next(line for line in PAGES[f"rules/{one.box}.md"].splitlines() if f"| [{one.name}](#" in line)
        assert (f" ({word}) |" in row) == bool(word)
        assert one.source in PAGES["rules/rulings.md"]
    for box in ALL_BOXES:
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


def test_the_table_of_protected_cards_has_a_row_per_resident_and_token() -> None:
    _, _, section = PAGES["rules/rulings.md"].partition("### X11: ")
    rows = [line for line in section.partition("\n### ")[0].splitlines() if line.startswith("| [")]
    assert len(rows) == len(residents()) + len(BOX_BY_LETTER)
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
    for box in ALL_BOXES:
        assert f"`{box.name[0] * 14}` | Silver {box.name.title()} |" in rules
        assert f"- **{box.name}**: " in rules


def test_pages_are_written_into_a_folder(tmp_path: Path) -> None:
    main(tmp_path / "docs")
    files = [path for path in (tmp_path / "docs").rglob("*") if path.is_file()]
    assert {path.relative_to(tmp_path / "docs").as_posix() for path in files} == set(docs_pages_pages())


ROOT = Path(__file__).parents[2]


class Page(HTMLParser):
    """A page's links, what it loads, and the names in it."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.links: list[str] = []
        self.loads: list[str] = []
        self.names: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for key, value in attrs:
            if value is not None and key == "id":
                self.names.add(value)
            elif value is not None and key == "href" and tag == "a":
                self.links.append(value)
            elif value is not None and (key == "src" or (key == "href" and tag == "link")):
                self.loads.append(value)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("site")
    built = subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)],
        cwd=ROOT,
        env=os.environ | {"NO_MKDOCS_2_WARNING": "1"},  # the theme's news
        capture_output=True,
        text=True,
        check=False,
    )
    assert built.returncode == 0, built.stderr
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[str, Page]:
    """The pages by their paths in the site; but for the one of a server that does not find a page."""
    return {f"/{path.relative_to(site).as_posix()}": Page(path) for path in site.rglob("*.html") if path.stem != "404"}


def test_every_link_has_a_target(site: Path, pages: dict[str, Page]) -> None:
    assert len(pages) > 15
    for place, page in pages.items():
        for link in page.links + page.loads:
            target = urlsplit(urljoin(place, link))
            if target.scheme:
                continue
            path = unquote(target.path)
            assert (site / path.lstrip("/")).is_file() or path == "/", f"{place} links to {link}"
            if target.fragment and path in pages:
                assert unquote(target.fragment) in pages[path].names | {"__skip"}, f"{place} links to {link}"


def test_links_to_other_sites_are_well_formed(pages: dict[str, Page]) -> None:
    for place, page in pages.items():
        for link in page.links:
            if urlsplit(link).scheme:
                assert re.fullmatch(r"https://[\w.-]+\.[a-z]+(/\S*)?", link), f"{place} links to {link}"


def test_pages_load_nothing_from_other_sites(site: Path, pages: dict[str, Page]) -> None:
    for place, page in pages.items():
        assert [load for load in page.loads if urlsplit(load).scheme or load.startswith("//")] == [], place
    for sheet in site.rglob("*.css"):
        assert not re.search(r"url\(['\"]?(https?:)?//", sheet.read_text(encoding="utf-8")), sheet
    assert (site / "fonts" / "grenze-700.woff2").is_file()


def test_every_card_is_on_the_page_of_its_box(pages: dict[str, Page]) -> None:
    for box in ("amulet", "bullet", "coin", "dagger"):
        shown = [load.rpartition("/")[2] for load in pages[f"/rules/{box}.html"].loads]
        assert [name for name in shown if name[0] == box[0].upper()] == [f"{box[0].upper()}{n}.svg" for n in range(15)]
