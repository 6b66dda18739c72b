import pickle
from itertools import accumulate
from random import Random

from argentum import Game
from argentum.rules.boxes import random_deck_code
from argentum.rules.events import EVENT_KINDS, Event
from argentum.words import CardChip, PlayerName, build_log, group_actions
from argentum.words.log.abilities import ABILITY_KINDS, EVENT_CLAUSES
from argentum.words.log.builder import SENTENCE_BY_KIND
from tests.random_games import random_move
from tests.words.positions import game_at, log_lines, play_moves, random_decisions

VILLAGES = {"A": "9 6 1^ 9", "B": "6 0^ 2 5", "C": "2^ 7 3"}


def test_the_log_names_drawn_and_exchanged_cards_only_to_those_who_saw_them() -> None:
    game = game_at(players=3, boxes="dagger", villages=VILLAGES, deck="8 11 3 10 4 7")
    play_moves(game, "draw")
    assert log_lines(game) == ["You drew the Magician 8."]
    assert log_lines(game, "B") == log_lines(game, None) == ["Ann drew a card."]
    play_moves(game, "discard", "end", "draw", "exchange B4", "take", "exchange C2")
    play_moves(game, "draw", "exchange A2", "end", "draw", "use")
    assert log_lines(game) == [
        "You discarded the Magician 8, unused.",
        "Bo exchanged spot 4, discarding an Approximator 5.",
        "Cy took the Approximator 5 for spot 2, discarding an Elusive Seer 7.",
        "You exchanged your spot 2 for the Sentinel 3, discarding a Flipper 6.",
        "Bo used the Renfield 10: one more card in Bo's own deck.",
    ]
    assert log_lines(game, "B")[1] == "You exchanged your spot 4 for the Reverser 11, discarding an Approximator 5."
    assert log_lines(game, "B")[-1] == "You used the Renfield 10: one more card in your own deck, the Zombie 4."
    assert log_lines(game, "B", secret=False)[1] == "You exchanged your spot 4, discarding an Approximator 5."
    assert log_lines(game, "B", secret=False)[-1] == "You used the Renfield 10: one more card in your own deck."


def test_an_entry_marks_players_cards_and_secrets() -> None:
    game = play_moves(game_at(players=3, boxes="dagger", villages=VILLAGES), "ability A3", "B1")
    entry = build_log(game.events("A"), game.events(None), game.view("A"))[0]
    assert entry.parts == (
        PlayerName("A", "You"),
        " looked at Bo's spot 1 with the ",
        CardChip(1, False),
        ": a ",
        CardChip(6, True),
        ".",
    )
    assert (entry.kind, entry.seat) == ("ability", "A")
    assert log_lines(game) == ["You looked at Bo's spot 1 with the Spy 1: a Flipper 6."]
    assert log_lines(game, secret=False) == ["You looked at Bo's spot 1 with the Spy 1."]
    assert log_lines(game, "B") == ["Ann looked at your spot 1 with the Spy 1."]
    assert log_lines(game, "C") == ["Ann looked at Bo's spot 1 with the Spy 1."]


def test_the_log_of_a_call_ends_with_the_reveal_the_scores_and_the_token() -> None:
    game = game_at(players=2, boxes="dagger", villages={"A": "1 2^", "B": "3 4"}, deck="12 7 8")
    play_moves(game, "call", "draw", "discard")
    assert log_lines(game, "B") == [
        "Ann called for a vote: you have one more turn.",
        "You discarded the Master Thief 12, unused.",
        "The round is over: it is the caller's turn again.",
        "Ann revealed spot 1, a Spy 1.",
        "You revealed your spot 1, a Sentinel 3; your spot 2, a Zombie 4.",
        "Ann scored 0 and you 7.",
        "The silver dagger goes to Ann, ready for use.",
    ]
    three = play_moves(game_at(players=3, boxes="dagger", villages=VILLAGES), "call")
    assert log_lines(three) == ["You called for a vote: everyone else has one more turn."]


def test_matching_and_differing_sets_are_logged() -> None:
    game = game_at(players=2, boxes="dagger", villages={"A": "9 6 9", "B": "6 5 8"}, deck="3 10 7 7")
    play_moves(game, "draw", "exchange A1 A3")
    assert log_lines(game, "B") == ["Ann showed spots 1 and 3: a Mystic Seer 9 and a Mystic Seer 9."]
    play_moves(game, "at A3")
    assert log_lines(game) == [
        "You exchanged your spots 1 and 3 for the Sentinel 3, discarding a Mystic Seer 9 and a Mystic Seer 9;"
        " the new card is at your spot 2."
    ]
    play_moves(game, "take", "exchange B1 B2 B3", "at left", "at right")
    assert log_lines(game)[-1] == (
        "Bo took the Mystic Seer 9 for spots 1, 2 and 3, but a Flipper 6, an Approximator 5 and a Magician 8"
        " do not match; the Mystic Seer 9 joined at spot 1; a card of the deck joined at spot 5."
    )


