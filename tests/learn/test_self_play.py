"""Self-play games in worker processes: their blocks, and saving and restoring them."""

import numpy as np

from argentum.learn import config as cf
from argentum.learn.self_play import (
    OPPONENT_LEAGUE,
    OPPONENT_SELF,
    SelfPlayGames,
    make_blocks,
    split_by_weight,
)

TINY = cf.config_from_dict(
    {
        "processes": 1,
        "games": {
            "per_half": 8,
            "players": {"2": 1, "3": 1},
            "decks": {"dagger": 1, "random": 1},
            "bots": {"quick": 0.25},
        },
    }
)


def test_blocks_cover_all_rows() -> None:
    assert split_by_weight(10, {"a": 1, "b": 1, "c": 1}) == {"a": 3, "b": 4, "c": 3}
    blocks = make_blocks(TINY.games, 0.25)
    assert blocks[0].first == 0
    assert [block.end for block in blocks[:-1]] == [block.first for block in blocks[1:]]
    assert blocks[-1].end == TINY.games.per_half
    assert {block.opponent for block in blocks} == {OPPONENT_LEAGUE, OPPONENT_SELF, "quick"}


def play_random_actions(games: SelfPlayGames, steps: int, seed: int) -> list[bytes]:
    """Play random actions; return the contents of the arrays after each step."""
    random = np.random.default_rng(seed)
    states = []
    for _ in range(steps):
        for batch in games.halves:
            batch.send(batch.sample(random))
            step = batch.wait()
            states.append(step.observations.tobytes() + batch.hidden_states.tobytes() + batch.round_ends.tobytes())
    return states


def test_saved_games_continue_the_same_with_more_workers() -> None:
    with SelfPlayGames(TINY, 0.25) as games:
        games.start()
        play_random_actions(games, 40, 1)
        saved = games.save()
        expected = play_random_actions(games, 40, 2)
        assert games.halves[0].observations.tobytes() != games.halves[1].observations.tobytes()
    with SelfPlayGames(cf.config_from_dict(cf.config_to_dict(TINY) | {"processes": 2}), 0.25) as other:
        other.start(saved)
        assert play_random_actions(other, 40, 2) == expected
