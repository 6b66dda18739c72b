/* Write the rows of a batch into its arrays: observations, action masks, seats and hidden states.

   table_writer.py does the same where this module is not built; a test checks that both write the same bytes. The
   constants of the layout are generated from layout.py. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <string.h>

#include "_layout.h"

enum { VIEWER_COUNT = MAX_PLAYERS + 1 }; /* the seats, then the watchers */
enum { CACHE_LINE = 64, GC_HEAD = 16, MAX_TRACED_LINES = 47 };
/* While a row is written, the memory of the game GAMES_AHEAD rows later is prefetched: LINES_PER_CARD cache lines
   after each card, and LINES_AT_END at the end of the row. */
enum { GAMES_AHEAD = 3, LINES_PER_CARD = 2, LINES_AT_END = 12 };

/* The fields of a table, in the order of table_fields() in encoder.py. */
enum {
    FIELD_asker, FIELD_untraceable, FIELD_caller, FIELD_covered_card, FIELD_deck, FIELD_deck_up, FIELD_direction,
    FIELD_discard, FIELD_extra_turns, FIELD_faces, FIELD_guards, FIELD_hand, FIELD_last_turns,
    FIELD_first_look_pending, FIELD_named_places, FIELD_round_over, FIELD_passed_over, FIELD_first_peeks,
    FIELD_picked, FIELD_private, FIELD_pile_choices, FIELD_end_reason, FIELD_cooldowns, FIELD_round, FIELD_scores,
    FIELD_seen, FIELD_shown, FIELD_sideways, FIELD_step, FIELD_token_seat, FIELD_token_state,
    FIELD_scored_token_seat, FIELD_totals, FIELD_turn, FIELD_turns, FIELD_faceup, FIELD_used_cards, FIELD_villages,
    FIELD_COUNT
};

static uint8_t BYTE_BITS[256][8]; /* by byte value: its bits, one per byte */

/* The memory of a game to prefetch, as runs of cache lines. An entry is the address of the first line of a run, whose
   low bits are 0, plus the number of lines. */
typedef struct {
    uint64_t line_count;
    uintptr_t lines[MAX_TRACED_LINES];
} PrefetchTrace;

typedef struct {
    PyObject_HEAD
    Py_buffer observations, masks, seats, hidden_states;
    int open_buffers; /* number of acquired buffers */
    int players;
    Py_ssize_t games, row_size; /* of observations, with the history, in bytes */
    PyObject *steps; /* dict: the number of each step of a question */
    PyObject *askers; /* dict: the two bytes of each asker */
    uint8_t kinds[MOVE_LIMIT]; /* by move: the index of its kind */
    int bases[KIND_COUNT]; /* by kind: its first move */
    int16_t actions[MAX_PLAYERS][MOVE_LIMIT]; /* by acting seat and move: the action, or -1 */
    PrefetchTrace *traces; /* by game; NULL until the first trace() */
    uint8_t relative_masks[MAX_PLAYERS][16]; /* by observing seat and bit mask of seats: the mask relative to that seat */
} Encoder;

/* The state of writing one row. */
typedef struct {
    Encoder *encoder;
    PyObject **fields; /* of the table */
    int failed; /* set when the table is invalid; a Python exception may be set, too */
    int seat, players;
    uint8_t *out, *hidden_state; /* where to write the observation and the hidden state, or NULL */
    const uint8_t *residents; /* by number: the resident of this deck, from 1 */
    PyObject **faces; /* by card */
    int64_t seen[VIEWER_COUNT]; /* by viewer: a bit mask of the cards that it has seen */
    int64_t seen_by_any; /* bit mask of the cards that some viewer has seen */
    int64_t up, sideways, passed; /* bit masks of cards */
    int starts[MAX_PLAYERS]; /* by seat: index of the first token of its village */
    int tokens; /* card tokens written so far */
    int picks[CARDS_IN_DECK]; /* moves made so far in answer to the question */
    int pick_count;
    const uintptr_t *next_line, *last_line; /* in the trace of the game to prefetch */
    uintptr_t fetched_lines; /* cache lines of the run *next_line that have been prefetched */
} Row;

/* Moves, as in rules/notation.py. */

static inline int seat_of(int64_t move) { return (int)(move >> 6 & 3); }

static inline int place_of(int64_t move) { return (int)(move & 63); }

static inline int receiver_of(int64_t move) { return (int)((move - GIVE) >> 8); }

/* Return the move of a base, such as EXCHANGE, with the card at a spot; with base 0, the spot itself. */
static inline int card_move(int base, int64_t seat, int64_t place) { return base + (int)(seat << 6) + (int)place; }

/* Read Python integers and sequences. */

/* Return a Python integer; -1 with a Python exception if it is none or too large. */
static inline int64_t as_int(PyObject *number) {
#if PY_VERSION_HEX < 0x030c0000
    if (Py_IS_TYPE(number, &PyLong_Type)) {
        Py_ssize_t size = Py_SIZE(number);
        if (size >= -1 && size <= 1)
            return size * (int64_t)((PyLongObject *)number)->ob_digit[0];
    }
#else
    if (Py_IS_TYPE(number, &PyLong_Type) && PyUnstable_Long_IsCompact((PyLongObject *)number))
        return PyUnstable_Long_CompactValue((PyLongObject *)number);
#endif
    return PyLong_AsLongLong(number);
}

