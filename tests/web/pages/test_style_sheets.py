"""Style sheets: how pages join them, and which component a class belongs to."""

import re
from collections import defaultdict
from importlib.resources import files
from pathlib import Path

import pytest

from argentum.web.pages import assets
from argentum.web.pages.assets import GENERATED_SHEETS, STYLE_IMPORT, page_style_sheets, style_sheet

FOLDER = Path(str(files("argentum.web") / "static" / "css"))
SHEETS = {str(path.relative_to(FOLDER)): path.read_text(encoding="utf-8") for path in sorted(FOLDER.rglob("*.css"))}
PARTS = sorted(set(SHEETS) - set(page_style_sheets()))
# Classes that scripts or pages set on an element to say what state it is in. Components may ask for them.
STATES = {"animating", "guided", "lit", "yours"}


def selectors(text: str) -> list[str]:
    """Return the selectors of a style sheet, also of nested rules, without strings and attributes."""
    text = re.sub(r'/\*.*?\*/|"[^"]*"', "", text, flags=re.DOTALL)
    preludes = [prelude.strip() for prelude in re.findall(r"([^{};]+)\{", text)]
    return [re.sub(r"\[[^\]]*\]", "", prelude) for prelude in preludes if not prelude.startswith("@")]


def classes(text: str) -> set[str]:
    """Return the first class of each compound selector; further classes are states of the same element."""
    compounds = [compound for selector in selectors(text) for compound in re.split(r"[\s>+~(),]+", selector)]
    return {match[1] for compound in compounds if (match := re.match(r"\.([\w-]+)", compound))} - STATES


def test_a_page_has_one_sheet_with_everything_it_imports() -> None:
    assert page_style_sheets() == ("home.css", "rules.css", "table.css", "text.css")
    for name in page_style_sheets():
        sheet = style_sheet(name)
        assert "@import" not in sheet
        assert sheet.startswith("@layer tokens, base, components, pages;")
        assert sheet.count("{") == sheet.count("}")
        assert ".button {" in sheet


def test_every_sheet_is_imported_in_the_layer_of_its_folder() -> None:
    imported = {match.groups() for name in page_style_sheets() for match in STYLE_IMPORT.finditer(SHEETS[name])}
    assert {path for path, _ in imported} == {*PARTS, *GENERATED_SHEETS}
    for path, layer in imported:
        if path not in GENERATED_SHEETS:
            assert layer == path.removesuffix(".css").partition("/")[0], path


def test_the_digest_of_a_page_changes_with_a_component(monkeypatch: pytest.MonkeyPatch) -> None:
    digest = assets.asset_digest("css/table.css")
    assert digest
    monkeypatch.setitem(assets.GENERATED_SHEETS, "boxes.css", lambda: ".of-pewter { --badge: grey; }\n")
    style_sheet.cache_clear()
    assets.asset_digest.cache_clear()
    assert assets.asset_digest("css/table.css") != digest
    monkeypatch.undo()
    style_sheet.cache_clear()
    assets.asset_digest.cache_clear()


def test_a_class_belongs_to_one_component() -> None:
    owners = defaultdict(list)
    for path in PARTS:
        if path.startswith("components/"):
            for name in classes(SHEETS[path]):
                owners[name].append(path)
    assert {name: paths for name, paths in owners.items() if len(paths) > 1} == {}


def test_a_page_names_no_class_of_another_page() -> None:
    components = set().union(*[classes(SHEETS[path]) for path in PARTS if path.startswith("components/")])
    owners = defaultdict(list)
    for path in PARTS:
        if path.startswith("pages/"):
            for name in classes(SHEETS[path]) - components:
                owners[name].append(path)
    assert {name: paths for name, paths in owners.items() if len(paths) > 1} == {}


@pytest.mark.parametrize("path", sorted(SHEETS))
def test_style_sheets_are_legible(path: str) -> None:
    lines = SHEETS[path].splitlines()
    assert lines[0].startswith("/* "), "says what it styles"
    assert [line for line in lines if len(line) > 120] == []
    assert "!important" not in SHEETS[path]
