"""One WebSocket: somebody sits down or looks on, is kept up to date, and says what they want."""

import asyncio
import json
import logging
from contextlib import suppress
from time import monotonic
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect

from argentum import records
from argentum.rules.notation import SEATS
from argentum.tableside.refusals import Refused, Stale
from argentum.tableside.sitting import WATCH
from argentum.web import branches, hints, invitations, people, protocol, reviewing
from argentum.web.gate import Gate
from argentum.web.hall import Hall
from argentum.web.keys import LONGEST, new_key
from argentum.web.listeners import Browser, Listener, Program
from argentum.web.log import LogError
from argentum.web.neighbours import AGAIN, INNER, Elsewhere
from argentum.web.painter import Painter
from argentum.web.people import Companion
from argentum.web.room import Room

SIT_WITHIN = 20.0  # seconds
FIND_WITHIN = 8.0  # seconds, if the table's server has just died
LOOK_AGAIN = 0.1
PATIENCE = 200  # messages too many before the line is cut
MOST_BESIDE = 32  # keys that a device has, also those of seats that were freed and given again
HINTS, HINT_RATE = 3, 0.2  # at once, and a second
logger = logging.getLogger(__name__)

POLICY, TRY_LATER = 1008, 1013


class Connection:
    """A client at a table."""

    def __init__(self, socket: WebSocket, hall: Hall, painter: Painter, address: str = "") -> None:
        self.socket = socket
        self.address = address
        self.inner = INNER in socket.scope  # another server passes the client on
        self.hall = hall
        self.painter = painter
        self.role = WATCH
        self.key = ""
        self.name: object = None
        self.device = ""  # what a browser calls itself; others at the seat are other people, or other devices
        self.moved = False  # the seat has moved to another device
        self.beside: list[Companion] = []  # other seats on the same device
        self.took = False  # an onlooker has taken a seat, and is to come back with its key
        self.reader: Listener = Program()
        self.dirty = asyncio.Event()
        self.gate = Gate(hall.limits.burst, hall.limits.rate)
        self.records = Gate(hall.limits.record_burst, hall.limits.record_rate)
        self.review: asyncio.Task[None] | None = None
        self.hints = Gate(HINTS, HINT_RATE)
        self.answering = asyncio.Lock()

    def touch(self) -> None:
        """Something changed at the table."""
        self.dirty.set()

    async def run(self) -> None:
        """Serve the client until it goes."""
        await self.socket.accept()
        try:
            room = await self._sit()
            if room is None:
                return
            if self.role != WATCH:
                self.hall.porch.knows(self.address)
            try:
                await room.enter(self, self.name)
                for one in self.beside:
                    await room.enter(one)
                if self.key:
                    await self.hall.visited(room)
                await self._serve(room)
            finally:
                for one in self.beside:
                    room.leave(one)
                room.leave(self)
                if self.hall.rooms.get(room.name) is not room:  # a game of the past, for this reader alone
                    await room.close()
        except (WebSocketDisconnect, ConnectionError):
            pass
        except (Stale, LogError) as error:  # it could not be written down that they came
            logger.error("nobody could sit down as %s: %s", self.role, error)
            with suppress(WebSocketDisconnect):
                await self._cut(TRY_LATER, "try again")

    async def _sit(self) -> Room | None:
        """The first message says which table, and by its key which seat."""
        try:
            text = await asyncio.wait_for(self._receive(), SIT_WITHIN)
        except TimeoutError:
            await self._cut(POLICY, "nobody sat down")
            return None
        try:
            message = protocol.read_message(text)
            if message["type"] != "sit":
                raise protocol.Malformed("the first message is sit")
            room = await self._find(message, text)
            if room is None:
                return None
            if "game" in message:
                room = await self._past(room, message)
            self._take_place(room, message)
        except Refused as error:
            code = "elsewhere" if isinstance(error, invitations.Elsewhere) else "no seat"
            await self._send(protocol.error(code, str(error)))
            await self._cut(POLICY, code)
            return None
        if self._crowded(room):
            await self._send(protocol.error("full", "too many are connected to this table"))
            await self._cut(TRY_LATER, "full")
            return None
        return room

    def _crowded(self, room: Room) -> bool:
        """Whether no place is left. Onlookers without a link have half of the places, and few from one address."""
        limits = self.hall.limits
        if room.doors.crowd(self.role) >= limits.connections:
            return True
        if self.key:
            return False
        strangers = [other for other in room.doors.readers if isinstance(other, Connection) and not other.key]
        mine = [other for other in strangers if other.address == self.address]
        return len(strangers) >= limits.connections // 2 or len(mine) >= limits.onlookers_per_address

    async def _find(self, message: dict[str, Any], text: str | bytes) -> Room | None:
        """The table that is wanted; None if another server has it, and served the client from there."""
        if message.get("protocol", protocol.VERSION) != protocol.VERSION:
            raise Refused(f"this server speaks version {protocol.VERSION} of the protocol")
        key, table = message.get("key", ""), message["table"]
        if not isinstance(key, str) or not isinstance(table, str) or len(key) > LONGEST:
            raise protocol.Malformed("table and key are short texts")
        until = monotonic() + FIND_WITHIN
        while monotonic() < until:
            try:
                room = await self.hall.find(table)
            except Elsewhere as elsewhere:
                if self.inner:
                    break
                if await self.hall.neighbours.relay(self.socket, text, elsewhere.owner):
                    return None
                await asyncio.sleep(LOOK_AGAIN)
                continue
            if room is None:
                raise Refused("there is no such table; it may have been deleted")
            if not (self.inner and await self.hall.hand_over(room)):
                return room
            break
        await self._cut(AGAIN if self.inner else TRY_LATER, "try again")
        return None

    async def _past(self, room: Room, message: dict[str, Any]) -> Room:
        """The table as it was at the end of one of its games."""
        game = message["game"]
        if not isinstance(game, int) or isinstance(game, bool):
            raise protocol.Malformed("game is a number")
        return await self.hall.past(room, game, message.get("key", ""))

    def _take_place(self, room: Room, message: dict[str, Any]) -> None:
        """Find out who the client is."""
        self.key, self.name = message.get("key", ""), message.get("name")
        self.role = room.doors.role_of(self.key)
        self._check_seat(room)
        if message.get("format") == "html":
            origin = self.socket.headers.get("origin", "")
            self.reader = Browser(self.painter, room, origin, self.hall.limits.keep_days, "game" in message)
            self.device = invitations.device(message.get("device"))
            self.beside = self._companions(room, message.get("beside", []))
            self._move_here(room, message.get("move") is True)
        else:
            self.reader = Program(message.get("talk") is True)

    def _companions(self, room: Room, keys: object) -> list[Companion]:
        """The other seats that a device has the keys of; those that were freed meanwhile are left out."""
        if not isinstance(keys, list) or len(keys) > MOST_BESIDE or not all([isinstance(key, str) for key in keys]):
            raise protocol.Malformed("beside is a list of keys")
        found = {room.doors.role_of(key): key for key in keys if key and len(key) <= LONGEST}
        return [Companion(role, key) for role, key in found.items() if role not in ("", WATCH, self.role)]

    @property
    def roles(self) -> tuple[str, ...]:
        """All seats on this device, first the one that is shown."""
        return (self.role, *[one.role for one in self.beside])

    def _move_here(self, room: Room, agreed: bool) -> None:
        """A seat is open in one browser at a time: it moves here from another device only if the person says so."""
        elsewhere = [
            other
            for other in room.doors.readers
            if isinstance(other, Connection) and isinstance(other.reader, Browser) and not other.moved
            and {*other.roles} & {*self.roles} - {WATCH} and (other.device != self.device or not self.device)
        ]  # fmt: skip
        if elsewhere and not agreed:
            raise invitations.Elsewhere("this seat is open on another device")
        for other in elsewhere:
            other.moved = True
            other.touch()

    def _check_seat(self, room: Room) -> None:
        """Fail if the client's key does not, or no longer, open its seat; leave those beside it that were freed."""
        room.doors.check(self.role, self.key, room.arrangement)
        for one in list(self.beside):
            with suppress(Refused):
                room.doors.check(one.role, one.key, room.arrangement)
                continue
            self.beside.remove(one)
            room.doors.leave(one)

    async def _send(self, text: str) -> None:
        try:
            await self.socket.send_text(text)
        except RuntimeError:  # uvicorn has cut the line already, for bytes that are no message
            raise WebSocketDisconnect(1006) from None

    async def _cut(self, code: int, reason: str) -> None:
        try:
            await self.socket.close(code, reason)
        except RuntimeError:
            raise WebSocketDisconnect(1006) from None

    async def _receive(self) -> str | bytes:
        message = await self.socket.receive()
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect(message.get("code", 1000))
        text: str | bytes | None = message.get("text")
        return text if text is not None else bytes(message.get("bytes") or b"")

    async def _serve(self, room: Room) -> None:
        self.dirty.set()
        tasks = [asyncio.create_task(self._listen(room)), asyncio.create_task(self._show(room))]
        done, _ = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        async with self.answering:  # a move that is being written down is also made, though nobody waits for the answer
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
        for task in done:
            task.result()

    async def _show(self, room: Room) -> None:
        """Send what has changed whenever something has; if the client is slow, the latest is enough."""
        while True:
            await self.dirty.wait()
            self.dirty.clear()
            if self.hall.porch.is_banned(self.address):
                await self._cut(POLICY, "banned")
                return
            if self.moved:
                await self._send(protocol.error("moved", "you play on another device now"))
                await self._cut(POLICY, "moved")
                return
            try:
                self._check_seat(room)
                if room.play.shut:  # another server has the table now
                    await self._cut(TRY_LATER, "try again")
                    return
                if not room.playing:
                    self._turn_to(room.arrangement.host)  # who arranges the next game, if it is on this device
                news = self.reader.news(room, self.role, self.key, self.roles[1:])
            except Refused as error:
                await self._send(protocol.error("no seat", str(error)))
                await self._cut(POLICY, "no seat")
                return
            except Exception:  # a fault of ours must not cut the line, nor make the client come back for ever
                logger.exception("table %s cannot be shown to %s", room.name, self.role)
                news = [protocol.error("broken", "the table could not be shown; the server has logged it")]
            for text in news:
                await self._send(text)

    async def _listen(self, room: Room) -> None:
        patience = PATIENCE
        while True:
            text = await self._receive()
            if not self.gate.admits():
                patience -= 1
                if patience < 0:
                    await self._cut(POLICY, "too many messages")
                    return
                await self._send(protocol.error("too fast", "too many messages; this one was not read"))
                continue
            async with self.answering:
                await self._answer(room, text)

    async def _answer(self, room: Room, text: str | bytes) -> None:
        """Do what a message asks, or say why not."""
        name = None
        try:
            message = protocol.read_message(text)
            name = message.get("id")
            self._check_seat(room)
            await self._do(room, message)
            if isinstance(name, str | int):
                await self._send(json.dumps({"type": "done", "id": name, "seq": room.play.seq}))
        except Stale as error:
            await self._send(protocol.error("stale", str(error), room.play.seq, name))
            self.touch()
        except protocol.Malformed as error:
            await self._send(protocol.error("malformed", str(error), answers=name))
        except Refused as error:
            await self._send(protocol.error("refused", str(error), room.play.seq, name))
        except LogError as error:
            logger.error("table %s: %s", room.name, error)
            words = "the move could not be saved; please try again"
            await self._send(protocol.error("not saved", words, answers=name))

    async def _do(self, room: Room, message: dict[str, Any]) -> None:
        match message.pop("type"):
            case "move" | "undo" as what:
                await self._play(room, what, message)
            case "arrange":
                await room.arrange(self.role, message, self.key)
            case "swap":
                await room.swap(self._own(message.get("seat", self.role)), message["number"], message.get("box"))
            case "value":
                room.add_value(self.role, message["value"])
            case "start":
                await room.start(self.role)
            case "rematch":
                await self._gather_again(room)
            case "back" | "pace" | "ahead" | "looked" as what:
                if self.role != WATCH:
                    self._time(room, what, message)
            case "seen":
                self._saw(room, message["round"])
            case "take" | "watch" | "beside" | "lift" | "host" as kind:
                await self._seat(room, kind, message)
            case "replay":
                self.reader.replay(_step(message.get("at")), _eyes(message.get("eyes")))
                self.touch()
            case "say" | "emote" | "nudge" | "quiet" | "agree" as kind:
                self._talk(room, kind, message)
            case "record" | "hint" | "picks" | "review" | "play_on" | "keep" as kind:
                await self._consult(room, kind, message)
            case _:
                raise protocol.Malformed("you are already at a table")

    async def _play(self, room: Room, what: str, message: dict[str, Any]) -> None:
        """A move, or a choice taken back."""
        if what == "undo":
            await room.take_back(self.role)
        else:
            await room.move(self.role, message["choice"], message["move"], message.get("hold") is True)

    def _time(self, room: Room, what: str, message: dict[str, Any]) -> None:
        """What somebody seated wants of the clock."""
        if what == "looked":  # only the seat that is shown has looked
            room.turn_back(self.role)
            return
        for role in self.roles:
            if what == "back":
                room.return_to(role)
            elif what == "pace":
                room.set_pace(role, message["pace"])
            else:
                room.go_ahead(role)

    async def _consult(self, room: Room, kind: str, message: dict[str, Any]) -> None:
        """Give the record, advice or the review of a game, or a new table to play on from a position of it."""
        if kind == "record":
            await self._send(self._record(room))
        elif kind == "hint":
            await self._send(await self._hint(room))
        elif kind == "picks":
            await self._send(hints.of_picks(room, self.role, message["spots"]))
        elif kind == "keep":
            await room.keep(self.role)
        elif kind == "play_on":
            await self._play_on(room, _step(message["at"]))
        elif "at" in message:
            self.reader.turn_to(_step(message["at"]))
            self.touch()
        else:
            self.review = asyncio.create_task(self._review(room))  # it takes long, and the line stays open

    async def _review(self, room: Room) -> None:
        """Send the review of a finished game when it is done."""
        with suppress(WebSocketDisconnect):
            try:
                game = room.play.games
                rows = await reviewing.review_of(room, self.role)
                self.reader.review(rows, game)
                form = {"type": "reviewed", "bot": reviewing.reviewer(), "playouts": reviewing.PLAYOUTS}
                browser = isinstance(self.reader, Browser)  # which is shown a page instead
                await self._send(json.dumps({**form, "rows": [] if browser else rows}, ensure_ascii=False))
                self.touch()
            except Refused as error:
                await self._send(protocol.error("refused", str(error)))
            except Exception:
                logger.exception("table %s cannot be reviewed", room.name)
                await self._send(protocol.error("broken", "the review failed; the server has logged it"))

    async def _play_on(self, room: Room, at: int | None) -> None:
        """Set a new table, from a position of the game that is over, for the reader and bots."""
        if self.role == WATCH or room.game is None or not room.game.over or at is None:
            raise Refused("you can play on from your own game once it is over")
        if not self.records.admits():
            raise Refused("you played on a moment ago; please wait")
        name, key = await branches.set_branch(self.hall, room, self.role, at)
        await self._send(json.dumps({"type": "table", "to": self.painter.at(f"/table/{name}#{key}")}))

    async def _hint(self, room: Room) -> str:
        """What a strong bot would do; not too often, as it takes a processor."""
        if not self.hints.admits():
            raise Refused("too many hints at once; wait a moment")
        return await hints.hint(room, self.role)

    def _talk(self, room: Room, kind: str, message: dict[str, Any]) -> None:
        """Say something, nudge somebody, or, as the host, switch talking off or on."""
        places = room.arrangement.places
        name = "An onlooker" if self.role == WATCH else places[SEATS.index(self.role)].name
        match kind:
            case "say":
                room.talk.say(self.role, name, message["text"])
            case "emote":
                room.talk.emote(self.role, name, message["text"])
            case "nudge":
                room.arrangement.place_number(message["seat"])
                room.talk.nudge(self.role, name, message["seat"])
            case "agree":
                people.agree(room, self.roles, message["on"] is True)
            case "quiet":
                if self.role != room.arrangement.host or not isinstance(message["off"], bool):
                    raise Refused("only the host can switch talk on or off")
                room.talk.off = message["off"]
        room.doors.call()

    async def _invited(self, room: Room, sits: bool, message: dict[str, Any]) -> None:
        """An onlooker takes a free seat, and gets its key; or only watches, though a seat is free."""
        if self.role != WATCH or self.took:
            raise Refused("you have a seat already")
        if sits:
            # One person, one seat: strangers by their address, friends, who may share one, by their devices.
            stranger = "" if self.hall.porch.is_proxy(self.address) else self.address
            key = await self.hall.give_seat(
                room, self.device if self.key else stranger, message.get("name"), message["seat"]
            )
            self.took = True
            await self._send(json.dumps({"type": "seat", "seat": message["seat"], "key": key}))
        else:
            self.reader.watch()
            self.touch()

    async def _seat(self, room: Room, kind: str, message: dict[str, Any]) -> None:
        """Do something about a seat: sit down, alone or beside somebody; pass the device on; make somebody the host."""
        seat = message.get("seat")
        match kind:
            case "host":
                await room.hand_over(self.role, str(seat), people.key_of(room, seat))
            case "lift":
                self._lift(seat)
            case "beside":
                await self._sit_beside(room, seat, message.get("name"))
            case _:
                await self._invited(room, kind == "take", message)

    async def _sit_beside(self, room: Room, seat: object, name: object) -> None:
        """Somebody else sits down on the same device, or one of them has another name."""
        room.arrangement.place_number(seat)
        if room.arrangement.host not in self.roles:  # who takes a seat by an invitation takes one
            raise Refused("only the host can give seats to people on the same device")
        there = next((one for one in self.beside if one.role == seat), None)
        if there is not None:
            await room.arrange(there.role, {"name": name}, there.key)
            return
        key = new_key()
        await room.take_seat(key, name, seat)
        companion = Companion(str(seat), key)
        self.beside.append(companion)
        await room.enter(companion)
        await self._send(json.dumps({"type": "seat", "seat": seat, "key": key, "beside": True}))

    def _lift(self, seat: object) -> None:
        """The device has been passed on, and shows that person's cards."""
        self._turn_to(self._own(seat))
        self.reader.lift()
        self.touch()

    def _own(self, seat: object) -> str:
        """A seat of this device; fail if it is not."""
        if seat not in self.roles:
            raise Refused("that seat is not on this device")
        return str(seat)

    def _turn_to(self, seat: object) -> None:
        """Show another of the device's seats, if it is one."""
        for one in self.beside:
            if one.role == seat:
                self.role, one.role, self.key, one.key = one.role, self.role, one.key, self.key
                return

    async def _gather_again(self, room: Room) -> None:
        if room.arrangement.rematch is None:
            await room.rematch(self.role)
        self.reader.leave_result(room)
        self.touch()

    def _record(self, room: Room) -> str:
        if not self.records.admits():
            raise Refused("you got the record a moment ago; please wait")
        return _record(room, self.role)

    def _saw(self, room: Room, round_: object) -> None:
        """The reveal of a round has been left."""
        if not isinstance(round_, int) or isinstance(round_, bool):
            raise protocol.Malformed("round is a number")
        if room.game is None:
            raise Refused("no game has begun")
        seen = min(max(round_, 0), room.game.rounds_over)
        self.reader.see(seen)
        for role in self.roles:
            if role != WATCH:
                room.saw(role, seen)
        self.touch()


def _step(at: object) -> int | None:
    """Where to look at in a replay; None to leave it."""
    if isinstance(at, str) and at.isdecimal():
        at = int(at[:6])
    if at is None or (isinstance(at, int) and not isinstance(at, bool)):
        return at
    raise protocol.Malformed("at is a number, or null to leave the replay")


def _eyes(seat: object) -> str | None:
    """From whose eyes to look at a replay; empty for all faces open, None to leave it as it is."""
    if seat is None or (isinstance(seat, str) and len(seat) <= 1):
        return seat
    raise protocol.Malformed("eyes is a seat, or empty")


def _record(room: Room, role: str) -> str:
    """The game's record: the whole of it when it is over, till then what the seat was told."""
    if room.game is None:
        raise Refused("there is no game to record yet")
    if not room.game.over and role == WATCH:
        raise Refused("onlookers get the record when the game is over")
    if not room.game.over and room.arrangement.memory:
        raise Refused("at a table with memory you get the record when the game is over; until then, remember")
    text = records.write(room.game) if room.game.over else records.write_for(room.game, role)
    if room.game.over and room.play.opening is not None:
        text += room.play.opening.remarks()
    return json.dumps({"type": "record", "name": f"{room.name}.silver", "text": text}, ensure_ascii=False)
