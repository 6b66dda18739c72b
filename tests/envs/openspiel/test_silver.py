"""`python_silver`: OpenSpiel's own checks, resampling, observers, rewards and chance."""

import random
from collections import Counter
from typing import Any

import numpy as np
import pyspiel
import pytest
from open_spiel.integration_tests import api_test
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.algorithms.mcts import RandomRolloutEvaluator
from open_spiel.python.algorithms.outcome_sampling_mccfr import OutcomeSamplingSolver
from open_spiel.python.observation import INFO_STATE_OBS_TYPE, make_observation
from open_spiel.python.rl_environment import ChanceEventSampler, Environment
from open_spiel.python.tests import games_sim_test

import argentum.envs.openspiel.silver  # noqa: F401  # registers the game
from argentum.observations.actions import action_of_move
from argentum.observations.float_layout import part_shapes
from argentum.rules.deal import FULL_DECK
from argentum.rules.errors import IllegalMove

GAMES = (
    "python_silver(rounds=1)",
    "python_silver(players=3,boxes=coin,rounds=2)",
    "python_silver(players=4,boxes=bullet,rounds=1)",
    "python_silver(players=3,boxes=amulet,rounds=1)",
    "python_silver(players=2,boxes=abcdabcdabcdab,rounds=1)",
    "python_silver(players=2,boxes=random,rounds=1)",
    "python_silver(players=3,boxes=dagger/random/coin,rounds=1)",
)
PARTIAL_TREE_TESTS = [name for name in dir(api_test.EnforceAPIOnPartialTreeBase) if name.startswith("test_")]


def play_randomly(state: Any, generator: random.Random, steps: int = 10_000) -> list[Any]:
    """Continue with at most `steps` random actions; return a clone of each state, then the final state."""
    states: list[Any] = []
    while not state.is_terminal() and len(states) < steps:
        states.append(state.clone())
        outcomes = (
            state.chance_outcomes() if state.is_chance_node() else [(action, 1) for action in state.legal_actions()]
        )
        actions, weights = zip(*outcomes, strict=True)
        state.apply_action(generator.choices(actions, weights)[0])
    return [*states, state]


def decision_states(game: str, seed: int, every: int = 1) -> list[Any]:
    """Play a random game; return every `every`-th of the states in which a seat is to move."""
    states = play_randomly(pyspiel.load_game(game).new_initial_state(), random.Random(seed))
    return [state for state in states if state.is_player_node()][::every]


def deal_numbers(state: Any, numbers: list[int]) -> None:
    """Apply these chance outcomes, then the first possible ones, until a seat is to move."""
    while state.is_chance_node():
        state.apply_action(numbers.pop(0) if numbers else state.legal_actions()[0])


def play_moves(state: Any, *moves: str) -> None:
    for move in moves:
        player = state.current_player()
        state.apply_action_with_legality_check(state.string_to_action(player, move))


@pytest.mark.parametrize("name", GAMES)
def test_the_game_passes_openspiels_random_simulation(name: str) -> None:
    pyspiel.random_sim_test(pyspiel.load_game(name), num_sims=1, serialize=True, verbose=False)


@pytest.mark.parametrize("name", ["python_silver", *GAMES])
def test_the_game_passes_openspiels_game_simulation(name: str) -> None:
    np.random.seed(1)  # the test has no generator of its own
    games_sim_test.GamesSimTest().sim_game(pyspiel.load_game(name))


@pytest.fixture(scope="module", params=[False, True], ids=["sampled", "played"])
def partial_tree(request: pytest.FixtureRequest) -> Any:
    """Return OpenSpiel's test case for partial trees, with its own sample of states or with those of a random game."""
    case: Any = type("Silver", (api_test.EnforceAPIOnPartialTreeBase,), {})
    case.game, case.game_name = pyspiel.load_game(GAMES[0]), "python_silver"
    random.seed(3)
    case.setUpClass()
    if request.param:
        case.some_states = play_randomly(case.game.new_initial_state(), random.Random(4))
    return case


@pytest.mark.parametrize("test", PARTIAL_TREE_TESTS)
def test_the_game_passes_openspiels_partial_tree_tests(partial_tree: Any, test: str) -> None:
    getattr(partial_tree(test), test)()


@pytest.mark.parametrize("name", GAMES)
def test_a_resampled_state_has_the_same_information_state(name: str) -> None:
    """Repeat `ResampleInfostateTest` of OpenSpiel's basic_tests.cc, which cannot be called from Python."""
    sampler = pyspiel.UniformProbabilitySampler(7, 0.0, 1.0)
    differ = 0
    for state in decision_states(name, seed=5, every=9):
        for player in range(state.num_players()):
            other = state.resample_from_infostate(player, sampler)
            assert other.information_state_string(player) == state.information_state_string(player)
            assert other.information_state_tensor(player) == state.information_state_tensor(player)
            assert other.observation_tensor(player) == state.observation_tensor(player)
            assert other.current_player() == state.current_player()
            assert other.history() == state.history()
            differ += str(other) != str(state)
    assert differ > 10


