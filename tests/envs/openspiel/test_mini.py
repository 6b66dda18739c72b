"""`python_silver_mini`: OpenSpiel's checks of the full game tree, and exact methods."""

import pickle
from array import array
from hashlib import blake2b
from typing import Any

import pyspiel
import pytest
from open_spiel.integration_tests import api_test
from open_spiel.python import policy
from open_spiel.python.algorithms import cfr, exploitability
from open_spiel.python.tests import games_sim_test

from argentum.envs.openspiel.mini import MINI_BOUNDS

# By turns and cards: the numbers of chance, decision and terminal nodes, and of information states.
TREES = {(2, 1): ((127, 761, 1235), 387), (3, 1): ((1257, 6004, 9667), 4007), (1, 2): ((28, 401, 642), 173)}
FULL_TREE_TESTS = [name for name in dir(api_test.EnforceAPIOnFullTreeBase) if name.startswith("test_")]


@pytest.fixture(scope="module")
def short_game() -> Any:
    return pyspiel.load_game("python_silver_mini(turns=2)")


@pytest.fixture(scope="module")
def full_tree(short_game: Any) -> Any:
    """Return OpenSpiel's test case for full game trees, with the expected numbers of states in its tables."""
    case: Any = type("Mini", (api_test.EnforceAPIOnFullTreeBase,), {})
    case.game, case.game_name = short_game, "mini"
    api_test.TOTAL_NUM_STATES["mini"], api_test.PERFECT_RECALL_NUM_STATES["mini"] = TREES[2, 1]
    case.setUpClass()
    return case


@pytest.mark.parametrize("test", FULL_TREE_TESTS)
def test_the_game_passes_openspiels_full_tree_tests(full_tree: Any, test: str) -> None:
    getattr(full_tree(test), test)()


def test_the_game_passes_openspiels_simulations() -> None:
    game = pyspiel.load_game("python_silver_mini")
    pyspiel.random_sim_test(game, num_sims=20, serialize=True, verbose=False)
    games_sim_test.GamesSimTest().sim_game(game)


def check_subtree(
    state: Any, nodes: list[int], seen: dict[tuple[str, int], tuple[Any, ...]], past: tuple[Any, ...]
) -> None:
    """Count nodes by kind; check that each information state determines its past, legal actions and tensor."""
    nodes[0 if state.is_chance_node() else 2 if state.is_terminal() else 1] += 1
    if state.is_player_node():
        player = state.current_player()
        key = (state.information_state_string(), player)
        own = tuple([step for step in past if step[0][1] == player])
        tensor = blake2b(array("f", state.information_state_tensor()))  # a digest, to save memory
        known = (own, tuple(state.legal_actions()), tensor.digest())
        assert seen.setdefault(key, known) == known
    for action in state.legal_actions():
        next_past = (*past, (key, action)) if state.is_player_node() else past
        check_subtree(state.child(action), nodes, seen, next_past)


@pytest.mark.long
@pytest.mark.parametrize(("turns", "cards"), TREES)
def test_information_states_have_perfect_recall(turns: int, cards: int) -> None:
    nodes = [0, 0, 0]
    seen: dict[tuple[str, int], tuple[Any, ...]] = {}
    check_subtree(
        pyspiel.load_game(f"python_silver_mini(turns={turns},cards={cards})").new_initial_state(), nodes, seen, ()
    )
    assert (tuple(nodes), len(seen)) == TREES[turns, cards]
    assert len({known[2] for known in seen.values()}) == len(seen)  # No history was truncated.


def test_abilities_follow_the_rules() -> None:
    state = pyspiel.load_game("python_silver_mini").new_initial_state()
    for step in ("deal 12", "deal 1", "draw", "deal 12", "use", "card own 1"):  # a Master Thief gives away a 12 (D12)
        state.apply_action_with_legality_check(state.string_to_action(step))
    assert state.progress.game.view("A").villages["B"][0].number == 12
    assert state.progress.game.view("B").villages["B"][0].number is None
    for step in ("draw", "deal 9", "discard", "call"):
        state.apply_action_with_legality_check(state.string_to_action(step))
    assert state.is_terminal()  # the cap on turns ends the round after A's second turn
    assert state.returns() == [12, -12]


def test_states_can_be_pickled(short_game: Any) -> None:
    state = short_game.new_initial_state()
    while not state.is_terminal():
        assert pickle.loads(pickle.dumps(state)).information_state_string(0) == state.information_state_string(0)
        state.apply_action(state.legal_actions()[-1])


def test_dropped_children_are_created_again(short_game: Any) -> None:
    state = short_game.new_initial_state()
    actions = state.legal_actions()
    children = [state.child(action) for action in actions]
    state.progress.drop_children()
    new_children = [state.child(action) for action in actions]
    assert [str(child) for child in children] == [str(child) for child in new_children]
    assert all(old.progress is not new.progress for old, new in zip(children, new_children, strict=True))


@pytest.mark.parametrize("solver", [cfr.CFRSolver, cfr.CFRPlusSolver])
def test_cfr_reduces_exploitability(short_game: Any, solver: Any) -> None:
    uniform = exploitability.exploitability(short_game, policy.UniformRandomPolicy(short_game))
    assert uniform == pytest.approx(6.753395)
    solution = solver(short_game)
    for _ in range(12):
        solution.evaluate_and_update_policy()
    assert exploitability.exploitability(short_game, solution.average_policy()) < uniform / 6


def test_with_two_cards_a_failed_exchange_draws_a_penalty_card_by_chance() -> None:
    state = pyspiel.load_game("python_silver_mini(cards=2)").new_initial_state()
    assert dict(state.chance_outcomes())[state.string_to_action("deal 1 9")] == pytest.approx(4 / 15)
    start = "deal 1 9, deal 1 12, take, exchange own 1, and own 2, at left, draw, deal 9, discard"
    for step in f"{start}, take, exchange own 1, and own 2, and own 3, at left, at right".split(", "):
        state.apply_action_with_legality_check(state.string_to_action(step))
    assert [state.action_to_string(number) for number, _ in state.chance_outcomes()] == ["deal 12"]
    state.apply_action(12)
    view = state.progress.game.view("A")
    assert len(view.villages["A"]) == 5
    assert view.villages["A"][-1].number == 12  # the cap on turns has ended the round, so that all cards are faceup


@pytest.mark.parametrize("cards", MINI_BOUNDS)
def test_random_games_stay_within_the_bounds(cards: int) -> None:
    game = pyspiel.load_game(f"python_silver_mini(cards={cards},turns={MINI_BOUNDS[cards].turns})")
    pyspiel.random_sim_test(game, num_sims=10, serialize=False, verbose=False)


@pytest.mark.parametrize(("parameter", "message"), [("turns=5", "one to 4 turns"), ("cards=3", "one card, or two")])
def test_parameters_above_the_bounds_are_refused(parameter: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        pyspiel.load_game(f"python_silver_mini({parameter})")
