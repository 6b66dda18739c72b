"""Values of the pages at the end of a round and of a game, and of the page that hides cards on a shared device."""

import json
from typing import NamedTuple

from argentum.display.results import RoundSummary, Standing, game_result, round_scoring, summarize_round
from argentum.display.session import SPECTATOR, seat_of
from argentum.rooms.room import Room
from argentum.rules.notation import SEAT_LETTERS
from argentum.words.site_texts import numbers_per_box, retention_text


def stats_json(room: Room, role: str) -> str:
    """Return a finished game as JSON for the browser's statistics; empty for spectators and unfinished games."""
    game, you = room.game, seat_of(role)
    if game is None or not game.over or you not in SEAT_LETTERS[: len(room.arrangement.seats)] or not you:
        return ""
    rounds = enumerate(game.scores, 1)
    calls = [points for number, points in rounds if game.round_end_view(number).caller == you]
    boxes = [box for box, count in numbers_per_box(game.view().boxes).items() if count]
    return json.dumps(
        {
            "id": f"{room.name} {room.game_count}",
            "won": game.winner == you,
            "points": [points[you] for points in game.scores],
            "calls": len(calls),
            "calls_won": sum([points[you] == min(points.values()) for points in calls]),
            "box": boxes[0] if len(boxes) == 1 else "mix",
            "people": sum([not place.bot for place in room.arrangement.seats]),
        }
    )


class ShareLink(NamedTuple):
    """The link to a finished game, and how long the game is stored."""

    link: str  # empty without an origin, as in the static edition
    kept_text: str  # how long the game is stored
    may_keep: bool  # the reader may have it stored permanently


class GameEndPage(NamedTuple):
    table: str
    headline: str
    standings: tuple[Standing, ...]
    can_rematch: bool
    rematch_asked: bool  # a rematch is being set up
    stats_json: str  # for the reader's statistics
    sharing: ShareLink | None = None


class PassDevicePage(NamedTuple):
    """The page between the turns of players who share a device."""

    table: str
    seat: str
    name: str
    round: int


class OpenedDeal(NamedTuple):
    """The data with which a page verifies the deal of a round."""

    text: str  # the server's opening, as JSON
    round: int
    players: int
    people: str  # seats of people when the game began, who contribute values to the shuffles
    you: str  # the reader's seats: their own and the others on the same device


def round_end_page(room: Room, role: str) -> RoundSummary:
    """Build the page of the last finished round, with the names of other players who have already left it."""
    assert room.game is not None
    you, finished = seat_of(role), room.game.rounds_finished
    others = [seat for seat in room.players() if not seat.bot and seat.letter != you]
    ready = [seat.name for seat in others if room.rounds_seen(seat.letter) >= finished]
    return summarize_round(round_scoring(room.game, you), room.players(), ready)


def game_end_page(room: Room, role: str) -> GameEndPage:
    """Build the page of the final standings, without `sharing`, which is from :func:`share_link`."""
    assert room.game is not None
    stand_ins = "".join([letter for letter, moves in zip(SEAT_LETTERS, room.bot_move_counts, strict=True) if moves])
    end = game_result(room.players(), room.game.scores, room.game.winner, seat_of(role), stand_ins)
    rematch_asked = room.arrangement.rematch is not None
    return GameEndPage(room.name, end.headline, end.rows, role != SPECTATOR, rematch_asked, stats_json(room, role))


def share_link(room: Room, role: str, origin: str, keep_days: float) -> ShareLink:
    """Build the link with which anyone can open the finished game; `keep_days` is the server's setting."""
    link = f"/table/{room.name}?game={room.game_count}#{room.share_key(room.game_count)}" if origin else ""
    may_keep = role != SPECTATOR and bool(keep_days) and not room.is_kept
    return ShareLink(link, retention_text(room.last_entry_at, keep_days, room.is_kept), may_keep)


def pass_device_page(room: Room, role: str) -> PassDevicePage:
    """Build the page that asks to pass a shared device to the player of a seat."""
    assert room.game is not None
    seat = room.seats()[SEAT_LETTERS.index(role)]
    return PassDevicePage(room.name, seat.letter, seat.name, room.game.round)


def opened_deal(room: Room, *roles: str) -> OpenedDeal | None:
    """Build the data to verify the last round's deal, for the roles on one device; None if it cannot be verified."""
    text, game = room.opening_json(), room.game
    if not text or game is None:
        return None
    return OpenedDeal(
        text, game.rounds_finished, game.players, room.human_seats_at_start, "".join([seat_of(role) for role in roles])
    )
