"""Build a scene from a view (from scene)."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from argentum import words
from argentum.display.scene import (
    MOONS,
    NO_RECENT_ACTIONS,
    NOT_CACHED,
    SEAT_SIDES,
    Button,
    CachedVillage,
    GuardLink,
    GuideTip,
    RecentAction,
    ResidentSummary,
    Scene,
    SceneCard,
    ScoreRow,
    SeatInfo,
    Village,
    resident_summary,
)
from argentum.display.seat_memory import initials_of
from argentum.rules.boxes import BOX_BY_NAME
from argentum.rules.move import Move
from argentum.rules.notation import SEAT_LETTERS
from argentum.rules.residents import Resident
from argentum.rules.views import Card, View

MAX_CACHED_DECKS = 1_024  # decks that are played at the same time
MIN_SELECTED = {"peek": 2, "exchange": 1}


@lru_cache(MAX_CACHED_DECKS)
def _deck_residents(residents: tuple[Resident, ...]) -> tuple[ResidentSummary, ...]:
    """How the residents of a deck are drawn."""
    return tuple([resident_summary(resident) for resident in residents])


class _LegalActions:
    """The legal moves, sorted by how they are made: on a card, on a village, by a button, by choosing cards first."""

    def __init__(self, view: View) -> None:
        self.card_moves: dict[str, str] = {}
        self.ability_moves: dict[str, str] = {}
        self.village_moves: dict[str, str] = {}
        self.buttons: list[Button] = []
        named: dict[str, list[Move]] = {}
        self.choosable = _choosable_cards(view)
        self.chosen = _chosen_spots(view)
        for move in view.legal:
            if move.verb == "ability":
                self.ability_moves[move.spot] = str(move)
            elif move.verb == "give":
                named.setdefault(f"give {{}} {str(move)[-1]}", []).append(move)
            elif len(move.spot) > 1:
                named.setdefault(f"{move.verb} {{}}".strip(), []).append(move)
            elif str(move) not in self.choosable:
                self.village_moves |= {move.spot: str(move)} if move.spot else {}
                self.buttons.append(Button(words.button_text(move, view), str(move)))
        self._add_selections(view, named)
        self.selectable = frozenset(spot for button in self.buttons for spot in button.spots)
        # A target is asked for, so that cards out of the question step back; an exchange is an offer among others.
        self.targets_card = bool(self.card_moves) or any(
            [button.spots and not button.primary for button in self.buttons]
        )

    def _add_selections(self, view: View, named: dict[str, list[Move]]) -> None:
        """One way to name a card, and it is a click on it; several ways, or several cards, and it is a selection."""
        sets = [template for template, moves in named.items() if moves[0].verb in MIN_SELECTED]
        for template, moves in named.items():
            if template in sets:
                self.buttons.insert(0, _selection_button(moves[0].verb, moves, view))
            elif len(named) - len(sets) == 1:
                self.card_moves = {move.spot: str(move) for move in moves}
            else:
                spots = tuple(move.spot for move in moves)
                self.buttons.append(Button(words.selection_button_text(moves[0], view), "", template, spots))


def _selection_button(verb: str, moves: list[Move], view: View) -> Button:
    """The button for the cards of a first look or an exchange, which are sent together."""
    least = MIN_SELECTED[verb]
    most = least if verb == "peek" else len(moves)
    spots = tuple(move.spot for move in moves)
    return Button(words.selection_button_text(moves[0], view), "", verb + " {}", spots, least, most, primary=True)


def build_scene(
    view: View,
    seats: Sequence[SeatInfo],
    scores: Sequence[dict[str, int]],
    log: Sequence[words.LogEntry],
    prompt: words.Prompt,
    advice: words.Advice | None = None,
    recent_actions: Mapping[str, RecentAction] = NO_RECENT_ACTIONS,
    memory: bool = False,
    cache: dict[str, CachedVillage] | None = None,
) -> Scene:
    """The table as a seat sees it; `scores` are those of the rounds that are over.

    `drawn` are the villages' cards as this reader was last shown them in this game: those that are the same are used
    again.
    """
    cache = {} if cache is None else cache
    cast = _deck_residents(view.residents)
    offer = _LegalActions(view)
    order = _seats_clockwise(view)
    sides = dict(zip(order, SEAT_SIDES[len(order)], strict=True))
    deck = view.deck[0] if view.deck else None
    return Scene(
        viewer=view.seat,
        round=view.round,
        moon=MOONS[view.round - 1],
        villages=tuple(
            [_village(view, seats, offer, letter, sides[letter], recent_actions, cache) for letter in order]
        ),
        deck=None if deck is None else _card(view, deck, "", "deck", offer),
        deck_count=len(view.deck),
        beside_deck=tuple([_card(view, card, "", f"shown-{nth}", offer) for nth, card in enumerate(view.shown, 1)]),
        shown_by=next((resident_summary(one) for one in view.residents if one.shows_deck_card), None)
        if view.shown
        else None,
        choosable=tuple(dict.fromkeys(offer.choosable.values())),
        discard_top=_card(view, view.discard[0], "", "pile", offer) if view.discard else None,
        discard_faces=tuple(
            [cast[card.number] if card.up and card.number is not None else None for card in view.discard]
        ),
        hand=None if view.hand is None else _card(view, view.hand, view.holder, "hand", offer),
        holder=view.holder,
        token=view.token,
        token_seat=view.token_seat,
        token_side=sides[view.token_seat],
        token_state=view.token_state,
        token_ready=any([button.move == "token" for button in offer.buttons]),
        direction=view.direction,
        turn_side=sides[view.turn],
        turn_marker_active=view.turn == view.seat and bool(view.legal),
        your_move=bool(view.legal),
        bot_plays=bool(view.seat and view.to_move and not view.looking and _bot_plays(seats, view.to_move)),
        caller="You" if view.caller and view.caller == view.seat else _name(view, view.caller),
        last_turns=_last_turns(view),
        prompt=prompt,
        buttons=tuple(offer.buttons),
        ability_buttons=tuple(
            [Button(words.button_text(move, view), str(move)) for move in view.legal if move.verb == "ability"]
        ),
        call_warning=words.call_warning(view, memory) if any([move.verb == "call" for move in view.legal]) else "",
        tip=_guide_tip(view, offer, advice),
        scores=tuple([_score_row(view, seats, scores, letter) for letter in view.totals]),
        cast=cast,
        log=tuple(reversed(log)),
        recent_lines=_recent_count([entry.seat for entry in reversed(log)], view.seat),
        initials=initials_of(view.names[: len(order)]),
        names=view.names,
        icon_sheet=view.boxes + view.token[0],
    )


def _recent_count(seats: Sequence[str], me: str) -> int:
    """Of lines by these seats, newest first, those after the reader's last turn: with what the reader did since then.

    >>> _since(["A", "A", "C", "B", "A", "C"], "A"), _since(["C", "B", "A"], "A"), _since(["A", "A"], "A")
    (4, 2, 0)
    """
    others = next((nth for nth, seat in enumerate(seats) if seat != me), len(seats))
    end = next((nth for nth, seat in enumerate(seats) if nth > others and seat == me), 0)
    return end if me else 0


def _bot_plays(seats: Sequence[SeatInfo], letter: str) -> bool:
    """Whether a bot plays a seat, or fills in there."""
    seat = seats[SEAT_LETTERS.index(letter)]
    return bool(seat.bot or seat.stand_in)


def _guide_tip(view: View, offer: _LegalActions, advice: words.Advice | None) -> GuideTip | None:
    """What the guide says now; None where there is nothing to say."""
    said = words.advice_text(view, advice)
    if advice is None or not said:
        return None
    topic = words.lesson_number(view, advice)
    sets = any([button.max_cards > 1 and button.move_template.startswith("exchange") for button in offer.buttons])
    pair = " ".join(["exchange", *words.best_known_set(view)]) if sets and words.best_known_set(view) else ""
    return GuideTip(topic, words.LESSONS[topic - 1], said, advice.text, sets, pair)


def _name(view: View, seat: str) -> str:
    return view.names[SEAT_LETTERS.index(seat)] if seat else ""


def _seats_clockwise(view: View) -> list[str]:
    """The seats, clockwise from the reader's own."""
    letters = list(view.villages)
    first = letters.index(view.seat) if view.seat else 0
    return letters[first:] + letters[:first]


