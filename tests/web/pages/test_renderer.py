"""Templates compiled by the faster code generator behave like those compiled by Jinja."""

import subprocess
import sys
from typing import NamedTuple

import pytest
from jinja2 import DictLoader, StrictUndefined, UndefinedError
from markupsafe import Markup

from argentum.web.pages.renderer import FastEnvironment


class Person(NamedTuple):
    name: str
    age: int = 7


def render(template: str, **context: object) -> str:
    templates = FastEnvironment(loader=DictLoader({"it": template}), autoescape=True, undefined=StrictUndefined)
    return templates.get_template("it").render(**context)


def test_text_is_escaped_in_every_expression() -> None:
    evil = Person("<b>&\"'")
    safe = "&lt;b&gt;&amp;&#34;&#39;"
    assert render("{{ person.name }}", person=evil) == safe
    assert (
        render("{% macro who(person) %}<i>{{ person.name }}</i>{% endmacro %}{{ who(person) }}", person=evil)
        == f"<i>{safe}</i>"
    )
    assert (
        render("{{ person.name ~ '<' }}{{ person.name | upper }}", person=evil)
        == f"{safe}&lt;{safe.replace('b', 'B', 1)}"
    )
    assert render("{% set who = person.name %}{{ who if person.age else '' }}", person=evil) == safe


def test_markup_is_not_escaped_again() -> None:
    assert render("{{ text }}{{ text ~ '<' }}", text=Markup("<b>")) == "<b><b>&lt;"


def test_a_loop_that_only_outputs_its_items_escapes_text() -> None:
    items = (Markup("<b>"), "<i>", 3)
    loop = "{% for item in items %}{{ item }}{% endfor %}"
    assert render(loop, items=items) == "<b>&lt;i&gt;3"
    assert render("{% macro row(items) %}" + loop + ".{% endmacro %}{{ row(items) }}", items=items) == (
        "<b>&lt;i&gt;3."
    )


def test_numbers_none_and_booleans_are_formatted_as_in_python() -> None:
    assert render(
        "{{ person.age }} {{ yes }} {{ nothing }} {{ half }}", person=Person(""), yes=True, nothing=None, half=0.5
    ) == ("7 True None 0.5")


def test_an_inline_if_without_else_is_empty() -> None:
    assert render("a{{ ' b' if person.age > 9 }}c{{ ' d' if person.age }}", person=Person("")) == "ac d"


def test_macros_take_defaults_keyword_arguments_and_python_keywords() -> None:
    macro = "{% macro sign(name, class='plain', note='') %}{{ name }}-{{ class }}{{ note }}{% endmacro %}"
    assert render(macro + "{{ sign('a') }} {{ sign('b', 'c') }} {{ sign('d', note='!') }}") == "a-plain b-c d-plain!"
    assert render(macro + "{{ sign('a', class='b') }}") == "a-b"
    wrap = "{% macro box() %}[{{ caller() }}]{% endmacro %}{% call box() %}<i>{% endcall %}"
    assert render(wrap) == "[<i>]"


def test_missing_attributes_and_variables_raise_errors() -> None:
    with pytest.raises(AttributeError):
        render("{{ person.nmae }}", person=Person(""))
    with pytest.raises(UndefinedError):
        render("{{ nobody.name }}")
    with pytest.raises(UndefinedError):
        render("{{ nobody }}")


def test_importing_the_renderer_does_not_load_the_command_line() -> None:
    loaded = "import sys, argentum.web.pages.renderer; print(sorted({'click', 'argentum.cli'} & set(sys.modules)))"
    output = subprocess.run([sys.executable, "-c", loaded], capture_output=True, text=True, check=True)
    assert output.stdout == "[]\n"
