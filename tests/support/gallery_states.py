"""States of every page, made from positions, for the gallery."""

import json
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from random import Random
from types import SimpleNamespace
from typing import Any, NamedTuple, cast

from argentum.display.replay import Replay, build_replay_scene, game_positions
from argentum.display.results import game_result, round_scoring, summarize_round
from argentum.display.scene import SeatInfo
from argentum.display.session import SPECTATOR, GameSession
from argentum.rooms.room import Room
from argentum.rules.boxes import cast_of, deck_code
from argentum.rules.game import Game
from argentum.rules.notation import SEAT_LETTERS
from argentum.web.pages.end import GameEndPage, PassDevicePage, ShareLink
from argentum.web.pages.lobby import (
    Invitation,
    InvitationPage,
    InvitationSeat,
    LobbyPage,
    LobbySeat,
    RematchPanel,
    SwapRow,
    bot_menu,
    residents_by_number,
)
from argentum.web.pages.review import review_page
from argentum.web.pages.table import TableInfo, look_title, looked_at_cards
from argentum.web.sockets.readers import MAX_LOG_LINES
from argentum.words.site_texts import away_notice, deck_name, numbers_per_box, unseated_notice
from tests.support.scenes import RENDERER

NAMES = ("Ann", "Bramble", "Cinder", "Drift")
LONG_NAMES = (
    "Aleksandra-Magdalena",
    "WWWWWWWWWWWWWWWWWWWW",
    "\N{GRINNING FACE} Bo \N{WOMAN}\u200d\N{MICROSCOPE}",
    "عبد الرحمن الخوارزمي",
)
TABLE = "dapper-pine"
COMMITMENT = "3f2a91bc" * 8
MIX = "dddddddcdcddcd"
INFO = TableInfo(TABLE, False, 0, 1, False, (), COMMITMENT)


class GalleryState(NamedTuple):
    """A state of a page: what the server sends, and what the reader opens then."""

    name: str
    build_html: Callable[[], str] | None = None  # content of a table's page; None for a page with a path of its own
    kind: str = "table"  # of the page, as in `data-page`
    path: str = ""
    clicks: tuple[str, ...] = ()  # selectors of elements to click, one after another
    shows: str = "#stage"  # selector of what appears then
    fields: Callable[[], dict[str, Any]] = dict  # further fields of the page's message
    messages: tuple[dict[str, Any], ...] = ()  # messages after the page
    storage: tuple[tuple[str, str], ...] = ()  # what the browser has stored
    answers: tuple[tuple[str, str], ...] = ()  # paths of the server, and the JSON that they answer with


# Positions.

VILLAGES = {"A": "7 0 9 4 8^", "B": "2^ 1 3 8 13^", "C": "11 3 0^ 5", "D": "12 1^ 8 2 6"}
POSITION: dict[str, Any] = {
    "boxes": MIX, "players": 4, "turn": "A", "round": 2, "villages": VILLAGES,
    "deck": "9 7 12 2 5 3 1 10 10 11 6 9 4 8 2 7", "discard": "3 6 7",
}  # fmt: skip


def game_at(moves: str = "", names: Sequence[str] = NAMES, **changes: Any) -> Game:
    """Return a game at POSITION with changed fields, after moves such as `A draw, A use` (seat and move)."""
    fields = {**POSITION, **changes}
    game = Game.at(fields, list(names)[: fields["players"]])
    for move in filter(None, moves.split(", ")):
        game.play(move[2:], move[0])
    return game


def game_after_round(**changes: Any) -> Game:
    """Return a game after one more turn of each seat: D has looked at a card of A with a Psychic."""
    game = game_at(**{"turn": "A", "deck": "11 7 5 9 12 2 5 3 1 10", **changes})
    for seat in game.seats:
        while game.to_move == seat and not game.over:
            legal = [str(move) for move in game.legal(seat)]
            usual = (*(("use", "A3") if seat == "D" else ()), "draw", "discard", "end", "pass", "stop")
            game.play(next(text for text in usual if text in legal), seat)
    return game


