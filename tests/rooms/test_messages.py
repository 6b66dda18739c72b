"""The registry of messages: who may send each, and what the page, the terminal and the example client send."""

import json
import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from argentum.display.errors import Refused
from argentum.display.session import SPECTATOR
from argentum.rooms.arrangement import new_arrangement
from argentum.rooms.messages import ALIASES, MessageSpec, Sender, dispatch, read_message
from argentum.rooms.protocol import Malformed
from argentum.rooms.visitor import LocalSeat, Visitor
from argentum.web.sockets.readers import MESSAGES
from argentum.words import errors
from tests.support.fakes import run

PACKAGE = files("argentum")
OBJECT_WITH_TYPE = re.compile(r"""\{\s*"?type"?:\s*"(\w+)"((?:[^{}]|\{\{.*?\}\})*)\}""")
FIELD = re.compile(r'"(\w+)":')
# Types of elements that scripts build, of messages that the terminal receives, and of one that it queues for itself.
NOT_SENT = {"button", "text", "hidden", "connection", "error", "show"}


def device(*roles: str) -> Visitor:
    """Return a visitor whose device has these roles, the visible one first."""
    visitor = Visitor()
    visitor.role = roles[0]
    visitor.local_seats = [LocalSeat(role, "") for role in roles[1:]]
    return visitor


# Devices at a table whose host is A, and what each gets if it may not send a message of this kind.
DEVICES: dict[str, tuple[Visitor, dict[Sender, str]]] = {
    "host": (device("A"), {Sender.SPECTATOR: errors.HAS_SEAT}),
    "player": (device("B"), {Sender.SPECTATOR: errors.HAS_SEAT, Sender.HOST: errors.ONLY_HOST}),
    "player beside the host": (device("B", "A"), {Sender.SPECTATOR: errors.HAS_SEAT}),
    "spectator": (
        device(SPECTATOR),
        {Sender.SEATED: errors.ONLY_WATCH, Sender.LOCAL: errors.ONLY_WATCH, Sender.HOST: errors.ONLY_HOST},
    ),
}


def send(visitor: Visitor, kind: str, **fields: Any) -> None:
    """Dispatch a message to a handler that does nothing; raise `Refused` if the visitor may not send it."""

    async def handler(*_: Any) -> None: ...

    client, room = SimpleNamespace(visitor=visitor), SimpleNamespace(arrangement=new_arrangement())
    registry = {kind: MESSAGES[kind]._replace(handler=handler)}
    run(dispatch(cast(Any, client), cast(Any, room), {"type": kind, **fields}, registry))


@pytest.mark.parametrize("sender", DEVICES)
@pytest.mark.parametrize("kind", MESSAGES)
def test_only_the_senders_of_a_message_may_send_it(kind: str, sender: str) -> None:
    visitor, refusals = DEVICES[sender]
    refusal = refusals.get(MESSAGES[kind].sender)
    if refusal is None:
        send(visitor, kind)
    else:
        with pytest.raises(Refused) as refused:
            send(visitor, kind)
        assert str(refused.value) == refusal


@pytest.mark.parametrize("kind", [kind for kind, spec in MESSAGES.items() if spec.sender is Sender.LOCAL])
def test_messages_for_a_seat_of_the_device_are_refused_for_other_seats(kind: str) -> None:
    send(device("B", "C"), kind, seat="C")
    for seat in ("A", "", None, 2, ["C"]):
        with pytest.raises(Refused, match=errors.NOT_ON_DEVICE):
            send(device("B", "C"), kind, seat=seat)


@pytest.mark.parametrize("kind", MESSAGES)
def test_messages_have_their_required_fields_and_no_unknown_ones(kind: str) -> None:
    spec: MessageSpec = MESSAGES[kind]
    fields = dict.fromkeys([*spec.required, *spec.optional], 1)
    assert len(fields) == len(spec.required) + len(spec.optional)
    assert read_message(json.dumps({"type": kind, **fields}), MESSAGES) == {"type": kind, **fields}
    with pytest.raises(Malformed, match=f"{kind} does not have colour"):
        read_message(json.dumps({"type": kind, **fields, "colour": 1}), MESSAGES)
    for name in spec.required:
        with pytest.raises(Malformed, match=f"{kind} needs {name}"):
            read_message(json.dumps({"type": kind, **{other: 1 for other in fields if other != name}}), MESSAGES)


@pytest.mark.parametrize("old", ALIASES)
def test_earlier_names_of_messages_are_accepted(old: str) -> None:
    fields = dict.fromkeys(MESSAGES[ALIASES[old]].required, 1)
    assert old not in MESSAGES
    assert read_message(json.dumps({"type": old, **fields}), MESSAGES) == {"type": ALIASES[old], **fields}


def sent_messages() -> Iterator[tuple[str, str, set[str]]]:
    """Yield the file, type and named fields of each message in templates, scripts, the terminal and the client."""
    sources = [
        *(PACKAGE / "web" / "templates").iterdir(),
        *(PACKAGE / "web" / "static" / "js").iterdir(),
        *Path(str(PACKAGE / "terminal")).rglob("*.py"),
        PACKAGE / "client.py",
    ]
    for source in sources:
        if source.name.endswith((".html", ".js", ".py")):
            for kind, fields in OBJECT_WITH_TYPE.findall(source.read_text(encoding="utf-8")):
                if kind not in NOT_SENT:
                    yield source.name, kind, set(FIELD.findall(fields))


def test_pages_the_terminal_and_the_client_send_only_messages_of_the_registry() -> None:
    sent = list(sent_messages())
    assert [message for message in sent if message[1] not in MESSAGES] == []
    for name, kind, fields in sent:
        if name.endswith(".html"):
            spec = MESSAGES[kind]
            assert {*spec.required} <= fields <= {*spec.required, *spec.optional}


def test_every_message_is_sent_by_the_page_or_the_terminal() -> None:
    assert set(MESSAGES) == {kind for _, kind, _ in sent_messages()}
