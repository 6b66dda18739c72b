"""The words that a table shows, in a browser or a terminal, all made from one seat's view and its events."""

from argentum.words.chronicle import chronicle
from argentum.words.coaching import coach
from argentum.words.decision import Prompt
from argentum.words.entries import Chip, Entry, Name, Part
from argentum.words.labels import card_name, label
from argentum.words.ledger import LedgerLine, inheritance, ledger, verdict
from argentum.words.prompts import prompt

__all__ = [
    "Chip",
    "Entry",
    "LedgerLine",
    "Name",
    "Part",
    "Prompt",
    "card_name",
    "chronicle",
    "coach",
    "inheritance",
    "label",
    "ledger",
    "prompt",
    "verdict",
]