ALL_CARDS = [number for number in range(14) for _ in range(2 if number % 13 == 0 else 4)]
ALL_CARDS = [ALL_CARDS[place * 23 % len(ALL_CARDS)] for place in range(len(ALL_CARDS))]  # a fixed order
FINAL_VILLAGES = {"A": "7 0 9 4", "B": "1 1 3", "C": "11 3^ 6 5 1", "D": "12 0^ 8 2"}


def game_with_villages(*sizes: int) -> Game:
    """Return a game whose villages have these numbers of cards; every fourth card is faceup."""
    cards = iter([f"{card}{'^' * (place % 4 == 1)}" for place, card in enumerate(ALL_CARDS)])
    villages = {
        seat: " ".join([next(cards) for _ in range(size)]) for seat, size in zip(SEAT_LETTERS, sizes, strict=True)
    }
    discard, *deck = [card.rstrip("^") for card in cards]
    return game_at("A draw", villages=villages, deck=" ".join(deck), discard=discard)


def finished_round(
    names: Sequence[str] = NAMES,
    *,
    players: int = 4,
    villages: dict[str, str] = FINAL_VILLAGES,
    deck: str = "8 9 2 5 7 3 1",
) -> Game:
    """Return a game at the end of a round that A has called, with cards that change scores."""
    played = dict(list(villages.items())[:players])
    game = game_at(names=names, players=players, villages=played, deck=deck, round=1)
    while not game.rounds_finished:
        seat = game.to_move
        texts = [str(move) for move in game.legal(seat)]
        game.play(next(text for text in ("call", "draw", "discard", "end", texts[0]) if text in texts), seat)
    return game


@cache
def finished_game() -> Game:
    """Return a whole game of two players, with moves drawn from a fixed seed."""
    game, random = Game.new("dagger", 2, 5, names=["Ann", "Bramble"]), Random(2)
    while not game.over:
        game.play(int(random.choice(game.legal())))
    return game


# Pages.


def seat_infos(game: Game, people: int = 2) -> list[SeatInfo]:
    """Return the seats of a game; those after the first `people` are bots."""
    return [
        SeatInfo(letter, name, "" if index < people else "steady", True, "")
        for index, (letter, name) in enumerate(zip(game.seats, game.names, strict=False))
    ]


def table_html(
    game: Game, *, seat: str = "A", memory: bool = False, guided: bool = False, people: int = 2, info: TableInfo = INFO
) -> str:
    scene = GameSession(game, memory=memory).build_scene(seat, seat_infos(game, people), MAX_LOG_LINES, guided)
    return RENDERER.table_html(scene, info)


def round_end_html(game: Game, seat: str = "A", ready: Sequence[str] = ()) -> str:
    summary = summarize_round(round_scoring(game, seat), seat_infos(game), ready)
    return RENDERER.render("round_end.html", "page", summary)


def game_end_html(names: Sequence[str] = NAMES) -> str:
    scores = [dict(zip("ABCD", row, strict=True)) for row in ((12, 7, 19, 0), (20, 14, 3, 31), (-4, 9, 16, 8))]
    game = game_at(names=names)
    result = game_result(seat_infos(game), [*scores, {"A": 5, "B": 11, "C": 13, "D": 6}], "A", "A", "B")
    end = GameEndPage(
        TABLE, result.headline, result.rows, True, False, "", ShareLink("/table/x", "Kept for 30 days.", True)
    )
    return RENDERER.render("game_end.html", "page", end)


