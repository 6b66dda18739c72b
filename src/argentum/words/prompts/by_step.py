# mypyc: compile
"""Prompts by step: for questions of rules, and for residents without texts of their own."""

from collections.abc import Callable

from argentum.rules import asking
from argentum.words.buttons import pile_top_phrase
from argentum.words.context import PromptContext, usable_abilities_sentence, use_options
from argentum.words.english import capitalize_first, join_list, options_sentence
from argentum.words.residents.texts import PromptText

TITLE_BY_STEP = {
    asking.STEP_CARD: "Choose a card for {asker}.",
    asking.STEP_SECOND_CARD: "Choose a second card for {asker}.",
    asking.STEP_ANOTHER_CARD: "Choose another card for {asker}{or_stop}.",
    asking.STEP_VILLAGE: "Choose a village for {asker}.",
    asking.STEP_DIRECTION: "Choose a direction for {asker}.",
    asking.STEP_USE: "Choose what to use with {asker}.",
    asking.STEP_VILLAGE_END: "Choose an end of the village for {asker}.",
    asking.STEP_SPOT: "Choose a spot for {hand}.",
    asking.STEP_HAND: "Choose what to do with {hand}.",
    asking.STEP_KEEP: "Choose the card to draw.",
}
# Texts for the other players. They follow the name of the player who decides.
WAITING_TEXT_BY_STEP = {
    asking.STEP_CARD: "chooses a card for {asker}",
    asking.STEP_SECOND_CARD: "chooses a second card for {asker}",
    asking.STEP_ANOTHER_CARD: "chooses another card for {asker}",
    asking.STEP_VILLAGE: "chooses a village for {asker}",
    asking.STEP_DIRECTION: "chooses a direction for {asker}",
    asking.STEP_USE: "chooses what to use with {asker}",
    asking.STEP_VILLAGE_END: "chooses an end of the village for {asker}",
    asking.STEP_SPOT: "chooses a spot for {asker}",
    asking.STEP_HAND: "decides what to do with a card, with {asker}",
    asking.STEP_KEEP: "chooses one of the deck's top cards, with {asker}",
}


def fallback_prompt(context: PromptContext) -> PromptText:
    """Build a prompt from the step, the card text of the resident, and the cards picked so far."""
    so_far = f" So far: {context.player_names.spots_phrase(context.picked)}." if context.picked else ""
    or_stop = ", or stop" * ("stop" in context.verbs)
    title = TITLE_BY_STEP[context.asking.step].format(
        asker=context.asker_phrase, hand=context.hand_phrase, or_stop=or_stop
    )
    return title, context.asker_text + so_far


def first_look_prompt(context: PromptContext) -> PromptText:
    if context.picked:
        return "Choose the second card to look at.", "You see both at once, and nobody else does."
    return "Look at two of your cards.", "Choose them: you see both, and nobody else does."


def main_action_prompt(context: PromptContext) -> PromptText:
    view = context.view
    actions = {
        "draw": "draw from the deck",
        "draw private": "draw from your own deck",
        "take": f"take {pile_top_phrase(view)}" if view.discard else "",
        "call": "call for a vote",
    }
    options = [words for verb, words in actions.items() if verb in context.verbs]
    if any([move.verb == "draw" and move.number is not None for move in view.legal]):
        shown = join_list([context.resident_phrase(card.number) for card in view.shown], " or ")
        options.insert("draw" in context.verbs, f"draw {shown} shown beside it" if options else f"draw {shown}")
    detail = options_sentence(options + use_options(context, True)) + usable_abilities_sentence(context)
    if not view.caller:
        return "It is your turn.", detail
    title = "It is your turn." if view.extra_turns else "This is your last turn."
    return title, f"{capitalize_first(context.player_names.with_verb(view.caller, 'have'))} called. {detail}"


def hand_prompt(context: PromptContext) -> PromptText:
    exchange = "choose one or more cards to exchange it for"
    if context.asking.is_taken_card:
        return f"You took {context.hand_phrase}.", capitalize_first(exchange) + "." + usable_abilities_sentence(context)
    title = f"You drew {context.hand_phrase}."
    if "discard" not in context.verbs:  # The card clings (D4).
        return title, f"It can't be discarded: {exchange}.{usable_abilities_sentence(context)}"
    options = [exchange] if "exchange" in context.verbs else []
    options.append("discard it")
    card = context.view.hand
    if "use" in context.verbs and card is not None and card.number is not None:
        joins = context.view.residents[card.number].joins_village
        options.append("use it" if joins else "discard it and use its ability")
    return title, options_sentence(options) + usable_abilities_sentence(context)


def more_cards_prompt(context: PromptContext) -> PromptText:
    """Ask for more cards to exchange together (G10)."""
    title = f"Exchange {context.player_names.spots_phrase(context.picked)} for {context.hand_phrase}."
    if len(context.picked) == 1:
        return title, "Or choose more cards of the same number to go with it."
    return title, "They must be of one number, or they stay. Or choose more."


def spot_prompt(context: PromptContext) -> PromptText:
    """Ask for the spot of the new card among those that become free (G10)."""
    return f"Choose the spot for {context.hand_phrase}.", "The other cards leave, and the row closes up."


def village_end_prompt(context: PromptContext) -> PromptText:
    """Ask for an end of the village for the card in hand, after a failed exchange (G11)."""
    return (
        f"Choose an end of your village for {context.hand_phrase}.",
        "Your cards don't match: they stay, facedown, and it joins them.",
    )


def penalty_prompt(context: PromptContext) -> PromptText:
    """Ask for an end of the village for the penalty card (G11)."""
    face = "faceup" if context.view.deck_up else "facedown"
    return (
        "Choose an end of your village for the penalty card.",
        f"You tried three or more cards, so the deck's top card joins you too, {face}.",
    )


def end_window_prompt(context: PromptContext) -> PromptText:
    return "Your turn is nearly over.", options_sentence([*use_options(context), "end your turn"])


PROMPT_BY_STEP: dict[str, Callable[[PromptContext], PromptText]] = {
    asking.STEP_FIRST_LOOK: first_look_prompt,
    asking.STEP_MAIN_ACTION: main_action_prompt,
    asking.STEP_HAND: hand_prompt,
    asking.STEP_MORE_CARDS: more_cards_prompt,
    asking.STEP_SPOT: spot_prompt,
    asking.STEP_VILLAGE_END: village_end_prompt,
    asking.STEP_PENALTY_END: penalty_prompt,
    asking.STEP_END_WINDOW: end_window_prompt,
}
