"""The scripts, as far as they can be read without a browser: they share their names, and serve both editions."""

import re
from collections import Counter
from importlib.resources import files

from argentum.browser.places import places

STATIC = files("argentum.web") / "static"
NAMED = re.compile(r"^(?:async )?(?:function|const|let|class) (\w+)", re.MULTILINE)


def test_no_two_scripts_of_a_page_name_something_alike() -> None:
    shell = (files("argentum.web") / "templates" / "shell.html").read_text(encoding="utf-8")
    scripts = re.findall(r"/static/(\w+\.js)", shell)
    assert {"table.js", "evening.js"} <= set(scripts)
    named = Counter([name for one in scripts for name in NAMED.findall((STATIC / one).read_text(encoding="utf-8"))])
    assert [name for name, times in named.items() if times > 1] == []


def test_the_chosen_residents_go_along_to_a_new_table_in_both_editions() -> None:
    [ending] = re.findall(r'action\$="(.+?)"', (STATIC / "home.js").read_text(encoding="utf-8"))
    assert [at("/tables").endswith(ending) for at in (str, places("./"))] == [True, True]
