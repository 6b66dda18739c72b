/* Rows of a batch, written straight into its arrays: observations, masks, seats and the truth.

   The definition is argentum/observations/layout.py, and the names here are those of its parts and methods; a test holds
   the two equal byte for byte. Where this module is not built, rows are written by that one. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <string.h>

enum { MOST = 4, CARDS = 52, NUMBERS = 14, PICKS = 8, WIDTH = 21, PLAIN_KINDS = 15, KINDS = 30 };
enum { SIZE = 1308, ACTIONS = 872, NAMELESS = 92, CARD_KINDS = 10, CARDS_FROM = 216 };
enum { UNSEEN_FROM = CARDS_FROM - NUMBERS };
enum { MOVE_VILLAGE = 48, MOVE_TAKE_NTH = 64, MOVE_CARD = 1 << 8, MOVE_PEEK = 2 << 8, MOVE_EXCHANGE = 4 << 8 };
enum { MOVE_GIVE = 10 << 8, MOST_MOVES = 14 << 8 };
enum { IN_VILLAGE = 1, IN_PRIVATE = 5, IN_DISCARD = 9, IN_DECK = 10, IN_HAND = 11, IN_SHOWN = 12 };
/* Columns of a token. */
enum { PLACE = 1, RESIDENT, NUMBER, MARKS, SEEN_BY = MARKS + 8, PICKED = 16, GUARDS, GUARDED, REACHED, LEGAL };
/* Bits of the marks. */
enum { UP = 1, SIDEWAYS = 2, COVERED = 4, MUTED = 8, PASSED = 16, USED = 32, RESTING = 64, NAMED = 128 };
enum { CACHE_LINE = 64, GC_HEAD = 16, MOST_NOTED = 47 };
enum { AHEAD = 3, PER_CARD = 2, AT_THE_END = 12 }; /* games by which one is fetched early; cache lines at a time */
enum { A_RULE = 5, ASKED_NUMBER = 26 };

/* What is read of a table, in the order of the definition's fields_of(). */
enum {
    F_asker, F_blurred, F_caller, F_covered, F_deck, F_deck_up, F_direction, F_discard, F_extra, F_faces, F_guards,
    F_hand, F_last, F_looking, F_named, F_over, F_passed, F_peeked, F_picked, F_private, F_reach, F_reason, F_resting,
    F_round, F_scores, F_seen, F_shown, F_sideways, F_step, F_token_seat, F_token_state, F_token_was, F_totals,
    F_turn, F_turns, F_up, F_used, F_villages, FIELD_COUNT
};

static uint8_t SPREAD[256][8]; /* the bits of a byte as bytes */

/* Where a game's things lie in memory: the first cache line of each, and how many there are. */
typedef struct {
    uint64_t noted;
    uintptr_t lines[MOST_NOTED];
} Trace;

typedef struct {
    PyObject_HEAD
    Py_buffer observations, masks, seats, truths;
    int open; /* how many of the buffers are held */
    int players;
    Py_ssize_t games, row;
    PyObject *steps; /* the number of each step */
    uint8_t kinds[MOST_MOVES];
    int bases[KINDS];
    int16_t actions[MOST][MOST_MOVES];
    Trace *traces; /* by game, once they are noted */
    uint8_t sets[MOST][16]; /* by observing seat: sets of seats, counted from it */
} Encoder;

/* One row while it is written. */
typedef struct {
    Encoder *encoder;
    PyObject **fields; /* of the table */
    int failed;
    int seat, players;
    uint8_t *out, *truth; /* the row; the truth or NULL */
    const uint8_t *residents; /* of the deck, by number */
    PyObject **faces, **seen;
    int64_t up, sideways, passed;
    int starts[MOST]; /* by seat: the first token of its village */
    int tokens; /* written so far */
    int picks[CARDS];
    int picked; /* how many of them */
    const uintptr_t *coming, *last; /* what is to be fetched of a later game */
    uintptr_t fetched; /* of the lines at `coming` */
} Row;

/* Reading Python's numbers and lists. */