/* Return the integer in a field of the table. */
static inline int64_t int_field(Row *row, int name) { return as_int(row->fields[name]); }

/* Point `items` to the items of a list or tuple of at most `max_size` items and return its length. If the object is
   something else or longer, set `failed` and return 0. */
static int read_sequence(Row *row, PyObject *object, int max_size, PyObject ***items) {
    Py_ssize_t size = 0;
    *items = NULL;
    if (PyList_Check(object)) {
        size = PyList_GET_SIZE(object);
        *items = ((PyListObject *)object)->ob_item;
    } else if (PyTuple_Check(object)) {
        size = PyTuple_GET_SIZE(object);
        *items = ((PyTupleObject *)object)->ob_item;
    } else {
        size = -1;
    }
    if (size < 0 || size > max_size) {
        if (!row->failed && !PyErr_Occurred())
            PyErr_SetString(PyExc_ValueError, "a field of the table is not a sequence, or is too long");
        row->failed = 1;
        return 0;
    }
    return (int)size;
}

/* Read which cards the viewers have seen. On an error, set `failed`. */
static void read_seen(Row *row) {
    PyObject **items;
    row->seen_by_any = 0;
    if (read_sequence(row, row->fields[FIELD_seen], VIEWER_COUNT, &items) != VIEWER_COUNT) {
        row->failed = 1;
        return;
    }
    for (int viewer = 0; viewer < VIEWER_COUNT; viewer++)
        row->seen_by_any |= row->seen[viewer] = as_int(items[viewer]) | row->up;
}

/* Return the bit mask of the seats that have seen a card. */
static inline int seats_that_know(Row *row, int card) {
    int seats = 0;
    for (int seat = 0; seat < MAX_PLAYERS; seat++)
        seats |= (int)(row->seen[seat] >> card & 1) << seat;
    return seats;
}

/* Return the items of a field with an item per card. On an error, set `failed` and return NULL. */
static PyObject **read_by_card(Row *row, int name) {
    PyObject **items;
    if (read_sequence(row, row->fields[name], CARDS_IN_DECK, &items) == CARDS_IN_DECK)
        return items;
    if (!row->failed)
        PyErr_SetString(PyExc_ValueError, "a table has 52 cards");
    row->failed = 1;
    return NULL;
}

/* Read a tuple of three integers and return 1. On an error, set `failed` and return 0. */
static int read_triple(Row *row, PyObject *object, int64_t *first, int64_t *second, int64_t *third) {
    PyObject **items;
    if (read_sequence(row, object, 3, &items) != 3) {
        row->failed = 1;
        return 0;
    }
    *first = as_int(items[0]);
    *second = as_int(items[1]);
    *third = as_int(items[2]);
    return 1;
}

/* Return the number of a seat, counted clockwise from the observing seat, which is 1; 0 for no seat. */
static inline uint8_t relative_seat(Row *row, int64_t seat) {
    return seat < 0 ? 0 : (uint8_t)((seat - row->seat + row->players) % row->players + 1);
}

/* Prefetch the next few cache lines of a later game. Callers ask for few at a time, because a processor drops most of a
   long burst of prefetches. */
static inline void prefetch_lines(Row *row, int lines) {
#if defined(__GNUC__)
    for (; lines > 0 && row->next_line < row->last_line; lines--) {
        uintptr_t entry = *row->next_line, size = entry & (CACHE_LINE - 1);
        __builtin_prefetch((const char *)(entry - size) + CACHE_LINE * row->fetched_lines, 1);
        if (++row->fetched_lines >= size) {
            row->fetched_lines = 0;
            row->next_line++;
        }
    }
#else
    (void)row, (void)lines;
#endif
}

/* Card tokens. */

/* Write the next card token. `marks` are MARK bits that depend on the place; those of the card are added. */
static void write_card(Row *row, int64_t card, int where, int place, int marks) {
    if (card < 0 || card >= CARDS_IN_DECK || row->tokens >= CARDS_IN_DECK) {
        row->failed = 1;
        return;
    }
    uint8_t *token = row->out + OFFSET_cards + TOKEN_SIZE * row->tokens;
    int64_t face = as_int(row->faces[card]);
    if (face < 0 || face >= RESIDENTS_PER_BOX) {
        row->failed = 1;
        return;
    }
    marks |= (row->up >> card & 1 ? MARK_up : 0) | (row->sideways >> card & 1 ? MARK_sideways : 0);
    marks |= (row->passed >> card & 1) ? MARK_passed : 0;
    token[0] = (uint8_t)where;
    token[COLUMN_place] = (uint8_t)place;
    if (marks & MARK_up || row->seen[row->seat] >> card & 1) {
        token[COLUMN_resident] = row->residents[face];
        token[COLUMN_number] = (uint8_t)(face + 1);
        row->out[OFFSET_unseen + face]--;
    }
    memcpy(token + COLUMN_up, BYTE_BITS[marks & 255], 8);
    memcpy(token + COLUMN_seen_own, BYTE_BITS[row->encoder->relative_masks[row->seat][seats_that_know(row, (int)card)]], MAX_PLAYERS);
    if (row->hidden_state)
        row->hidden_state[row->tokens] = row->residents[face];
    row->tokens++;
    prefetch_lines(row, LINES_PER_CARD);
}