def test_a_zombie_that_is_sent_away_and_one_that_stays_are_logged() -> None:
    villages = {"A": "4^ 6", "B": "4 5"}
    game = game_at(players=2, boxes="dagger", villages=villages, previous="B", deck="8 7 3 2")
    play_moves(game, "ability A1", "at left", "draw", "exchange B2")
    assert log_lines(game, "B") == [
        "Ann used the Zombie 4: it turned facedown; it joined your village, at spot 1.",
        "You tried to exchange your spot 2, but a Zombie 4 did not leave; the Magician 8 was discarded.",
    ]


def test_borrowed_abilities_have_their_own_entries() -> None:
    game = game_at(players=2, boxes="dagger", villages={"A": "1 2", "B": "6 3"}, deck="8 7")
    play_moves(game, "draw", "use", "B1", "use", "B")
    assert log_lines(game, None) == [
        "Ann used the Magician 8: Bo's spot 1 turned faceup, a Flipper 6.",
        "Ann used the Flipper 6 at Bo's spot 1: the Flipper 6 at Bo's spot 1 turned facedown;"
        " Bo's spot 2 turned faceup, a Sentinel 3.",
    ]


def test_a_curator_that_interrupts_a_village_idiot_has_its_own_log_entry() -> None:
    game = game_at(players=2, boxes="coin", villages={"A": "2^ 6 8", "B": "6 5"}, deck="12 7")
    play_moves(game, "draw", "use", "clockwise", "A2", "ability A1", "rotate A3", "B1")
    assert log_lines(game) == [
        "You used the Village Idiot 12.",
        "You used the Curator 2: your spot 3 turned sideways.",
        "The card of your spot 2 moved to Bo's spot 1; the card of Bo's spot 1 moved to your spot 2.",
    ]


def test_a_curator_used_with_a_card_in_hand_is_logged_before_the_exchange() -> None:
    game = game_at(players=2, boxes="coin", villages={"A": "2^ 6~ 8", "B": "6 5"}, deck="12 7")
    play_moves(game, "draw", "ability A1", "discard A2", "exchange A2")
    assert log_lines(game) == [
        "You drew the Village Idiot 12.",
        "You used the Curator 2: the Huntress 6 of your spot 2 was discarded.",
        "You exchanged your spot 2 for the Village Idiot 12, discarding an Assassin 8.",
    ]


def test_the_log_names_only_looked_at_cards_that_the_reader_knows() -> None:
    game = game_at(players=2, boxes="coin", villages={"A": "2 6 8", "B": "6 5"}, deck="9 7", seen={"B": "A2"})
    play_moves(game, "draw", "use", "A1", "A2", "B1")
    looked = "Ann looked at their own spots 1 and 2 and your spot 1 with the Psychic 9"
    assert log_lines(game, "B") == [f"{looked}: Ann's spot 2 is a Huntress 6."]
    assert log_lines(game, "B", secret=False) == [f"{looked}."]


def test_log_keeps_cards_under_the_deck_secret() -> None:
    game = game_at(players=2, boxes="bullet", villages={"A": "3^ 6", "B": "6 5"}, deck="12 7")
    play_moves(game, "draw", "discard")
    assert log_lines(game) == ["You put the Gremlin 12 under the deck, unused."]
    assert log_lines(game, secret=False) == ["You put a card under the deck."]
    assert log_lines(game, "B") == log_lines(game, None) == ["Ann put a card under the deck."]


def test_the_log_of_the_last_actions_is_the_end_of_the_complete_log() -> None:
    for seed in range(6):
        random = Random(seed)
        code = random_deck_code(random)
        game = Game.new(code, random.randint(2, 4), seed)
        for _ in range(250):
            if game.over:
                break
            game.play(random_move(game, random))
        own_events, public_events, view = game.events("A"), game.events(None), game.view("A")
        log_of_all = build_log(own_events, public_events, view)
        starts = accumulate([len(action) for action in group_actions(own_events, public_events)][:-1], initial=0)
        for start in starts:
            tail = build_log(own_events[start:], public_events[start:], view)
            assert log_of_all[len(log_of_all) - len(tail) :] == tail


def last_turn(events: list[Event]) -> list[Event]:
    """Return the events since the start of the turn."""
    starts = [place for place, event in enumerate(events) if event.kind == "turn"]
    return events[starts[-1] :] if starts else events