def test_a_resampled_state_can_be_serialized_and_played() -> None:
    sampler = pyspiel.UniformProbabilitySampler(3, 0.0, 1.0)
    for state in decision_states("python_silver(players=3,boxes=bullet,rounds=2)", seed=8, every=60):
        other = state.resample_from_infostate(state.current_player(), sampler)
        _, restored = pyspiel.deserialize_game_and_state(pyspiel.serialize_game_and_state(other.get_game(), other))
        assert str(restored) == str(other) == str(other.clone())
        assert Counter(restored.progress.game.position().table.faces) == Counter(FULL_DECK)
        end = play_randomly(other, random.Random(1))[-1]
        assert end.is_terminal()
        assert abs(sum(end.returns())) < 1e-6


def test_openspiels_ismcts_bot_plays() -> None:
    game = pyspiel.load_game("python_silver(rounds=1)")
    state = game.new_initial_state()
    bot = ISMCTSBot(
        game, RandomRolloutEvaluator(1, np.random.RandomState(1)), 50.0, 12, random_state=np.random.RandomState(2)
    )
    generator = random.Random(6)
    for _ in range(8):
        while state.is_chance_node():
            state.apply_action(generator.choice(state.legal_actions()))
        state.apply_action_with_legality_check(int(bot.step(state)))
    assert len(state.history()) > 40


def test_openspiels_outcome_sampling_runs() -> None:
    np.random.seed(1)  # the solver has no generator of its own
    solver = OutcomeSamplingSolver(pyspiel.load_game("python_silver(rounds=1)"))
    solver.iteration()
    assert len(solver._infostates) > 10


def test_rewards_in_openspiels_rl_environment_sum_to_the_returns() -> None:
    environment = Environment("python_silver(players=2,rounds=2)", chance_event_sampler=ChanceEventSampler(seed=3))
    generator = random.Random(5)
    step = environment.reset()
    rewards = np.zeros(2)
    while not step.last():
        step = environment.step([generator.choice(step.observations["legal_actions"][step.current_player()])])
        rewards += step.rewards
    assert rewards.tolist() == environment.get_state.returns()
    assert rewards.any()


@pytest.mark.parametrize("name", GAMES)
def test_information_state_strings_only_grow(name: str) -> None:
    last_lines: dict[int, list[str]] = {}
    for state in decision_states(name, seed=11):
        player = state.current_player()
        lines = state.progress.history(player).lines.splitlines()
        before = last_lines.get(player, [])
        assert lines[: len(before)] == before
        assert "\n".join(lines) in state.information_state_string()
        last_lines[player] = lines
    assert all(any(line.startswith("> ") for line in lines) for lines in last_lines.values())


def test_observation_strings_hide_cards_that_the_seat_has_not_seen() -> None:
    state = pyspiel.load_game("python_silver(rounds=1)").new_initial_state()
    deal_numbers(state, [0, 6])  # A starts; a 6 on the discard pile
    play_moves(state, "peek A1", "and A2")
    deal_numbers(state, [12, 3])
    assert "looked A spot=A1 number=12\n" in state.information_state_string(0)
    assert "looked A spot=A1\n" in state.information_state_string(1)
    assert "12" not in state.information_state_string(1)
    assert state.progress.game.view("B").villages["A"][0].number is None


def test_tensor_parts_are_those_of_the_environments() -> None:
    game = pyspiel.load_game(GAMES[1])
    observation, recall = make_observation(game), make_observation(game, INFO_STATE_OBS_TYPE)
    assert {name: part.shape for name, part in observation.dict.items()} == part_shapes()
    assert [*recall.dict] == [*observation.dict, "player", "told", "recall"]
    for state in decision_states(GAMES[1], seed=2, every=40):
        for player in range(3):
            observation.set_from(state, player)
            recall.set_from(state, player)
            assert observation.tensor.tolist() == state.observation_tensor(player)
            assert recall.tensor.tolist() == state.information_state_tensor(player)
            assert recall.dict["player"].tolist() == [seat == player for seat in range(3)]
            assert recall.dict["to_move"][0, 1] == (state.current_player() == player)
            assert (recall.dict["told"][-1] != 0).any()


def test_different_information_states_have_different_tensors() -> None:
    states = decision_states("python_silver(rounds=2)", seed=4)
    strings = {state.information_state_string(0) for state in states}
    assert len({tuple(state.information_state_tensor(0)) for state in states}) == len(strings) > 100


