// Hashes in flight: batches follow one another through the same scratchpads, with other inputs, other lane counts and
// other heights each time, and each call returns the digests of the batch before.
#include "checks.h"

enum { INPUT_BYTES_MAX = 512, ANSWERS_MAX = 16, BATCHES = 4 };

typedef struct answer {
    uint64_t height;
    size_t input_bytes;
    uint8_t input[INPUT_BYTES_MAX];
    uint8_t digest[CHK_DIGEST_BYTES];
} answer;

typedef struct subject {
    size_t path, variant, lanes;
    size_t count; ///< of answers
    answer answers[ANSWERS_MAX];
    uint8_t **pads;
    chk_flight *flight;
    chk_program programs[BATCHES];
    uint8_t digests[CHK_LANES_MAX][CHK_DIGEST_BYTES];
} subject;

static bool complain(const subject *s, const char *what) {
    fprintf(stderr, "%s on %s with up to %zu lanes: %s\n", chk_variant_at(s->variant)->name, chk_path_name(s->path),
            s->lanes, what);
    return false;
}

/// Which answer a lane of a batch hashes. A height's program serves all lanes, so there a batch has one answer.
static const answer *answer_at(const subject *s, size_t number, size_t lane) {
    return &s->answers[(number + (chk_variant_at(s->variant)->needs_height ? 0 : lane)) % s->count];
}

/// All lanes, then one less, then all again, so that lanes end and begin in the middle.
static size_t lanes_of(const subject *s, size_t number) {
    return number % 2 == 1 && s->lanes > 1 ? s->lanes - 1 : s->lanes;
}

typedef enum call { START, NEXT, HASH } call;

static chk_status send(subject *s, call call, size_t number, chk_watch watch) {
    const uint8_t *inputs[CHK_LANES_MAX];
    size_t input_bytes[CHK_LANES_MAX];
    for (size_t k = 0; k < lanes_of(s, number); k++) {
        inputs[k] = answer_at(s, number, k)->input;
        input_bytes[k] = answer_at(s, number, k)->input_bytes;
    }
    chk_program *program = &s->programs[number];
    chk_program_make(program, answer_at(s, number, 0)->height);
    memset(s->digests, 0xA5, sizeof(s->digests));
    chk_batch batch = {.lanes = lanes_of(s, number),
                       .inputs = inputs,
                       .input_bytes = input_bytes,
                       .scratchpads = s->pads,
                       .program = program,
                       .watch = watch,
                       .digests = s->digests};
    return call == START  ? chk_start(s->flight, s->variant, s->path, &batch)
           : call == NEXT ? chk_next(s->flight, &batch)
                          : chk_hash(s->variant, s->path, &batch);
}

static bool digests_are_of(const subject *s, size_t number) {
    static const uint8_t untouched[CHK_DIGEST_BYTES] = {[0 ... CHK_DIGEST_BYTES - 1] = 0xA5};
    for (size_t k = 0; k < s->lanes; k++) {
        const uint8_t *expected = k < lanes_of(s, number) ? answer_at(s, number, k)->digest : untouched;
        if (memcmp(s->digests[k], expected, CHK_DIGEST_BYTES) != 0) {
            return complain(s, "a wrong digest, or one too many");
        }
    }
    return true;
}

static bool batches_follow_one_another(subject *s) {
    const chk_watch nothing = {NULL, 0};
    if (send(s, START, 0, nothing) != CHK_OK) {
        return complain(s, "doesn't start");
    }
    for (size_t number = 1; number < BATCHES; number++) {
        if (send(s, NEXT, number, nothing) != CHK_OK) {
            return complain(s, "doesn't go on");
        }
        if (!digests_are_of(s, number - 1)) {
            return false;
        }
    }
    memset(s->digests, 0xA5, sizeof(s->digests));
    if (chk_finish(s->flight, nothing, s->digests) != CHK_OK) {
        return complain(s, "doesn't finish");
    }
    return digests_are_of(s, BATCHES - 1) &&
           (chk_finish(s->flight, nothing, s->digests) == CHK_NOTHING_IN_FLIGHT || complain(s, "finishes twice"));
}