def lobby(names: Sequence[str] = NAMES, **changes: Any) -> LobbyPage:
    """Return the lobby of a host with a friend, a bot and an open seat; `changes` are fields of it."""
    code = MIX
    seats = (
        LobbySeat("A", names[0], "", True, True, False, False),
        LobbySeat("B", names[1], "", True, False, False, False),
        LobbySeat("C", names[2], "steady", True, False, False, False),
        LobbySeat("D", names[3], "", False, False, True, False),
    )
    fields: dict[str, Any] = {
        "table": TABLE, "host": True, "host_name": names[0], "code": code, "kind": "mix", "rows": residents_by_number(),
        "counts": numbers_per_box(code), "deck_words": deck_name(code), "token": cast_of(code, "").token,
        "token_chosen": False, "seats": seats,
        "invitation": Invitation.from_link("https://silver.example", f"/table/{TABLE}-123456#{'k' * 32}"),
        "bots": bot_menu(), "memory": False, "seconds": 60, "away": "minute", "away_notice": away_notice("minute", 60),
        "listed": False, "rematch": None, "commitment": COMMITMENT, "share": True, "seatless": unseated_notice(2),
    }  # fmt: skip
    return LobbyPage(**{**fields, **changes})


def guest_lobby() -> LobbyPage:
    seats = tuple([replace(seat, yours=seat.letter == "B") for seat in lobby().seats])
    return lobby(host=False, invitation=None, seats=seats, seatless="")


def rematch_lobby() -> LobbyPage:
    swap = SwapRow("Bramble", "B", 7, "Nostro", "Elusive Seer", False)
    rematch = RematchPanel("Cinder", MIX, "A", "", True, ("Drift",), (swap,))
    return lobby(rematch=rematch, seatless="")


def lobby_html(page: LobbyPage) -> str:
    return RENDERER.render("lobby.html", "page", page)


def invitation_html(names: Sequence[str] = NAMES) -> str:
    seats = (
        InvitationSeat("A", names[0], "", True),
        InvitationSeat("B", names[1], "", False),
        InvitationSeat("C", names[2], "steady", True),
        InvitationSeat("D", "", "", False),
    )
    return RENDERER.render(
        "invitation.html", "page", InvitationPage(TABLE, names[0], deck_name(deck_code("coin")), False, seats)
    )


def review_html() -> str:
    """Return a review with decisions of each kind; the costliest one is shown."""
    game = finished_game()
    positions = game_positions(game)
    indices = [i for i, position in enumerate(positions) if position.to_move == position.view().holder == "A"]
    changes = (0.12, 0.0, 0.03, -0.06, 0.01, 0.07, 0.0, 0.02)
    rows = [
        {
            "at": index, "round": positions[index].round, "agreed": number % 8 in (1, 6),
            "sure": number % 8 in (0, 3, 5), "chance": changes[number % 8], "error": 0.02, "standing": 0.4,
            "played": "Discard the card in hand", "better": "Exchange it for spot 2",
            "yours_at": ["pile"], "better_at": ["A2"], "left_out": 0,
        }
        for number, index in enumerate(indices)
    ]  # fmt: skip
    replay = Replay.build(positions, indices[0], "A")
    room = cast(Room, SimpleNamespace(game=game, name=TABLE, players=lambda: seat_infos(game)))
    return RENDERER.render("review.html", "page", review_page(room, "A", rows, 0, ("steady", 60), replay))


def replay_html(viewer: str = "") -> str:
    game = finished_game()
    positions = game_positions(game)
    replay = Replay.build(positions, 8, viewer)
    scene = build_replay_scene(replay, "A", seat_infos(game), MAX_LOG_LINES)
    sharing = ShareLink(f"/table/{TABLE}?game=1#{'k' * 22}", "This game is kept until 3 May.", True)
    bar = RENDERER.render("replay.html", "replay_bar", replay, sharing)
    return RENDERER.table_html(scene, INFO._replace(commitment="")) + bar


def pass_device_html() -> str:
    return RENDERER.render("pass_device.html", "page", PassDevicePage(TABLE, "B", "Bramble", 2))


# Messages.


