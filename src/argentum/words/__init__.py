"""The words that a table shows, in a browser or a terminal, all made from one seat's view and its events.

All English about the game is here, so that another language is another such package. What a resident or token has to
say of its own is its entry in `words.residents`.
"""

from argentum.words.advice import (
    LESSONS,
    Advice,
    ExchangeWarning,
    call_warning,
    advice_text,
    best_known_set,
    exchange_warning,
    lesson_number,
)
from argentum.words.buttons import (
    card_accessible_name,
    selection_button_text,
    in_sentence,
    button_text,
    looked_at_caption,
    pile_card,
    pile_accessible_name,
)
from argentum.words.context import Prompt
from argentum.words.event_sentences import event_sentence
from argentum.words.log.builder import group_actions, build_log, build_entries
from argentum.words.log.entries import CardChip, LogEntry, PlayerName, LogPart
from argentum.words.log.phrases import LoggedEvent
from argentum.words.prompts.prompt import prompt
from argentum.words.score_lines import (
    ScoreText,
    reveal_headline,
    token_result,
    score_texts,
    call_outcome,
    continue_button,
    round_result,
    winner_text,
)

__all__ = [
    "LESSONS",
    "Advice",
    "CardChip",
    "LogEntry",
    "LoggedEvent",
    "ScoreText",
    "PlayerName",
    "LogPart",
    "Prompt",
    "ExchangeWarning",
    "group_actions",
    "call_warning",
    "reveal_headline",
    "card_accessible_name",
    "selection_button_text",
    "build_log",
    "advice_text",
    "build_entries",
    "in_sentence",
    "token_result",
    "best_known_set",
    "button_text",
    "score_texts",
    "looked_at_caption",
    "call_outcome",
    "exchange_warning",
    "continue_button",
    "pile_card",
    "pile_accessible_name",
    "prompt",
    "event_sentence",
    "lesson_number",
    "round_result",
    "winner_text",
]
