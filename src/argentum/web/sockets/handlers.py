"""Dispatch the messages of the protocol, and handle each."""

import json
from typing import Any

from argentum.display.errors import Refused
from argentum.display.session import SPECTATOR
from argentum.rooms import access, hints, lobby, messages
from argentum.rooms.access import new_key
from argentum.rooms.registry import RoomRegistry
from argentum.rooms.room import Room
from argentum.rooms.visitor import LocalSeat, Visitor
from argentum.rules.notation import SEAT_LETTERS
from argentum.web.sockets.advice import AdviceHandlers
from argentum.web.sockets.text_socket import TextSocket
from argentum.words import errors


class MessageHandlers:
    """The message handlers of one visitor at a table; they raise Refused for what is not possible."""

    def __init__(
        self, socket: TextSocket, registry: RoomRegistry, visitor: Visitor, room: Room, advice: AdviceHandlers
    ) -> None:
        self.socket = socket
        self.registry = registry
        self.visitor = visitor
        self.room = room
        self.advice = advice

    async def dispatch(self, message: dict[str, Any]) -> None:
        """Handle a message by its type."""
        room, role = self.room, self.visitor.role
        match message.pop("type"):
            case "move" | "undo" as what:
                await self._play(what, message)
            case "arrange":
                await lobby.arrange(room, role, message, self.visitor.key)
            case "swap":
                await lobby.swap(
                    room, self.visitor.require_local(message.get("seat", role)), message["number"], message.get("box")
                )
            case "value":
                lobby.add_shuffle_value(room, role, message["value"])
            case "start":
                await lobby.start(room, role)
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
        """Play a move, or take one back."""
        if what == "undo":
            await self.room.take_back(self.visitor.role)
        else:
            hold = message.get("hold") is True
            await self.room.play_move(self.visitor.role, message["choice"], message["move"], hold)

    def _time(self, what: str, message: dict[str, Any]) -> None:
        """Handle the messages of seated players about pace and clocks."""
        if what == "looked":  # only the seat whose cards are shown
            self.room.end_look(self.visitor.role)
            return
        for role in self.visitor.roles:
            if what == "back":
                self.room.resume_seat(role)
            elif what == "pace":
                self.room.set_pace(role, message["pace"])
            else:
                self.room.skip_pauses(role)

    def _replay(self, at: int | None, eyes: str | None) -> None:
        """Show a position of the finished game."""
        if self.room.game is not None and self.room.game.over:
            self.visitor.reader.show_replay(at, eyes)
            self.visitor.notify()

    def round_seen(self, round_: object) -> None:
        """Leave the end of a round."""
        if not isinstance(round_, int) or isinstance(round_, bool):
            raise messages.Malformed("round is a number")
        if self.room.game is None:
            raise Refused(errors.NO_GAME_YET)
        seen = min(max(round_, 0), self.room.game.rounds_finished)
        self.visitor.reader.leave_round_end(seen)
        for role in self.visitor.roles:
            if role != SPECTATOR:
                self.room.mark_round_seen(role, seen)
        self.visitor.notify()

    async def rematch(self, what: str) -> None:
        """Go to the rematch, or back to the result of the last game."""
        if what == "result":
            self.visitor.reader.return_to_result()
            self.visitor.notify()
            return
        if self.room.arrangement.rematch is None:
            await lobby.open_rematch(self.room, self.visitor.role)
        self.visitor.reader.leave_game_end(self.room)
        self.visitor.notify()

    async def _consult(self, kind: str, message: dict[str, Any]) -> None:
        """Handle records, hints, reviews, forks, and keeping a game."""
        if kind == "record":
            await self.advice.record()
        elif kind == "hint":
            await self.advice.hint()
        elif kind == "picks":
            await self.advice.of_picks(message["spots"])
        elif kind == "keep":
            await self.room.keep_game(self.visitor.role)
        elif kind == "play_on":
            await self.advice.branch(replay_index(message["at"]))
        elif "at" in message:
            self.visitor.reader.show_decision(replay_index(message["at"]))
            self.visitor.notify()
        else:
            self.advice.review()

    def _talk(self, kind: str, message: dict[str, Any]) -> None:
        """Handle chat messages, nudges, consent to hints, and the host's switch for chat."""
        room, role = self.room, self.visitor.role
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
                hints.allow_hints(room, self.visitor.roles, message["on"] is True)
            case "quiet":
                if role != room.arrangement.host or not isinstance(message["off"], bool):
                    raise Refused(errors.HOST_TALK)
                room.chat.disabled = message["off"]
        room.access.notify()

    async def _seat(self, kind: str, message: dict[str, Any]) -> None:
        """Handle messages about seats: claim one, add a local one, show another local one, transfer the host's role."""
        seat = message.get("seat")
        match kind:
            case "host":
                await lobby.transfer_host(self.room, self.visitor.role, str(seat), access.key_of(self.room, seat))
            case "lift":
                self.show_seat(seat)
            case "beside":
                await self.add_local_seat(seat, message.get("name"))
            case _:
                await self._invited(kind == "take", message)

    async def _invited(self, sits: bool, message: dict[str, Any]) -> None:
        """Claim a free seat for a spectator and send its key, or note that they only watch."""
        visitor = self.visitor
        if visitor.role != SPECTATOR or visitor.has_claimed:
            raise Refused(errors.HAS_SEAT)
        if sits:
            key = await self.registry.assign_seat(self.room, visitor.identity, message.get("name"), message["seat"])
            visitor.has_claimed = True
            await self.socket.send(json.dumps({"type": "seat", "seat": message["seat"], "key": key}))
        else:
            visitor.reader.watch_only()
            visitor.notify()

    async def add_local_seat(self, seat: object, name: object) -> None:
        """Claim a seat for another player on the same device, or rename one."""
        room, visitor = self.room, self.visitor
        room.arrangement.seat_index(seat)
        if room.arrangement.host not in visitor.roles:  # an invitation is for one seat
            raise Refused(errors.HOST_SEATS)
        known = next((local for local in visitor.local_seats if local.role == seat), None)
        if known is not None:
            await lobby.arrange(room, known.role, {"name": name}, known.key)
            return
        if room.playing:
            raise Refused(errors.BESIDE_LATER)
        key = new_key()
        await room.claim_seat(key, name, seat, visitor.identity)
        local_seat = LocalSeat(str(seat), key)
        visitor.local_seats.append(local_seat)
        await room.enter(local_seat, None, visitor.identity)
        await self.socket.send(json.dumps({"type": "seat", "seat": seat, "key": key, "beside": True}))

    def show_seat(self, seat: object) -> None:
        """Show the cards of another player on the device."""
        self.visitor.switch_to(self.visitor.require_local(seat))
        self.visitor.reader.show_seat()
        self.visitor.notify()


def replay_index(at: object) -> int | None:
    """Parse the position of a replay; None leaves the replay."""
    if isinstance(at, str) and at.isdecimal():
        at = int(at[:6])
    if at is None or (isinstance(at, int) and not isinstance(at, bool)):
        return at
    raise messages.Malformed("at is a number, or null to leave the replay")


def replay_viewer(seat: object) -> str | None:
    """Parse the seat whose view a replay shows: empty for all cards open, None for no change."""
    if seat is None or (isinstance(seat, str) and len(seat) <= 1):
        return seat
    raise messages.Malformed("eyes is a seat, or empty")