def looks(fade: float | None) -> dict[str, Any]:
    """Return the field of a page's message with the card that A has just looked at, for `fade` seconds."""
    game = game_looking()
    view = game.view("A")
    seen = looked_at_cards(game.events("A")[-4:], view)
    cards = [
        (look.slot, RENDERER.render("card.html", "face", look.portrait), look_title(seen, index, view))
        for index, look in enumerate(seen)
    ]
    return {"looks": {"cards": cards, "fade": fade}}


def game_looking() -> Game:
    """Return a game where A has looked at a card of B with a Psychic, and may look at two more."""
    return game_at("A draw, A use, A B2", deck="9 7 12 2 5 3")


def people_message() -> dict[str, Any]:
    states = ("", "here", "bot, steady", "away")
    seats = [
        {
            "seat": letter, "name": name, "state": state, "yours": letter == "A", "host": letter == "A",
            "talks": letter == "B", "may": ["nudge", "free", "host"] if letter == "B" else [],
        }
        for letter, name, state in zip(SEAT_LETTERS, LONG_NAMES, states, strict=False)
    ]  # fmt: skip
    return {
        "type": "people", "host": True, "seats": seats, "take_over": False,
        "hints": {"asked": True, "yours": True, "agreed": 1, "people": 2},
    }  # fmt: skip


def chat_message() -> dict[str, Any]:
    texts = ("Good evening!", "مساء الخير", "\N{SMILING FACE WITH OPEN MOUTH}")
    messages = zip((LONG_NAMES[0], LONG_NAMES[3], LONG_NAMES[2]), texts, strict=True)
    lines = [
        {"number": number, "seat": "ADC"[number], "name": name, "kind": "say", "text": text}
        for number, (name, text) in enumerate(messages)
    ]
    return {"type": "talk", "lines": lines, "you": "A", "off": False, "old": True}


def own_table(name: str, stage: str, round_: int, state: str, words: str, turn: bool = False) -> dict[str, Any]:
    return {"name": name, "stage": stage, "turn": turn, "round": round_, "state": state, "words": words}


OWN_TABLES = [
    own_table("dapper-pine", "playing", 2, "your turn", "Ann, Bramble, Cinder · Silver Dagger", turn=True),
    own_table("quiet-owl", "gathering", 0, "2 seats free", "Ann · a mix"),
    own_table("amber-oak", "over", 4, "Cinder won", "Ann, Cinder · Silver Coin"),
    own_table("witty-pond", "over", 4, "you won", "Ann, Drift · Silver Amulet"),
]
STORED_TABLES = json.dumps([{"name": table["name"], "key": "k" * 22} for table in OWN_TABLES])
GAME_RESULT = {"won": True, "points": [12, 7, 30, 4], "calls": 2, "calls_won": 1, "people": 1}
STORED_GAMES = json.dumps([{**GAME_RESULT, "id": box, "box": box} for box in ("dagger", "mix")])


# States.


def callable_position() -> Game:
    return game_at(villages={**VILLAGES, "A": "7 0 9 4"})


def called_position(names: Sequence[str] = NAMES) -> Game:
    """Return a game where D has called and A holds a card."""
    villages = {**VILLAGES, "D": "12 1^ 8 2"}
    return game_at("D call, A draw", names, turn="D", villages=villages, deck="7 9 2 5 3 1 10")


def guided_position() -> Game:
    villages = {"A": "7^ 7^ 9^ 4 8^", "B": "2^ 1 3 8"}
    return game_at("A draw", boxes="dagger", players=2, deck="2 9 2", discard="13 6", villages=villages)


def first_look() -> Game:
    villages = {"A": "7 0 9 4 8", "B": "2 1 3 8 13", "C": "11 3 0 5 4", "D": "12 1 8 2 6"}
    return game_at(first_look=True, round=1, villages=villages)