def test_each_round_is_rewarded_once() -> None:
    states = play_randomly(pyspiel.load_game("python_silver(players=3)").new_initial_state(), random.Random(9))
    end = states[-1]
    totals = end.progress.game.totals.values()
    mean = sum(totals) / 3
    assert end.returns() == pytest.approx([1.5 * (mean - own) for own in totals])
    round_rewards = [state.rewards() for state in states if not state.is_chance_node() and any(state.rewards())]
    assert len(round_rewards) == 4
    assert [sum(rewards) for rewards in zip(*round_rewards, strict=True)] == pytest.approx(end.returns())


def test_chance_deals_every_card_once() -> None:
    state = pyspiel.load_game("python_silver(players=4,rounds=1)").new_initial_state()
    states = play_randomly(state, random.Random(2), 100)
    for chance_state in states[:8:2]:
        assert sum(probability for _, probability in chance_state.chance_outcomes()) == pytest.approx(1)
    all_dealt = next(state for state in states if state.is_player_node() and not state.progress.undealt)
    assert Counter(all_dealt.progress.game.position().table.faces) == Counter(FULL_DECK)
    dealt = [step.action for step in all_dealt.full_history() if step.player == pyspiel.PlayerId.CHANCE]
    assert Counter(dealt[1:]) == Counter(FULL_DECK)  # with four seats, every card is dealt


def test_chance_deals_the_village_that_a_thing_shuffles() -> None:
    state = pyspiel.load_game("python_silver(boxes=bullet,rounds=1)").new_initial_state()
    deal_numbers(state, [0, 6])
    play_moves(state, "peek A1", "and A2")
    deal_numbers(state, [1, 2])
    play_moves(state, "peek B1", "and B2")
    deal_numbers(state, [9, 10, 3, 4, 5, 11, 12, 12, 8])  # the rest of A's and B's villages, and the top of the deck
    play_moves(state, "draw", "use", "A")
    assert state.is_chance_node()
    assert dict(state.chance_outcomes()) == dict.fromkeys([1, 2, 3, 4, 5], 0.2)
    deal_numbers(state, [5, 1, 4, 2, 3])
    table = state.progress.game.position().table
    assert [table.faces[card] for card in table.villages[0]] == [5, 1, 4, 2, 3]
    assert state.current_player() == 1
    assert "shuffled A village=A" in state.information_state_string(0)


def test_actions_are_those_of_the_environments() -> None:
    for state in decision_states(GAMES[1], seed=3, every=25):
        player = state.current_player()
        seat = "ABC"[player]
        texts = [state.action_to_string(player, action) for action in state.legal_actions()]
        assert sorted(texts) == sorted(str(move) for move in state.progress.game.legal(seat))
        assert [action_of_move(seat, 3, text) for text in texts] == state.legal_actions()
        assert [action for action, legal in enumerate(state.legal_actions_mask()) if legal] == state.legal_actions()


def test_refused_operations_change_nothing() -> None:
    state = pyspiel.load_game("python_silver").new_initial_state()
    with pytest.raises(ValueError, match="chance is to deal"):
        state.resample_from_infostate(0, pyspiel.UniformProbabilitySampler(0.0, 1.0))
    deal_numbers(state, [0, 6])
    before = str(state), state.information_state_string(0), state.history()
    with pytest.raises(IllegalMove, match="'draw' is not legal now; seat A may play: peek A1"):
        state.apply_action(action_of_move("A", 2, "draw"))
    assert (str(state), state.information_state_string(0), state.history()) == before


def test_chance_decides_between_several_decks() -> None:
    state = pyspiel.load_game("python_silver(boxes=coin/random,rounds=1)").new_initial_state()
    assert state.chance_outcomes() == [(0, 0.5), (1, 0.5)]
    assert [state.action_to_string(action) for action in (0, 1)] == ["deck coin", "deck random"]
    state.apply_action(1)
    for number in range(14):
        assert state.action_to_string(3) == f"number {number} from dagger"
        state.apply_action(number % 4)
    assert str(state.clone()) == "dealt: \nboxes: abcdabcdabcdab"
    assert state.action_to_string(0) == "A starts"
    deal_numbers(state, [])
    assert "boxes: abcdabcdabcdab" in str(state)


@pytest.mark.parametrize(
    ("parameter", "message"),
    [
        ("players=5", "two to four"),
        ("rounds=5", "one to four"),
        ("boxes=gold", "gold"),
        ("boxes=coin/gold", "'gold' names no deck"),
    ],
)
def test_invalid_parameters_are_refused_with_a_reason(parameter: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        pyspiel.load_game(f"python_silver({parameter})")


@pytest.mark.parametrize("name", GAMES)
def test_tensor_values_are_from_minus_1_to_1(name: str) -> None:
    """With unscaled numbers, OpenSpiel's DQN and NFSP diverge."""
    for state in [
        *decision_states(name, seed=6, every=20),
        play_randomly(decision_states(name, seed=6)[0], random.Random(1))[-1],
    ]:
        for player in range(state.num_players()):
            for tensor in (state.observation_tensor(player), state.information_state_tensor(player)):
                assert -1 <= min(tensor) <= max(tensor) <= 1
