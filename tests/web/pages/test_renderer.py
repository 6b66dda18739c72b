"""Our templates: what Jinja would decide for each value is decided when they are compiled."""

import subprocess
import sys
from typing import NamedTuple

import pytest
from jinja2 import DictLoader, StrictUndefined, UndefinedError
from markupsafe import Markup

from argentum.web.pages.renderer import FastEnvironment


class Person(NamedTuple):
    """Somebody."""

    name: str
    age: int = 7


def drawn(template: str, **context: object) -> str:
    """What a template draws."""
    templates = FastEnvironment(loader=DictLoader({"it": template}), autoescape=True, undefined=StrictUndefined)
    return templates.get_template("it").render(**context)


def test_what_people_wrote_is_escaped_wherever_it_stands() -> None:
    evil = Person("<b>&\"'")
    safe = "&lt;b&gt;&amp;&#34;&#39;"
    assert drawn("{{ one.name }}", one=evil) == safe
    assert drawn("{% macro who(one) %}<i>{{ one.name }}</i>{% endmacro %}{{ who(one) }}", one=evil) == f"<i>{safe}</i>"
    assert drawn("{{ one.name ~ '<' }}{{ one.name | upper }}", one=evil) == f"{safe}&lt;{safe.replace('b', 'B', 1)}"
    assert drawn("{% set who = one.name %}{{ who if one.age else '' }}", one=evil) == safe


def test_what_is_html_already_is_put_out_as_it_is() -> None:
    assert drawn("{{ one }}{{ one ~ '<' }}", one=Markup("<b>")) == "<b><b>&lt;"


def test_a_loop_that_only_puts_out_escapes_what_is_not_html() -> None:
    several = (Markup("<b>"), "<i>", 3)
    loop = "{% for one in several %}{{ one }}{% endfor %}"
    assert drawn(loop, several=several) == "<b>&lt;i&gt;3"
    assert drawn("{% macro row(several) %}" + loop + ".{% endmacro %}{{ row(several) }}", several=several) == (
        "<b>&lt;i&gt;3."
    )


def test_numbers_nothing_and_truth_are_written_as_python_writes_them() -> None:
    assert drawn(
        "{{ one.age }} {{ yes }} {{ nothing }} {{ half }}", one=Person(""), yes=True, nothing=None, half=0.5
    ) == ("7 True None 0.5")


def test_an_inline_if_without_else_is_empty() -> None:
    assert drawn("a{{ ' b' if one.age > 9 }}c{{ ' d' if one.age }}", one=Person("")) == "ac d"


def test_macros_take_defaults_names_and_words_of_python() -> None:
    macro = "{% macro sign(name, class='plain', note='') %}{{ name }}-{{ class }}{{ note }}{% endmacro %}"
    assert drawn(macro + "{{ sign('a') }} {{ sign('b', 'c') }} {{ sign('d', note='!') }}") == "a-plain b-c d-plain!"
    assert drawn(macro + "{{ sign('a', class='b') }}") == "a-b"
    wrap = "{% macro box() %}[{{ caller() }}]{% endmacro %}{% call box() %}<i>{% endcall %}"
    assert drawn(wrap) == "[<i>]"


def test_what_is_missing_is_an_error() -> None:
    with pytest.raises(AttributeError):
        drawn("{{ one.nmae }}", one=Person(""))
    with pytest.raises(UndefinedError):
        drawn("{{ nobody.name }}")
    with pytest.raises(UndefinedError):
        drawn("{{ nobody }}")


def test_importing_the_renderer_does_not_load_the_command_line() -> None:
    loaded = "import sys, argentum.web.pages.renderer; print(sorted({'click', 'argentum.cli'} & set(sys.modules)))"
    output = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True)
    assert output.stdout == "[]\n"