def amulet_game(moves: str, next_card: int, own: str = "7 0 9 4 8^", **changes: Any) -> Game:
    """Return a game of Silver Amulet with a large discard pile; `next_card` is on top of the deck."""
    villages = {**VILLAGES, "A": own, "D": "12 1 8 2 6"}  # without a faceup Squire
    deck, discard = f"{next_card} 7 12 2", "3 6 7 5 5 9 12 10 6 1 11 4 9 6"
    return game_at(moves, boxes="amulet", deck=deck, discard=discard, villages=villages, **changes)


def player_count(players: int) -> Game:
    return game_at("A draw", players=players, villages=dict(list(VILLAGES.items())[:players]))


def table_state(name: str, build: Callable[[], Game], *clicks: str, **table_options: Any) -> GalleryState:
    """Return a state of the table's page; `table_options` are those of `table_html`."""
    return GalleryState(name, lambda: table_html(build(), **table_options), clicks=clicks)


def sheet_state(sheet: str, opener: str, *messages: dict[str, Any]) -> GalleryState:
    return table_state(f"sheet-{sheet}", game_after_round, opener)._replace(messages=messages)


def round_end_state(name: str, build: Callable[[], Game]) -> GalleryState:
    return GalleryState(name, lambda: round_end_html(build(), ready=build().names[1:2]), "round_end")


def page_state(name: str, kind: str, path: str, *clicks: str) -> GalleryState:
    return GalleryState(name, kind=kind, path=path, clicks=clicks)


LARGE_VILLAGES = {"A": "7 0 9 4 5 12", "B": "1 1 3", "C": "11 3^ 6 5 1 10 2", "D": "12 0^ 8 2 3 5"}
SWITCHED = [["A3", "C2"], ["C2", "A3"]]
ELSEWHERE = {"type": "error", "code": "elsewhere", "message": "this seat is open on another device"}
HINT = {"type": "hint", "words": "A strong bot would draw from the deck."}