static inline int64_t value(PyObject *number) {
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

static inline int64_t number(Row *row, int name) { return value(row->fields[name]); }

/* A list or tuple of at most `most` things: how many, and where they are. */
static int things(Row *row, PyObject *found, int most, PyObject ***items) {
    Py_ssize_t size = 0;
    *items = NULL;
    if (PyList_Check(found)) {
        size = PyList_GET_SIZE(found);
        *items = ((PyListObject *)found)->ob_item;
    } else if (PyTuple_Check(found)) {
        size = PyTuple_GET_SIZE(found);
        *items = ((PyTupleObject *)found)->ob_item;
    } else {
        size = -1;
    }
    if (size < 0 || size > most) {
        if (!row->failed && !PyErr_Occurred())
            PyErr_SetString(PyExc_ValueError, "a table's list is none, or is too long");
        row->failed = 1;
        return 0;
    }
    return (int)size;
}

static PyObject **by_card(Row *row, int name) {
    PyObject **items;
    if (things(row, row->fields[name], CARDS, &items) == CARDS)
        return items;
    if (!row->failed)
        PyErr_SetString(PyExc_ValueError, "a table has 52 cards");
    row->failed = 1;
    return NULL;
}

static int triple(Row *row, PyObject *found, int64_t *one, int64_t *two, int64_t *three) {
    PyObject **items;
    if (things(row, found, 3, &items) != 3) {
        row->failed = 1;
        return 0;
    }
    *one = value(items[0]);
    *two = value(items[1]);
    *three = value(items[2]);
    return 1;
}

/* Seats from the observer's own, from 1; 0 is none. */
static inline uint8_t from(Row *row, int64_t seat) {
    return seat < 0 ? 0 : (uint8_t)((seat - row->seat + row->players) % row->players + 1);
}

/* Have some more of a later game brought into the cache. A processor drops what it is asked for all at once. */
static inline void fetch_some(Row *row, int lines) {
#if defined(__GNUC__)
    for (; lines > 0 && row->coming < row->last; lines--) {
        uintptr_t entry = *row->coming, size = entry & (CACHE_LINE - 1);
        __builtin_prefetch((const char *)(entry - size) + CACHE_LINE * row->fetched, 1);
        if (++row->fetched >= size) {
            row->fetched = 0;
            row->coming++;
        }
    }
#else
    (void)row, (void)lines;
#endif
}

/* The card tokens. */

static void look_at(Row *row, int64_t card, int where, int place, int marks) {
    if (card < 0 || card >= CARDS || row->tokens >= CARDS) {
        row->failed = 1;
        return;
    }
    uint8_t *token = row->out + CARDS_FROM + WIDTH * row->tokens;
    int64_t who = value(row->seen[card]), face = value(row->faces[card]);
    if (face < 0 || face >= NUMBERS) {
        row->failed = 1;
        return;
    }
    marks |= (row->up >> card & 1 ? UP : 0) | (row->sideways >> card & 1 ? SIDEWAYS : 0);
    marks |= (row->passed >> card & 1) ? PASSED : 0;
    token[0] = (uint8_t)where;
    token[PLACE] = (uint8_t)place;
    if (marks & UP || who >> row->seat & 1) {
        token[RESIDENT] = row->residents[face];
        token[NUMBER] = (uint8_t)(face + 1);
        row->out[UNSEEN_FROM + face]--;
    }
    memcpy(token + MARKS, SPREAD[marks & 255], 8);
    memcpy(token + SEEN_BY, SPREAD[row->encoder->sets[row->seat][who & 15]], MOST);
    if (row->truth)
        row->truth[row->tokens] = row->residents[face];
    row->tokens++;
    fetch_some(row, PER_CARD);
}

static uint8_t *token_at(Row *row, int64_t spot) {
    int64_t token = row->starts[spot >> 6 & 3] + (spot & 63);
    if (token >= CARDS) {
        row->failed = 1;
        token = 0;
    }
    return row->out + CARDS_FROM + WIDTH * token;
}

static int rests(Row *row, PyObject **resting, int count, int owner, int64_t card) {
    int64_t one, which, awaited;
    for (int nth = 0; nth < count; nth++)
        if (triple(row, resting[nth], &one, &which, &awaited) && one == owner && which == card)
            return 1;
    return 0;
}

static void mark_guards(Row *row, PyObject **villages) {
    PyObject **guards, **cards;
    int count = things(row, row->fields[F_guards], CARDS, &guards);
    int64_t owner, one, other;
    for (int nth = 0; nth < count; nth++) {
        int guard = -1, guarded = -1;
        if (!triple(row, guards[nth], &owner, &one, &other))
            return;
        for (int seat = 0; seat < row->players; seat++) {
            int size = things(row, villages[seat], CARDS, &cards);
            for (int place = 0; place < size; place++) {
                int64_t card = value(cards[place]);
                if (card == one)
                    guard = seat << 6 | place;
                if (card == other)
                    guarded = seat << 6 | place;
            }
        }
        token_at(row, guard)[GUARDS] = (uint8_t)((guarded & 63) + 1);
        token_at(row, guarded)[GUARDED] = 1;
    }
}

static void villages(Row *row, PyObject **villages, int64_t turn, int64_t named, int mutes, PyObject *legal) {
    PyObject **resting, **cards, **moves;
    int64_t covered = number(row, F_covered), blurred = number(row, F_blurred);
    int64_t used = number(row, F_used) & ~blurred;
    int rest = things(row, row->fields[F_resting], CARDS, &resting);
    int sizes[MOST] = {0};
    for (int step = 0; step < row->players && !row->failed; step++) {
        int owner = (row->seat + step) % row->players;
        int64_t mine = owner == turn ? named : 0;
        row->starts[owner] = row->tokens;
        sizes[owner] = things(row, villages[owner], CARDS, &cards);
        for (int place = 0; place < sizes[owner]; place++) {
            int64_t card = value(cards[place]);
            int marks = card != covered ? 0 : mutes ? COVERED | MUTED : COVERED;
            marks |= (used >> card & 1 ? USED : 0) | (mine >> place & 1 ? NAMED : 0);
            if (rest && !(blurred >> card & 1) && rests(row, resting, rest, owner, card))
                marks |= RESTING;
            look_at(row, card, IN_VILLAGE + step, place + 1, marks);
        }
    }
    for (int nth = 0; nth < row->picked; nth++) {
        int move = row->picks[nth];
        if (move >= MOVE_CARD && (move & 63) < sizes[move >> 6 & 3])
            token_at(row, move)[PICKED] = (uint8_t)(nth + 1);
    }
    mark_guards(row, villages);
    int count = things(row, legal, MOST_MOVES, &moves);
    for (int nth = 0; nth < count; nth++) {
        int64_t move = value(moves[nth]);
        if (move >= MOVE_CARD)
            token_at(row, move)[LEGAL] = 1;
    }
}

static void piles(Row *row, PyObject **deck, int left, PyObject **discard, int gone, int deck_up, PyObject **private) {
    PyObject **items;
    if (number(row, F_hand) >= 0)
        look_at(row, number(row, F_hand), IN_HAND, 1, 0);
    int first = row->tokens;
    for (int place = 1; place <= gone; place++)
        look_at(row, value(discard[gone - place]), IN_DISCARD, place, 0);
    int count = things(row, row->fields[F_reach], CARDS, &items);
    for (int nth = 0; nth < count; nth++) {
        int64_t token = first + gone - 1 - value(items[nth]);
        if (token >= first && token < row->tokens)
            row->out[CARDS_FROM + WIDTH * token + REACHED] = (uint8_t)(nth + 1);
    }
    for (int depth = 1; depth <= left && !row->failed; depth++) {
        int64_t card = value(deck[left - depth]);
        if (card >= 0 && card < CARDS && (value(row->seen[card]) || row->passed >> card & 1))
            look_at(row, card, IN_DECK, depth, depth == 1 && deck_up ? UP : 0);
        else
            fetch_some(row, PER_CARD);
    }
    count = things(row, row->fields[F_shown], CARDS, &items);
    for (int nth = 0; nth < count; nth++)
        look_at(row, value(items[nth]), IN_SHOWN, nth + 1, 0);
    for (int step = 0; step < row->players; step++) {
        count = things(row, private[(row->seat + step) % row->players], CARDS, &items);
        for (int place = 1; place <= count; place++)
            look_at(row, value(items[count - place]), IN_PRIVATE + step, place, 0);
    }
}

/* The table as a whole. */

static void points(Row *row, uint8_t *out, int name) {
    PyObject **items;
    int count = things(row, row->fields[name], MOST, &items);
    for (int step = 0; step < row->players && count == row->players; step++) {
        int64_t amount = value(items[(row->seat + step) % row->players]), size = amount < 0 ? -amount : amount;
        out[3 * step] = (uint8_t)(size & 255);
        out[3 * step + 1] = (uint8_t)(size >> 8);
        out[3 * step + 2] = amount < 0;
    }
}

static void note_picks(Row *row, int asked, int64_t turn, int64_t looking, int64_t named, int size) {
    PyObject **items;
    row->picked = 0;
    if (named) {
        for (int place = 0; place < size; place++)
            if (named >> place & 1)
                row->picks[row->picked++] = MOVE_EXCHANGE + (int)(turn << 6) + place;
        return;
    }
    if (looking && things(row, row->fields[F_peeked], MOST, &items) > asked && value(items[asked]) >= 0) {
        row->picks[row->picked++] = MOVE_PEEK + (asked << 6) + (int)value(items[asked]);
        return;
    }
    int count = things(row, row->fields[F_picked], CARDS, &items);
    for (int nth = 0; nth < count; nth++)
        row->picks[row->picked++] = (int)value(items[nth]);
}

static void write_pick(Row *row, uint8_t *out, int move) {
    if (move < 0 || move >= MOST_MOVES) {
        row->failed = 1;
        return;
    }
    int kind = row->encoder->kinds[move];
    out[0] = (uint8_t)(kind + 1);
    if (move >= MOVE_CARD) {
        out[1] = from(row, move >= MOVE_GIVE ? (move - MOVE_GIVE) >> 8 : move >> 6 & 3);
        out[2] = (uint8_t)((move & 63) + 1);
    } else if (move >= MOVE_VILLAGE && move < MOVE_TAKE_NTH) {
        out[1] = from(row, move - MOVE_VILLAGE);
    } else if (kind >= PLAIN_KINDS) {
        out[2] = (uint8_t)(move - row->encoder->bases[kind]);
    }
}

/* What asks: the letter and the number of a label. */
static void write_asker(Row *row, uint8_t *out) {
    PyObject *label = row->fields[F_asker];
    const char *text = PyUnicode_Check(label) ? PyUnicode_AsUTF8(label) : NULL;
    if (text == NULL || !text[0]) {
        row->failed = 1;
        return;
    }
    int box = (text[0] | 32) - 'a' + 1, nth = 0;
    for (const char *digit = text + 1; *digit >= '0' && *digit <= '9'; digit++)
        nth = 10 * nth + *digit - '0';
    out[0] = (uint8_t)(box >= 1 && box <= 4 ? box : A_RULE);
    out[1] = (uint8_t)(nth + 1 < ASKED_NUMBER - 1 ? nth + 1 : ASKED_NUMBER - 1);
}

/* What a seat is asked, and what was picked so far: 29 bytes. */
static void question(Row *row, uint8_t *out, int asked, int64_t turn, int64_t looking, int64_t named, int size) {
    row->picked = 0;
    out[0] = from(row, asked);
    if (asked < 0)
        return;
    write_asker(row, out + 1);
    PyObject *step = PyDict_GetItemWithError(row->encoder->steps, row->fields[F_step]);
    if (step == NULL) {
        row->failed = 1;
        return;
    }
    out[3] = (uint8_t)value(step);
    note_picks(row, asked, turn, looking, named, size);
    out[4] = (uint8_t)row->picked;
    for (int nth = 0; nth < row->picked && nth < PICKS; nth++)
        write_pick(row, out + 5 + 3 * nth, row->picks[nth]);
}

static void write_legal(Row *row, uint8_t *flags, uint8_t *mask, PyObject *legal) {
    PyObject **moves;
    int count = things(row, legal, MOST_MOVES, &moves);
    for (int nth = 0; nth < count; nth++) {
        int64_t move = value(moves[nth]);
        int action = move >= 0 && move < MOST_MOVES ? row->encoder->actions[row->seat][move] : -1;
        if (action < 0) {
            row->failed = 1;
            return;
        }
        flags[move < MOVE_CARD ? action : row->encoder->kinds[move] + NAMELESS - (KINDS - CARD_KINDS)] = 1;
        mask[action] = 1;
    }
}

/* The other seat that last finished a turn (D4). */
static int64_t predecessor(Row *row, int64_t turn) {
    PyObject **last;
    int count = things(row, row->fields[F_last], MOST, &last);
    int64_t latest = 0, found = -1;
    for (int seat = 0; seat < count; seat++) {
        int64_t finished = value(last[seat]);
        if (finished > latest && seat != turn) {
            latest = finished;
            found = seat;
        }
    }
    return found;
}

static void write_row(Row *row, int chooser, int over, PyObject *legal, const uint8_t *deck_told, uint8_t *mask) {
    static const uint8_t COPIES[NUMBERS] = {2, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 2};
    PyObject **village, **private, **deck, **discard, **shown;
    uint8_t *out = row->out;
    int64_t turn = number(row, F_turn), looking = number(row, F_looking), named = number(row, F_named);
    int ended = row->fields[F_over] == Py_True, deck_up = row->fields[F_deck_up] == Py_True;
    row->faces = by_card(row, F_faces);
    row->seen = by_card(row, F_seen);
    row->up = number(row, F_up);
    row->sideways = number(row, F_sideways);
    row->passed = number(row, F_passed);
    int left = things(row, row->fields[F_deck], CARDS, &deck);
    int gone = things(row, row->fields[F_discard], CARDS, &discard);
    if (things(row, row->fields[F_villages], MOST, &village) != row->players
        || things(row, row->fields[F_private], MOST, &private) != row->players || row->failed || turn < 0
        || turn >= row->players) {
        row->failed = 1;
        return;
    }
    memset(out, 0, SIZE);
    out[0] = (uint8_t)row->players;
    memcpy(out + 1, deck_told, NUMBERS + 1);
    out[16] = (uint8_t)number(row, F_token_state);
    out[17] = from(row, number(row, F_token_seat));
    out[18] = ended ? from(row, number(row, F_token_was)) : 0;
    out[19] = (uint8_t)number(row, F_round);
    out[20] = from(row, turn);
    out[21] = from(row, chooser);
    int asked = looking >> row->seat & 1 && chooser >= 0 ? row->seat : chooser;
    question(row, out + 22, asked, turn, looking, named, things(row, village[turn], CARDS, &shown));
    write_legal(row, out + 51, mask, legal);
    uint8_t *course = out + 51 + NAMELESS + CARD_KINDS;
    course[0] = number(row, F_hand) >= 0 ? from(row, turn) : 0;
    course[1] = from(row, number(row, F_caller));
    course[2] = from(row, predecessor(row, turn));
    memcpy(course + 3, SPREAD[row->encoder->sets[row->seat][looking & 15]], MOST);
    course[7] = number(row, F_direction) > 0;
    course[8] = (uint8_t)deck_up;
    course[9] = (uint8_t)ended;
    course[10] = (uint8_t)over;
    course[11] = (uint8_t)(number(row, F_reason) + 1);
    course[12] = (uint8_t)number(row, F_turns);
    course[13] = (uint8_t)number(row, F_extra);
    uint8_t *sizes = course + 14;
    for (int step = 0; step < row->players; step++) {
        int owner = (row->seat + step) % row->players;
        sizes[step] = (uint8_t)things(row, village[owner], CARDS, &shown);
        sizes[MOST + step] = (uint8_t)things(row, private[owner], CARDS, &shown);
    }
    sizes[8] = (uint8_t)left;
    sizes[9] = (uint8_t)gone;
    sizes[10] = (uint8_t)things(row, row->fields[F_shown], CARDS, &shown);
    points(row, sizes + 11, F_totals);
    points(row, sizes + 11 + 3 * MOST, F_scores);
    memcpy(out + UNSEEN_FROM, COPIES, NUMBERS);
    if (row->failed)
        return;
    villages(row, village, turn, named, deck_told[NUMBERS + 1], legal);
    piles(row, deck, left, discard, gone, deck_up, private);
    if (row->truth)
        for (int depth = 0; depth < left && !row->failed; depth++) {
            int64_t card = value(deck[left - 1 - depth]);
            int64_t face = card >= 0 && card < CARDS ? value(row->faces[card]) : -1;
            if (face < 0 || face >= NUMBERS)
                row->failed = 1;
            else
                row->truth[CARDS + depth] = row->residents[face];
        }
}

/* Encoder.write(place, fields, seat, chooser, over, legal, deck, memory) */
static PyObject *encoder_write(Encoder *self, PyObject *const *args, Py_ssize_t count) {
    if (count != 8 || !PyList_Check(args[1]) || PyList_GET_SIZE(args[1]) != FIELD_COUNT || !PyBytes_Check(args[6])
        || PyBytes_GET_SIZE(args[6]) != 2 * NUMBERS + 2 || !PyBytes_Check(args[7])) {
        PyErr_SetString(PyExc_TypeError, "write(place, fields, seat, chooser, over, legal, deck, memory)");
        return NULL;
    }
    int64_t place = value(args[0]), seat = value(args[2]), chooser = value(args[3]);
    Py_ssize_t told = PyBytes_GET_SIZE(args[7]);
    if (place < 0 || place >= self->games || seat < 0 || seat >= self->players
        || chooser >= self->players || SIZE + told != self->row) {
        PyErr_SetString(PyExc_ValueError, "there is no such row or seat in the batch");
        return NULL;
    }
    Row row; /* what is not set here is set before it is read */
    row.encoder = self;
    row.fields = ((PyListObject *)args[1])->ob_item;
    row.failed = row.tokens = row.picked = 0;
    row.coming = row.last = NULL;
    row.fetched = 0;
    if (self->traces && place + AHEAD < self->games) {
        const Trace *next = self->traces + place + AHEAD;
        row.coming = next->lines;
        row.last = next->lines + next->noted;
    }
    row.seat = (int)seat;
    row.players = self->players;
    row.truth = NULL;
    memset(row.starts, 0, sizeof row.starts);
    uint8_t *mask = (uint8_t *)self->masks.buf + place * ACTIONS;
    const uint8_t *deck = (const uint8_t *)PyBytes_AS_STRING(args[6]);
    row.out = (uint8_t *)self->observations.buf + place * self->row;
    row.residents = deck;
    if (self->truths.len) {
        row.truth = (uint8_t *)self->truths.buf + place * 2 * CARDS;
        memset(row.truth, 0, 2 * CARDS);
    }
    memset(mask, 0, ACTIONS);
    ((uint8_t *)self->seats.buf)[place] = (uint8_t)seat;
    write_row(&row, (int)chooser, args[4] == Py_True, args[5], deck + NUMBERS, mask);
    memcpy(row.out + SIZE, PyBytes_AS_STRING(args[7]), (size_t)told);
    fetch_some(&row, AT_THE_END);
    if (row.failed || PyErr_Occurred()) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_ValueError, "the table does not make sense");
        return NULL;
    }
    Py_RETURN_NONE;
}