/* Return the token of the card at a spot. On an error, set `failed` and return the first token. */
static uint8_t *token_at(Row *row, int64_t spot) {
    int64_t token = row->starts[seat_of(spot)] + place_of(spot);
    if (token >= CARDS_IN_DECK) {
        row->failed = 1;
        token = 0;
    }
    return row->out + OFFSET_cards + TOKEN_SIZE * token;
}

/* Return whether `owner` may not use a card again yet (C1). `resting` has tuples of seat, card and turn. */
static int is_cooling_down(Row *row, PyObject **resting, int count, int owner, int64_t card) {
    int64_t seat, resting_card, turn;
    for (int index = 0; index < count; index++)
        if (read_triple(row, resting[index], &seat, &resting_card, &turn) && seat == owner && resting_card == card)
            return 1;
    return 0;
}

/* Write the columns `guards` and `guarded` (A3). */
static void mark_guards(Row *row, PyObject **villages) {
    PyObject **guards, **cards;
    int count = read_sequence(row, row->fields[FIELD_guards], CARDS_IN_DECK, &guards);
    int64_t owner, guard_card, guarded_card;
    for (int index = 0; index < count; index++) {
        int guard = -1, guarded = -1;
        if (!read_triple(row, guards[index], &owner, &guard_card, &guarded_card))
            return;
        for (int seat = 0; seat < row->players; seat++) {
            int size = read_sequence(row, villages[seat], CARDS_IN_DECK, &cards);
            for (int place = 0; place < size; place++) {
                int64_t card = as_int(cards[place]);
                if (card == guard_card)
                    guard = card_move(0, seat, place);
                if (card == guarded_card)
                    guarded = card_move(0, seat, place);
            }
        }
        token_at(row, guard)[COLUMN_guards] = (uint8_t)(place_of(guarded) + 1);
        token_at(row, guarded)[COLUMN_guarded] = 1;
    }
}

/* Write the tokens of cards in villages, then mark picked, guarded and legal cards. */
static void write_villages(Row *row, PyObject **villages, int64_t turn, int64_t named_places, int mutes, PyObject *legal) {
    PyObject **resting, **cards, **moves;
    int64_t covered = int_field(row, FIELD_covered_card), untraceable = int_field(row, FIELD_untraceable);
    int64_t used = int_field(row, FIELD_used_cards) & ~untraceable;
    int cooldown_count = read_sequence(row, row->fields[FIELD_cooldowns], CARDS_IN_DECK, &resting);
    int sizes[MAX_PLAYERS] = {0};
    for (int step = 0; step < row->players && !row->failed; step++) {
        int owner = (row->seat + step) % row->players;
        int64_t own_named = owner == turn ? named_places : 0;
        row->starts[owner] = row->tokens;
        sizes[owner] = read_sequence(row, villages[owner], CARDS_IN_DECK, &cards);
        for (int place = 0; place < sizes[owner]; place++) {
            int64_t card = as_int(cards[place]);
            int marks = card != covered ? 0 : mutes ? MARK_covered | MARK_muted : MARK_covered;
            marks |= (used >> card & 1 ? MARK_used : 0) | (own_named >> place & 1 ? MARK_named : 0);
            if (cooldown_count && !(untraceable >> card & 1) && is_cooling_down(row, resting, cooldown_count, owner, card))
                marks |= MARK_resting;
            write_card(row, card, LOCATION_VILLAGE + step, place + 1, marks);
        }
    }
    for (int index = 0; index < row->pick_count; index++) {
        int move = row->picks[index];
        if (move >= PICK_CARD && place_of(move) < sizes[seat_of(move)])
            token_at(row, move)[COLUMN_picked] = (uint8_t)(index + 1);
    }
    mark_guards(row, villages);
    int count = read_sequence(row, legal, MOVE_LIMIT, &moves);
    for (int index = 0; index < count; index++) {
        int64_t move = as_int(moves[index]);
        if (move >= PICK_CARD)
            token_at(row, move)[COLUMN_legal] = 1;
    }
}

