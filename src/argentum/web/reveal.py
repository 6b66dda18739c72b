"""The end of a round, laid open and reckoned line by line; and the end of a game."""

from dataclasses import dataclass

from argentum import words
from argentum.rules.scoring import ROUNDS
from argentum.rules.views import Card, View
from argentum.tableside.scene import MOONS, CardScene, Portrait, Seat, portrait
from argentum.tableside.updates import reckoned_view
from argentum.web.room import WATCH, Room


@dataclass(frozen=True)
class Column:
    """One seat's village and how it counts."""

    seat: Seat
    yours: bool
    cards: tuple[CardScene, ...]
    ledger: tuple[words.LedgerLine, ...]
    lowest: bool
    called: bool
    token: bool
    score: int


@dataclass(frozen=True)
class Reveal:
    """A round's end."""

    code: str
    cast: tuple[Portrait, ...]
    headline: str
    explanation: str
    round: int
    moon: str
    columns: tuple[Column, ...]
    token: str
    token_from: str
    token_to: str
    token_words: str
    totals: tuple[tuple[str, int], ...]
    next_text: str
    ready: tuple[str, ...]


@dataclass(frozen=True)
class Standing:
    """A line of the final standings."""

    rank: int
    name: str
    yours: bool
    bot: str
    rounds: tuple[int, ...]
    total: int
    winner: bool


@dataclass(frozen=True)
class Over:
    """The end of a game."""

    table: str
    headline: str
    rows: tuple[Standing, ...]
    can_rematch: bool
    rematch: bool  # somebody wants one


def reveal_of(room: Room, role: str) -> Reveal:
    """The last finished round, as a role is shown it."""
    game = room.game
    assert game is not None
    table = game.finished[-1]
    me = "" if role == WATCH else role
    view = reckoned_view(game, me)
    seats = room.seats()
    lines = game.explain(table.round)
    ledgers = words.ledger(lines, view)
    headline, explanation = words.verdict(lines, view)
    last = table.round == ROUNDS
    columns = [_column(view, seat, me, ledgers[seat.letter]) for seat in seats]
    ready = [
        seat.name
        for seat, chair in zip(seats, room.chairs, strict=False)
        if not seat.bot and seat.letter != me and chair.rounds_seen >= table.round
    ]
    return Reveal(
        code=view.boxes,
        cast=tuple([portrait(resident) for resident in view.residents]),
        headline=headline,
        explanation=explanation,
        round=table.round,
        moon=MOONS[table.round - 1],
        columns=tuple(columns),
        token=view.token,
        token_from=game.names[table.token_was],
        token_to=game.names[table.token_seat],
        token_words=words.inheritance(view),
        totals=tuple(sorted([(seat.name, view.totals[seat.letter]) for seat in seats], key=lambda one: one[1])),
        next_text="See the result" if last else f"On to round {table.round + 1}",
        ready=tuple(ready),
    )


def _column(view: View, seat: Seat, me: str, ledger: list[words.LedgerLine]) -> Column:
    letter = seat.letter
    cards = [_open_card(view, card, letter, place) for place, card in enumerate(view.villages[letter], 1)]
    return Column(
        seat=seat,
        yours=letter == me,
        cards=tuple(cards),
        ledger=tuple(ledger),
        lowest=view.scores[letter] == min(view.scores.values()),
        called=letter == view.caller,
        token=letter == view.token_seat,
        score=view.scores[letter],
    )


def _open_card(view: View, card: Card, seat: str, place: int) -> CardScene:
    assert card.number is not None
    return CardScene(
        place=f"{seat}{place}",
        portrait=portrait(view.residents[card.number]),
        up=True,
        sideways=card.sideways,
        covered=card.covered,
        known=False,
        name=words.card_name(card, view, seat, place),
    )


def over_of(room: Room, role: str) -> Over:
    """The end of a game, as a role is shown it."""
    game = room.game
    assert game is not None
    seats = room.seats()
    # Of equal totals the winner comes first; the rest share a rank (G19).
    order = sorted(seats, key=lambda seat: (game.totals[seat.letter], seat.letter != game.winner))
    rows: list[Standing] = []
    for nth, seat in enumerate(order):
        total = game.totals[seat.letter]
        tied = nth > 1 and total == rows[-1].total
        rounds = tuple([points[seat.letter] for points in game.scores])
        rows.append(
            Standing(
                rows[-1].rank if tied else nth + 1, seat.name, seat.letter == role, seat.bot, rounds, total,
                seat.letter == game.winner,
            )
        )  # fmt: skip
    headline = "You win." if role == game.winner else f"{order[0].name} wins."
    return Over(room.name, headline, tuple(rows), role != WATCH, room.arrangement.rematch is not None)