/* Where a game's things lie is noted once its row is written, and fetched before its next turn (fetch_some). What has
   moved by then is fetched in vain, which does no harm. */

static void note(Trace *trace, const void *start, Py_ssize_t size) {
    uintptr_t first = (uintptr_t)start & ~(uintptr_t)(CACHE_LINE - 1);
    uintptr_t lines = ((uintptr_t)start + (uintptr_t)size - first + CACHE_LINE - 1) / CACHE_LINE;
    if (trace->noted < MOST_NOTED && lines < CACHE_LINE)
        trace->lines[trace->noted++] = first | lines;
}

static void note_object(Trace *trace, PyObject *found, Py_ssize_t size) {
    note(trace, (const char *)found - GC_HEAD, size + GC_HEAD);
}

static void note_list(Trace *trace, PyObject *found) {
    if (!PyList_CheckExact(found))
        return;
    note_object(trace, found, sizeof(PyListObject));
    note(trace, ((PyListObject *)found)->ob_item, PyList_GET_SIZE(found) * (Py_ssize_t)sizeof(PyObject *));
}

/* A generator, and the one that it waits for. */
static int note_rules(PyObject *found, void *trace) {
    PyTypeObject *type = Py_TYPE(found);
    if (type->tp_iternext && type->tp_traverse && !PyList_CheckExact(found)) {
        note_object(trace, found, type->tp_basicsize);
        type->tp_traverse(found, note_rules, trace);
    }
    return 0;
}

