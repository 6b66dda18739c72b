"""Deals can be checked: they follow from a secret that was promised, and from what the seats added."""

import asyncio
from collections import Counter
from pathlib import Path
from random import Random
from time import time

import pytest
from click.testing import CliRunner

from argentum import Game, records
from argentum.cli import main
from argentum.records import fairness
from argentum.records.fairness import DealCommitment, VerificationError, make_commitment
from argentum.rooms import lobby
from argentum.rooms.arrangement import new_arrangement
from argentum.rooms.commitments import Commitments, game_commitment
from argentum.rooms.log.sql import SqlJournal
from argentum.rooms.ownership import SingleServer
from argentum.rooms.post_game import record_json
from argentum.rooms.registry import RoomRegistry
from argentum.rooms.room import Room
from argentum.rules.deal import FULL_DECK

SECRET = bytes(range(32))


def played(opened: DealCommitment, boxes: str = "random") -> Game:
    game = Game.new("dagger" if boxes == "random" else boxes, 3, opened.seed, deals=opened.deals(3))
    random = Random(1)
    while not game.over:
        game.step(random.choice(game.legal_moves()))
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
        for one in (make_commitment(SECRET, {"A": "x", "B": "y"}), *others)
        for deal in one.deals(2)
    ]
    assert len(set(orders)) == len(orders)


def test_every_number_is_as_likely_everywhere() -> None:
    tops = Counter([DealCommitment(nth.to_bytes(32, "big")).deals(2)[0].deck[0] for nth in range(5200)])
    for number, due in Counter(FULL_DECK).items():
        assert abs(tops[number] - 100 * due) < 5 * (100 * due) ** 0.5


@pytest.mark.parametrize("boxes", ["dagger", "coin", "bullet", "amulet"])
def test_a_fair_record_is_verified_and_an_unfair_one_is_not(tmp_path: Path, boxes: str) -> None:
    opened = make_commitment(SECRET, {"A": "x", "C": "y"})
    game = played(opened, boxes)
    written = records.write(game) + opened.record_comments()
    assert fairness.verify(written, records.read(written)) == opened
    file = tmp_path / "game.silver"
    file.write_text(written)
    assert "Verified: 4 rounds" in CliRunner().invoke(main, ["verify", str(file)]).output
    other = CliRunner().invoke(main, ["verify", "--commitment", "00", str(file)])
    assert (other.exit_code, "not the one that was promised" in other.output) == (1, True)
    with pytest.raises(VerificationError, match="round 1 was not dealt as promised"):
        fairness.verify(written.replace("value of A: x", "value of A: q"), game)
    with pytest.raises(VerificationError, match="not the one that was promised"):
        fairness.verify(written.replace(SECRET.hex(), "00" * 32), game)
    with pytest.raises(VerificationError, match="does not say"):
        fairness.verify(records.write(game), game)


def test_every_record_with_other_shuffles_fails_verification() -> None:
    opened, same, forged = make_commitment(SECRET, {}), 0, 0
    for seed in range(60):
        game = Game.new("bullet", 3, opened.seed + 1, deals=opened.deals(3))
        game.rollout(Random(seed))
        if any([game.shuffles(round_) for round_ in range(1, 5)]):
            written = records.write(game) + opened.record_comments()
            try:
                fairness.verify(written, records.read(written))
                same += 1  # few cards were facedown, and came out alike
            except VerificationError as error:
                forged += "a village was not shuffled as promised in round" in str(error)
    assert forged > 10 * max(same, 1)


def test_a_secret_of_another_length_is_refused() -> None:
    for secret in (b"x", bytes(31), bytes(33)):
        opened = make_commitment(secret, {})
        game = played(opened)
        with pytest.raises(VerificationError, match="bytes, not 32"):
            fairness.verify(records.write(game) + opened.record_comments(), game)


