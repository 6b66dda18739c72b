"""Bots with one ability disabled."""

import pytest

from argentum import Game, bots
from argentum.arena.ability_values import all_ability_labels
from argentum.arena.jobs import Job, make_deals, play_job
from argentum.arena.players.without_ability import BotWithoutAbility
from argentum.rules.boxes import BOX_BY_LETTER
from argentum.rules.move import Move

# At least one label for each timing: when drawn, in a window, instead of a draw, at the end of a turn or a round.
SAMPLE = ["B8", "D5", "C2", "D4", "C1", "C0", "C14", "A2", "A10", "A14"]


@pytest.mark.parametrize("label", SAMPLE)
def test_a_disabled_ability_is_never_used(label: str) -> None:
    token = BOX_BY_LETTER[label[0].lower()].name if label.endswith("14") else ""
    with_ability = without_ability = 0
    for deal in make_deals("random", 2, 3, 3, "" if token else label, token):
        for seat in play_job(Job(deal, ("steady", f"steady without {label}"))):
            used = seat.uses.get(label, 0)
            with_ability, without_ability = (
                (with_ability + used, without_ability)
                if seat.bot == "steady"
                else (with_ability, without_ability + used)
            )
    assert without_ability == 0
    assert with_ability > 0


def test_disabled_passive_abilities_are_not_used() -> None:
    """Without the Rascal (A4), the bot keeps the top card; without the Squire (A1), it draws no shown card."""
    position = {"boxes": "amulet", "deck": "6 12 2 8", "discard": "11", "villages": {"A": "4^ 1^ 9 9", "B": "5 6 7 8"}}
    game = Game.at(position)
    assert {"draw", "draw 1"} <= set(map(str, game.legal()))
    view = game.view("A")
    assert not BotWithoutAbility(bots.make("steady"), "A4").uses_ability(view, Move.of("draw 1"))
    assert BotWithoutAbility(bots.make("steady"), "A1").uses_ability(view, Move.of("draw 1"))
    game.play("draw")
    assert [str(move) for move in game.legal()] == ["keep 1", "keep 2"]
    assert str(bots.make("steady").choose(game.view("A"))) == "keep 2"
    assert str(BotWithoutAbility(bots.make("steady"), "A4").choose(game.view("A"))) == "keep 1"


def test_a_disabled_ability_changes_nothing_in_a_deck_without_its_resident() -> None:
    deal = make_deals("coin", 2, 1, 1)[0]
    plain, without_ability = (
        play_job(Job(deal, ("steady", "novice"))),
        play_job(Job(deal, ("steady without D8", "novice"))),
    )
    assert [seat.points for seat in plain] == [seat.points for seat in without_ability]


def test_an_unknown_label_is_refused() -> None:
    for label in all_ability_labels():
        assert BotWithoutAbility(bots.make("steady"), label).label == label
    for wrong in ("D15", "X3", "magician", ""):
        with pytest.raises(ValueError, match="is not an ability"):
            BotWithoutAbility(bots.make("steady"), wrong)
