"""Scripts and style sheets, checked as text: names, links, and texts for players."""

import json
import re
from importlib.resources import files
from pathlib import Path

import pytest

from argentum.pyodide.urls import relative_urls
from argentum.records.fairness import make_commitment
from argentum.web.pages import assets
from argentum.web.pages.renderer import SCRIPT_CONSTANTS
from argentum.words.client_messages import CLIENT_MESSAGES

STATIC = files("argentum.web") / "static" / "js"
SCRIPTS = [
    script
    for folder in (STATIC, files("argentum.pyodide") / "static")
    for script in folder.iterdir()
    if script.name.endswith(".js")
]
COMMENT_OR_TEXT = re.compile(
    r"""//[^\n]*|/\*.*?\*/|"((?:\\.|[^"\\])*)"|'((?:\\.|[^'\\])*)'|`((?:\\.|[^`\\])*)`""", re.DOTALL
)
PLACEHOLDER = re.compile(r"\$\{([^{}]*)\}")
# Matches two words without characters of selectors and markup, or a capitalized word.
PROSE = re.compile(r"""^[^#.:<>=\[\](){}/]*[A-Za-z]{2,}[,;:]? [A-Za-z]{2,}[^#<>=\[\]{}/]*$|^[A-Z][a-z]+\b""")
KEYS = {"Enter", "Escape", "Tab", "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"}
DIGESTED = {r"argentum deal\n", r"argentum part\n", r"argentum commitment\n"}  # see docs/fairness.md
CODES = {"no seat"}  # see docs/protocol.md
STYLES = {"button lamp main", "single-page seat-in-use", "input, select"}
NAMES = {"use strict", "Argentum", "Notification", "SharedWorkerGlobalScope", "ConstraintError"}
NO_PROSE = KEYS | DIGESTED | CODES | STYLES | NAMES


def texts_in(script: str) -> list[str]:
    """Return the string literals in a script, including those in placeholders of template literals."""
    inside: list[str] = []
    while PLACEHOLDER.search(script):
        inside += PLACEHOLDER.findall(script)
        script = PLACEHOLDER.sub("", script)
    texts = [next((text for text in match.groups() if text), "") for match in COMMENT_OR_TEXT.finditer(script)]
    return [text for text in texts if text] + [text for code in inside for text in texts_in(code)]


def test_scripts_use_the_constants_of_the_page() -> None:
    types = (files("argentum.web") / "script_types.ts").read_text(encoding="utf-8")
    [declared] = re.findall(r"interface Constants \{(.+?)\n\}", types, re.DOTALL)
    assert set(re.findall(r"^  (\w+):", declared, re.MULTILINE)) == set(SCRIPT_CONSTANTS)
    words = set(re.findall(r"\w+", "".join([script.read_text(encoding="utf-8") for script in SCRIPTS])))
    assert set(SCRIPT_CONSTANTS) - words == set()


def test_the_example_of_an_opened_round_is_what_the_server_reveals() -> None:
    """The tests of js/deals.js use the example."""
    example = json.loads(Path(__file__).with_name("static").joinpath("js", "opened_round.json").read_text())
    commitment = make_commitment(bytes(32), {"A": "mine"})
    assert example["opened"] == commitment.verification_data(1, commitment.deals(2)[0])
    assert example["sizes"].items() <= SCRIPT_CONSTANTS.items()


def test_files_in_style_sheets_exist() -> None:
    sheets = files("argentum.web") / "static" / "css"
    links = [
        sheets / link
        for name in assets.page_style_sheets()
        for link in re.findall(r"url\(([^)]+)\)", assets.style_sheet(name))
    ]
    assert links
    assert [link for link in links if not link.is_file()] == []


def test_both_editions_pass_the_chosen_deck_to_a_new_table() -> None:
    [ending] = re.findall(r'action\$="(.+?)"', (STATIC / "landing.js").read_text(encoding="utf-8"))
    assert [url_for("/tables").endswith(ending) for url_for in (str, relative_urls("./"))] == [True, True]


def test_scripts_contain_no_texts_for_players() -> None:
    sentences = {
        text for script in SCRIPTS for text in texts_in(script.read_text(encoding="utf-8")) if PROSE.search(text)
    }
    assert sentences - NO_PROSE == set()


@pytest.mark.parametrize("text", ["Pause", "only you", "The link is copied.", "${left} of them agree", "Free the seat"])
def test_texts_for_players_in_scripts_are_detected(text: str) -> None:
    script = (
        f'// a comment "Of No Matter"\nsay(wide ? `#a ${{on ? "{text}" : `b ${{c}}`}}` : "li.before"); // `Nor This`'
    )
    assert [literal for literal in texts_in(script) if PROSE.search(literal)] == [text.replace("${left}", "")]


def test_scripts_use_exactly_the_phrases_of_their_pages() -> None:
    code = "".join([script.read_text(encoding="utf-8") for script in SCRIPTS])
    uses = re.findall(r"phrase\((.+?)\)|(?:tell\(|state: )(\".+?\")", code)
    named = {name for use in uses for name in re.findall(r'"([a-z\d-]+)"', "".join(use))}
    prefixes = tuple({name for use in uses for name in re.findall(r"`([a-z-]+)\$", use[0])})
    assert (named - set(CLIENT_MESSAGES)) <= {"over"}  # a stage of a table
    assert set(prefixes) == {"deal-", "may-", "of-box-"}
    assert [name for name in CLIENT_MESSAGES if f'"{name}"' not in code and not name.startswith(prefixes)] == []
