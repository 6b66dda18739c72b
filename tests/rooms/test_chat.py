import pytest

from argentum.display.errors import Refused
from argentum.display.session import SPECTATOR
from argentum.rooms.chat import CHAT_BURST, MAX_LINE_LENGTH, Chat


def test_talk_is_short_slow_and_stays_where_it_belongs() -> None:
    talk = Chat()
    talk.say("A", "Ann", "x" * 500)
    assert len(talk.lines[0].text) == MAX_LINE_LENGTH
    for _ in range(CHAT_BURST - 1):
        talk.emote("A", "Ann", "👍")
    with pytest.raises(Refused, match="too much"):
        talk.say("A", "Ann", "more")
    with pytest.raises(Refused, match="emote is one of"):
        talk.emote("B", "Bo", "<b>")
    with pytest.raises(Refused, match="letters"):
        talk.say("B", "Bo", "\u202e\u0000 ")
    talk.say(SPECTATOR, "An onlooker", "psst")
    news, heard = talk.unread("B", (0, False))
    assert "psst" not in news[0]
    assert "psst" in talk.unread(SPECTATOR, (0, False))[0][0]
    assert talk.unread("B", heard) == ([], heard)
    talk.nudge("B", "Bo", "A")
    assert "nudge" in talk.unread("A", heard)[0][0]
    assert "nudge" not in talk.unread("C", heard)[0][0]
    talk.disabled = True
    with pytest.raises(Refused, match="switched talking off"):
        talk.say("B", "Bo", "hello")
