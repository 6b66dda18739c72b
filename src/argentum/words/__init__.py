"""The words that a table shows, in a browser or a terminal, all made from one seat's view and its events.

All English about the game is here, so that another language is another such package. What a resident or token has to
say of its own is its entry in `words.residents`.
"""

from argentum.words.advice import TOPICS, Advice, Said, before_call, coach, known_set, of_picks, topic
from argentum.words.buttons import card_name, choice, in_sentence, label, looked_at, pile_card, pile_name
from argentum.words.context import Prompt
from argentum.words.event_sentences import told
from argentum.words.log.builder import actions, chronicle, entries_of
from argentum.words.log.entries import Chip, Entry, Name, Part
from argentum.words.log.phrases import Fact
from argentum.words.prompts.prompt import prompt
from argentum.words.score_lines import LedgerLine, before_sums, inheritance, ledger, of_call, onward, verdict, winner

__all__ = [
    "TOPICS",
    "Advice",
    "Chip",
    "Entry",
    "Fact",
    "LedgerLine",
    "Name",
    "Part",
    "Prompt",
    "Said",
    "actions",
    "before_call",
    "before_sums",
    "card_name",
    "choice",
    "chronicle",
    "coach",
    "entries_of",
    "in_sentence",
    "inheritance",
    "known_set",
    "label",
    "ledger",
    "looked_at",
    "of_call",
    "of_picks",
    "onward",
    "pile_card",
    "pile_name",
    "prompt",
    "told",
    "topic",
    "verdict",
    "winner",
]