/* Write the tokens of the hand, discard pile, deck, shown cards and private decks. */
static void write_piles(Row *row, PyObject **deck, int deck_size, PyObject **discard, int discard_size, int deck_up, PyObject **private) {
    PyObject **items;
    if (int_field(row, FIELD_hand) >= 0)
        write_card(row, int_field(row, FIELD_hand), LOCATION_HAND, 1, 0);
    int first = row->tokens;
    for (int place = 1; place <= discard_size; place++)
        write_card(row, as_int(discard[discard_size - place]), LOCATION_DISCARD, place, 0);
    int count = read_sequence(row, row->fields[FIELD_pile_choices], CARDS_IN_DECK, &items);
    for (int index = 0; index < count; index++) {
        int64_t token = first + discard_size - 1 - as_int(items[index]);
        if (token >= first && token < row->tokens)
            row->out[OFFSET_cards + TOKEN_SIZE * token + COLUMN_reached] = (uint8_t)(index + 1);
    }
    for (int depth = 1; depth <= deck_size && !row->failed; depth++) {
        int64_t card = as_int(deck[deck_size - depth]);
        if (card >= 0 && card < CARDS_IN_DECK && ((row->seen_by_any | row->passed) >> card & 1))
            write_card(row, card, LOCATION_DECK, depth, depth == 1 && deck_up ? MARK_up : 0);
        else
            prefetch_lines(row, LINES_PER_CARD);
    }
    count = read_sequence(row, row->fields[FIELD_shown], CARDS_IN_DECK, &items);
    for (int index = 0; index < count; index++)
        write_card(row, as_int(items[index]), LOCATION_SHOWN, index + 1, 0);
    for (int step = 0; step < row->players; step++) {
        count = read_sequence(row, private[(row->seat + step) % row->players], CARDS_IN_DECK, &items);
        for (int place = 1; place <= count; place++)
            write_card(row, as_int(items[count - place]), LOCATION_PRIVATE + step, place, 0);
    }
}

/* The parts before the card tokens. */

/* Write the points of each seat from the observer on, each as low byte, high byte and sign. */
static void write_points(Row *row, uint8_t *out, int name) {
    PyObject **items;
    int count = read_sequence(row, row->fields[name], MAX_PLAYERS, &items);
    for (int step = 0; step < row->players && count == row->players; step++) {
        int64_t amount = as_int(items[(row->seat + step) % row->players]), size = amount < 0 ? -amount : amount;
        out[3 * step] = (uint8_t)(size & 255);
        out[3 * step + 1] = (uint8_t)(size >> 8);
        out[3 * step + 2] = amount < 0;
    }
}

/* Read the moves that the asked seat has made so far in answer to the question. `size` is as in write_question. */
static void read_picks(Row *row, int asked, int64_t turn, int64_t first_look_pending, int64_t named_places, int size) {
    PyObject **items;
    row->pick_count = 0;
    if (named_places) {
        for (int place = 0; place < size; place++)
            if (named_places >> place & 1)
                row->picks[row->pick_count++] = card_move(EXCHANGE, turn, place);
        return;
    }
    if (first_look_pending && read_sequence(row, row->fields[FIELD_first_peeks], MAX_PLAYERS, &items) > asked && as_int(items[asked]) >= 0) {
        row->picks[row->pick_count++] = card_move(PEEK, asked, as_int(items[asked]));
        return;
    }
    int count = read_sequence(row, row->fields[FIELD_picked], CARDS_IN_DECK, &items);
    for (int index = 0; index < count; index++)
        row->picks[row->pick_count++] = (int)as_int(items[index]);
}

/* Write the kind of a picked move, the village, and the place or number; 0 for what it does not name. */
static void write_pick(Row *row, uint8_t *out, int move) {
    if (move < 0 || move >= MOVE_LIMIT) {
        row->failed = 1;
        return;
    }
    int kind = row->encoder->kinds[move];
    out[0] = (uint8_t)(kind + 1);
    if (move >= PICK_CARD) {
        out[1] = relative_seat(row, move >= GIVE ? receiver_of(move) : seat_of(move));
        out[2] = (uint8_t)(place_of(move) + 1);
    } else if (move >= PICK_VILLAGE && move < TAKE_FROM_PILE) {
        out[1] = relative_seat(row, move - PICK_VILLAGE);
    } else if (kind >= PLAIN_KINDS) {
        out[2] = (uint8_t)(move - row->encoder->bases[kind]);
    }
}

/* Write the part asker. */
static void write_asker(Row *row, uint8_t *out) {
    PyObject *asker = PyDict_GetItemWithError(row->encoder->askers, row->fields[FIELD_asker]);
    if (asker == NULL || !PyBytes_Check(asker) || PyBytes_GET_SIZE(asker) != 2) {
        row->failed = 1;
        return;
    }
    memcpy(out, PyBytes_AS_STRING(asker), 2);
}

/* Write the parts from asked to picked. `size` is the number of cards in the village of the current player. */
static void write_question(Row *row, uint8_t *out, int asked, int64_t turn, int64_t first_look_pending, int64_t named_places, int size) {
    row->pick_count = 0;
    out[OFFSET_asked] = relative_seat(row, asked);
    if (asked < 0)
        return;
    write_asker(row, out + OFFSET_asker);
    PyObject *step = PyDict_GetItemWithError(row->encoder->steps, row->fields[FIELD_step]);
    if (step == NULL) {
        row->failed = 1;
        return;
    }
    out[OFFSET_step] = (uint8_t)as_int(step);
    read_picks(row, asked, turn, first_look_pending, named_places, size);
    out[OFFSET_picks] = (uint8_t)row->pick_count;
    for (int index = 0; index < row->pick_count && index < MAX_PICKS; index++)
        write_pick(row, out + OFFSET_picked + 3 * index, row->picks[index]);
}

