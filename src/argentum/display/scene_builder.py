# mypyc: compile, optimize
"""Build a scene from a view."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from argentum import words
from argentum.display.scene import (
    MOONS,
    NO_RECENT_ACTIONS,
    NOT_CACHED,
    SEAT_SIDES,
    SHORTCUTS,
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
from argentum.rules.move import Move
from argentum.rules.notation import SEAT_LETTERS
from argentum.rules.residents import Resident
from argentum.rules.scoring import ROUNDS_PER_GAME
from argentum.rules.views import Card, View

MAX_CACHED_DECKS = 1_024
MIN_SELECTED = {"peek": 2, "exchange": 1}  # for moves of several cards, by verb


@lru_cache(MAX_CACHED_DECKS)
def _deck_residents(residents: tuple[Resident, ...]) -> tuple[ResidentSummary, ...]:
    return tuple([resident_summary(resident) for resident in residents])


class _LegalActions:
    """The legal moves of a view, grouped by control: clicks on cards, clicks on villages, buttons, selections."""

    def __init__(self, view: View) -> None:
        self.card_moves: dict[str, str] = {}  # by spot
        self.ability_moves: dict[str, str] = {}  # by spot
        self.village_moves: dict[str, str] = {}  # by seat
        self.buttons: list[Button] = []
        self.choosable = _choosable_cards(view)
        self.chosen = _chosen_spots(view)
        moves_by_template: dict[str, list[Move]] = {}
        for move in view.legal:
            if move.verb == "ability":
                self.ability_moves[move.spot] = str(move)
            elif move.verb == "give":
                moves_by_template.setdefault(f"give {{}} {move.seat}", []).append(move)
            elif move.spot:
                moves_by_template.setdefault(f"{move.verb} {{}}".strip(), []).append(move)
            elif str(move) not in self.choosable:
                self.village_moves |= {move.seat: str(move)} if move.seat else {}
                self.buttons.append(_build_button(move, view))
        self._add_selections(view, moves_by_template)
        self.selectable = frozenset(spot for button in self.buttons for spot in button.spots)
        # While the player must choose a card, the others are dimmed. An exchange dims none, as it is only an option.
        self.targets_card = bool(self.card_moves) or any(
            [button.spots and not button.primary for button in self.buttons]
        )

    def _add_selections(self, view: View, moves_by_template: dict[str, list[Move]]) -> None:
        """Add the moves that name cards.

        A first look or an exchange gets a button that plays all selected cards in one move. Moves of one card are
        played by a click on the card if they are all of one kind; otherwise each kind gets a button for the selection.
        """
        multi_card = [template for template, moves in moves_by_template.items() if moves[0].verb in MIN_SELECTED]
        for template, moves in moves_by_template.items():
            if template in multi_card:
                self.buttons.insert(0, _build_selection_button(moves[0].verb, moves, view))
            elif len(moves_by_template) - len(multi_card) == 1:
                self.card_moves = {move.spot: str(move) for move in moves}
            else:
                spots = tuple(move.spot for move in moves)
                self.buttons.append(Button(words.selection_button_text(moves[0], view), "", template, spots))


def _build_selection_button(verb: str, moves: list[Move], view: View) -> Button:
    """Build the button that plays a first look or an exchange with all selected cards."""
    min_cards = MIN_SELECTED[verb]
    max_cards = min_cards if verb == "peek" else len(moves)
    spots = tuple(move.spot for move in moves)
    text, key = words.selection_button_text(moves[0], view), SHORTCUTS.get(verb, "")
    return Button(text, "", verb + " {}", spots, min_cards, max_cards, primary=True, key=key)


def _build_button(move: Move, view: View) -> Button:
    return Button(words.button_text(move, view), str(move), key=SHORTCUTS.get(str(move), ""))


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
    """Build the scene of a view; `scores` has one mapping of seats to points per finished round.

    Pass the same `cache` for every scene of one viewer and game: unchanged cards are then not built again.
    """
    cache = {} if cache is None else cache
    cast = _deck_residents(view.residents)
    actions = _LegalActions(view)
    order = _order_clockwise(view)
    sides = dict(zip(order, SEAT_SIDES[len(order)], strict=True))
    deck = view.deck[0] if view.deck else None
    return Scene(
        viewer=view.seat,
        round=view.round,
        moon=MOONS[view.round - 1],
        villages=tuple(
            [_build_village(view, seats, actions, letter, sides[letter], recent_actions, cache) for letter in order]
        ),
        deck=None if deck is None else _build_card(view, deck, "", "deck", actions),
        deck_count=len(view.deck),
        beside_deck=tuple([_build_card(view, card, "", f"shown-{i}", actions) for i, card in enumerate(view.shown, 1)]),
        shown_by=next((resident_summary(resident) for resident in view.residents if resident.shows_deck_card), None)
        if view.shown
        else None,
        choosable=tuple(dict.fromkeys(actions.choosable.values())),
        discard_top=_build_card(view, view.discard[0], "", "pile", actions) if view.discard else None,
        discard_faces=tuple(
            [cast[card.number] if card.up and card.number is not None else None for card in view.discard]
        ),
        hand=None if view.hand is None else _build_card(view, view.hand, view.holder, "hand", actions),
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
        last_turns=_find_last_turns(view),
        prompt=prompt,
        buttons=tuple(actions.buttons),
        ability_buttons=tuple([_build_button(move, view) for move in view.legal if move.verb == "ability"]),
        call_warning=words.call_warning(view, memory) if any([move.verb == "call" for move in view.legal]) else "",
        tip=_build_guide_tip(view, actions, advice),
        scores=tuple([_build_score_row(view, seats, scores, letter) for letter in view.totals]),
        cast=cast,
        log=tuple(reversed(log)),
        recent_lines=_count_recent_lines([entry.seat for entry in reversed(log)], view.seat),
        initials=initials(view.names[: len(order)]),
        names=view.names,
        icon_sheet=view.boxes + view.cast.token_box.letter,
    )


def _count_recent_lines(seats: Sequence[str], viewer: str) -> int:
    """Count the log lines since the viewer's last finished turn. `seats` are the seats of the lines, newest first.

    >>> [_count_recent_lines(seats, "A") for seats in (["A", "A", "C", "B", "A", "C"], ["C", "B", "A"], ["A", "A"])]
    [4, 2, 0]
    """
    first_of_others = next((index for index, seat in enumerate(seats) if seat != viewer), len(seats))
    count = next((index for index, seat in enumerate(seats) if index > first_of_others and seat == viewer), 0)
    return count if viewer else 0


def _is_played_by_bot(seats: Sequence[SeatInfo], letter: str) -> bool:
    seat = seats[SEAT_LETTERS.index(letter)]
    return bool(seat.bot or seat.stand_in)


def _build_guide_tip(view: View, actions: _LegalActions, advice: words.Advice | None) -> GuideTip | None:
    text = words.advice_text(view, advice)
    if advice is None or not text:
        return None
    topic = words.lesson_number(view, advice)
    can_exchange_sets = any(
        [button.max_cards > 1 and button.move_template.startswith("exchange") for button in actions.buttons]
    )
    best_set = words.best_known_set(view) if can_exchange_sets else ()
    example = " ".join(["exchange", *best_set]) if best_set else ""
    return GuideTip(topic, words.LESSONS[topic - 1], text, advice.text, can_exchange_sets, example)


def _player_name(view: View, seat: str) -> str:
    return view.names[SEAT_LETTERS.index(seat)] if seat else ""


def _order_clockwise(view: View) -> list[str]:
    """Return the seats clockwise, beginning with the viewer's own."""
    letters = list(view.villages)
    first = letters.index(view.seat) if view.seat else 0
    return letters[first:] + letters[:first]


