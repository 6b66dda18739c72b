"""The network: what it reads, which actions its outputs are for, and what a critic sees."""

from random import Random

import numpy as np
import pytest
import torch

from argentum import Game
from argentum.bots.network import files as played
from argentum.envs import spaces
from argentum.envs.batch.batch import Batch
from argentum.learn.models import (
    CRITIC_DECK_CARDS,
    LOCATION_TRUE_DECK,
    Actor,
    Critic,
    ModelInput,
    belief_targets,
    column,
    mask_logits,
    parameter_count,
    reveal_tokens,
    select_cards,
)
from argentum.observations import layout as ob
from argentum.observations.actions import ACTION_COUNT, ACTION_OF_MOVE, CARDLESS_ACTIONS
from argentum.rules.boxes import BOX_NAMES
from argentum.rules.engine import random_move
from argentum.rules.residents import CARDS_IN_DECK, RESIDENTS_PER_BOX

DECKS = [*BOX_NAMES, "abcdabcdabcdab"]


def rows_of(boxes: str, players: int, count: int = 24) -> tuple[list[Game], torch.Tensor]:
    """Positions of a random game, as the seats to choose see them."""
    random = Random(f"{boxes} {players}")
    game = Game.new(boxes, players, seed=players)
    games = []
    while not game.over:
        if random.random() < 0.15:
            games.append(game.copy())
        game.play(random_move(game.legal_moves(), random))
    games = games[:count]
    return games, torch.from_numpy(np.stack([spaces.game_observation_row(one, one.chooser) for one in games]))