def test_public_parts_equal_the_log_of_a_spectator() -> None:
    for game in random_decisions(range(300, 312)):
        if game.turns % 3:
            continue
        seat = game.seats[-1]
        view = game.view(seat)
        own_events, public_events = last_turn(game.events(seat)), last_turn(game.events(None))
        entries = build_log(own_events, public_events, view)
        assert [entry.public_parts for entry in entries] == [
            entry.parts for entry in build_log(public_events, public_events, view)
        ]
        for entry in entries:
            text = entry.text(view.residents)
            assert text[0].isupper()
            assert text.endswith(".")
            assert "None" not in text
            secrets = any(isinstance(part, CardChip) and part.secret for part in entry.parts)
            assert secrets == (entry.parts != entry.public_parts)


def test_the_log_says_that_a_card_came_from_a_private_deck() -> None:
    game = game_at(players=2, boxes="dagger", villages={"A": "9 6", "B": "5"}, private={"A": "4 11 12", "B": "7 3"})
    play_moves(game, "draw private", "exchange A1", "draw private", "discard")
    play_moves(game, "draw private", "use", "draw private", "discard")
    assert log_lines(game) == [
        "You exchanged your spot 1 for the Zombie 4, from your own deck, discarding a Mystic Seer 9.",
        "Bo discarded the Elusive Seer 7 from Bo's own deck, unused.",
        "You used the Reverser 11 from your own deck: Bo's turn is skipped.",
        "You discarded the Master Thief 12 from your own deck, unused.",
    ]


def test_a_failed_exchange_of_a_zombie_is_logged() -> None:
    villages = {"A": "4 6", "B": ""}
    game = game_at(players=2, boxes="dagger", villages=villages, deck="4 4 8")
    play_moves(game, "draw", "exchange A1", "at right", "draw")
    assert log_lines(game) == [
        "You tried to exchange your spot 1, but a Zombie 4 did not leave; the Zombie 4 joined at your spot 3.",
        "Bo had to keep the Zombie 4, at spot 1.",
    ]


def test_a_gift_at_the_end_of_a_round_is_logged_with_its_regifter() -> None:
    game = game_at(players=2, boxes="coin", villages={"A": "0^ 6", "B": "5"}, deck="7", discard="9")
    play_moves(game, "draw", "discard", "give A2 B")
    assert "Ann gave the Huntress 6 of spot 2 to you with the Regifter 0." in log_lines(game, "B")
    assert "You gave the Huntress 6 of your spot 2 to Bo with the Regifter 0." in log_lines(game, "A")


def test_a_gift_that_ends_a_guard_is_logged_with_the_guard() -> None:
    villages = {"A": "0^ 3^ 6", "B": "5"}
    game = game_at(players=2, boxes="cccacccccccccc", villages=villages, guards="A2>A3", deck="7", discard="9")
    play_moves(game, "draw", "discard", "end", "give A3 B")
    gift = "Ann gave the Huntress 6 of spot 3 to you with the Regifter 0; Ann's Bodyguard no longer guards a card."
    assert gift in log_lines(game, "B")


def test_events_of_an_action_follow_each_other_and_have_its_number() -> None:
    game = game_at(players=2, boxes="coin", villages={"A": "2^ 6 8", "B": "6 5"}, deck="12 7")
    play_moves(game, "draw", "use", "clockwise", "A2", "ability A1", "rotate A3", "B1")
    kinds = [(event.action, event.kind) for event in game.events("A") if event.kind != "turn"]
    used, interrupted, shifted = sorted({action for action, _ in kinds})
    assert kinds == [
        (used, "drew"),
        (used, "discarded"),
        (used, "used"),
        (interrupted, "ability"),
        (interrupted, "rotated"),
        (shifted, "shifted"),
        (shifted, "shifted"),
    ]


def test_action_numbers_increase_through_a_game_and_are_the_same_for_all_viewers() -> None:
    for game in (list(random_decisions(range(seed, seed + 1)))[-1] for seed in range(40, 44)):
        actions = [event.action for event in game.events("A")]
        assert actions == sorted(actions)
        assert actions == [event.action for event in game.events(None)]
        assert [event.action for event in pickle.loads(pickle.dumps(game)).events("A")] == actions


