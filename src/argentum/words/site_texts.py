"""Texts of the web pages that are not about the cards: lobby, lists of games, reviews."""

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import lru_cache

from argentum.rules.boxes import ALL_BOXES, BOX_BY_NAME, BOX_NAMES, deck_code
from argentum.rules.residents import RESIDENTS_PER_BOX
from argentum.words.english import ORDINAL_WORDS, count_noun, join_list


def numbers_per_box(code: str) -> dict[str, int]:
    return {box.name: code.count(box.letter) for box in ALL_BOXES}


@lru_cache(maxsize=1024)
def deck_name(code: str) -> str:
    """Return the name of the deck with this code.

    >>> deck_name("dddddddcdcddcd")
    "Dagger with Coin's 7, 9 and 12"
    >>> deck_name("bbbbbbbbbbbbbb")
    'Silver Bullet'
    """
    for name in BOX_NAMES:
        if code == deck_code(name):
            return BOX_BY_NAME[name].title
    main_box = max(BOX_NAMES, key=lambda box: numbers_per_box(code)[box])
    others = [box for box in BOX_NAMES if box != main_box and numbers_per_box(code)[box]]
    if numbers_per_box(code)[main_box] < RESIDENTS_PER_BOX / 2:
        return f"A mix of {join_list([box.title() for box in BOX_NAMES if numbers_per_box(code)[box]])}"
    additions = []
    for box in others:
        letter = BOX_BY_NAME[box].letter
        numbers = [str(number) for number in range(RESIDENTS_PER_BOX) if code[number] == letter]
        additions.append(f"{box.title()}'s {join_list(numbers)}")
    return f"{main_box.title()} with {join_list(additions)}"


SECONDS_PER_DAY = 86400.0


def retention_text(last_entry: float, days: float, kept_forever: bool) -> str:
    """Return the retention notice of a game; `last_entry` is a Unix time, `days` is 0 if games are never deleted.

    >>> retention_text(0.0, 30.0, False), retention_text(0.0, 30.0, True)
    ('This game is kept until 31 January 1970.', 'This game is kept for good.')
    """
    if kept_forever or not days:
        return "This game is kept for good."
    until = datetime.fromtimestamp(last_entry + days * SECONDS_PER_DAY, UTC)
    return f"This game is kept until {until.day} {until:%B %Y}."


NUDGE_TEXT = "{name} asks you to play on."
FORMER_PLAYER = "Somebody who left"  # the winner of the last game, whose name was deleted


# Instead of a bot's description.
BOT_LACKS_BOXES = "does not know all boxes of this deck, so steady plays in its place"


def seat_status(bot: str, is_claimed: bool, is_present: bool, stand_in: str) -> str:
    """Return the status next to a player's name.

    >>> seat_status("", True, False, "steady")
    'away; steady fills in'
    """
    if bot:
        return f"bot, {bot}"
    if not is_claimed:
        return f"free; {stand_in} keeps it" if stand_in else "free"
    if is_present:
        return f"late; {stand_in} fills in" if stand_in else "here"
    return f"away; {stand_in} fills in" if stand_in else "away"


def spectator_notice(has_free_seat: bool) -> str:
    """Return the notice for spectators before a game."""
    return "You are watching. A seat is free." if has_free_seat else "All seats are taken. You are watching."


def unseated_notice(people: int) -> str:
    """Return the notice for the host about people without a seat; empty if there are none.

    >>> unseated_notice(2)
    '2 people are here without a seat.'
    """
    if not people:
        return ""
    return "Somebody is here without a seat." if people == 1 else f"{people} people are here without a seat."


COUNT_WORDS_CAPITALIZED = ("", "", "Two", "Three")


def review_headline(missed_moves: int) -> str:
    if not missed_moves:
        return "No move cost you much."
    if missed_moves == 1:
        return "One move cost you something."
    return f"{COUNT_WORDS_CAPITALIZED[min(missed_moves, 3)]} moves cost you most."


def signed_percent(difference: float) -> str:
    """Format a difference of probabilities in percent, with its sign.

    >>> signed_percent(-0.138), signed_percent(0.05), signed_percent(0.001)
    ('\u221214 %', '+5 %', '0 %')
    """
    number = round(100 * difference)
    return f"{'+' if number > 0 else chr(0x2212) if number < 0 else ''}{abs(number)} %"


def format_win_probability_change(before: float, after: float) -> str:
    """Format a change of the win probability.

    >>> format_win_probability_change(0.25, 0.314)
    '25 → 31 %'
    """
    return f"{round(100 * before)} → {round(100 * after)} %"


