"""The scripts of a table's page share their names: what one of them calls so, no other may."""

import re
from collections import Counter
from importlib.resources import files

STATIC = files("argentum.web") / "static"
NAMED = re.compile(r"^(?:async )?(?:function|const|let|class) (\w+)", re.MULTILINE)


def test_no_two_scripts_of_a_page_name_something_alike() -> None:
    shell = (files("argentum.web") / "templates" / "shell.html").read_text(encoding="utf-8")
    scripts = re.findall(r"/static/(\w+\.js)", shell)
    assert {"table.js", "evening.js"} <= set(scripts)
    named = Counter([name for one in scripts for name in NAMED.findall((STATIC / one).read_text(encoding="utf-8"))])
    assert [name for name, times in named.items() if times > 1] == []