/* Encoder.note(place, fields, rules, ...): note the lists of a table, its rules, and the objects that hold them. */
static PyObject *encoder_note(Encoder *self, PyObject *const *args, Py_ssize_t count) {
    int64_t place = count < 3 ? -1 : value(args[0]);
    if (place < 0 || place >= self->games || !PyList_Check(args[1]) || PyList_GET_SIZE(args[1]) != FIELD_COUNT) {
        PyErr_SetString(PyExc_TypeError, "note(place, fields, rules, ...)");
        return NULL;
    }
    if (!self->traces && !(self->traces = PyMem_Calloc((size_t)self->games, sizeof(Trace))))
        return PyErr_NoMemory();
    Trace *trace = self->traces + place;
    PyObject **fields = ((PyListObject *)args[1])->ob_item, *villages = fields[F_villages];
    trace->noted = 0;
    for (Py_ssize_t nth = 3; nth < count; nth++)
        note_object(trace, args[nth], Py_TYPE(args[nth])->tp_basicsize);
    note_rules(args[2], trace);
    for (int nth = 0; nth < FIELD_COUNT; nth++)
        note_list(trace, fields[nth]);
    if (PyList_CheckExact(villages))
        for (Py_ssize_t seat = 0; seat < PyList_GET_SIZE(villages); seat++)
            note_list(trace, PyList_GET_ITEM(villages, seat));
    note(trace, (const char *)self->observations.buf + place * self->row, self->row);
    note(trace, (const char *)self->masks.buf + place * ACTIONS, ACTIONS);
    Py_RETURN_NONE;
}