/* Write the part may and the action mask. */
static void write_legal(Row *row, uint8_t *flags, uint8_t *mask, PyObject *legal) {
    PyObject **moves;
    int count = read_sequence(row, legal, MOVE_LIMIT, &moves);
    for (int index = 0; index < count; index++) {
        int64_t move = as_int(moves[index]);
        int action = move >= 0 && move < MOVE_LIMIT ? row->encoder->actions[row->seat][move] : -1;
        if (action < 0) {
            row->failed = 1;
            return;
        }
        flags[move < PICK_CARD ? action : row->encoder->kinds[move] + CARDLESS_ACTIONS - (KIND_COUNT - CARD_KIND_COUNT)] = 1;
        mask[action] = 1;
    }
}

/* Return the other seat that last finished a turn (D4). */
static int64_t previous_seat(Row *row, int64_t turn) {
    PyObject **last_turns;
    int count = read_sequence(row, row->fields[FIELD_last_turns], MAX_PLAYERS, &last_turns);
    int64_t latest = 0, previous = -1;
    for (int seat = 0; seat < count; seat++) {
        int64_t finished = as_int(last_turns[seat]);
        if (finished > latest && seat != turn) {
            latest = finished;
            previous = seat;
        }
    }
    return previous;
}

/* Write an observation without its history, the mask and the hidden state. */
static void write_row(Row *row, int chooser, int over, PyObject *legal, const uint8_t *cast_bytes, uint8_t *mask) {
    static const uint8_t COPIES[RESIDENTS_PER_BOX] = COPIES_BY_NUMBER;
    PyObject **village, **private, **deck, **discard, **shown;
    uint8_t *out = row->out;
    int64_t turn = int_field(row, FIELD_turn), first_look_pending = int_field(row, FIELD_first_look_pending), named_places = int_field(row, FIELD_named_places);
    int round_over = row->fields[FIELD_round_over] == Py_True, deck_up = row->fields[FIELD_deck_up] == Py_True;
    row->faces = read_by_card(row, FIELD_faces);
    row->up = int_field(row, FIELD_faceup);
    read_seen(row);
    row->sideways = int_field(row, FIELD_sideways);
    row->passed = int_field(row, FIELD_passed_over);
    int deck_size = read_sequence(row, row->fields[FIELD_deck], CARDS_IN_DECK, &deck);
    int discard_size = read_sequence(row, row->fields[FIELD_discard], CARDS_IN_DECK, &discard);
    if (read_sequence(row, row->fields[FIELD_villages], MAX_PLAYERS, &village) != row->players
        || read_sequence(row, row->fields[FIELD_private], MAX_PLAYERS, &private) != row->players || row->failed || turn < 0
        || turn >= row->players) {
        row->failed = 1;
        return;
    }
    memset(out, 0, OBSERVATION_SIZE);
    out[OFFSET_seats] = (uint8_t)row->players;
    memcpy(out + OFFSET_residents, cast_bytes, RESIDENTS_PER_BOX + 1);
    out[OFFSET_token_state] = (uint8_t)int_field(row, FIELD_token_state);
    out[OFFSET_token_seat] = relative_seat(row, int_field(row, FIELD_token_seat));
    out[OFFSET_token_was] = round_over ? relative_seat(row, int_field(row, FIELD_scored_token_seat)) : 0;
    out[OFFSET_round] = (uint8_t)int_field(row, FIELD_round);
    out[OFFSET_turn] = relative_seat(row, turn);
    out[OFFSET_to_move] = relative_seat(row, chooser);
    int asked = first_look_pending >> row->seat & 1 && chooser >= 0 ? row->seat : chooser;
    write_question(row, out, asked, turn, first_look_pending, named_places, read_sequence(row, village[turn], CARDS_IN_DECK, &shown));
    write_legal(row, out + OFFSET_may, mask, legal);
    out[OFFSET_holder] = int_field(row, FIELD_hand) >= 0 ? relative_seat(row, turn) : 0;
    out[OFFSET_caller] = relative_seat(row, int_field(row, FIELD_caller));
    out[OFFSET_previous] = relative_seat(row, previous_seat(row, turn));
    memcpy(out + OFFSET_looking, BYTE_BITS[row->encoder->relative_masks[row->seat][first_look_pending & 15]], MAX_PLAYERS);
    out[OFFSET_clockwise] = int_field(row, FIELD_direction) > 0;
    out[OFFSET_deck_up] = (uint8_t)deck_up;
    out[OFFSET_round_over] = (uint8_t)round_over;
    out[OFFSET_over] = (uint8_t)over;
    out[OFFSET_reason] = (uint8_t)(int_field(row, FIELD_end_reason) + 1);
    out[OFFSET_turns] = (uint8_t)int_field(row, FIELD_turns);
    out[OFFSET_extra_turns] = (uint8_t)int_field(row, FIELD_extra_turns);
    for (int step = 0; step < row->players; step++) {
        int owner = (row->seat + step) % row->players;
        out[OFFSET_village_sizes + step] = (uint8_t)read_sequence(row, village[owner], CARDS_IN_DECK, &shown);
        out[OFFSET_private_sizes + step] = (uint8_t)read_sequence(row, private[owner], CARDS_IN_DECK, &shown);
    }
    out[OFFSET_deck_size] = (uint8_t)deck_size;
    out[OFFSET_discard_size] = (uint8_t)discard_size;
    out[OFFSET_shown_size] = (uint8_t)read_sequence(row, row->fields[FIELD_shown], CARDS_IN_DECK, &shown);
    write_points(row, out + OFFSET_totals, FIELD_totals);
    write_points(row, out + OFFSET_scores, FIELD_scores);
    memcpy(out + OFFSET_unseen, COPIES, RESIDENTS_PER_BOX);
    if (row->failed)
        return;
    write_villages(row, village, turn, named_places, cast_bytes[RESIDENTS_PER_BOX + 1], legal);
    write_piles(row, deck, deck_size, discard, discard_size, deck_up, private);
    if (row->hidden_state)
        for (int depth = 0; depth < deck_size && !row->failed; depth++) {
            int64_t card = as_int(deck[deck_size - 1 - depth]);
            int64_t face = card >= 0 && card < CARDS_IN_DECK ? as_int(row->faces[card]) : -1;
            if (face < 0 || face >= RESIDENTS_PER_BOX)
                row->failed = 1;
            else
                row->hidden_state[CARDS_IN_DECK + depth] = row->residents[face];
        }
}

