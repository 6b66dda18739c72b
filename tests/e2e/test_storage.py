"""What the browser stores, in a real Chromium."""

import json

from playwright.sync_api import Browser

from tests.support.browser import open_player
from tests.support.server import Server, shared_server

__all__ = ["shared_server"]

STORE = "(values) => { localStorage.clear(); for (const name in values) localStorage.setItem(name, values[name]); }"
STORED = "Object.fromEntries(Object.entries(localStorage).sort())"


def test_values_under_old_names_are_moved_once(chromium: Browser, server: Server) -> None:
    old = {
        "name": "Ann", "device": "d1", "games": "[]", "install": "no", "lessons": "1 2", "replay-speed": "400",
        "theme": "night", "pace": "even", "sure": "no", "guide": "yes", "sounds": "on", "notices": "off", "fair": "[]",
    }  # fmt: skip
    with open_player(chromium, server) as ann:
        ann.open("/rules").page.evaluate(STORE, old)
        ann.page.reload()
        moved = {
            "argentum.confirm_call": "no",
            "argentum.device": "d1",
            "argentum.games": "[]",
            "argentum.guide": "yes",
            "argentum.install": "no",
            "argentum.lessons": "1 2",
            "argentum.name": "Ann",
            "argentum.notifications": "no",
            "argentum.pace": "normal",
            "argentum.replay_speed": "400",
            "argentum.shuffle_values": "[]",
            "argentum.sounds": "yes",
            "argentum.theme": "dark",
        }
        assert ann.page.evaluate(STORED) == moved
        assert ann.page.get_attribute("html", "data-theme") == "dark"
        ann.page.evaluate("localStorage.setItem('name', 'of another site')")
        ann.page.reload()
        assert ann.page.evaluate(STORED) == {**moved, "name": "of another site"}


def test_tables_of_the_static_edition_join_the_list_of_tables(chromium: Browser, server: Server) -> None:
    old = {
        "tables": json.dumps([{"name": "quiet-owl", "key": "k1"}]),
        "table quiet-owl": json.dumps(["k1", 5]),
        "table lucky-badger": json.dumps(["k2", 7]),
        "table of another site": "7",
    }
    with open_player(chromium, server) as ann:
        ann.open("/rules").page.evaluate(STORE, old)
        ann.page.reload()
        assert json.loads(ann.stored("tables") or "") == [
            {"name": "lucky-badger", "key": "k2", "at": 7},
            {"name": "quiet-owl", "key": "k1", "at": 5},
        ]
        left = ["argentum.tables", "table of another site"]
        assert sorted(ann.page.evaluate("Object.keys(localStorage)")) == left