/* sample(masks, chances, actions): in each row the legal action at that share of their number; false if one has none. */
static PyObject *sample(PyObject *module, PyObject *args) {
    Py_buffer masks, chances, actions;
    (void)module;
    if (!PyArg_ParseTuple(args, "y*y*w*", &masks, &chances, &actions))
        return NULL;
    Py_ssize_t games = masks.len / ACTIONS;
    int fits = masks.len == games * ACTIONS && chances.len == games * 8 && actions.len == games * 8;
    for (Py_ssize_t game = 0; fits && game < games; game++) {
        const uint8_t *mask = (const uint8_t *)masks.buf + game * ACTIONS;
        int count = 0, nth = 0;
        for (int action = 0; action < ACTIONS; action++)
            count += mask[action];
        int left = (int)(((const double *)chances.buf)[game] * count);
        for (; nth < ACTIONS; nth += 8) { /* eight actions at once, most of them all 0 */
            uint64_t word;
            memcpy(&word, mask + nth, 8);
            int some = (int)((word * 0x0101010101010101u) >> 56); /* the sum of its bytes */
            if (some > left)
                break;
            left -= some;
        }
        fits = nth < ACTIONS;
        while (fits && !(mask[nth] && left-- == 0))
            nth++;
        ((int64_t *)actions.buf)[game] = nth;
    }
    PyBuffer_Release(&masks);
    PyBuffer_Release(&chances);
    PyBuffer_Release(&actions);
    return PyBool_FromLong(fits);
}