/* Encoder.write(game, fields, seat, chooser, over, legal, deck, history): write the row of a game of the batch. */
static PyObject *encoder_write(Encoder *self, PyObject *const *args, Py_ssize_t count) {
    if (count != 8 || !PyList_Check(args[1]) || PyList_GET_SIZE(args[1]) != FIELD_COUNT || !PyBytes_Check(args[6])
        || PyBytes_GET_SIZE(args[6]) != 2 * RESIDENTS_PER_BOX + 2 || !PyBytes_Check(args[7])) {
        PyErr_SetString(PyExc_TypeError, "write(game, fields, seat, chooser, over, legal, deck, history)");
        return NULL;
    }
    int64_t game = as_int(args[0]), seat = as_int(args[2]), chooser = as_int(args[3]);
    Py_ssize_t history_size = PyBytes_GET_SIZE(args[7]);
    if (game < 0 || game >= self->games || seat < 0 || seat >= self->players
        || chooser >= self->players || OBSERVATION_SIZE + history_size != self->row_size) {
        PyErr_SetString(PyExc_ValueError, "there is no such row or seat in the batch");
        return NULL;
    }
    Row row; /* All other fields are set before they are read. */
    row.encoder = self;
    row.fields = ((PyListObject *)args[1])->ob_item;
    row.failed = row.tokens = row.pick_count = 0;
    row.next_line = row.last_line = NULL;
    row.fetched_lines = 0;
    if (self->traces && game + GAMES_AHEAD < self->games) {
        const PrefetchTrace *next = self->traces + game + GAMES_AHEAD;
        row.next_line = next->lines;
        row.last_line = next->lines + next->line_count;
    }
    row.seat = (int)seat;
    row.players = self->players;
    row.hidden_state = NULL;
    memset(row.starts, 0, sizeof row.starts);
    uint8_t *mask = (uint8_t *)self->masks.buf + game * ACTION_COUNT;
    const uint8_t *deck = (const uint8_t *)PyBytes_AS_STRING(args[6]);
    row.out = (uint8_t *)self->observations.buf + game * self->row_size;
    row.residents = deck;
    if (self->hidden_states.len) {
        row.hidden_state = (uint8_t *)self->hidden_states.buf + game * HIDDEN_STATE_SIZE;
        memset(row.hidden_state, 0, HIDDEN_STATE_SIZE);
    }
    memset(mask, 0, ACTION_COUNT);
    ((uint8_t *)self->seats.buf)[game] = (uint8_t)seat;
    write_row(&row, (int)chooser, args[4] == Py_True, args[5], deck + RESIDENTS_PER_BOX, mask);
    memcpy(row.out + OBSERVATION_SIZE, PyBytes_AS_STRING(args[7]), (size_t)history_size);
    prefetch_lines(&row, LINES_AT_END);
    if (row.failed || PyErr_Occurred()) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_ValueError, "the table does not make sense");
        return NULL;
    }
    Py_RETURN_NONE;
}

/* Which memory a game uses is recorded after its row is written; it is prefetched before its next step by
   prefetch_lines.
   Prefetching an address that is no longer in use does no harm. */

/* Add a range of memory to a trace, if there is room. */
static void trace_memory(PrefetchTrace *trace, const void *start, Py_ssize_t size) {
    uintptr_t first = (uintptr_t)start & ~(uintptr_t)(CACHE_LINE - 1);
    uintptr_t lines = ((uintptr_t)start + (uintptr_t)size - first + CACHE_LINE - 1) / CACHE_LINE;
    if (trace->line_count < MAX_TRACED_LINES && lines < CACHE_LINE)
        trace->lines[trace->line_count++] = first | lines;
}

/* Add an object to a trace, with the header of the garbage collector before it. */
static void trace_object(PrefetchTrace *trace, PyObject *object, Py_ssize_t size) {
    trace_memory(trace, (const char *)object - GC_HEAD, size + GC_HEAD);
}

/* Add a list and its array of pointers to a trace; ignore other objects. */
static void trace_list(PrefetchTrace *trace, PyObject *object) {
    if (!PyList_CheckExact(object))
        return;
    trace_object(trace, object, sizeof(PyListObject));
    trace_memory(trace, ((PyListObject *)object)->ob_item, PyList_GET_SIZE(object) * (Py_ssize_t)sizeof(PyObject *));
}

