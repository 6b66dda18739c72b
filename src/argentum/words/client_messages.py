"""Messages of the browser scripts.

Pages embed them for `web/static/js/phrases.js`. Scripts fill in the fields in braces.
"""

from argentum.rules.boxes import BOX_NAMES
from argentum.words.english import capitalize_first
from argentum.words.errors import OPEN_ELSEWHERE, SEAT_MOVED, TALK_OFF
from argentum.words.site_texts import NUDGE_TEXT

CLIENT_MESSAGES = {
    # The connection.
    "lost": "The connection is lost. Trying again …",
    "shut": "The server has closed the connection. Reload the page to come back.",
    "start-page": "To the start page",
    # A seat that is open on another device, or has moved there.
    "open-elsewhere": capitalize_first(OPEN_ELSEWHERE),
    "if-you": (
        "If that is you, move your seat here; the other device stops. "
        "If it is somebody else's, ask for a seat of your own."
    ),
    "move-here": "Move my seat here",
    "moved": capitalize_first(SEAT_MOVED),
    "one-device": "One seat is open on one device at a time.",
    "back-here": "Play here again",
    # Inviting.
    "invitation": "The invitation",
    "sit-down": "Sit down at my table",
    "invitation-copied": "Copied. Send it to your friends.",
    "copy-by-hand": "This browser does not let pages copy. Copy it from here:",
    "link-copied": "The link is copied. Send it to the friend it is for.",
    "replay-copied": "The link is copied. Whoever has it sees this replay.",
    "waiting": "Waiting for somebody to sit down. If nobody comes, a bot plays along in {left} seconds.",
    "waiting-1": "Waiting for somebody to sit down. If nobody comes, a bot plays along in 1 second.",
    # A turn.
    "your-turn": "It is your turn.",
    "time-left": "{left} s",
    "several": "{action} {count} cards",
    "only-you": "only you",
    # People at a table.
    "nudged": NUDGE_TEXT,
    "quiet-table": capitalize_first(TALK_OFF) + ".",
    "onlookers": "Only other onlookers read what you say.",
    "you": "you",
    "host": "host",
    "may-nudge": "Nudge",
    "may-free": "Free the seat",
    "may-host": "Make host",
    "take-over": "Take over as host",
    "mute": "Mute",
    "unmute": "Unmute",
    "thinking": "Thinking …",
    "agreed": "{agreed} of {people} agree.",
    # After a game.
    "play": "Play",
    "pause": "Pause",
    "reviewing": "Going through your game …",
    # Results of verifying a deal.
    "deal-shared": "Deal checked: as promised before the game, with a random value from your browser.",
    "deal-promised": "Deal checked: as promised before the game, without a value from your browser.",
    "deal-late": "Deal checked, but your browser did not see the promise before the game.",
    "deal-wrong": "Deal wrong: it is not what the server promised.",
    "deal-elsewhere": (
        "Deal not checked: browsers check only over https. Download the record at the end and run “argentum verify”."
    ),
    # The start page: own tables and games.
    "open": "Open",
    "take-your-seat": "Take your seat",
    "your-turn-title": "Your turn · {title}",
    "result": "Result",
    "replay-of": "Replay: {name}",
    "review-of": "Review: {name}",
    "forget": "Forget {name}",
    **{f"of-box-{name}": name.title() for name in BOX_NAMES},
    "of-box-mix": "Mix",
    "of-box-all": "All",
    "calls-won": "{won} of {calls}",
    # The static edition.
    "loading": "Loading",
    "setting": "Setting the table",
    "two-windows": "Argentum is open in another window. Close that window, and the table opens here.",
    "not-opened": "The table could not be opened: {words}",
    "some-fault": "something went wrong",
}