def _build_cards(
    view: View,
    actions: _LegalActions,
    letter: str,
    recent_actions: Mapping[str, RecentAction],
    cache: dict[str, CachedVillage],
) -> tuple[SceneCard, ...]:
    """Build the cards of a village, reusing those in the cache whose inputs are unchanged."""
    card_moves, ability_moves = actions.card_moves, actions.ability_moves
    inputs = (
        view.villages[letter],
        view.guards,
        view.names,
        view.token,
        [spot for spot in actions.chosen if spot[0] == letter] if actions.chosen else (),
        [(spot, move) for spot, move in card_moves.items() if spot[0] == letter] if card_moves else (),
        [(spot, move) for spot, move in ability_moves.items() if spot[0] == letter] if ability_moves else (),
        [spot for spot in actions.selectable if spot[0] == letter] if actions.selectable else (),
        actions.targets_card,
        [(spot, action) for spot, action in recent_actions.items() if spot[0] == letter] if recent_actions else (),
    )
    cached = cache.get(letter, NOT_CACHED)
    if cached.inputs == inputs:
        return cached.cards
    # Unchanged cards can be reused if the guards, names and token, which concern all cards, are unchanged. With guards,
    # a card also depends on another card.
    can_reuse = not view.guards and cached.inputs[1:4] == inputs[1:4]
    inputs_by_card: list[tuple[object, ...]] = []
    cards: list[SceneCard] = []
    for index, card in enumerate(view.villages[letter]):
        slot = f"{letter}{index + 1}"
        card_inputs = (
            card,
            slot in actions.chosen,
            card_moves.get(slot),
            ability_moves.get(slot),
            slot in actions.selectable,
            actions.targets_card,
            recent_actions.get(slot),
        )
        is_unchanged = can_reuse and index < len(cached.card_inputs) and cached.card_inputs[index] == card_inputs
        inputs_by_card.append(card_inputs)
        cards.append(
            cached.cards[index] if is_unchanged else _build_card(view, card, letter, slot, actions, recent_actions)
        )
    cache[letter] = CachedVillage(inputs, inputs_by_card, tuple(cards))
    return cache[letter].cards


