"""Round end, game end, pass-device pages (from painter)."""

import json
from typing import TYPE_CHECKING, NamedTuple

from argentum.display.results import RoundSummary, Standing, game_result, round_scoring, summarize_round
from argentum.display.session import SPECTATOR, seat_of
from argentum.rooms.room import Room
from argentum.rules.notation import SEAT_LETTERS
from argentum.words.site_texts import numbers_per_box, retention_text

if TYPE_CHECKING:
    from argentum.web.sockets.readers import PageState


def stats_json(room: Room, role: str) -> str:
    """A finished game as a browser keeps it in its statistics; empty for those who only watched."""
    game, you = room.game, seat_of(role)
    if game is None or not game.over or you not in SEAT_LETTERS[: len(room.arrangement.seats)] or not you:
        return ""
    calls = [points for nth, points in enumerate(game.scores, 1) if game.round_end_view(nth).caller == you]
    boxes = [box for box, count in numbers_per_box(game.view().boxes).items() if count]
    return json.dumps(
        {
            "id": f"{room.name} {room.play.game_count}",
            "won": game.winner == you,
            "points": [points[you] for points in game.scores],
            "calls": len(calls),
            "calls_won": sum([points[you] == min(points.values()) for points in calls]),
            "box": boxes[0] if len(boxes) == 1 else "mix",
            "people": sum([not place.bot for place in room.arrangement.seats]),
        }
    )


class ShareLink(NamedTuple):
    """The link to a finished game, and how long it lasts."""

    link: str  # empty where nobody else could open it
    kept_text: str
    may_keep: bool  # the reader may have it kept for good


class GameEndPage(NamedTuple):
    """The page of a game's end."""

    table: str
    headline: str
    standings: tuple[Standing, ...]
    can_rematch: bool
    rematch_asked: bool  # somebody wants one
    stats_json: str  # for the reader's statistics
    sharing: ShareLink | None = None


class PassDevicePage(NamedTuple):
    """What is shown between the turns of two who share a device."""

    table: str
    seat: str
    name: str
    round: int


def round_end_page(room: Room, role: str) -> RoundSummary:
    """The last finished round, as a role is shown it, and who else has seen enough of it."""
    assert room.game is not None
    me, round_ = seat_of(role), room.game.rounds_finished
    seen = zip(room.players(), room.play.rounds_seen, strict=False)
    ready = [seat.name for seat, rounds in seen if not seat.bot and seat.letter != me and rounds >= round_]
    return summarize_round(round_scoring(room.game, me), room.players(), ready)


def game_end_page(room: Room, role: str) -> GameEndPage:
    """The end of a game, as a role is shown it."""
    assert room.game is not None
    by_bot = "".join([letter for letter, moves in zip(SEAT_LETTERS, room.play.bot_move_counts, strict=True) if moves])
    end = game_result(room.players(), room.game.scores, room.game.winner, seat_of(role), by_bot)
    again = room.arrangement.rematch is not None
    return GameEndPage(room.name, end.headline, end.rows, role != SPECTATOR, again, stats_json(room, role))


def share_link(room: Room, role: str, state: "PageState") -> ShareLink:
    """The link to the game that is over, for anybody who looks at it."""
    play = room.play
    link = f"/table/{room.name}?game={play.game_count}#{play.share_key(play.game_count)}" if state.origin else ""
    may_keep = role != SPECTATOR and bool(state.keep_days) and not play.kept
    return ShareLink(link, retention_text(play.last_entry_at, state.keep_days, play.kept), may_keep)


def pass_device_page(room: Room, role: str) -> PassDevicePage:
    """The curtain before somebody's turn: nothing on it is secret."""
    assert room.session is not None
    seat = room.seats()[SEAT_LETTERS.index(role)]
    return PassDevicePage(room.name, seat.letter, seat.name, room.session.game.round)