def test_effects_of_cow_count_and_thing_are_logged() -> None:
    game = game_at(players=2, boxes="bbbbdbbbbbbbbb", villages={"A": "6 6", "B": "5 5 5"}, deck="5 8 10 1 4")
    play_moves(game, "draw", "use")
    assert log_lines(game, "B")[0] == "Ann used the Cow 5: the deck lies faceup."
    game = game_at(players=2, boxes="bbbbdbbbbbbbbb", villages={"A": "6 6", "B": "5 5 5"}, deck="10 1 4", discard="9")
    play_moves(game, "draw", "use", "at left")
    assert log_lines(game, "B")[0] == (
        "Ann used the Count 10: a Lycan 1 and a Zombie 4 came onto the discard pile;"
        " the Zombie 4 joined Ann's village, at spot 1."
    )
    game = play_moves(
        game_at(players=2, boxes="bullet", villages={"A": "6 6", "B": "5 5 5"}, deck="8 1"), "draw", "use", "B"
    )
    assert log_lines(game) == ["You used the Thing 8: the facedown cards of Bo's village were shuffled."]


def test_a_golem_that_puts_in_another_golem_is_logged_by_name() -> None:
    game = game_at(players=2, boxes="coin", villages={"A": "6 6", "B": "5 5 5"}, deck="11 1", discard="11 9")
    play_moves(game, "draw", "use", "B2")
    assert log_lines(game) == [
        "You used the Golem 11: the card of Bo's spot 2 went to the bottom of the discard pile;"
        " the Golem 11 took Bo's spot 2."
    ]


def test_a_shown_card_put_under_the_deck_is_logged_with_commas() -> None:
    game = game_at(
        players=2, boxes="aaabaaaaaaaaaa", villages={"A": "1^ 3^ 9", "B": "6 5"}, deck="2 12 9 4", discard="12"
    )
    play_moves(game, "draw 1", "discard")
    assert log_lines(game)[1] == "You put the Empath 2, shown beside the deck, under the deck."


def test_negative_scores_are_logged_with_a_minus_sign() -> None:
    game = game_at(players=2, boxes="dagger", villages={"A": "0^ 1", "B": "5 5 6"}, turn="B")
    play_moves(game, "call", "draw", "discard")
    assert "You scored \u22122 and Bo 26." in log_lines(game)


def test_cards_shown_beside_the_deck_are_logged() -> None:
    game = game_at(players=2, boxes="amulet", villages={"A": "1^ 6 9", "B": "1^ 5"}, deck="8 4 9 4", discard="12")
    play_moves(game, "draw 2", "exchange A2", "draw 1", "use")
    assert log_lines(game) == [
        "An Apprentice Seer 8 and a Rascal 4 were turned up beside the deck.",
        "You exchanged your spot 2 for the Rascal 4, shown beside the deck, discarding a Revealer 6.",
        "A Seer 9 was turned up beside the deck.",
        "Bo looked at your spot 3 with the Apprentice Seer 8, shown beside the deck.",
        "A Rascal 4 was turned up beside the deck.",
    ]


def test_the_cards_that_a_rascal_sees_are_logged_only_for_its_owner() -> None:
    game = game_at(players=2, boxes="amulet", villages={"A": "4^ 6", "B": "9 5"}, deck="8 2 9")
    play_moves(game, "draw", "keep 2")
    assert log_lines(game) == [
        "You looked at the deck's top two cards: an Apprentice Seer 8 and an Empath 2.",
        "You drew the Empath 2.",
    ]
    assert log_lines(game, "B") == ["Ann looked at the deck's top two cards.", "Ann drew a card."]


def test_the_start_and_the_end_of_a_guard_are_logged() -> None:
    game = game_at(players=2, boxes="amulet", villages={"A": "3^ 6 7", "B": "9 5"}, deck="8 2 9", discard="12")
    play_moves(game, "ability A1", "A2", "draw", "exchange A2")
    assert log_lines(game, "B")[0] == "Ann used the Bodyguard 3: it now guards Ann's spot 2."
    assert log_lines(game, "B")[1] == (
        "Ann exchanged spot 2, discarding a Revealer 6; Ann's Bodyguard no longer guards a card."
    )


def test_the_three_outcomes_of_a_witch_are_logged() -> None:
    game = game_at(players=2, boxes="amulet", villages={"A": "3 6", "B": "9 5"}, deck="11 2 9", discard="12")
    home = play_moves(game.copy(), "draw", "use", "exchange A2")
    assert log_lines(home) == [
        "You looked at the deck's top card with the Witch 11: an Empath 2; the Revealer 6 of your spot 2 was discarded;"
        " the Empath 2 took your spot 2."
    ]
    abroad = play_moves(game.copy(), "draw", "use", "B1")
    assert log_lines(abroad, "B") == [
        "Ann looked at the deck's top card with the Witch 11; the Seer 9 of your spot 1 was discarded;"
        " a facedown card took your spot 1."
    ]
    wrong = play_moves(game, "draw", "use", "exchange A1 A2", "at left")
    assert log_lines(wrong, "B") == [
        "Ann looked at the deck's top card with the Witch 11; a Bodyguard 3 and a Revealer 6 of Ann's spots 1 and 2 do"
        " not match; a card joined Ann's village, at spot 1."
    ]


