"""Inputs and outputs of actor and critic."""

from random import Random

import numpy as np
import pytest
import torch

from argentum import Game
from argentum.bots.network.files import split_observation
from argentum.envs import spaces
from argentum.envs.batch.batch import Batch
from argentum.learn.models import (
    CRITIC_DECK_CARDS,
    LOCATION_TRUE_DECK,
    Actor,
    Critic,
    ModelInput,
    belief_targets,
    mask_logits,
    parameter_count,
    reveal_tokens,
    select_cards,
    token_column,
)
from argentum.observations import layout
from argentum.observations.actions import ACTION_COUNT, ACTION_OF_MOVE, CARDLESS_ACTIONS
from argentum.rules.boxes import BOX_NAMES
from argentum.rules.notation import SEAT_LETTERS
from argentum.rules.residents import CARDS_IN_DECK, RESIDENTS_PER_BOX
from tests.random_games import random_move

DECKS = [*BOX_NAMES, "abcdabcdabcdab"]


def random_positions(boxes: str, players: int, count: int = 24) -> tuple[list[Game], torch.Tensor]:
    """Return positions of a random game, and the observations of the seats to move."""
    random = Random(f"{boxes} {players}")
    game = Game.new(boxes, players, seed=players)
    games = []
    while not game.over:
        if random.random() < 0.15:
            games.append(game.copy())
        game.play(random_move(game, random))
    games = games[:count]
    return games, torch.from_numpy(
        np.stack([spaces.game_observation_row(position, SEAT_LETTERS.index(position.to_move)) for position in games])
    )


def observations_with_hidden_states(games: int, players: int) -> tuple[torch.Tensor, torch.Tensor]:
    """Return observations of games after 60 random moves, and their hidden states."""
    random = np.random.default_rng(1)
    with Batch(games, boxes="random", players=players, with_hidden_state=True) as batch:
        step = batch.reset(1)
        for _ in range(60):
            step = batch.step(batch.sample(random))
        return torch.from_numpy(step.observations.copy()), torch.from_numpy(batch.hidden_states.copy())


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("boxes", DECKS)
def test_every_legal_action_has_its_own_logit(boxes: str, players: int) -> None:
    games, rows = random_positions(boxes, players)
    actor = Actor(16, 1, 2)
    inputs = select_cards(rows, CARDS_IN_DECK)
    action_indexes = actor.output_actions(inputs.tokens)
    output = actor(inputs.table, inputs.tokens)
    assert output.logits.shape == (len(games), ACTION_COUNT)
    assert output.logits.isfinite().all()
    for game, card_actions in zip(games, action_indexes, strict=True):
        seat = SEAT_LETTERS.index(game.to_move)
        for move in [*game.legal()]:
            action = ACTION_OF_MOVE[players][seat][move]
            card_count = (card_actions == action).sum()
            assert card_count == 1 if action >= CARDLESS_ACTIONS else card_count <= 1


def test_an_action_on_a_card_takes_its_logit_from_the_cards_token() -> None:
    game = Game.at({"boxes": "dagger", "deck": "6 7", "discard": "8", "villages": {"A": "3^ 5", "B": "12 1^"}})
    inputs = select_cards(torch.from_numpy(spaces.game_observation_row(game, 0)[None]), CARDS_IN_DECK)
    actor = Actor(16, 1, 2)
    action_indexes = actor.output_actions(inputs.tokens)[0]
    where, place = token_column(inputs.tokens, "where")[0], token_column(inputs.tokens, "place")[0]
    for action, spot in ((ACTION_OF_MOVE[2][0][move], move.spot) for move in game.legal("A") if len(move.spot) > 1):
        (token,) = (action_indexes == action).any(1).nonzero()[0].tolist()
        assert (int(where[token]), int(place[token])) == ("AB".index(spot[0]) + 1, int(spot[1:]))


def test_illegal_actions_have_probability_zero() -> None:
    _, rows = random_positions("coin", 2)
    masks = torch.zeros((len(rows), ACTION_COUNT), dtype=torch.bool)
    masks[:, 5] = True
    inputs = select_cards(rows, 23)
    probabilities = mask_logits(Actor(16, 1, 2)(inputs.table, inputs.tokens).logits, masks).softmax(1)
    assert (probabilities[:, 5] == 1).all()
    assert probabilities.sum() == len(rows)


