"""The words that a table shows, in a browser or a terminal, all made from one seat's view and its events.

All English about the game is here, so that another language is another such package. What a resident or token has to
say of its own is its entry in `words.residents`.
"""

from argentum.words.chronicle import actions, chronicle, entries_of
from argentum.words.coaching import TOPICS, Advice, Said, before_call, coach, known_set, of_picks, topic
from argentum.words.entries import Chip, Entry, Name, Part
from argentum.words.labels import card_name, choice, in_sentence, label, looked_at, pile_card, pile_name
from argentum.words.ledger import LedgerLine, before_sums, inheritance, ledger, of_call, onward, verdict, winner
from argentum.words.moment import Prompt
from argentum.words.prompts import prompt
from argentum.words.sentences import told
from argentum.words.telling import Fact

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