/* check(masks, actions): the first row in which an action is neither legal nor -1; -1 if there is none. */
static PyObject *check(PyObject *module, PyObject *args) {
    Py_buffer masks, actions;
    (void)module;
    if (!PyArg_ParseTuple(args, "y*y*", &masks, &actions))
        return NULL;
    Py_ssize_t games = masks.len / ACTIONS, game = 0;
    int fits = masks.len == games * ACTIONS && actions.len == games * 8;
    for (; fits && game < games; game++) {
        int64_t action = ((const int64_t *)actions.buf)[game];
        if (action != -1
            && (action < 0 || action >= ACTIONS || !((const uint8_t *)masks.buf)[game * ACTIONS + action]))
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

/* Making one. */

static int read_actions(Encoder *self, PyObject *tables) {
    for (int seat = 0; seat < self->players; seat++) {
        PyObject *table = PyList_GetItem(tables, seat);
        if (table == NULL || !PyList_Check(table) || PyList_GET_SIZE(table) != MOST_MOVES)
            return 0;
        for (int move = 0; move < MOST_MOVES; move++)
            self->actions[seat][move] = (int16_t)value(PyList_GET_ITEM(table, move));
        for (int bits = 0; bits < 16; bits++)
            for (int one = 0; one < self->players; one++)
                if (bits >> one & 1)
                    self->sets[seat][bits] |= (uint8_t)(1 << (one - seat + self->players) % self->players);
    }
    return 1;
}

static int encoder_init(Encoder *self, PyObject *args, PyObject *kwargs) {
    PyObject *arrays[4], *steps, *kinds, *bases, *tables;
    Py_buffer *buffers[4] = {&self->observations, &self->masks, &self->seats, &self->truths};
    int size, actions;
    static char *names[] = {"observations", "masks", "seats", "truths", "players", "row",
                            "layout", "steps", "kinds", "bases", "actions", NULL};
    if (self->open || self->steps) {
        PyErr_SetString(PyExc_TypeError, "an encoder is made once");
        return -1;
    }
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "OOOOin(ii)O!O!O!O!", names, &arrays[0], &arrays[1], &arrays[2],
                                     &arrays[3], &self->players, &self->row, &size, &actions,
                                     &PyDict_Type, &steps, &PyList_Type, &kinds, &PyList_Type, &bases, &PyList_Type,
                                     &tables))
        return -1;
    if (size != SIZE || actions != ACTIONS || self->players < 2 || self->players > MOST || self->row < SIZE
        || PyList_GET_SIZE(kinds) != MOST_MOVES || PyList_GET_SIZE(bases) != KINDS) {
        PyErr_SetString(PyExc_ValueError, "the encoder was built for another layout; build it again");
        return -1;
    }
    for (; self->open < 4; self->open++)
        if (PyObject_GetBuffer(arrays[self->open], buffers[self->open], PyBUF_WRITABLE | PyBUF_C_CONTIGUOUS) < 0)
            return -1;
    self->games = self->seats.len;
    if (self->observations.len != self->games * self->row || self->masks.len != self->games * ACTIONS
        || (self->truths.len && self->truths.len != self->games * 2 * CARDS)) {
        PyErr_SetString(PyExc_ValueError, "the arrays are for different numbers of games");
        return -1;
    }
    self->steps = Py_NewRef(steps);
    for (int move = 0; move < MOST_MOVES; move++)
        self->kinds[move] = (uint8_t)value(PyList_GET_ITEM(kinds, move));
    for (int kind = 0; kind < KINDS; kind++)
        self->bases[kind] = (int)value(PyList_GET_ITEM(bases, kind));
    if (!read_actions(self, tables)) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_ValueError, "the tables of actions do not fit");
        return -1;
    }
    return PyErr_Occurred() ? -1 : 0;
}