STATES: tuple[GalleryState, ...] = (
    # The table at a turn.
    table_state("table-turn", game_after_round),
    table_state("table-hand", lambda: game_at("A draw")),
    table_state("table-selected", lambda: game_at("A draw"), "[data-select=A2]", "[data-select=A5]"),
    table_state("table-target", lambda: game_at("A draw, A use, A B2", deck="8 7 12 2 5 3")),
    table_state("table-village-target", lambda: game_at("A draw, A use", boxes="dagger", deck="6 7 12 2 5 3")),
    table_state("table-waiting", lambda: game_at(turn="B")),
    table_state("table-watching", lambda: game_at("A draw"), seat=SPECTATOR),
    table_state("table-stand-in", game_at, info=INFO._replace(stand_in_plays=True)),
    table_state("table-first-look", first_look, "[data-select=A1]"),
    table_state("table-called", called_position),
    table_state("table-call-confirm", callable_position, "[data-call]"),
    table_state("table-guide", guided_position, guided=True),
    table_state("table-switch", game_after_round)._replace(fields=lambda: {"motions": SWITCHED}),
    table_state("look", game_looking, memory=True, info=INFO._replace(memory=True))._replace(fields=lambda: looks(20)),
    table_state("look-popup", game_looking)._replace(fields=lambda: looks(None)),
    # Choices among cards that do not lie on the table, and cards beside it.
    table_state("table-master", lambda: amulet_game("A draw, A use", 10)),
    table_state("table-rascal", lambda: amulet_game("A draw", 10, "4^ 7 2 9 5")),
    table_state("table-witch", lambda: amulet_game("A draw, A use", 11)),
    table_state("table-nosferatu", lambda: game_at("A draw, A use", boxes="coin", deck="10 7 12 2 5 3")),
    table_state("table-squire", lambda: amulet_game("", 10, "1^ 7 2 9 5", shown="9 12")),
    table_state("table-guards", lambda: amulet_game("", 10, "3^ 7 2 9 5", guards="A1>A3")),
    table_state(
        "table-private-decks",
        lambda: game_at(boxes="dagger", deck="9 7 12 5 3", private={"A": "13 2", "B": "11", "C": "4"}),
    ),
    # Seats, villages and names.
    table_state("table-two-seats", lambda: player_count(2)),
    table_state("table-three-seats", lambda: player_count(3)),
    table_state("table-villages-1-4", lambda: game_with_villages(1, 2, 3, 4)),
    table_state("table-villages-5-8", lambda: game_with_villages(5, 6, 7, 8)),
    table_state("table-villages-9-6", lambda: game_with_villages(9, 8, 7, 6)),
    table_state("table-villages-9", lambda: game_with_villages(9, 9, 9, 9)),
    table_state("table-long-names", lambda: game_after_round(names=LONG_NAMES), people=3),
    table_state("table-long-names-called", lambda: called_position(LONG_NAMES), people=3),
    # Sheets, help and messages.
    table_state("help", lambda: game_at(turn="B"), "[data-slot=B1] .card"),
    sheet_state("settings", "[data-open=settings]"),
    sheet_state("residents", "[data-open=cast-sheet]"),
    sheet_state("chat", "[data-open=chat-sheet]", people_message(), chat_message()),
    sheet_state("log", "[data-open=log-sheet]"),
    sheet_state("scores", "[data-open=score-sheet]"),
    sheet_state("pile", "[data-open=pile-sheet]"),
    sheet_state("rules", "#stage a[href*=rules]")._replace(shows="#rules-sheet h1"),
    table_state("toast", game_after_round)._replace(messages=(HINT,)),
    # The ends of rounds and games.
    round_end_state("round-end", finished_round),
    round_end_state("round-end-two", lambda: finished_round(players=2)),
    round_end_state("round-end-three", lambda: finished_round(players=3)),
    round_end_state("round-end-large", lambda: finished_round(villages=LARGE_VILLAGES, deck="8 9 2 5")),
    round_end_state("round-end-long-names", lambda: finished_round(LONG_NAMES)),
    GalleryState("game-end", game_end_html, "game_end"),
    GalleryState("game-end-long-names", lambda: game_end_html(LONG_NAMES), "game_end"),
    GalleryState("replay", replay_html, "replay"),
    GalleryState("replay-seat", lambda: replay_html("A"), "replay"),
    GalleryState("review", review_html, "review"),
    # Pages before a game.
    GalleryState("lobby-host", lambda: lobby_html(lobby()), "lobby"),
    GalleryState("lobby-unfolded", lambda: lobby_html(lobby()), "lobby")._replace(
        clicks=("#open-deck", "#open-options", "[data-show-qr]")
    ),
    GalleryState("lobby-guest", lambda: lobby_html(guest_lobby()), "lobby"),
    GalleryState("lobby-rematch", lambda: lobby_html(rematch_lobby()), "lobby"),
    GalleryState("lobby-long-names", lambda: lobby_html(lobby(LONG_NAMES)), "lobby"),
    GalleryState("invitation", invitation_html, "invitation"),
    GalleryState("invitation-long-names", lambda: invitation_html(LONG_NAMES), "invitation"),
    GalleryState("pass-device", pass_device_html, "pass_device"),
    GalleryState("seat-in-use", lambda: "", "seat_in_use", messages=(ELSEWHERE,)),
    # Other pages.
    page_state("home", "home", "/"),
    page_state("home-settings", "home", "/", ".site-footer [popovertarget=settings]"),
    page_state("my-tables", "home", "/")._replace(
        storage=(("argentum.tables", STORED_TABLES), ("argentum.games", STORED_GAMES)),
        answers=(("/my-tables", json.dumps(OWN_TABLES)),),
    ),
    page_state("rules", "rules", "/rules"),
    page_state("rules-resident", "rules", "/rules#D8"),
    page_state("about", "about", "/about"),
    page_state("privacy", "privacy", "/privacy"),
    page_state("error", "error", "/table/nowhere"),
    page_state("offline", "offline", "/offline"),
)
