from argentum.display.results import RoundScoring
from argentum.terminal.state import UpdateReader
from argentum.terminal.watching.recordings import LiveGame
from tests.support.terminal_tables import has_drawn_card, updates_until


def test_a_live_game_keeps_a_state_per_log_and_per_scoring() -> None:
    state, _ = UpdateReader().read(updates_until(has_drawn_card)[-1])
    assert state.view is not None
    live_game, scoring = LiveGame(), RoundScoring(state.view, ())
    for _ in range(2):
        live_game.add(state, None)
    assert len(live_game) == 1
    live_game.add(state, scoring)
    assert [live_game.round_scoring(index) for index in range(len(live_game))] == [None, scoring]