/* Add a generator and the generators it delegates to to a trace. The signature is that of a visitproc. */
static int trace_generator(PyObject *object, void *trace) {
    PyTypeObject *type = Py_TYPE(object);
    if (type->tp_iternext && type->tp_traverse && !PyList_CheckExact(object)) {
        trace_object(trace, object, type->tp_basicsize);
        type->tp_traverse(object, trace_generator, trace);
    }
    return 0;
}

/* Encoder.trace(game, fields, generator, ...): record the memory of a table, of the generator that runs its rules,
   and of further objects. */
static PyObject *encoder_trace(Encoder *self, PyObject *const *args, Py_ssize_t count) {
    int64_t game = count < 3 ? -1 : as_int(args[0]);
    if (game < 0 || game >= self->games || !PyList_Check(args[1]) || PyList_GET_SIZE(args[1]) != FIELD_COUNT) {
        PyErr_SetString(PyExc_TypeError, "trace(game, fields, generator, ...)");
        return NULL;
    }
    if (!self->traces && !(self->traces = PyMem_Calloc((size_t)self->games, sizeof(PrefetchTrace))))
        return PyErr_NoMemory();
    PrefetchTrace *trace = self->traces + game;
    PyObject **fields = ((PyListObject *)args[1])->ob_item, *villages = fields[FIELD_villages];
    trace->line_count = 0;
    for (Py_ssize_t index = 3; index < count; index++)
        trace_object(trace, args[index], Py_TYPE(args[index])->tp_basicsize);
    trace_generator(args[2], trace);
    for (int index = 0; index < FIELD_COUNT; index++)
        trace_list(trace, fields[index]);
    if (PyList_CheckExact(villages))
        for (Py_ssize_t seat = 0; seat < PyList_GET_SIZE(villages); seat++)
            trace_list(trace, PyList_GET_ITEM(villages, seat));
    trace_memory(trace, (const char *)self->observations.buf + game * self->row_size, self->row_size);
    trace_memory(trace, (const char *)self->masks.buf + game * ACTION_COUNT, ACTION_COUNT);
    Py_RETURN_NONE;
}

/* sample(masks, random_values, actions): write a legal action for each mask to `actions`, chosen by a value from 0 to
   1. Return false if a mask has none. */
static PyObject *sample(PyObject *module, PyObject *args) {
    Py_buffer masks, random_values, actions;
    (void)module;
    if (!PyArg_ParseTuple(args, "y*y*w*", &masks, &random_values, &actions))
        return NULL;
    Py_ssize_t games = masks.len / ACTION_COUNT;
    int fits = masks.len == games * ACTION_COUNT && random_values.len == games * 8 && actions.len == games * 8;
    for (Py_ssize_t game = 0; fits && game < games; game++) {
        const uint8_t *mask = (const uint8_t *)masks.buf + game * ACTION_COUNT;
        int count = 0, index = 0;
        for (int action = 0; action < ACTION_COUNT; action++)
            count += mask[action];
        int remaining = (int)(((const double *)random_values.buf)[game] * count);
        for (; index < ACTION_COUNT; index += 8) { /* Skip eight actions at a time; most are all 0. */
            uint64_t word;
            memcpy(&word, mask + index, 8);
            int ones = (int)((word * 0x0101010101010101u) >> 56); /* sum of the bytes */
            if (ones > remaining)
                break;
            remaining -= ones;
        }
        fits = index < ACTION_COUNT;
        while (fits && !(mask[index] && remaining-- == 0))
            index++;
        ((int64_t *)actions.buf)[game] = index;
    }
    PyBuffer_Release(&masks);
    PyBuffer_Release(&random_values);
    PyBuffer_Release(&actions);
    return PyBool_FromLong(fits);
}

/* check(masks, actions): return the index of the first row whose action is neither legal nor -1, or -1. */
static PyObject *check(PyObject *module, PyObject *args) {
    Py_buffer masks, actions;
    (void)module;
    if (!PyArg_ParseTuple(args, "y*y*", &masks, &actions))
        return NULL;
    Py_ssize_t games = masks.len / ACTION_COUNT, game = 0;
    int fits = masks.len == games * ACTION_COUNT && actions.len == games * 8;
    for (; fits && game < games; game++) {
        int64_t action = ((const int64_t *)actions.buf)[game];
        if (action != -1
            && (action < 0 || action >= ACTION_COUNT || !((const uint8_t *)masks.buf)[game * ACTION_COUNT + action]))
            break;
    }
    PyBuffer_Release(&masks);
    PyBuffer_Release(&actions);
    if (!fits) {
        PyErr_SetString(PyExc_ValueError, "there must be an action for each row, in eight bytes");
        return NULL;
    }
    return PyLong_FromSsize_t(game < games ? game : -1);
}

/* Construction. */