static void encoder_dealloc(Encoder *self) {
    Py_buffer *buffers[4] = {&self->observations, &self->masks, &self->seats, &self->truths};
    while (self->open)
        PyBuffer_Release(buffers[--self->open]);
    Py_XDECREF(self->steps);
    PyMem_Free(self->traces);
    Py_TYPE(self)->tp_free((PyObject *)self);
}

static PyMethodDef METHODS[] = {
    {"write", (PyCFunction)(void (*)(void))encoder_write, METH_FASTCALL, "Write the row of a game."},
    {"note", (PyCFunction)(void (*)(void))encoder_note, METH_FASTCALL, "Note where a game lies; fetch one that comes next."},
    {NULL, NULL, 0, NULL},
};

static PyTypeObject ENCODER = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "argentum.observations._encode.Encoder",
    .tp_doc = "Writes the rows of a batch into its arrays.",
    .tp_basicsize = sizeof(Encoder),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = PyType_GenericNew,
    .tp_init = (initproc)encoder_init,
    .tp_dealloc = (destructor)encoder_dealloc,
    .tp_methods = METHODS,
};

static PyMethodDef FUNCTIONS[] = {
    {"sample", sample, METH_VARARGS, "Choose a legal action in each row."},
    {"check", check, METH_VARARGS, "Find an illegal action."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, .m_name = "_encode", .m_doc = "Rows of a batch, written in C.",
                                    .m_size = -1, .m_methods = FUNCTIONS};

PyMODINIT_FUNC PyInit__encode(void) {
    for (int bits = 0; bits < 256; bits++)
        for (int bit = 0; bit < 8; bit++)
            SPREAD[bits][bit] = bits >> bit & 1;
    PyObject *module = PyModule_Create(&MODULE);
    if (module == NULL || PyType_Ready(&ENCODER) < 0 || PyModule_AddObjectRef(module, "Encoder", (PyObject *)&ENCODER) < 0) {
        Py_XDECREF(module);
        return NULL;
    }
    return module;
}