def decision_effect(win_probability: float | None, gain: float) -> str:
    """Compare the win probability after the played move with that after the bot's move, which is higher by `gain`.

    Return an empty text if `win_probability` is None.

    >>> decision_effect(0.2, 0.14), decision_effect(0.2, 0.001), decision_effect(None, 0.0)
    ('Chance to win: from 34 to 20 %', 'Chance to win: 20 % either way', '')
    """
    if win_probability is None:
        return ""
    before, after = [
        round(100 * min(max(probability, 0.0), 1.0)) for probability in (win_probability + gain, win_probability)
    ]
    return f"Chance to win: {after} % either way" if before == after else f"Chance to win: from {before} to {after} %"


def decision_verdict(bot_agrees: bool, is_certain: bool, gain: float) -> str:
    if bot_agrees:
        return "The bot would have done the same"
    if not is_certain:
        return "Too close to tell"
    return (
        f"Another move was better: {signed_percent(-gain)}"
        if gain > 0
        else f"Your move was better: {signed_percent(-gain)}"
    )


def review_method(bot: str, playouts: int, left_out: int) -> str:
    """Explain how a review was computed, and how many decisions it leaves out."""
    words = (
        f"Where the bot {bot} would have done something else, both moves were played out {playouts} times,"
        " on what you knew then."
    )
    return f"{words} The last {count_noun(left_out, 'decision')} took too long to compute." if left_out else words


INVITATION_LINK = "Invitation link"
# By emote: its meaning, for screen readers.
EMOTE_LABELS = {"👍": "Good", "👏": "Well played", "😄": "Happy", "🤔": "Thinking", "😱": "Shocked", "🌙": "Your turn"}
WATCH_LINK = "Link for onlookers"


def tab_title(name: str, is_readers_turn: bool) -> str:
    """Return the title of the browser tab.

    >>> tab_title("quiet-owl", True)
    'Your turn · Argentum, quiet-owl'
    """
    return f"{'Your turn · ' if is_readers_turn else ''}Argentum, {name}"


def other_players(others: Sequence[str]) -> str:
    return ", ".join(others) or "nobody else yet"


def waiting_status(free_seats: int) -> str:
    """Return the status of a table before its game.

    >>> waiting_status(0), waiting_status(1), waiting_status(2)
    ('ready to start', 'waiting for 1 friend', 'waiting for 2 friends')
    """
    return f"waiting for {free_seats} {'friend' if free_seats == 1 else 'friends'}" if free_seats else "ready to start"


def game_status(is_readers_turn: bool, is_watching: bool, waiting_for: Sequence[str]) -> str:
    """Return the status of a game; `waiting_for` are the names of the people who must choose.

    >>> game_status(False, False, ["Bo", "Cy"])
    'waiting for Bo and Cy'
    """
    if is_readers_turn:
        return "your turn"
    if is_watching:
        return "watching"
    return f"waiting for {join_list(waiting_for)}" if waiting_for else "playing"


def finished_status(rank: int) -> str:
    """Return the status of a finished game; `rank` is 0 for spectators.

    >>> finished_status(2), finished_status(0)
    ('finished, you came second', 'finished')
    """
    return f"finished, you came {ORDINAL_WORDS[rank]}" if rank else "finished"


def game_progress(round: int, rounds: int, others: Sequence[str]) -> str:
    """Return the round and the other players of a game.

    >>> game_progress(2, 4, ["Bo", "Cy"])
    'Round 2 of 4 · Bo, Cy'
    """
    return f"Round {round} of {rounds} · {other_players(others)}"


def totals_text(rows: Sequence[tuple[str, int, bool]]) -> str:
    """List players and points; the third item of a row marks the reader.

    >>> totals_text([("Bo", 31, False), ("Ann", 40, True)])
    'Bo 31, you 40'
    """
    return ", ".join([f"{'you' if yours else name} {total}" for name, total, yours in rows])


TRACE_LOOKED = "{} looked at it"
TRACE_SWITCHED = "{} switched it"
TRACE_PLACED = "{} put it here"
TRACE_FLIPPED = "{} turned it over"


def turn_time_label(seconds: int) -> str:
    """Return the label of an option for the time of a turn.

    >>> turn_time_label(0), turn_time_label(90)
    ('None', '90 s')
    """
    return f"{seconds} s" if seconds else "None"


# By the setting for absent players: the label of the option; what the lobby adds to it; the label at the table.
AWAY_LABELS = {"minute": "1 min", "day": "1 day", "never": "Never"}
AWAY_NOTICES = {"day": "A bot plays after a day, but never calls.", "never": "The game waits for everybody."}
CLOCK_NOTICE = "A bot also plays when the time is up."
SLOW_TABLE_LABELS = {"day": "A day per turn", "never": "No bot fills in"}


def away_notice(away: str, seconds: int) -> str:
    """Return what the setting for absent players means at a table with this turn time; empty if its label says it."""
    return CLOCK_NOTICE if seconds else AWAY_NOTICES.get(away, "")
