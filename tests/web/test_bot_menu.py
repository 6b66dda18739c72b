"""Menus of bots."""

from collections.abc import Iterator

import pytest

from argentum.web.pages.lobby import bot_menu
from argentum.web.pages.renderer import PageRenderer
from argentum.web.site import home_context


@pytest.fixture
def without_numpy(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr("argentum.bots.moon.find_spec", lambda _: None)
    bot_menu.cache_clear()
    yield
    bot_menu.cache_clear()


@pytest.mark.usefixtures("without_numpy")
def test_the_menu_says_how_to_install_what_a_bot_requires() -> None:
    page = PageRenderer().page("home.html", open_tables=[], **home_context())
    assert '<option value="moon" disabled>moon: needs NumPy, which is not installed: pip install numpy' in page
    assert '<option value="quick">' in page