def _cards(
    view: View, offer: _LegalActions, letter: str, traces: Mapping[str, RecentAction], drawn: dict[str, CachedVillage]
) -> tuple[SceneCard, ...]:
    """The cards of a village, or the same as they were drawn before, if nothing that they show has changed."""
    shows = (
        view.villages[letter],
        view.guards,
        view.names,
        view.token,
        [spot for spot in offer.chosen if spot[0] == letter] if offer.chosen else (),
        [(spot, move) for spot, move in offer.card_moves.items() if spot[0] == letter] if offer.card_moves else (),
        [(spot, move) for spot, move in offer.ability_moves.items() if spot[0] == letter]
        if offer.ability_moves
        else (),
        [spot for spot in offer.selectable if spot[0] == letter] if offer.selectable else (),
        offer.targets_card,
        [(spot, trace) for spot, trace in traces.items() if spot[0] == letter] if traces else (),
    )
    old = drawn.get(letter, NOT_CACHED)
    if old.inputs == shows:
        return old.cards
    alike = not view.guards and old.inputs[1:4] == shows[1:4]  # guards, which bind one card to another, names, token
    each: list[tuple[object, ...]] = []
    cards: list[SceneCard] = []
    for nth, card in enumerate(view.villages[letter]):
        place = f"{letter}{nth + 1}"
        one = (
            card,
            place in offer.chosen,
            offer.card_moves.get(place),
            offer.ability_moves.get(place),
            place in offer.selectable,
            offer.targets_card,
            traces.get(place),
        )
        same = alike and nth < len(old.card_inputs) and old.card_inputs[nth] == one
        each.append(one)
        cards.append(old.cards[nth] if same else _card(view, card, letter, place, offer, traces))
    drawn[letter] = CachedVillage(shows, each, tuple(cards))
    return drawn[letter].cards