@pytest.mark.parametrize("players", [2, 4])
def test_numpy_network_reads_the_same_cards_as_pytorch(players: int) -> None:
    _, rows = random_positions("amulet", players)
    table, cards = split_observation(rows.numpy())
    inputs = select_cards(rows, cards.shape[1])
    assert (inputs.table.numpy() == table).all()
    assert (inputs.tokens.numpy() == cards).all()


def test_padding_does_not_change_logits() -> None:
    _, rows = random_positions("bullet", 2)
    actor = Actor(32, 2, 2)
    few_slots, many_slots = select_cards(rows, 40), select_cards(rows, CARDS_IN_DECK)
    assert torch.allclose(actor(*few_slots[:2]).logits, actor(*many_slots[:2]).logits, atol=1e-5)


def test_privileged_critic_sees_all_cards_and_the_deck() -> None:
    rows, hidden_states = observations_with_hidden_states(6, 3)
    inputs = select_cards(rows, 31)
    tokens = reveal_tokens(inputs, hidden_states)
    is_present = inputs.token_indexes >= 0
    assert (token_column(tokens, "resident")[:, :31][is_present] > 0).all()
    assert (token_column(tokens, "resident")[:, :31][~is_present] == 0).all()
    deck = tokens[:, 31:]
    assert (token_column(deck, "resident")[:, :CRITIC_DECK_CARDS] == hidden_states[:, 1, :CRITIC_DECK_CARDS]).all()
    assert not deck[:, CRITIC_DECK_CARDS:].any()
    assert set(token_column(deck, "where").flatten().tolist()) <= {0, LOCATION_TRUE_DECK}
    known = token_column(inputs.tokens, "resident") > 0
    assert (token_column(tokens, "number")[:, :31][known] == token_column(inputs.tokens, "number")[known]).all()
    values = Critic(16, 1, 2, privileged=True)(inputs, hidden_states)
    assert values.shape == (6,)
    blind = Critic(16, 1, 2, privileged=False)
    assert torch.equal(blind(inputs, hidden_states), blind(inputs, torch.zeros_like(hidden_states)))


def test_belief_targets_are_hidden_cards_only() -> None:
    rows, hidden_states = observations_with_hidden_states(6, 2)
    inputs = select_cards(rows, 23)
    numbers = belief_targets(inputs, hidden_states)
    hidden = (token_column(inputs.tokens, "resident") == 0) & (inputs.token_indexes >= 0)
    assert ((numbers >= 0) == hidden).all()
    assert numbers.max() < RESIDENTS_PER_BOX
    first = int(hidden[0].nonzero()[0])
    assert numbers[0, first] == (int(hidden_states[0, 0, inputs.token_indexes[0, first]]) - 1) % RESIDENTS_PER_BOX


def test_actor_input_does_not_depend_on_hidden_cards() -> None:
    game = Game.new("dagger", 2, seed=3)
    inputs = [
        select_cards(torch.from_numpy(spaces.game_observation_row(position, 0)[None]), 23)
        for position in (game, game.redeal("A", Random(1)))
    ]
    assert all(torch.equal(first, second) for first, second in zip(*inputs, strict=True))


def test_network_has_fewer_than_3_million_parameters() -> None:
    assert parameter_count(Actor(192, 4, 4)) < 3_000_000


def test_earlier_picks_change_the_card_logits() -> None:
    """Compare the logits for the second pick of a Troublemaker after two different first picks."""
    game = Game.at({"boxes": "bullet", "deck": "11 6 7", "discard": "8", "villages": {"A": "3 5 7", "B": "9 4"}})
    actor = Actor(32, 2, 2)
    logits = []
    for first in ("A1", "A3"):
        position = game.copy()
        for move in ("draw", "use", first):
            position.play(move)
        inputs: ModelInput = select_cards(torch.from_numpy(spaces.game_observation_row(position, 0)[None]), 23)
        logits.append(actor.card_action_head(actor.encoder(inputs.table, inputs.tokens)[:, 1:]))
    assert not torch.allclose(logits[0], logits[1], atol=1e-4)
    assert len(spaces.game_observation_row(game, 0)) == layout.OBSERVATION_SIZE
