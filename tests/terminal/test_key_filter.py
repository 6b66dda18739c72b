import asyncio

import pytest
from textual.events import Key

from argentum.terminal.app import TableApp
from argentum.terminal.key_filter import KEY_REPEAT_SECONDS, MIN_VISIBLE_SECONDS, KeyFilter
from argentum.terminal.widgets.buttons import KeyButton
from tests.support.terminal import SMALL, TIMEOUT, wait_for_player
from tests.support.terminal_tables import FixedSource, begins_turn, has_drawn_card, updates_until


@pytest.fixture(autouse=True)
def no_key_delays() -> None:
    """Override the fixture of conftest.py, so that this module has the real delays."""


def test_a_key_pressed_before_a_choice_is_visible_is_dropped() -> None:
    key_filter = KeyFilter()
    assert key_filter.accepts("d", 10.0)
    key_filter.start_choice()
    assert not key_filter.accepts("x", 10.1), "it is not drawn yet"
    key_filter.mark_choice_drawn(10.2)
    assert not key_filter.accepts("x", 10.15), "pressed before it was drawn, but delivered later"
    assert not key_filter.accepts("x", 10.2 + MIN_VISIBLE_SECONDS / 2)
    assert key_filter.accepts("x", 10.2 + MIN_VISIBLE_SECONDS)


def test_a_held_key_answers_once() -> None:
    key_filter = KeyFilter()
    assert key_filter.accepts("d", 10.0)
    key_filter.start_choice()
    key_filter.mark_choice_drawn(10.0)
    times = [10.0 + MIN_VISIBLE_SECONDS + index / 30 for index in range(90)]
    assert not any(key_filter.accepts("d", time) for time in times)
    assert key_filter.accepts("d", times[-1] + KEY_REPEAT_SECONDS)


def test_keys_within_a_choice_have_no_delay() -> None:
    key_filter = KeyFilter()
    key_filter.start_choice()
    key_filter.mark_choice_drawn(10.0)
    assert all(key_filter.accepts(key, 11.0) for key in ("1", "2", "2", "2"))


def test_pressing_draw_twice_does_not_discard_the_drawn_card() -> None:
    # If `d` also discarded, a held key would discard a card before the player could read it.
    before, after = updates_until(begins_turn)[-1], updates_until(has_drawn_card)[-1]
    source = FixedSource([before])

    async def main() -> None:
        app = TableApp(source)
        async with app.run_test(size=SMALL) as pilot:
            await wait_for_player(app, pilot)
            start = app.table.key_filter.drawn_at
            assert start is not None

            async def press(key: str, time: float) -> None:
                event = Key(key, key)
                event.time = time
                app.post_message(event)
                await pilot.pause()

            await press("d", start + 1)
            async with asyncio.timeout(TIMEOUT):
                while not source.sent:
                    await pilot.pause()
            assert [message["move"] for message in source.sent] == ["draw"]
            app.enqueue(after)
            await wait_for_player(app, pilot)
            drawn_at = app.table.key_filter.drawn_at
            assert drawn_at is not None
            discard = next(button.key for button in app.table.query(KeyButton) if button.move == "discard")
            assert discard != "d"
            for key, delay in (("d", 0.01), (discard, 0.02), ("enter", 0.03), ("space", MIN_VISIBLE_SECONDS / 2)):
                await press(key, drawn_at + delay)
            assert len(source.sent) == 1, "nothing is discarded before the card can be seen"
            await press(discard, drawn_at + MIN_VISIBLE_SECONDS + 0.01)
            async with asyncio.timeout(TIMEOUT):
                while len(source.sent) < 2:
                    await pilot.pause()
            assert source.sent[1]["move"] == "discard"

    asyncio.run(main())
