import pytest

from argentum.display.errors import Refused
from argentum.display.session import SPECTATOR
from argentum.rooms.chat import CHAT_BURST, MAX_LINE_LENGTH, Chat


def test_chat_lines_are_shortened_rate_limited_and_sent_to_the_right_roles() -> None:
    chat = Chat()
    chat.say("A", "Ann", "x" * 500)
    assert len(chat.lines[0].text) == MAX_LINE_LENGTH
    for _ in range(CHAT_BURST - 1):
        chat.emote("A", "Ann", "👍")
    with pytest.raises(Refused, match="too much"):
        chat.say("A", "Ann", "more")
    with pytest.raises(Refused, match="emote is one of"):
        chat.emote("B", "Bo", "<b>")
    with pytest.raises(Refused, match="letters"):
        chat.say("B", "Bo", "\u202e\u0000 ")
    chat.say(SPECTATOR, "An onlooker", "psst")
    [message] = chat.unread_messages("B", (0, False))
    assert "psst" not in message
    position = (chat.line_count, False)
    assert "psst" in chat.unread_messages(SPECTATOR, (0, False))[0]
    assert chat.unread_messages("B", position) == []
    chat.nudge("B", "Bo", "A")
    assert "nudge" in chat.unread_messages("A", position)[0]
    assert "nudge" not in chat.unread_messages("C", position)[0]
    chat.disabled = True
    with pytest.raises(Refused, match="switched talking off"):
        chat.say("B", "Bo", "hello")
