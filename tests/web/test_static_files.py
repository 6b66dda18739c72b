"""The scripts, as far as they can be read without a browser: they share names, serve both editions, have no words."""

import re
from collections import Counter
from importlib.resources import files

import pytest

from argentum.pyodide.urls import relative_urls
from argentum.web.pages import assets
from argentum.words.client_messages import CLIENT_MESSAGES

STATIC = files("argentum.web") / "static" / "js"
NAMED = re.compile(r"^(?:async )?(?:function|const|let|class) (\w+)", re.MULTILINE)
SCRIPTS = [
    script
    for folder in (STATIC, files("argentum.pyodide") / "static")
    for script in folder.iterdir()
    if script.name.endswith(".js")
]
COMMENT_OR_TEXT = re.compile(
    r"""//[^\n]*|/\*.*?\*/|"((?:\\.|[^"\\])*)"|'((?:\\.|[^'\\])*)'|`((?:\\.|[^`\\])*)`""", re.DOTALL
)
FILLED = re.compile(r"\$\{([^{}]*)\}")
# Words one after another without the signs of selectors and markup, or one with a capital.
PROSE = re.compile(r"""^[^#.:<>=\[\](){}/]*[A-Za-z]{2,}[,;:]? [A-Za-z]{2,}[^#<>=\[\]{}/]*$|^[A-Z][a-z]+\b""")
KEYS = {"Enter", "Escape", "Tab", "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"}
DIGESTED = {r"argentum deal\n", r"argentum part\n", r"argentum commitment\n"}  # see docs/fairness.md
CODES = {"no seat"}  # see docs/protocol.md
STYLES = {"button lamp main", "single-page seat-in-use", "input, select"}
NAMES = {"use strict", "Argentum", "Notification", "SharedWorkerGlobalScope", "ConstraintError"}
NO_PROSE = KEYS | DIGESTED | CODES | STYLES | NAMES


def texts_in(script: str) -> list[str]:
    """The texts in a script, also those inside of others."""
    inside: list[str] = []
    while FILLED.search(script):
        inside += FILLED.findall(script)
        script = FILLED.sub("", script)
    found = [next((text for text in one.groups() if text), "") for one in COMMENT_OR_TEXT.finditer(script)]
    return [text for text in found if text] + [text for code in inside for text in texts_in(code)]


def test_no_two_scripts_of_a_page_name_something_alike() -> None:
    templates = files("argentum.web") / "templates"
    drawn = [
        (templates / name).read_text(encoding="utf-8") for name in ("base.html", "table_shell.html", "phrases.html")
    ]
    scripts = re.findall(r"/static/js/(\w+\.js)", "".join(drawn))
    assert {"table.js", "evening.js", "phrases.js"} <= set(scripts)
    named = Counter([name for one in scripts for name in NAMED.findall((STATIC / one).read_text(encoding="utf-8"))])
    assert [name for name, times in named.items() if times > 1] == []


def test_every_file_that_a_style_sheet_names_exists() -> None:
    sheets = files("argentum.web") / "static" / "css"
    links = [
        sheets / link
        for sheet in sheets.iterdir()
        for link in re.findall(r"url\(([^)]+)\)", sheet.read_text(encoding="utf-8"))
    ]
    assert links
    assert [link for link in links if not link.is_file()] == []


def test_the_service_worker_keeps_files_that_exist() -> None:
    shell = re.findall(r'"/static/([^"]+)"', (STATIC / "service_worker.js").read_text(encoding="utf-8"))
    assert shell
    assert [name for name in shell if not assets.asset_digest(name)] == []


def test_the_chosen_residents_go_along_to_a_new_table_in_both_editions() -> None:
    [ending] = re.findall(r'action\$="(.+?)"', (STATIC / "home.js").read_text(encoding="utf-8"))
    assert [at("/tables").endswith(ending) for at in (str, relative_urls("./"))] == [True, True]


def test_no_script_has_a_sentence_of_its_own() -> None:
    found = {text for script in SCRIPTS for text in texts_in(script.read_text(encoding="utf-8")) if PROSE.search(text)}
    assert found - NO_PROSE == set()


@pytest.mark.parametrize("text", ["Pause", "only you", "The link is copied.", "${left} of them agree", "Free the seat"])
def test_a_sentence_in_a_script_is_found(text: str) -> None:
    script = (
        f'// a comment "Of No Matter"\nsay(wide ? `#a ${{on ? "{text}" : `b ${{c}}`}}` : "li.before"); // `Nor This`'
    )
    assert [one for one in texts_in(script) if PROSE.search(one)] == [text.replace("${left}", "")]


def test_scripts_say_what_their_pages_bring_along() -> None:
    code = "".join([script.read_text(encoding="utf-8") for script in SCRIPTS])
    asked = re.findall(r"phrase\((.+?)\)|(?:tell\(|state: )(\".+?\")", code)
    named = {name for one in asked for name in re.findall(r'"([a-z\d-]+)"', "".join(one))}
    begun = tuple({name for one in asked for name in re.findall(r"`([a-z-]+)\$", one[0])})
    assert (named - set(CLIENT_MESSAGES)) <= {"over"}  # what a table is asked for, not a name
    assert set(begun) == {"deal-", "may-", "of-box-"}
    assert [name for name in CLIENT_MESSAGES if f'"{name}"' not in code and not name.startswith(begun)] == []
