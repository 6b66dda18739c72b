from collections import Counter
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from argentum import Game, records
from argentum.cli import main
from argentum.records import fairness
from argentum.records.fairness import DealCommitment, VerificationError, make_commitment
from argentum.rules.deal import FULL_DECK
from tests.random_games import play_to_end

SECRET = bytes(range(32))


def play_committed_game(opened: DealCommitment, boxes: str = "random") -> Game:
    game = Game.new("dagger" if boxes == "random" else boxes, 3, opened.seed, deals=opened.deals(3))
    random = Random(1)
    while not game.over:
        game.play(random.choice([*game.legal()]))
    return game


def test_a_deal_uses_the_full_deck_and_depends_on_every_input() -> None:
    deals = make_commitment(SECRET, {"A": "x", "B": "y"}).deals(2)
    for deal in deals:
        assert sorted(deal.card_order(2)) == sorted(FULL_DECK)
    others = [
        make_commitment(SECRET, {"A": "x", "B": "z"}),
        make_commitment(SECRET, {"B": "y"}),
        make_commitment(b"\1" * 32, {"A": "x", "B": "y"}),
    ]
    orders = [
        tuple(deal.card_order(2))
        for commitment in (make_commitment(SECRET, {"A": "x", "B": "y"}), *others)
        for deal in commitment.deals(2)
    ]
    assert len(set(orders)) == len(orders)


def test_the_top_of_the_deck_is_uniformly_distributed() -> None:
    tops = Counter([DealCommitment(secret.to_bytes(32, "big")).deals(2)[0].deck[0] for secret in range(5200)])
    for number, copies in Counter(FULL_DECK).items():
        assert abs(tops[number] - 100 * copies) < 5 * (100 * copies) ** 0.5


@pytest.mark.parametrize("boxes", ["dagger", "coin", "bullet", "amulet"])
def test_a_fair_record_is_verified_and_an_unfair_one_is_not(tmp_path: Path, boxes: str) -> None:
    opened = make_commitment(SECRET, {"A": "x", "C": "y"})
    game = play_committed_game(opened, boxes)
    record = records.write(game) + opened.record_comments()
    assert fairness.verify(record, records.read(record)) == opened
    file = tmp_path / "game.silver"
    file.write_text(record)
    assert "Verified: 4 rounds" in CliRunner().invoke(main, ["verify", str(file)]).output
    other = CliRunner().invoke(main, ["verify", "--commitment", "00", str(file)])
    assert (other.exit_code, "not the one that was promised" in other.output) == (1, True)
    with pytest.raises(VerificationError, match="round 1 was not dealt as promised"):
        fairness.verify(record.replace("value of A: x", "value of A: q"), game)
    with pytest.raises(VerificationError, match="not the one that was promised"):
        fairness.verify(record.replace(SECRET.hex(), "00" * 32), game)
    with pytest.raises(VerificationError, match="does not say"):
        fairness.verify(records.write(game), game)


def test_every_record_with_other_shuffles_fails_verification() -> None:
    opened, same, forged = make_commitment(SECRET, {}), 0, 0
    for seed in range(60):
        game = Game.new("bullet", 3, opened.seed + 1, deals=opened.deals(3))
        play_to_end(game, Random(seed))
        if any([game.shuffles(round_) for round_ in range(1, 5)]):
            record = records.write(game) + opened.record_comments()
            try:
                fairness.verify(record, records.read(record))
                same += 1  # With few facedown cards, the result can be equal.
            except VerificationError as error:
                forged += "a village was not shuffled as promised in round" in str(error)
    assert forged > 10 * max(same, 1)


def test_a_secret_of_another_length_is_refused() -> None:
    for secret in (b"x", bytes(31), bytes(33)):
        opened = make_commitment(secret, {})
        game = play_committed_game(opened)
        with pytest.raises(VerificationError, match="bytes, not 32"):
            fairness.verify(records.write(game) + opened.record_comments(), game)


def test_verification_data_contain_no_other_part_of_the_secret() -> None:
    opened = make_commitment(SECRET, {"A": "x"})
    data = opened.verification_data(2, opened.deals(2)[1])
    assert data["part"] == opened.round_secret(2).hex()
    others = [SECRET, *[opened.round_secret(part) for part in (1, 3, 4, 5)]]
    assert not [secret for secret in others if secret.hex() in str(data)]