def test_a_robber_is_logged_as_a_switch_and_a_look() -> None:
    game = game_at(players=2, boxes="amulet", villages={"A": "3 6", "B": "9 5"}, deck="12 2 9", discard="12")
    play_moves(game, "draw", "use", "B1", "A2")
    assert log_lines(game) == [
        "You used the Robber 12: Bo's spot 1 and your spot 2 traded places; then looked at your spot 2: a Seer 9."
    ]
    assert log_lines(game, "B") == [
        "Ann used the Robber 12: your spot 1 and Ann's spot 2 traded places; then looked at spot 2."
    ]


def test_a_master_and_its_exchange_are_logged_as_two_actions() -> None:
    game = game_at(players=2, boxes="amulet", villages={"A": "3 6", "B": "9 5"}, deck="10 2 9", discard="12 9 8")
    play_moves(game, "draw", "use", "take 3")
    assert log_lines(game, "B")[-1] == "Ann took the Apprentice Seer 8 from the discard pile, 3 down."
    play_moves(game, "exchange A2")
    assert log_lines(game, "B") == [
        "Ann used the Master 10.",
        "Ann took the Apprentice Seer 8 from the discard pile, 3 down, for spot 2, discarding a Revealer 6.",
    ]


def test_an_approximator_is_logged_with_the_cards_that_it_discards() -> None:
    game = game_at(players=2, boxes="dagger", villages={"A": "9 6 8", "B": "6"}, deck="5 2", discard="12")
    play_moves(game, "draw", "use", "A1", "A3")
    assert log_lines(game, "B") == [
        "Ann used the Approximator 5: Ann's spots 1 and 3 showed a Mystic Seer 9 and a Magician 8."
    ]
    play_moves(game, "at A3")
    assert log_lines(game, "B") == [
        "Ann used the Approximator 5: a Mystic Seer 9 and a Magician 8 of Ann's spots 1 and 3 were discarded;"
        " it took Ann's spot 2."
    ]


def test_an_early_end_of_a_round_is_logged_with_its_reason() -> None:
    game = game_at(players=2, boxes="amulet", villages={"A": "0^ 9", "B": "0 5"}, deck="6 12", discard="9")
    play_moves(game, "draw", "use", "B1")
    assert log_lines(game)[:2] == [
        "You used the Revealer 6: Bo's spot 1 turned faceup, a Villager 0.",
        "The round is over: both Villagers lie faceup.",
    ]


def test_the_log_says_which_card_a_token_covers() -> None:
    for token in ("amulet", "bullet"):
        game = game_at(players=2, boxes="dagger", villages={"A": "9 6", "B": "5"}, token=f"{token} A active")
        play_moves(game, "token", "A1")
        assert log_lines(game, "B") == [f"Ann used the silver {token}: it lies on Ann's spot 1."]


def test_the_icon_of_an_entry_is_that_of_its_most_important_event() -> None:
    def icon_kinds(game: Game) -> list[str]:
        return [entry.icon_kind for entry in build_log(game.events("A"), game.events(None), game.view("A"))]

    game = game_at(players=3, boxes="dagger", villages=VILLAGES, deck="8 11 3 10 4 7")
    assert icon_kinds(play_moves(game, "draw")) == ["drew"]
    play_moves(game, "discard", "end", "draw", "exchange B4", "call")
    assert icon_kinds(game) == ["discarded", "placed", "called"]
    looked = game_at(players=3, boxes="dagger", villages=VILLAGES)
    assert icon_kinds(play_moves(looked, "ability A3", "B1")) == ["looked"]
    robbed = game_at(players=2, boxes="amulet", villages={"A": "7 2", "B": "4 5"}, deck="12 3")
    assert icon_kinds(play_moves(robbed, "draw", "use", "B1", "A2")) == [
        "switched"
    ]  # The switch has priority over the look.


def test_every_kind_of_event_has_a_sentence_or_a_clause() -> None:
    hand = {"drew", "took", "discarded", "showed", "failed", "placed", "added", "stayed", "left"}
    clauses = {"looked", "counted", "guard ended", *EVENT_CLAUSES}
    assert {"turn", *SENTENCE_BY_KIND, *ABILITY_KINDS, *hand, *clauses} == set(EVENT_KINDS)