def _village(
    view: View,
    seats: Sequence[SeatInfo],
    offer: _LegalActions,
    letter: str,
    side: str,
    traces: Mapping[str, RecentAction],
    drawn: dict[str, CachedVillage],
) -> Village:
    yours = letter == view.seat
    lit = yours and bool(view.legal)
    cards, cords = _cards(view, offer, letter, traces, drawn), _guard_links(view, letter)
    own_deck = tuple([_card(view, card, letter, f"own-{letter}", offer) for card in view.private[letter]])
    turn = letter == view.turn and not view.looking
    asked = letter in view.looking if view.looking else letter == view.to_move
    called, token = letter == view.caller, letter == view.token_seat
    seat, total = seats[SEAT_LETTERS.index(letter)], view.totals[letter]
    move, picked = offer.village_moves.get(letter, ""), letter in offer.chosen
    # (By their places: with names, making one costs several times as much.)
    return Village(
        seat, side, yours, lit, cards, cords, own_deck, total, turn, asked, called, token, move, picked
    )  # fmt: skip


def _card(
    view: View,
    card: Card,
    seat: str,
    place: str,
    offer: _LegalActions,
    traces: Mapping[str, RecentAction] = NO_RECENT_ACTIONS,
) -> SceneCard:
    known = card.number is not None
    in_village = len(place) < 4 and place[0] in SEAT_LETTERS
    in_hand = known and place == "hand"  # whoever knows it sees its face
    move = offer.card_moves.get(place, "") if in_village else _draw_move(view, place, offer)
    guard = next((one for one, guarded in view.guards if guarded == place), "") if view.guards else ""
    picked = place in offer.chosen
    name = words.card_accessible_name(card, view, seat, int(place[1:])) if in_village else ""
    trace = traces.get(place)
    if trace is not None:
        name += f". {trace.text}"
    covered = view.token if card.covered else ""
    facedown = known and not card.up and not in_hand
    pick, use = place in offer.selectable, offer.ability_moves.get(place, "")
    calm = in_village and offer.targets_card and not move and not picked and not pick
    guarding = _resident(view, view.villages[guard[0]][int(guard[1:]) - 1]) if guard else None
    return SceneCard(
        place,
        _resident(view, card),
        card.up or in_hand,
        card.sideways,
        covered,
        facedown,
        name or words.pile_accessible_name(card, view, seat, place),
        move,
        pick,
        use,
        calm,
        _muted(view, card),
        guarding,
        int(guard[1:] or 0),
        picked,
        trace,
    )


