"""Prompts, log, buttons and scores as text, from the view and events of one seat.

This package contains all English texts about the game; `words.residents` contains those of residents and tokens.
"""

from argentum.words.advice import (
    LESSONS,
    Advice,
    ExchangeWarning,
    advice_text,
    best_known_set,
    call_warning,
    exchange_warning,
    lesson_number,
)
from argentum.words.buttons import (
    button_text,
    card_accessible_name,
    looked_at_caption,
    pile_accessible_name,
    pile_card,
    selection_button_text,
    uncapitalize_button_text,
)
from argentum.words.context import Prompt
from argentum.words.log.builder import build_entries, build_log, group_actions
from argentum.words.log.entries import CardChip, LogEntry, LogPart, PlayerName
from argentum.words.log.phrases import LoggedEvent
from argentum.words.prompts.prompt import prompt
from argentum.words.score_lines import (
    ScoreText,
    call_outcome,
    continue_button_text,
    reveal_headline,
    round_result,
    score_texts,
    token_result,
    winner_text,
)

__all__ = [
    "LESSONS",
    "Advice",
    "CardChip",
    "ExchangeWarning",
    "LogEntry",
    "LogPart",
    "LoggedEvent",
    "PlayerName",
    "Prompt",
    "ScoreText",
    "advice_text",
    "best_known_set",
    "build_entries",
    "build_log",
    "button_text",
    "call_outcome",
    "call_warning",
    "card_accessible_name",
    "continue_button_text",
    "exchange_warning",
    "group_actions",
    "lesson_number",
    "looked_at_caption",
    "pile_accessible_name",
    "pile_card",
    "prompt",
    "reveal_headline",
    "round_result",
    "score_texts",
    "selection_button_text",
    "token_result",
    "uncapitalize_button_text",
    "winner_text",
]