/* Read the actions by seat and move, and fill `relative_masks`. Return 0 on an error. */
static int read_actions(Encoder *self, PyObject *tables) {
    for (int seat = 0; seat < self->players; seat++) {
        PyObject *table = PyList_GetItem(tables, seat);
        if (table == NULL || !PyList_Check(table) || PyList_GET_SIZE(table) != MOVE_LIMIT)
            return 0;
        for (int move = 0; move < MOVE_LIMIT; move++)
            self->actions[seat][move] = (int16_t)as_int(PyList_GET_ITEM(table, move));
        for (int bits = 0; bits < 16; bits++)
            for (int other = 0; other < self->players; other++)
                if (bits >> other & 1)
                    self->relative_masks[seat][bits] |= (uint8_t)(1 << (other - seat + self->players) % self->players);
    }
    return 1;
}

static int encoder_init(Encoder *self, PyObject *args, PyObject *kwargs) {
    PyObject *arrays[4], *steps, *askers, *kinds, *bases, *tables;
    Py_buffer *buffers[4] = {&self->observations, &self->masks, &self->seats, &self->hidden_states};
    int size, actions;
    static char *names[] = {"observations", "masks", "seats", "hidden_states", "players", "row_size",
                            "layout", "steps", "askers", "kinds", "bases", "actions", NULL};
    if (self->open_buffers || self->steps) {
        PyErr_SetString(PyExc_TypeError, "an encoder cannot be initialized again");
        return -1;
    }
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OOOOin(ii)O!O!O!O!O!", names, &arrays[0], &arrays[1], &arrays[2],
                                     &arrays[3], &self->players, &self->row_size, &size, &actions,
                                     &PyDict_Type, &steps, &PyDict_Type, &askers, &PyList_Type, &kinds, &PyList_Type,
                                     &bases, &PyList_Type, &tables))
        return -1;
    if (size != OBSERVATION_SIZE || actions != ACTION_COUNT || self->players < 2 || self->players > MAX_PLAYERS || self->row_size < OBSERVATION_SIZE
        || PyList_GET_SIZE(kinds) != MOVE_LIMIT || PyList_GET_SIZE(bases) != KIND_COUNT) {
        PyErr_SetString(PyExc_ValueError, "the encoder was built for another layout; build it again");
        return -1;
    }
    for (; self->open_buffers < 4; self->open_buffers++)
        if (PyObject_GetBuffer(arrays[self->open_buffers], buffers[self->open_buffers], PyBUF_WRITABLE | PyBUF_C_CONTIGUOUS) < 0)
            return -1;
    self->games = self->seats.len;
    if (self->observations.len != self->games * self->row_size || self->masks.len != self->games * ACTION_COUNT
        || (self->hidden_states.len && self->hidden_states.len != self->games * HIDDEN_STATE_SIZE)) {
        PyErr_SetString(PyExc_ValueError, "the arrays are for different numbers of games");
        return -1;
    }
    self->steps = Py_NewRef(steps);
    self->askers = Py_NewRef(askers);
    for (int move = 0; move < MOVE_LIMIT; move++)
        self->kinds[move] = (uint8_t)as_int(PyList_GET_ITEM(kinds, move));
    for (int kind = 0; kind < KIND_COUNT; kind++)
        self->bases[kind] = (int)as_int(PyList_GET_ITEM(bases, kind));
    if (!read_actions(self, tables)) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_ValueError, "the tables of actions do not fit");
        return -1;
    }
    return PyErr_Occurred() ? -1 : 0;
}

static void encoder_dealloc(Encoder *self) {
    Py_buffer *buffers[4] = {&self->observations, &self->masks, &self->seats, &self->hidden_states};
    while (self->open_buffers)
        PyBuffer_Release(buffers[--self->open_buffers]);
    Py_XDECREF(self->steps);
    Py_XDECREF(self->askers);
    PyMem_Free(self->traces);
    Py_TYPE(self)->tp_free((PyObject *)self);
}

static PyMethodDef METHODS[] = {
    {"write", (PyCFunction)(void (*)(void))encoder_write, METH_FASTCALL, "Write the row of a game."},
    {"trace", (PyCFunction)(void (*)(void))encoder_trace, METH_FASTCALL, "Record which memory of a game to prefetch."},
    {NULL, NULL, 0, NULL},
};

static PyTypeObject ENCODER = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "argentum.observations._encode.Encoder",
    .tp_doc = "Write the rows of a batch into its arrays.",
    .tp_basicsize = sizeof(Encoder),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = PyType_GenericNew,
    .tp_init = (initproc)encoder_init,
    .tp_dealloc = (destructor)encoder_dealloc,
    .tp_methods = METHODS,
};

static PyMethodDef FUNCTIONS[] = {
    {"sample", sample, METH_VARARGS, "Choose a legal action in each row."},
    {"check", check, METH_VARARGS, "Return the index of the first illegal action."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, .m_name = "_encode", .m_doc = "Write the rows of a batch.",
                                    .m_size = -1, .m_methods = FUNCTIONS};

PyMODINIT_FUNC PyInit__encode(void) {
    for (int bits = 0; bits < 256; bits++)
        for (int bit = 0; bit < 8; bit++)
            BYTE_BITS[bits][bit] = bits >> bit & 1;
    PyObject *module = PyModule_Create(&MODULE);
    if (module == NULL || PyType_Ready(&ENCODER) < 0 || PyModule_AddObjectRef(module, "Encoder", (PyObject *)&ENCODER) < 0) {
        Py_XDECREF(module);
        return NULL;
    }
    return module;
}