def _chosen_spots(view: View) -> frozenset[str]:
    """The spots and villages that were chosen so far in answer to what is asked."""
    return frozenset([move.spot for move in view.asking.picked if move.spot]) if view.asking else frozenset()


def _guard_links(view: View, letter: str) -> tuple[GuardLink, ...]:
    """The ties of a village's guards, the shortest on top."""
    if not view.guards:
        return ()
    ties = [(int(guard[1:]), int(guarded[1:])) for guard, guarded in view.guards if guard[0] == letter]
    ties.sort(key=lambda tie: abs(tie[1] - tie[0]))
    return tuple([GuardLink(guard, guarded, nth) for nth, (guard, guarded) in enumerate(ties, 1)])


def _choosable_cards(view: View) -> dict[str, SceneCard]:
    """The cards to choose from, by the moves that choose them.

    They are those of the deck that were looked at (A4), or those of the discard pile that may be taken (A10, C10);
    none where the view does not tell which they are.
    """
    fan: dict[str, SceneCard] = {}
    depths = view.asking.depths if view.asking else ()
    for nth, ways in _moves_by_depth(view).items():
        verb, move = next(iter(ways.items()))
        card = words.pile_card(verb, nth, view)
        if card is None or (verb == "use" and not depths):  # a Mortician's `use 6` names a number (B4)
            return {}
        keeping = verb == "keep"
        face = _resident(view, card) if keeping or card.up else None
        name = words.button_text(Move.of(move), view)
        place = f"{'deck' if keeping else 'pile'}-{nth}"
        use = ways.get("use", "") if verb != "use" else ""
        one = SceneCard(place, face, face is not None, False, "", False, name, move, ability_move=use)
        fan |= dict.fromkeys(ways.values(), one)
    return fan


def _moves_by_depth(view: View) -> dict[int, dict[str, str]]:
    """The moves `keep 2`, `take 2` and `use 2` by their numbers and verbs."""
    ways: dict[int, dict[str, str]] = {}
    for move in view.legal:
        verb, _, nth = move.verb.partition(" ")
        if verb in ("keep", "take", "use") and nth:
            ways.setdefault(int(nth), {})[verb] = str(move)
    return ways


def _resident(view: View, card: Card) -> ResidentSummary | None:
    """The face of a card, if the reader knows it."""
    return None if card.number is None else resident_summary(view.residents[card.number])


def _draw_move(view: View, place: str, offer: _LegalActions) -> str:
    """What a click on a pile plays: it draws from it, if that is legal."""
    shown = f"draw {place[6:]}" if place.startswith("shown") else ""
    move = shown or {"deck": "draw", "pile": "take", f"own-{view.seat}": "draw private"}.get(place, "")
    return move if any([button.move == move for button in offer.buttons]) else ""


def faceup_card(view: View, card: Card, seat: str, place: int) -> SceneCard:
    """A card of a village that lies open to everybody, when a round is over."""
    spot = f"{seat}{place}"
    name = words.card_accessible_name(card, view, seat, place)
    covered = view.token if card.covered else ""
    return SceneCard(spot, _resident(view, card), True, card.sideways, covered, False, name, muted=_muted(view, card))


def _muted(view: View, card: Card) -> bool:
    """Whether the token on a card takes its ability and its points."""
    return card.covered and BOX_BY_NAME[view.token].token_mutes_card


def _last_turns(view: View) -> tuple[tuple[str, bool], ...]:
    """Who still has a turn after a call, in order of play."""
    if not view.caller or view.reason:  # a round that is over may still ask (C0, B0)
        return ()
    letters = list(view.villages)
    step = 1 if view.direction == "clockwise" else -1
    turns = []
    seat = letters.index(view.turn)
    while letters[seat] != view.caller:
        turns.append((view.names[seat], letters[seat] == view.seat))
        seat = (seat + step) % len(letters)
    return tuple(turns)


def _score_row(view: View, seats: Sequence[SeatInfo], scores: Sequence[dict[str, int]], letter: str) -> ScoreRow:
    rounds = [points[letter] for points in scores]
    return ScoreRow(
        seats[SEAT_LETTERS.index(letter)],
        letter == view.seat,
        (*rounds, *[None] * (4 - len(rounds))),
        view.totals[letter],
    )
