"""Pages of a round's end, a game's end, and passing the device on, as values."""

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
    """A finished game as JSON for the browser's statistics; empty for spectators."""
    game, you = room.game, seat_of(role)
    if game is None or not game.over or you not in SEAT_LETTERS[: len(room.arrangement.seats)] or not you:
        return ""
    rounds = enumerate(game.scores, 1)
    calls = [points for number, points in rounds if game.round_end_view(number).caller == you]
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
    """The link to a finished game, and how long the game is stored."""

    link: str  # empty if nobody else could open it
    kept_text: str
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


def round_end_page(room: Room, role: str) -> RoundSummary:
    """Build the end of the last finished round, with the players who are ready to go on."""
    assert room.game is not None
    me, round_ = seat_of(role), room.game.rounds_finished
    seen = zip(room.players(), room.play.rounds_seen, strict=False)
    ready = [seat.name for seat, rounds in seen if not seat.bot and seat.letter != me and rounds >= round_]
    return summarize_round(round_scoring(room.game, me), room.players(), ready)


def game_end_page(room: Room, role: str) -> GameEndPage:
    """Build the end of a game for a role."""
    assert room.game is not None
    by_bot = "".join([letter for letter, moves in zip(SEAT_LETTERS, room.play.bot_move_counts, strict=True) if moves])
    end = game_result(room.players(), room.game.scores, room.game.winner, seat_of(role), by_bot)
    again = room.arrangement.rematch is not None
    return GameEndPage(room.name, end.headline, end.rows, role != SPECTATOR, again, stats_json(room, role))


def share_link(room: Room, role: str, state: "PageState") -> ShareLink:
    """Build the link to the finished game, which anyone may open."""
    play = room.play
    link = f"/table/{room.name}?game={play.game_count}#{play.share_key(play.game_count)}" if state.origin else ""
    may_keep = role != SPECTATOR and bool(state.keep_days) and not play.is_kept
    return ShareLink(link, retention_text(play.last_entry_at, state.keep_days, play.is_kept), may_keep)


def pass_device_page(room: Room, role: str) -> PassDevicePage:
    """Build the page that hides the cards before a role's turn."""
    assert room.session is not None
    seat = room.seats()[SEAT_LETTERS.index(role)]
    return PassDevicePage(room.name, seat.letter, seat.name, room.session.game.round)