def truths(games: int, players: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Observations in the middle of games, and the truth about them."""
    random = np.random.default_rng(1)
    with Batch(games, "random", players, truth=True) as batch:
        step = batch.reset(1)
        for _ in range(60):
            step = batch.step(batch.sample(random))
        return torch.from_numpy(step.observations.copy()), torch.from_numpy(batch.hidden_states.copy())


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("boxes", DECKS)
def test_every_legal_action_has_a_logit_of_its_own(boxes: str, players: int) -> None:
    games, rows = rows_of(boxes, players)
    actor = Actor(16, 1, 2)
    seen = select_cards(rows, CARDS_IN_DECK)
    aims = actor.output_actions(seen.tokens)
    answer = actor(seen.table, seen.tokens)
    assert answer.logits.shape == (len(games), ACTION_COUNT)
    assert answer.logits.isfinite().all()
    for game, aim in zip(games, aims, strict=True):
        seat = game.chooser
        for move in game.legal_moves():
            action = ACTION_OF_MOVE[players][seat][move]
            pointing = (aim == action).sum()
            assert pointing == 1 if action >= CARDLESS_ACTIONS else pointing <= 1


def test_a_move_that_names_a_card_takes_its_logit_from_that_card() -> None:
    game = Game.at({"boxes": "dagger", "deck": "6 7", "discard": "8", "villages": {"A": "3^ 5", "B": "12 1^"}})
    seen = select_cards(torch.from_numpy(spaces.game_observation_row(game, 0)[None]), CARDS_IN_DECK)
    actor = Actor(16, 1, 2)
    aims = actor.output_actions(seen.tokens)[0]
    where, place = column(seen.tokens, "where")[0], column(seen.tokens, "place")[0]
    for action, spot in ((ACTION_OF_MOVE[2][0][move], move.spot) for move in game.legal("A") if len(move.spot) > 1):
        (token,) = (aims == action).any(1).nonzero()[0].tolist()
        assert (int(where[token]), int(place[token])) == ("AB".index(spot[0]) + 1, int(spot[1:]))


def test_what_is_not_legal_is_never_chosen() -> None:
    _, rows = rows_of("coin", 2)
    masks = torch.zeros((len(rows), ACTION_COUNT), dtype=torch.bool)
    masks[:, 5] = True
    seen = select_cards(rows, 23)
    chances = mask_logits(Actor(16, 1, 2)(seen.table, seen.tokens).logits, masks).softmax(1)
    assert (chances[:, 5] == 1).all()
    assert chances.sum() == len(rows)


@pytest.mark.parametrize("players", [2, 4])
def test_play_reads_the_same_cards_as_training(players: int) -> None:
    _, rows = rows_of("amulet", players)
    table, cards = played.split_observation(rows.numpy())
    seen = select_cards(rows, cards.shape[1])
    assert (seen.table.numpy() == table).all()
    assert (seen.tokens.numpy() == cards).all()


def test_cards_that_are_not_there_do_not_matter() -> None:
    _, rows = rows_of("bullet", 2)
    actor = Actor(32, 2, 2)
    few, many = select_cards(rows, 40), select_cards(rows, CARDS_IN_DECK)
    assert torch.allclose(actor(*few[:2]).logits, actor(*many[:2]).logits, atol=1e-5)


def test_a_critic_sees_every_card_and_the_deck() -> None:
    rows, true = truths(6, 3)
    seen = select_cards(rows, 31)
    tokens = reveal_tokens(seen, true)
    there = seen.token_indexes >= 0
    assert (column(tokens, "resident")[:, :31][there] > 0).all()
    assert (column(tokens, "resident")[:, :31][~there] == 0).all()
    deck = tokens[:, 31:]
    assert (column(deck, "resident")[:, :CRITIC_DECK_CARDS] == true[:, 1, :CRITIC_DECK_CARDS]).all()
    assert not deck[:, CRITIC_DECK_CARDS:].any()
    assert set(column(deck, "where").flatten().tolist()) <= {0, LOCATION_TRUE_DECK}
    known = column(seen.tokens, "resident") > 0
    assert (column(tokens, "number")[:, :31][known] == column(seen.tokens, "number")[known]).all()
    told = Critic(16, 1, 2, privileged=True)(seen, true)
    assert told.shape == (6,)
    blind = Critic(16, 1, 2, privileged=False)
    assert torch.equal(blind(seen, true), blind(seen, torch.zeros_like(true)))


def test_beliefs_are_about_hidden_cards_only() -> None:
    rows, true = truths(6, 2)
    seen = select_cards(rows, 23)
    numbers = belief_targets(seen, true)
    hidden = (column(seen.tokens, "resident") == 0) & (seen.token_indexes >= 0)
    assert ((numbers >= 0) == hidden).all()
    assert numbers.max() < RESIDENTS_PER_BOX
    first = int(hidden[0].nonzero()[0])
    assert numbers[0, first] == (int(true[0, 0, seen.token_indexes[0, first]]) - 1) % RESIDENTS_PER_BOX


def test_an_actor_cannot_be_given_the_truth() -> None:
    """Two tables that differ in what the seat cannot know are the same to it."""
    game = Game.new("dagger", 2, seed=3)
    seen = [
        select_cards(torch.from_numpy(spaces.game_observation_row(one, 0)[None]), 23)
        for one in (game, game.redeal("A", Random(1)))
    ]
    assert all(torch.equal(one, other) for one, other in zip(*seen, strict=True))


def test_the_network_is_small() -> None:
    assert parameter_count(Actor(192, 4, 4)) < 3_000_000


def test_what_is_asked_changes_what_is_said() -> None:
    """The first pick of a Troublemaker is known when it picks the second."""
    game = Game.at({"boxes": "bullet", "deck": "11 6 7", "discard": "8", "villages": {"A": "3 5 7", "B": "9 4"}})
    actor = Actor(32, 2, 2)
    told = []
    for first in ("A1", "A3"):
        one = game.copy()
        for move in ("draw", "use", first):
            one.play(move)
        seen: ModelInput = select_cards(torch.from_numpy(spaces.game_observation_row(one, 0)[None]), 23)
        told.append(actor.card_action_head(actor.encoder(seen.table, seen.tokens)[:, 1:]))
    assert not torch.allclose(told[0], told[1], atol=1e-4)
    assert len(spaces.game_observation_row(game, 0)) == ob.OBSERVATION_SIZE
