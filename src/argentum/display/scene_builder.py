"""Build a scene from a view."""

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
from argentum.display.seat_memory import initials
from argentum.rules.boxes import BOX_BY_NAME
from argentum.rules.move import Move
from argentum.rules.notation import SEAT_LETTERS
from argentum.rules.residents import Resident
from argentum.rules.views import Card, View

MAX_CACHED_DECKS = 1_024  # decks that are played at the same time
MIN_SELECTED = {"peek": 2, "exchange": 1}


@lru_cache(MAX_CACHED_DECKS)
def _deck_residents(residents: tuple[Resident, ...]) -> tuple[ResidentSummary, ...]:
    return tuple([resident_summary(resident) for resident in residents])


class _LegalActions:
    """Legal moves by how a player makes them: click a card, click a village, press a button, select cards."""

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
        """Make a single kind of card move a click; several kinds, or moves of several cards, become selections."""
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
    """Build the button that sends the selected cards of a first look or an exchange together."""
    min_cards = MIN_SELECTED[verb]
    max_cards = min_cards if verb == "peek" else len(moves)
    spots = tuple(move.spot for move in moves)
    return Button(
        words.selection_button_text(moves[0], view), "", verb + " {}", spots, min_cards, max_cards, primary=True
    )


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
    """Build the scene of a view; `scores` are those of the finished rounds.

    `cache` keeps the villages' cards of this viewer and game between calls; unchanged cards are reused.
    """
    cache = {} if cache is None else cache
    cast = _deck_residents(view.residents)
    actions = _LegalActions(view)
    order = _seats_clockwise(view)
    sides = dict(zip(order, SEAT_SIDES[len(order)], strict=True))
    deck = view.deck[0] if view.deck else None
    return Scene(
        viewer=view.seat,
        round=view.round,
        moon=MOONS[view.round - 1],
        villages=tuple(
            [_village(view, seats, actions, letter, sides[letter], recent_actions, cache) for letter in order]
        ),
        deck=None if deck is None else _card(view, deck, "", "deck", actions),
        deck_count=len(view.deck),
        beside_deck=tuple([_card(view, card, "", f"shown-{i}", actions) for i, card in enumerate(view.shown, 1)]),
        shown_by=next((resident_summary(resident) for resident in view.residents if resident.shows_deck_card), None)
        if view.shown
        else None,
        choosable=tuple(dict.fromkeys(actions.choosable.values())),
        discard_top=_card(view, view.discard[0], "", "pile", actions) if view.discard else None,
        discard_faces=tuple(
            [cast[card.number] if card.up and card.number is not None else None for card in view.discard]
        ),
        hand=None if view.hand is None else _card(view, view.hand, view.holder, "hand", actions),
        holder=view.holder,
        token=view.token,
        token_seat=view.token_seat,
        token_side=sides[view.token_seat],
        token_state=view.token_state,
        token_ready=any([button.move == "token" for button in actions.buttons]),
        direction=view.direction,
        turn_side=sides[view.turn],
        turn_marker_active=view.turn == view.seat and bool(view.legal),
        your_move=bool(view.legal),
        bot_plays=bool(view.seat and view.to_move and not view.looking and _is_played_by_bot(seats, view.to_move)),
        caller="You" if view.caller and view.caller == view.seat else _player_name(view, view.caller),
        last_turns=_last_turns(view),
        prompt=prompt,
        buttons=tuple(actions.buttons),
        ability_buttons=tuple(
            [Button(words.button_text(move, view), str(move)) for move in view.legal if move.verb == "ability"]
        ),
        call_warning=words.call_warning(view, memory) if any([move.verb == "call" for move in view.legal]) else "",
        tip=_guide_tip(view, actions, advice),
        scores=tuple([_score_row(view, seats, scores, letter) for letter in view.totals]),
        cast=cast,
        log=tuple(reversed(log)),
        recent_lines=_recent_count([entry.seat for entry in reversed(log)], view.seat),
        initials=initials(view.names[: len(order)]),
        names=view.names,
        icon_sheet=view.boxes + view.token[0],
    )


def _recent_count(seats: Sequence[str], me: str) -> int:
    """Count the lines, newest first, since the viewer's last finished turn, including their own later ones.

    >>> [_recent_count(seats, "A") for seats in (["A", "A", "C", "B", "A", "C"], ["C", "B", "A"], ["A", "A"])]
    [4, 2, 0]
    """
    others = next((index for index, seat in enumerate(seats) if seat != me), len(seats))
    end = next((index for index, seat in enumerate(seats) if index > others and seat == me), 0)
    return end if me else 0


