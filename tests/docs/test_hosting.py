import re
from ast import literal_eval
from dataclasses import fields
from pathlib import Path

from argentum.rooms.limits import Limits
from argentum.web.settings import Settings


def test_the_hosting_page_lists_every_setting_with_its_default() -> None:
    page = (Path(__file__).parents[2] / "docs" / "hosting.md").read_text(encoding="utf-8")
    listed = dict(re.findall(r"^\| `(\w+)` \| `(.+?)` \| .+ \|$", page, re.MULTILINE))
    defaults = {setting.name: setting.default for group in (Limits, Settings) for setting in fields(group)}
    assert {name: literal_eval(text) for name, text in listed.items()} == defaults
