"""A fresh question needs a fresh key."""

import asyncio

import pytest
from textual.events import Key

from argentum.terminal.app import TableApp
from argentum.terminal.key_filter import KEY_REPEAT_SECONDS, MIN_VISIBLE_SECONDS, KeyFilter
from argentum.terminal.widgets.buttons import KeyButton
from tests.support.terminal import PATIENCE, SMALL, settled
from tests.support.terminal_tables import Still, in_hand, played_until, to_draw


@pytest.fixture(autouse=True)
def hasty() -> None:
    """Not here."""


def test_a_key_that_comes_before_the_question_is_drawn_or_just_then_is_no_answer() -> None:
    one = KeyFilter()
    assert one.accepts("d", 10.0)
    one.new_choice()
    assert not one.accepts("x", 10.1), "it is not drawn yet"
    one.choice_drawn(10.2)
    assert not one.accepts("x", 10.15), "pressed before it was drawn, though heard later"
    assert not one.accepts("x", 10.2 + MIN_VISIBLE_SECONDS / 2)
    assert one.accepts("x", 10.2 + MIN_VISIBLE_SECONDS)


def test_a_key_that_is_held_down_answers_once() -> None:
    one = KeyFilter()
    assert one.accepts("d", 10.0)
    one.new_choice()
    one.choice_drawn(10.0)
    times = [10.0 + MIN_VISIBLE_SECONDS + nth / 30 for nth in range(90)]
    assert not any(one.accepts("d", at) for at in times)
    assert one.accepts("d", times[-1] + KEY_REPEAT_SECONDS)


def test_within_one_question_keys_may_come_as_fast_as_they_like() -> None:
    one = KeyFilter()
    one.new_choice()
    one.choice_drawn(10.0)
    assert all(one.accepts(key, 11.0) for key in ("1", "2", "2", "2"))


def test_draw_and_the_same_key_again_do_not_throw_the_card_away() -> None:
    """It did: `d` drew and discarded, so a key held a little too long threw a card away that nobody had read."""
    before, after = played_until(to_draw)[-1], played_until(in_hand)[-1]
    source = Still([before])

    async def go() -> None:
        app = TableApp(source)
        async with app.run_test(size=SMALL) as pilot:
            await settled(app, pilot)
            start = app.table.key_filter.since
            assert start is not None

            async def press(key: str, at: float) -> None:
                event = Key(key, key)
                event.time = at
                app.post_message(event)
                await pilot.pause()

            await press("d", start + 1)
            async with asyncio.timeout(PATIENCE):
                while not source.sent:
                    await pilot.pause()
            assert [message["move"] for message in source.sent] == ["draw"]
            app.enqueue(after)
            await settled(app, pilot)
            drawn = app.table.key_filter.since
            assert drawn is not None
            discard = next(button.key for button in app.table.query(KeyButton) if button.move == "discard")
            assert discard != "d"
            for key, late in (("d", 0.01), (discard, 0.02), ("enter", 0.03), ("space", MIN_VISIBLE_SECONDS / 2)):
                await press(key, drawn + late)
            assert len(source.sent) == 1, "nothing is thrown away before the card can be seen"
            await press(discard, drawn + MIN_VISIBLE_SECONDS + 0.01)
            async with asyncio.timeout(PATIENCE):
                while len(source.sent) < 2:
                    await pilot.pause()
            assert source.sent[1]["move"] == "discard"

    asyncio.run(go())
