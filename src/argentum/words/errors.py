"""Error messages for players."""

from argentum.rules.errors import GAME_OVER, NOT_A_MOVE, NOT_LEGAL, NOT_YOUR_TURN, ROUND_OVER, IllegalMove

# Arranging a table.
HOSTS_SEAT = "that seat is the host's own"
NO_SUCH_BOT = "{bot!r} is not a bot; there are {bots}"
NO_SUCH_SEAT = "there is no seat {seat!r} at this table"
BOTS_SEAT = "a bot plays seat {seat} now; ask the host for the seat"
INVALID_BOXES = "boxes is a box's name, a deck code or '{any_deck}'"
UNKNOWN_DECK = "there is no deck {deck!r}; give a box ({boxes}), a deck code of {length} letters or '{any_deck}'"
INVALID_TOKEN = "the token is one of {boxes}, or empty for the deck's own"
INVALID_SEAT_COUNT = "a table has {fewest} to {most} seats"
HOST_STAYS = "the host's own seat would be gone"
INVALID_MEMORY = "memory is true or false"
INVALID_TIME = "the time for a turn is one of {clocks} seconds; 0 is no clock"
INVALID_AWAY = "away is one of {choices}: when a bot fills in for a player who is away"
CLOCK_AND_DAYS = "where people may take days for a turn, there is no clock; choose one of the two"
INVALID_LISTED = "listed is true or false"
INVALID_NAME = "a name is a text"
BLANK_NAME = "a name needs letters that can be seen"
UNPRINTABLE_NAME = "a name is one line of letters, digits and signs that can be seen"

# A rematch.
NO_SWAP_NOW = "numbers are replaced before a rematch, by those who lost"
WINNER_SWAPS = "the winner replaces nothing: this is for those who lost"
SAME_BOX_SWAP = "that is who lives there already; choose another box"
NUMBER_TAKEN = "somebody else already replaces number {number}"
INVALID_SWAP = "replace a number from 0 to {last} by one of {boxes}"
DECK_STAYS = "in a rematch those who lost change the deck, one number each"
SWAPS_PENDING = "{names} may still replace a number, for {left} s at most"
NO_REMATCH_YET = "a rematch comes after a game"

# Illegal moves, by kind.
ILLEGAL_MOVES = {
    NOT_A_MOVE: "'{move}' is not a move; you may play: {legal}",
    NOT_LEGAL: "'{move}' is not legal now; you may play: {legal}",
    NOT_YOUR_TURN: "'{move}' was not played: it is not your turn",
    ROUND_OVER: "'{move}' was not played: the round is over",
    GAME_OVER: "'{move}' was not played: the game is over",
}

# Answering, hints and advice.
NEEDS_TWO_CARDS = "name two cards or more"
NOT_EXCHANGEABLE = "those cards are not to be exchanged now"
INVALID_MOVE = "a move has a text, and the number of the choice that it answers"
NOT_ASKED = "that is not what you are asked now; nothing was played"
SEAT_FREED = "that seat was freed; nothing was done"
NOTHING_TAKEN_BACK = "there is nothing that can be taken back"
HINT_TURN = "you can ask for a hint when it is your turn"
HINT_MEMORY = "at a table with memory there are no hints; remember"
HINT_BUSY = "the bot is thinking about something else; ask again in a moment"
HINT_AGREED = "with other people at the table there are hints only if all agree"
NOTHING_ASKED = "nothing is asked of you now"
HINTS_TOO_FAST = "too many hints at once; wait a moment"
NO_GAME = "no game is going on at this table"
CHANGED_MEANWHILE = "the table has changed in the meantime; look again, your message did nothing"

# After a game.
RECORD_JUST_GOT = "you got the record a moment ago; please wait"
PLAY_ON_LATER = "you can play on from your own game once it is over"
NO_RECORD_YET = "there is no game to record yet"
RECORD_ONLOOKER = "onlookers get the record when the game is over"
RECORD_MEMORY = "at a table with memory you get the record when the game is over; until then, remember"
REVIEW_LATER = "you can review your own game once it is over"
REVIEWS_TOO_FAST = "too many reviews from your address; please wait a moment"
REVIEW_WAITS = "your review is on its way, or others come first; ask again in a while"
REVIEW_SLOW = "the review takes too long just now; ask again later"
REVIEW_FAILED = "the review failed; the server has logged it"
KEEP_LATER = "a game can be kept for good once it is over"

