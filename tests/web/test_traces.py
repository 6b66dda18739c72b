"""What others did to cards, since the reader's last turn."""

from argentum.display.seat_memory import traces_of
from argentum.rules.events import Event

NAMES = ["Ann", "Bo", "Bess"]
DEALT = [Event("dealt", "", round=1), Event("turn", "A")]


def marks(*events: Event, me: str = "A") -> dict[str, tuple[str, str]]:
    """Which marks are where."""
    found = traces_of([*DEALT, *events], NAMES, "ABC", me)
    return {spot: (trace.sign, trace.initial) for spot, trace in found.items()}


def test_a_look_and_a_switch_leave_a_mark_with_the_name_of_who_did_it() -> None:
    told = [Event("turn", "B"), Event("looked", "B", "A2"), Event("turn", "C"), Event("switched", "C", "C1", to="A3")]
    assert marks(*told) == {"A2": ("eye", "Bo"), "C1": ("switch", "Be"), "A3": ("switch", "Be")}
    assert traces_of([*DEALT, *told], NAMES, "ABC", "A")["A2"].words == "Bo looked at it"


def test_what_i_do_leaves_none_and_those_of_others_stay_until_my_turn_is_over() -> None:
    told = [Event("turn", "B"), Event("looked", "B", "A2"), Event("turn", "A"), Event("looked", "A", "A1")]
    assert marks(*told) == {"A2": ("eye", "Bo")}
    assert marks(*told, Event("turn", "B")) == {}


def test_a_mark_goes_with_its_card() -> None:
    look = [Event("turn", "B"), Event("looked", "B", "A2"), Event("looked", "B", "C1")]
    one = [Event("turn", "C"), Event("drew", "C"), Event("left", "C", "C1", goes="discard"), Event("placed", "C", "C1")]
    assert marks(*look, *one) == {"A2": ("eye", "Bo"), "C1": ("drawn", "Be")}, "another card lies there now"
    mixed = Event("shuffled", "C", village="A")
    assert marks(*look, mixed) == {"C1": ("eye", "Bo")}, "nobody knows any more which of A's cards it was"


def test_what_was_turned_over_is_marked_too() -> None:
    told = [Event("turn", "B"), Event("turned up", "B", "A2"), Event("turned down", "B", "C1")]
    assert marks(*told) == {"A2": ("again", "Bo"), "C1": ("again", "Bo")}


def test_a_new_round_has_no_marks() -> None:
    assert marks(Event("turn", "B"), Event("looked", "B", "A2"), Event("dealt", "", round=2), Event("turn", "A")) == {}