static bool nothing_is_left_after_giving_up(subject *s) {
    const chk_watch nothing = {NULL, 0};
    uint32_t word = 1;
    const chk_watch changed = {&word, 0};
    if (send(s, START, 0, changed) != CHK_ABANDONED || send(s, NEXT, 1, nothing) != CHK_NOTHING_IN_FLIGHT) {
        return complain(s, "something in flight after an abandoned start");
    }
    if (send(s, START, 0, nothing) != CHK_OK || send(s, NEXT, 1, changed) != CHK_ABANDONED ||
        send(s, NEXT, 1, nothing) != CHK_NOTHING_IN_FLIGHT) {
        return complain(s, "something in flight after an abandoned batch");
    }
    if (send(s, START, 0, nothing) != CHK_OK || chk_finish(s->flight, changed, s->digests) != CHK_ABANDONED ||
        chk_finish(s->flight, nothing, s->digests) != CHK_NOTHING_IN_FLIGHT) {
        return complain(s, "something in flight after an abandoned end");
    }
    return true;
}

/// A refused call leaves what is in flight as it was.
static bool refusals_change_nothing(subject *s) {
    const chk_watch nothing = {NULL, 0};
    size_t input_bytes[CHK_LANES_MAX] = {0};
    const uint8_t *inputs[CHK_LANES_MAX];
    uint8_t *elsewhere[CHK_LANES_MAX];
    for (size_t k = 0; k < s->lanes; k++) {
        inputs[k] = s->answers[0].input;
        elsewhere[k] = s->pads[k] + CHK_SCRATCHPAD_ALIGNMENT;
    }
    chk_batch batch = {.lanes = s->lanes,
                       .inputs = inputs,
                       .input_bytes = input_bytes,
                       .scratchpads = s->pads,
                       .program = &s->programs[0],
                       .watch = nothing,
                       .digests = s->digests};
    if (send(s, START, 0, nothing) != CHK_OK || chk_next(s->flight, &batch) != CHK_INPUT_TOO_SHORT) {
        return complain(s, "an empty input isn't refused");
    }
    for (size_t k = 0; k < s->lanes; k++) {
        input_bytes[k] = s->answers[0].input_bytes;
    }
    batch.scratchpads = elsewhere;
    if (chk_next(s->flight, &batch) != CHK_BAD_ARGUMENT) {
        return complain(s, "another scratchpad isn't refused");
    }
    batch.scratchpads = s->pads;
    batch.digests = NULL;
    if (chk_next(s->flight, &batch) != CHK_BAD_ARGUMENT || chk_finish(s->flight, nothing, NULL) != CHK_BAD_ARGUMENT) {
        return complain(s, "no room for digests isn't refused");
    }
    memset(s->digests, 0xA5, sizeof(s->digests));
    return chk_finish(s->flight, nothing, s->digests) == CHK_OK && digests_are_of(s, 0);
}

static bool one_shot_agrees(subject *s) {
    return send(s, HASH, 1, (chk_watch){NULL, 0}) == CHK_OK && digests_are_of(s, 1);
}

static void answers_read(subject *s) {
    for (size_t i = 0; i < chk_known_answer_count() && s->count < ANSWERS_MAX; i++) {
        const chk_known_answer *row = chk_known_answer_at(i);
        if (row->variant == s->variant) {
            answer *answer = &s->answers[s->count++];
            answer->height = row->height;
            answer->input_bytes = hex_decode(row->input_hex, answer->input, sizeof(answer->input));
            hex_decode(row->digest_hex, answer->digest, sizeof(answer->digest));
        }
    }
}

int check_flight(size_t path, size_t lanes, const char *only_variant) {
    uint8_t *pads[CHK_LANES_MAX];
    scratchpads_make(pads, lanes);
    int failures = 0, checked = 0;
    for (size_t variant = 0; variant < chk_variant_count(); variant++) {
        if (only_variant != NULL && strcmp(only_variant, chk_variant_at(variant)->name) != 0) {
            continue;
        }
        checked++;
        subject s = {.path = path, .variant = variant, .lanes = lanes, .pads = pads};
        s.flight = aligned_alloc(CHK_FLIGHT_ALIGNMENT, chk_flight_bytes());
        if (s.flight == NULL) {
            exit(2);
        }
        // One right after the other, so that a lane that leaves its memory spoils its neighbour's.
        for (size_t k = 0; k < lanes; k++) {
            pads[k] = pads[0] + k * chk_variant_at(variant)->memory_bytes;
        }
        answers_read(&s);
        failures += !(batches_follow_one_another(&s) && nothing_is_left_after_giving_up(&s) &&
                      refusals_change_nothing(&s) && one_shot_agrees(&s));
        free(s.flight);
    }
    free(pads[0]);
    printf("%s, up to %zu lanes: batch after batch, %d of %d variants failed\n", chk_path_name(path), lanes, failures,
           checked);
    return failures != 0 || checked == 0;
}