# Seats, links and hosts.
INVALID_SEAT_KEY = "this link does not open a seat at this table; ask for a new one"
BY_HOSTS_LINK = "a seat is taken from somebody by the host's own link"
ALL_TAKEN = "every seat of that table is taken, but you may watch"
JUST_TAKEN = "somebody else has just taken that seat; choose another"
INVALID_PACE = "the pace of bots is one of {paces}"
CHANGES_FAST = "too many changes to the table at once; wait a moment"
TABLE_FULL = "this table has as many games and changes as can be stored; set a new one"
WHAT_TO_CHANGE = "say what to change"
GAME_STARTED = "the game has begun; the table can only be arranged before it"
IS_HERE = "{name} is here; nudge them instead"
MAY_RETURN = "{name} may still come back; try again in {left} s"
MAY_TAKE_A_DAY = "{name} may take a day here; try again in {left} h"
WAS_HOST = "{name} was the host before somebody took over, and keeps the seat; a bot fills in until they return"
HELD_ANOTHER = "you have held another seat of this game; a bot fills in here until it ends"
NOBODY_ELSE = "nobody else can take this seat before the game ends; a bot fills in until then"
BESIDE_LATER = "people sit down on a shared device before the game begins"
HOST_HANDS_OVER = "only the host can hand over hosting; when the host has been away for too long, anybody can take over"
HAND_OVER_TO = "hand over hosting to somebody else who has a seat and is here"
ALREADY_DEALT = "the cards are dealt already"
INVALID_VALUE = "a value is 1 to 64 letters, digits, - or _"
GAME_ALREADY_STARTED = "the game has begun already"
ONLY_WATCH = "onlookers only watch; a seat has its own link"
NO_GAME_YET = "no game has begun"
HAS_SEAT = "you have a seat already"
NOT_ON_DEVICE = "that seat is not on this device"
NO_SUCH_GAME = "there is no such game; it may have been deleted"
NOT_OVER = "that game is not over yet"
SERVER_FULL = "the hall is full: every table is taken. Please try again in a while"
NO_OPEN_TABLE = "there is no open table of that name"
SEAT_AT_ADDRESS = "somebody at your address has a seat there already; ask the host for a link"
NO_SUCH_TABLE = "there is no such table; it may have been deleted"
OPEN_ELSEWHERE = "this seat is open on another device"
TOO_MANY_CONNECTIONS = "too many are connected to this table"
WRONG_PROTOCOL = "this server speaks versions {versions} of the protocol"
SEAT_MOVED = "you play on another device now"
TABLE_NOT_RENDERED = "the table could not be shown; the server has logged it"
TOO_FAST = "too many messages; this one was not read"
NOT_SAVED = "the move could not be saved; please try again"
TABLE_WAITS = "nothing can be saved right now, so the table waits; everything up to here is saved"

HOST_CHANGES = "only the host may change the table"
ONLY_HOST = "only the host can do that"

# Talking.
SAY_TEXT = "what you say is a text"
SAY_LETTERS = "say something, in letters"
INVALID_EMOTE = "an emote is one of {emotes}"
TALK_OFF = "the host has switched talking off"
TALK_FAST = "too much talk at once; wait a moment"

# Pages and forms.
NO_BOT = "there is no bot {bot!r}"
OWN_PAGES = "this must come from Argentum's own pages"
FORM_TOO_LARGE = "the form is too large"
TABLE_GONE = "There is no such table. It may have been deleted."
TABLE_UNAVAILABLE = "The table is not at hand just now. Please try again."
NO_SUCH_DECK = "There is no such deck."
TABLE_NOT_SAVED = "The table could not be saved. Please try again."
INTERNAL_ERROR = "Something went wrong here. It is noted."
NO_SUCH_PAGE = "There is no such page."
TOO_MANY = "too many {what} {whose}; please wait a moment"
NEW_TABLES = "new tables"
NEW_GAMES = "games"
OF_ADDRESS = "from your address"
OF_NETWORK = "from your network"
OF_ALL = "at once"


def illegal_move_text(error: IllegalMove) -> str:
    """Return the message for a player whose move was refused."""
    return ILLEGAL_MOVES[error.kind].format(move=error.move, legal=", ".join(error.legal))
