"""What somebody at a table wants: each message of the protocol, and what is done for it."""

import json
from typing import Any

from argentum.display.errors import Refused
from argentum.display.session import SPECTATOR
from argentum.rooms import access, hints, messages
from argentum.rooms.access import new_key
from argentum.rooms.registry import RoomRegistry
from argentum.rooms.room import Room
from argentum.rooms.visitor import LocalSeat, Visitor
from argentum.rules.notation import SEAT_LETTERS
from argentum.web.sockets.advice import Advice
from argentum.web.sockets.wire import TextSocket
from argentum.words import errors as why


class Wishes:
    """Of one guest, once they are at the table. What cannot be done is Refused."""

    def __init__(self, wire: TextSocket, hall: RoomRegistry, guest: Visitor, room: Room, advice: Advice) -> None:
        self.wire = wire
        self.hall = hall
        self.guest = guest
        self.room = room
        self.advice = advice

    async def dispatch(self, message: dict[str, Any]) -> None:
        """Do what a message asks."""
        room, role = self.room, self.guest.role
        match message.pop("type"):
            case "move" | "undo" as what:
                await self._play(what, message)
            case "arrange":
                await room.arrange(role, message, self.guest.key)
            case "swap":
                await room.swap(
                    self.guest.require_local(message.get("seat", role)), message["number"], message.get("box")
                )
            case "value":
                room.add_shuffle_value(role, message["value"])
            case "start":
                await room.start(role)
            case "rematch" | "result" as what:
                await self.rematch(what)
            case "back" | "pace" | "ahead" | "looked" as what:
                if role != SPECTATOR:
                    self._time(what, message)
            case "seen":
                self.round_seen(message["round"])
            case "take" | "watch" | "beside" | "lift" | "host" as kind:
                await self._seat(kind, message)
            case "replay":
                self._replay(replay_index(message.get("at")), replay_viewer(message.get("eyes")))
            case "say" | "emote" | "nudge" | "quiet" | "agree" as kind:
                self._talk(kind, message)
            case "record" | "hint" | "picks" | "review" | "play_on" | "keep" as kind:
                await self._consult(kind, message)
            case _:
                raise messages.Malformed("you are already at a table")

    async def _play(self, what: str, message: dict[str, Any]) -> None:
        """A move, or a choice taken back."""
        if what == "undo":
            await self.room.take_back(self.guest.role)
        else:
            hold = message.get("hold") is True
            await self.room.play_move(self.guest.role, message["choice"], message["move"], hold)

    def _time(self, what: str, message: dict[str, Any]) -> None:
        """What somebody seated wants of the clock."""
        if what == "looked":  # only the seat that is shown has looked
            self.room.end_look(self.guest.role)
            return
        for role in self.guest.roles:
            if what == "back":
                self.room.resume_seat(role)
            elif what == "pace":
                self.room.set_pace(role, message["pace"])
            else:
                self.room.skip_pauses(role)

    def _replay(self, at: int | None, eyes: str | None) -> None:
        """Turn to a move of the game that is over."""
        if self.room.game is not None and self.room.game.over:
            self.guest.reader.show_replay(at, eyes)
            self.guest.notify()

    def round_seen(self, round_: object) -> None:
        """The reveal of a round has been left."""
        if not isinstance(round_, int) or isinstance(round_, bool):
            raise messages.Malformed("round is a number")
        if self.room.game is None:
            raise Refused(why.NO_GAME_YET)
        seen = min(max(round_, 0), self.room.game.rounds_finished)
        self.guest.reader.leave_round_end(seen)
        for role in self.guest.roles:
            if role != SPECTATOR:
                self.room.mark_round_seen(role, seen)
        self.guest.notify()

    async def rematch(self, what: str) -> None:
        """Go on to the rematch, or back from it to the last game's result."""
        if what == "result":
            self.guest.reader.return_to_result()
            self.guest.notify()
            return
        if self.room.arrangement.rematch is None:
            await self.room.rematch(self.guest.role)
        self.guest.reader.leave_game_end(self.room)
        self.guest.notify()

    async def _consult(self, kind: str, message: dict[str, Any]) -> None:
        """Learn something of a game, or keep it."""
        if kind == "record":
            await self.advice.record()
        elif kind == "hint":
            await self.advice.hint()
        elif kind == "picks":
            await self.advice.of_picks(message["spots"])
        elif kind == "keep":
            await self.room.keep_game(self.guest.role)
        elif kind == "play_on":
            await self.advice.branch(replay_index(message["at"]))
        elif "at" in message:
            self.guest.reader.show_decision(replay_index(message["at"]))
            self.guest.notify()
        else:
            self.advice.review()

    def _talk(self, kind: str, message: dict[str, Any]) -> None:
        """Say something, nudge somebody, or, as the host, switch talking off or on."""
        room, role = self.room, self.guest.role
        name = "An onlooker" if role == SPECTATOR else room.arrangement.seats[SEAT_LETTERS.index(role)].name
        match kind:
            case "say":
                room.chat.say(role, name, message["text"])
            case "emote":
                room.chat.emote(role, name, message["text"])
            case "nudge":
                room.arrangement.seat_index(message["seat"])
                room.chat.nudge(role, name, message["seat"])
            case "agree":
                hints.allow_hints(room, self.guest.roles, message["on"] is True)
            case "quiet":
                if role != room.arrangement.host or not isinstance(message["off"], bool):
                    raise Refused(why.HOST_TALK)
                room.chat.disabled = message["off"]
        room.access.notify()

    # Seats.

    async def _seat(self, kind: str, message: dict[str, Any]) -> None:
        """Do something about a seat: sit down, alone or beside somebody; pass the device on; make somebody the host."""
        seat = message.get("seat")
        match kind:
            case "host":
                await self.room.transfer_host(self.guest.role, str(seat), access.key_of(self.room, seat))
            case "lift":
                self.show_seat(seat)
            case "beside":
                await self.add_local_seat(seat, message.get("name"))
            case _:
                await self._invited(kind == "take", message)

    async def _invited(self, sits: bool, message: dict[str, Any]) -> None:
        """An onlooker takes a free seat, and gets its key; or only watches, though a seat is free."""
        guest = self.guest
        if guest.role != SPECTATOR or guest.has_claimed:
            raise Refused(why.HAS_SEAT)
        if sits:
            key = await self.hall.assign_seat(self.room, guest.identity, message.get("name"), message["seat"])
            guest.has_claimed = True
            await self.wire.send(json.dumps({"type": "seat", "seat": message["seat"], "key": key}))
        else:
            guest.reader.watch_only()
            guest.notify()

    async def add_local_seat(self, seat: object, name: object) -> None:
        """Somebody else sits down on the same device, or one of them has another name."""
        room, guest = self.room, self.guest
        room.arrangement.seat_index(seat)
        if room.arrangement.host not in guest.roles:  # who takes a seat by an invitation takes one
            raise Refused(why.HOST_SEATS)
        there = next((one for one in guest.local_seats if one.role == seat), None)
        if there is not None:
            await room.arrange(there.role, {"name": name}, there.key)
            return
        if room.playing:
            raise Refused(why.BESIDE_LATER)
        key = new_key()
        await room.claim_seat(key, name, seat, guest.identity)
        companion = LocalSeat(str(seat), key)
        guest.local_seats.append(companion)
        await room.enter(companion, None, guest.identity)
        await self.wire.send(json.dumps({"type": "seat", "seat": seat, "key": key, "beside": True}))

    def show_seat(self, seat: object) -> None:
        """The device has been passed on, and shows that person's cards."""
        self.guest.switch_to(self.guest.require_local(seat))
        self.guest.reader.show_seat()
        self.guest.notify()


def replay_index(at: object) -> int | None:
    """Where to look at in a replay; None to leave it."""
    if isinstance(at, str) and at.isdecimal():
        at = int(at[:6])
    if at is None or (isinstance(at, int) and not isinstance(at, bool)):
        return at
    raise messages.Malformed("at is a number, or null to leave the replay")


def replay_viewer(seat: object) -> str | None:
    """From whose eyes to look at a replay; empty for all faces open, None to leave it as it is."""
    if seat is None or (isinstance(seat, str) and len(seat) <= 1):
        return seat
    raise messages.Malformed("eyes is a seat, or empty")