def _build_village(
    view: View,
    seats: Sequence[SeatInfo],
    actions: _LegalActions,
    letter: str,
    side: str,
    recent_actions: Mapping[str, RecentAction],
    cache: dict[str, CachedVillage],
) -> Village:
    cards = _build_cards(view, actions, letter, recent_actions, cache)
    # Positional arguments: a NamedTuple costs several times as much with keyword arguments.
    return Village(
        seats[SEAT_LETTERS.index(letter)],
        side,
        letter == view.seat,
        letter == view.seat and bool(view.legal),
        cards,
        _guard_links(view, letter),
        tuple([_build_card(view, card, letter, f"own-{letter}", actions) for card in view.private[letter]]),
        view.totals[letter],
        letter == view.turn and not view.looking,
        letter in view.looking if view.looking else letter == view.to_move,
        letter == view.caller,
        letter == view.token_seat,
        actions.village_moves.get(letter, ""),
        letter in actions.chosen,
        sum([card.sideways for card in cards]),
    )


def _build_card(
    view: View,
    card: Card,
    seat: str,
    slot: str,
    actions: _LegalActions,
    recent_actions: Mapping[str, RecentAction] = NO_RECENT_ACTIONS,
) -> SceneCard:
    """Build a card in a slot. `seat` is the owner of the village, hand or private deck; empty for the piles."""
    is_known = card.number is not None
    in_village = len(slot) < 4 and slot[0] in SEAT_LETTERS
    is_known_hand = is_known and slot == "hand"  # shown faceup
    guard = next((spot for spot, guarded in view.guards if guarded == slot), "") if view.guards else ""
    label = words.card_accessible_name(card, view, seat, int(slot[1:])) if in_village else ""
    recent_action = recent_actions.get(slot)
    if recent_action is not None:
        label += f". {recent_action.text}"
    click_move = actions.card_moves.get(slot, "") if in_village else _find_draw_move(view, slot, actions)
    selectable, chosen = slot in actions.selectable, slot in actions.chosen
    return SceneCard(
        slot,
        _identify_resident(view, card),
        card.up or is_known_hand,
        card.sideways,
        view.token if card.covered else "",
        is_known and not card.up and not is_known_hand,
        label or words.pile_accessible_name(card, view, seat, slot),
        click_move,
        selectable,
        actions.ability_moves.get(slot, ""),
        in_village and actions.targets_card and not click_move and not chosen and not selectable,
        _is_muted(view, card),
        _identify_resident(view, view.villages[guard[0]][int(guard[1:]) - 1]) if guard else None,
        int(guard[1:] or 0),
        chosen,
        recent_action,
    )


def _chosen_spots(view: View) -> frozenset[str]:
    """Return the spots and seats chosen so far for the pending choice."""
    if view.asking is None:
        return frozenset()
    return frozenset([move.spot or move.seat for move in view.asking.picked if move.spot or move.seat])


