"""A bot without an ability."""

import pytest

from argentum import bots
from argentum.arena.abilities import labels
from argentum.arena.muted import Muted
from argentum.arena.playing import Job, deals, play

# By how they work: drawn, drawn and kept, in a window, instead of the draw, at the turn's end, at the round's end.
SAMPLE = ["B8", "D5", "C2", "D4", "C1", "C0", "C14"]


@pytest.mark.parametrize("label", SAMPLE)
def test_it_never_uses_the_ability_that_it_lacks(label: str) -> None:
    token = {"B": "bullet", "C": "coin", "D": "dagger"}[label[0]] if label.endswith("14") else ""
    whole = lacking = 0
    for deal in deals("random", 2, 1, 3, "" if token else label, token):
        for seat in play(Job(deal, ("steady", f"steady without {label}"))):
            used = seat.uses.get(label, 0)
            whole, lacking = (whole + used, lacking) if seat.bot == "steady" else (whole, lacking + used)
    assert lacking == 0
    assert whole > 0


def test_in_a_deck_without_the_resident_it_plays_as_ever() -> None:
    deal = deals("coin", 2, 1, 1)[0]
    plain, lacking = play(Job(deal, ("steady", "novice"))), play(Job(deal, ("steady without D8", "novice")))
    assert [seat.points for seat in plain] == [seat.points for seat in lacking]


def test_it_is_told_apart_from_the_one_that_does_not_exist() -> None:
    for label in labels():
        assert Muted(bots.make("steady"), label).label == label
    for wrong in ("D15", "X3", "magician", ""):
        with pytest.raises(ValueError, match="is no ability"):
            Muted(bots.make("steady"), wrong)