def test_an_opened_round_reveals_nothing_about_the_next() -> None:
    opened = make_commitment(SECRET, {"A": "x"})
    told = opened.verification_data(2, opened.deals(2)[1])
    assert told["part"] == opened.round_secret(2).hex()
    others = [SECRET, *[opened.round_secret(nth) for nth in (1, 3, 4, 5)]]
    assert not [one for one in others if one.hex() in str(told)]


def test_a_promise_is_good_at_every_server_with_our_secret_once_and_for_a_day(monkeypatch: pytest.MonkeyPatch) -> None:
    used: list[str] = []

    async def use(number: str) -> bool:
        used.append(number)
        return used.count(number) == 1

    one, two, stranger = Commitments("ours", use), Commitments("ours", use), Commitments("theirs", use)
    promise = one.issue()
    commitment, number = promise.split()

    async def take() -> None:
        assert await stranger.redeem(promise) is None
        for wrong in (
            "",
            commitment,
            f"{'0' * 64} {number}",
            f"{commitment} 1{number}",
            f"{commitment} \u00b2-x",
            f"{commitment} -",
        ):
            assert await one.redeem(wrong) is None
        assert used == []
        root = await two.redeem(promise)
        assert root is not None
        assert game_commitment(root, 0) == commitment
        assert [await one.redeem(promise), await two.redeem(promise)] == [None, None]
        later = one.issue()
        monkeypatch.setattr("argentum.rooms.commitments.time", lambda: time() + 26 * 3600)
        assert await one.redeem(later) is None

    asyncio.run(take())


def test_one_server_uses_a_promise_once() -> None:
    async def use() -> list[bool]:
        alone = SingleServer()
        return [await alone.use_commitment(number) for number in ("1-a", "1-a", "1-b")]

    assert asyncio.run(use()) == [True, False, True]


def test_values_are_of_people_who_sit_there_when_the_game_begins(tmp_path: Path) -> None:
    async def play() -> tuple[Room, Room]:
        log = SqlJournal.open(str(tmp_path / "tables.db"))
        hall = RoomRegistry(log)
        room, key = await hall.create(new_arrangement(opponents=3))
        for other in ("one", "two"):
            await room.claim_seat(other, None)
        for seat in "ABC":
            lobby.add_shuffle_value(room, seat, seat.lower())
        await lobby.arrange(room, "A", {"seat": "B", "bot": "random"}, key)
        await lobby.arrange(room, "A", {"seat": "C", "bot": ""}, key)
        await room.claim_seat("three", None, "C")
        await lobby.start(room, "A")
        again = Room.from_entries(room.name, log.entries(room.name), log, hall.timing)
        await hall.close()
        await log.close()
        return room, again

    for room in asyncio.run(play()):
        assert room.play.opening is not None
        assert room.play.opening.values == (("A", "a"),)
        assert room.play.human_seats == "AC"


def test_a_table_promises_deals_and_opens_as_promised(tmp_path: Path) -> None:
    async def play() -> tuple[str, str]:
        log = SqlJournal.open(str(tmp_path / "tables.db"))
        hall = RoomRegistry(log)
        room, _ = await hall.create(new_arrangement(opponents=1, bot="random"))
        promised = room.arrangement, room.play.commitment(True)
        lobby.add_shuffle_value(room, "A", "mine")
        await lobby.start(room, "A")
        assert room.play.commitment(False) == promised[1]
        assert '"commitment":"' + promised[1] in room.update_fields().replace('": "', '":"')
        room = Room.from_entries(room.name, log.entries(room.name), log, hall.timing)  # in the middle of it
        assert room.game is not None
        assert room.play.commitment(False) == promised[1]
        assert room.play.commitment(True) != promised[1]
        random = Random(3)
        while not room.game.over:
            room.game.step(random.choice(room.game.legal_moves()))
        text = _record_text(room)
        await hall.close()
        await log.close()
        return promised[1], text

    promised, text = asyncio.run(play())
    opened = fairness.verify(text, records.read(text), promised)
    assert opened.values == (("A", "mine"),)


def _record_text(room: Room) -> str:
    import json

    return str(json.loads(record_json(room, "A"))["text"])