def _guard_links(view: View, letter: str) -> tuple[GuardLink, ...]:
    """Return the guard links of a village, the shortest first."""
    if not view.guards:
        return ()
    spots = [(int(guard[1:]), int(guarded[1:])) for guard, guarded in view.guards if guard[0] == letter]
    spots.sort(key=lambda pair: abs(pair[1] - pair[0]))
    return tuple([GuardLink(guard, guarded, order) for order, (guard, guarded) in enumerate(spots, 1)])


def _choosable_cards(view: View) -> dict[str, SceneCard]:
    """Return the pile cards among which the player must choose, keyed by the moves that choose them.

    They are the deck cards that were looked at (A4), or the cards of the discard pile that may be taken (A10, C10). The
    result is empty if the view does not show which cards they are.
    """
    cards_by_move: dict[str, SceneCard] = {}
    depths = view.asking.depths if view.asking else ()
    for depth, moves_by_verb in _moves_by_depth(view).items():
        verb, move = next(iter(moves_by_verb.items()))
        card = words.pile_card(verb, depth, view)
        if card is None or (verb == "use" and not depths):  # The `use 6` of a Mortician is a card number (B4).
            return {}
        from_deck = verb == "keep"
        face = _identify_resident(view, card) if from_deck or card.up else None
        label = words.button_text(Move.of(move), view)
        slot = f"{'deck' if from_deck else 'pile'}-{depth}"
        ability_move = moves_by_verb.get("use", "") if verb != "use" else ""
        scene_card = SceneCard(slot, face, face is not None, False, "", False, label, move, ability_move=ability_move)
        cards_by_move |= dict.fromkeys(moves_by_verb.values(), scene_card)
    return cards_by_move


def _moves_by_depth(view: View) -> dict[int, dict[str, str]]:
    """Group moves such as `keep 2`, `take 2` and `use 2` by depth, then by verb."""
    moves: dict[int, dict[str, str]] = {}
    for move in view.legal:
        if move.verb in ("keep", "take", "use") and move.number is not None:
            moves.setdefault(move.number, {})[move.verb] = str(move)
    return moves


def _identify_resident(view: View, card: Card) -> ResidentSummary | None:
    return None if card.number is None else resident_summary(view.residents[card.number])


def _find_draw_move(view: View, slot: str, actions: _LegalActions) -> str:
    """Return the move that draws from a pile, or an empty string if it is illegal."""
    if slot.startswith("shown"):
        move = f"draw {slot[6:]}"
    else:
        move = {"deck": "draw", "pile": "take", f"own-{view.seat}": "draw private"}.get(slot, "")
    return move if any([button.move == move for button in actions.buttons]) else ""


def build_faceup_card(view: View, card: Card, seat: str, position: int) -> SceneCard:
    """Build a card of a village at the end of a round, when all cards are faceup. Positions count from 1."""
    slot = f"{seat}{position}"
    label = words.card_accessible_name(card, view, seat, position)
    covered_by = view.token if card.covered else ""
    resident = _identify_resident(view, card)
    return SceneCard(slot, resident, True, card.sideways, covered_by, False, label, muted=_is_muted(view, card))


def _is_muted(view: View, card: Card) -> bool:
    """Whether the token on a card cancels its ability and points."""
    return card.covered and view.cast.token_mutes_card


def _find_last_turns(view: View) -> tuple[tuple[str, bool], ...]:
    """Return the players with a turn left after a call, in order of play, and whether each is the viewer."""
    if not view.caller or view.reason:  # After the end of a round, there may still be choices (C0, B0).
        return ()
    letters = list(view.villages)
    step = 1 if view.direction == "clockwise" else -1
    turns = []
    index = letters.index(view.turn)
    while letters[index] != view.caller:
        turns.append((view.names[index], letters[index] == view.seat))
        index = (index + step) % len(letters)
    return tuple(turns)


def _build_score_row(view: View, seats: Sequence[SeatInfo], scores: Sequence[dict[str, int]], letter: str) -> ScoreRow:
    rounds = [points[letter] for points in scores]
    return ScoreRow(
        seats[SEAT_LETTERS.index(letter)],
        letter == view.seat,
        (*rounds, *[None] * (ROUNDS_PER_GAME - len(rounds))),
        view.totals[letter],
    )