def _is_played_by_bot(seats: Sequence[SeatInfo], letter: str) -> bool:
    seat = seats[SEAT_LETTERS.index(letter)]
    return bool(seat.bot or seat.stand_in)


def _guide_tip(view: View, actions: _LegalActions, advice: words.Advice | None) -> GuideTip | None:
    text = words.advice_text(view, advice)
    if advice is None or not text:
        return None
    topic = words.lesson_number(view, advice)
    sets = any([button.max_cards > 1 and button.move_template.startswith("exchange") for button in actions.buttons])
    pair = " ".join(["exchange", *words.best_known_set(view)]) if sets and words.best_known_set(view) else ""
    return GuideTip(topic, words.LESSONS[topic - 1], text, advice.text, sets, pair)


def _player_name(view: View, seat: str) -> str:
    return view.names[SEAT_LETTERS.index(seat)] if seat else ""


def _seats_clockwise(view: View) -> list[str]:
    """Return the seats clockwise, beginning with the viewer's own."""
    letters = list(view.villages)
    first = letters.index(view.seat) if view.seat else 0
    return letters[first:] + letters[:first]


def _cards(
    view: View,
    actions: _LegalActions,
    letter: str,
    actions_by_spot: Mapping[str, RecentAction],
    cache: dict[str, CachedVillage],
) -> tuple[SceneCard, ...]:
    """Return the cards of a village, from the cache if nothing that they show has changed."""
    shows = (
        view.villages[letter],
        view.guards,
        view.names,
        view.token,
        [spot for spot in actions.chosen if spot[0] == letter] if actions.chosen else (),
        [(spot, move) for spot, move in actions.card_moves.items() if spot[0] == letter] if actions.card_moves else (),
        [(spot, move) for spot, move in actions.ability_moves.items() if spot[0] == letter]
        if actions.ability_moves
        else (),
        [spot for spot in actions.selectable if spot[0] == letter] if actions.selectable else (),
        actions.targets_card,
        [(spot, action) for spot, action in actions_by_spot.items() if spot[0] == letter] if actions_by_spot else (),
    )
    cached = cache.get(letter, NOT_CACHED)
    if cached.inputs == shows:
        return cached.cards
    alike = not view.guards and cached.inputs[1:4] == shows[1:4]  # guards, which bind one card to another, names, token
    each: list[tuple[object, ...]] = []
    cards: list[SceneCard] = []
    for index, card in enumerate(view.villages[letter]):
        slot = f"{letter}{index + 1}"
        inputs = (
            card,
            slot in actions.chosen,
            actions.card_moves.get(slot),
            actions.ability_moves.get(slot),
            slot in actions.selectable,
            actions.targets_card,
            actions_by_spot.get(slot),
        )
        same = alike and index < len(cached.card_inputs) and cached.card_inputs[index] == inputs
        each.append(inputs)
        cards.append(cached.cards[index] if same else _card(view, card, letter, slot, actions, actions_by_spot))
    cache[letter] = CachedVillage(shows, each, tuple(cards))
    return cache[letter].cards


def _village(
    view: View,
    seats: Sequence[SeatInfo],
    actions: _LegalActions,
    letter: str,
    side: str,
    actions_by_spot: Mapping[str, RecentAction],
    cache: dict[str, CachedVillage],
) -> Village:
    yours = letter == view.seat
    lit = yours and bool(view.legal)
    cards, guard_links = _cards(view, actions, letter, actions_by_spot, cache), _guard_links(view, letter)
    own_deck = tuple([_card(view, card, letter, f"own-{letter}", actions) for card in view.private[letter]])
    turn = letter == view.turn and not view.looking
    asked = letter in view.looking if view.looking else letter == view.to_move
    called, token = letter == view.caller, letter == view.token_seat
    seat, total = seats[SEAT_LETTERS.index(letter)], view.totals[letter]
    move, picked = actions.village_moves.get(letter, ""), letter in actions.chosen
    # (By their places: with names, making one costs several times as much.)
    return Village(
        seat, side, yours, lit, cards, guard_links, own_deck, total, turn, asked, called, token, move, picked
    )  # fmt: skip


def _card(
    view: View,
    card: Card,
    seat: str,
    slot: str,
    actions: _LegalActions,
    actions_by_spot: Mapping[str, RecentAction] = NO_RECENT_ACTIONS,
) -> SceneCard:
    known = card.number is not None
    in_village = len(slot) < 4 and slot[0] in SEAT_LETTERS
    in_hand = known and slot == "hand"  # drawn faceup for those who know it
    move = actions.card_moves.get(slot, "") if in_village else _draw_move(view, slot, actions)
    guard = next((spot for spot, guarded in view.guards if guarded == slot), "") if view.guards else ""
    picked = slot in actions.chosen
    name = words.card_accessible_name(card, view, seat, int(slot[1:])) if in_village else ""
    action = actions_by_spot.get(slot)
    if action is not None:
        name += f". {action.text}"
    covered = view.token if card.covered else ""
    facedown = known and not card.up and not in_hand
    pick, use = slot in actions.selectable, actions.ability_moves.get(slot, "")
    calm = in_village and actions.targets_card and not move and not picked and not pick
    guarding = _resident(view, view.villages[guard[0]][int(guard[1:]) - 1]) if guard else None
    return SceneCard(
        slot,
        _resident(view, card),
        card.up or in_hand,
        card.sideways,
        covered,
        facedown,
        name or words.pile_accessible_name(card, view, seat, slot),
        move,
        pick,
        use,
        calm,
        _muted(view, card),
        guarding,
        int(guard[1:] or 0),
        picked,
        action,
    )


def _chosen_spots(view: View) -> frozenset[str]:
    """Return the spots and villages chosen so far for the pending choice."""
    return frozenset([move.spot for move in view.asking.picked if move.spot]) if view.asking else frozenset()


def _guard_links(view: View, letter: str) -> tuple[GuardLink, ...]:
    """Return the guard links of a village, the shortest on top."""
    if not view.guards:
        return ()
    ties = [(int(guard[1:]), int(guarded[1:])) for guard, guarded in view.guards if guard[0] == letter]
    ties.sort(key=lambda tie: abs(tie[1] - tie[0]))
    return tuple([GuardLink(guard, guarded, index) for index, (guard, guarded) in enumerate(ties, 1)])


def _choosable_cards(view: View) -> dict[str, SceneCard]:
    """Return the cards to choose from, by the moves that choose them.

    They are the deck cards that were looked at (A4), or the cards of the discard pile that may be taken (A10, C10);
    none if the view does not identify them.
    """
    cards_by_move: dict[str, SceneCard] = {}
    depths = view.asking.depths if view.asking else ()
    for index, ways in _moves_by_depth(view).items():
        verb, move = next(iter(ways.items()))
        card = words.pile_card(verb, index, view)
        if card is None or (verb == "use" and not depths):  # a Mortician's `use 6` names a number (B4)
            return {}
        keeping = verb == "keep"
        face = _resident(view, card) if keeping or card.up else None
        name = words.button_text(Move.of(move), view)
        slot = f"{'deck' if keeping else 'pile'}-{index}"
        use = ways.get("use", "") if verb != "use" else ""
        choosable_card = SceneCard(slot, face, face is not None, False, "", False, name, move, ability_move=use)
        cards_by_move |= dict.fromkeys(ways.values(), choosable_card)
    return cards_by_move


def _moves_by_depth(view: View) -> dict[int, dict[str, str]]:
    """Group the moves `keep 2`, `take 2` and `use 2` by depth and verb."""
    ways: dict[int, dict[str, str]] = {}
    for move in view.legal:
        verb, _, index = move.verb.partition(" ")
        if verb in ("keep", "take", "use") and index:
            ways.setdefault(int(index), {})[verb] = str(move)
    return ways


def _resident(view: View, card: Card) -> ResidentSummary | None:
    return None if card.number is None else resident_summary(view.residents[card.number])


def _draw_move(view: View, slot: str, actions: _LegalActions) -> str:
    """Return the draw move of a pile, if it is legal."""
    shown = f"draw {slot[6:]}" if slot.startswith("shown") else ""
    move = shown or {"deck": "draw", "pile": "take", f"own-{view.seat}": "draw private"}.get(slot, "")
    return move if any([button.move == move for button in actions.buttons]) else ""


def faceup_card(view: View, card: Card, seat: str, slot: int) -> SceneCard:
    """Draw a village card after the end of a round, when every card is faceup."""
    spot = f"{seat}{slot}"
    name = words.card_accessible_name(card, view, seat, slot)
    covered = view.token if card.covered else ""
    return SceneCard(spot, _resident(view, card), True, card.sideways, covered, False, name, muted=_muted(view, card))


def _muted(view: View, card: Card) -> bool:
    """Whether the token on a card cancels its ability and points."""
    return card.covered and BOX_BY_NAME[view.token].token_mutes_card


def _last_turns(view: View) -> tuple[tuple[str, bool], ...]:
    """Return who still has a turn after a call, in order of play."""
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
