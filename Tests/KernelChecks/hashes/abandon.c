// Giving up: a hash whose watched word changes ends soon, writes no digest, and leaves nothing behind that harms the
// next.
#include "checks.h"

#include <pthread.h>
#include <time.h>

enum { TRIALS = 6, INPUT_BYTES_MAX = 512, EXPECTED = 7 };

static const double latency_limit = 0.005;

typedef struct trial {
    uint32_t word;
    bool finished;
    clockid_t hashing_clock;
    double change_at, changed_at; ///< by that clock, in seconds
} trial;

static double seconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static void *change_later(void *argument) {
    trial *t = argument;
    const struct timespec pause = {0, 20000};
    while (seconds(t->hashing_clock) < t->change_at && !__atomic_load_n(&t->finished, __ATOMIC_ACQUIRE)) {
        nanosleep(&pause, NULL);
    }
    chk_watch_add(&t->word);
    t->changed_at = seconds(t->hashing_clock);
    return NULL;
}

typedef struct subject {
    size_t path, variant;
    const chk_known_answer *answer;
    chk_batch batch;
    uint8_t digests[CHK_LANES_MAX][CHK_DIGEST_BYTES];
} subject;

static bool complain(const subject *s, const char *what) {
    fprintf(stderr, "%s on %s with %zu lanes: %s\n", chk_variant_at(s->variant)->name, chk_path_name(s->path),
            s->batch.lanes, what);
    return false;
}

static chk_status hash_watched(subject *s, const uint32_t *word) {
    s->batch.watch = (chk_watch){word, EXPECTED};
    s->batch.digests = s->digests;
    memset(s->digests, 0xA5, sizeof(s->digests));
    return chk_hash(s->variant, s->path, &s->batch);
}

static bool digests_untouched(const subject *s) {
    for (size_t i = 0; i < sizeof(s->digests); i++) {
        if (((const uint8_t *)s->digests)[i] != 0xA5) {
            return false;
        }
    }
    return true;
}

static bool hashes_right(subject *s) {
    uint8_t digest[CHK_DIGEST_BYTES];
    hex_decode(s->answer->digest_hex, digest, sizeof(digest));
    if (hash_watched(s, NULL) != CHK_OK) {
        return complain(s, "no hash without a watch");
    }
    for (size_t k = 0; k < s->batch.lanes; k++) {
        if (memcmp(s->digests[k], digest, sizeof(digest)) != 0) {
            return complain(s, "a wrong digest after giving up");
        }
    }
    return true;
}

static bool gives_up_at_once(subject *s) {
    uint32_t changed = EXPECTED + 1;
    double start = seconds(CLOCK_THREAD_CPUTIME_ID);
    if (hash_watched(s, &changed) != CHK_ABANDONED || !digests_untouched(s)) {
        return complain(s, "doesn't give up when the word has changed before");
    }
    return (seconds(CLOCK_THREAD_CPUTIME_ID) - start) < latency_limit || complain(s, "gives up late");
}

/// Changes the word after `delay` seconds; the time from there to the return, or 0 when the hash came first.
static bool gives_up_half_way(subject *s, double delay, double *latency) {
    trial t = {.word = EXPECTED, .change_at = seconds(CLOCK_THREAD_CPUTIME_ID) + delay};
    pthread_t thread;
    if (pthread_getcpuclockid(pthread_self(), &t.hashing_clock) != 0 ||
        pthread_create(&thread, NULL, change_later, &t) != 0) {
        return complain(s, "no thread");
    }
    chk_status status = hash_watched(s, &t.word);
    double end = seconds(CLOCK_THREAD_CPUTIME_ID);
    __atomic_store_n(&t.finished, true, __ATOMIC_RELEASE);
    pthread_join(thread, NULL);
    *latency = status == CHK_ABANDONED ? end - t.changed_at : 0;
    if (status != CHK_OK && (status != CHK_ABANDONED || !digests_untouched(s))) {
        return complain(s, "a wrong status or a written digest half way");
    }
    return *latency < latency_limit || complain(s, "gives up late");
}

static bool subject_holds(subject *s, double *worst) {
    double start = seconds(CLOCK_THREAD_CPUTIME_ID);
    bool holds = hashes_right(s);
    double duration = seconds(CLOCK_THREAD_CPUTIME_ID) - start;
    holds = holds && gives_up_at_once(s);
    for (int i = 0; holds && i < TRIALS; i++) {
        double latency = 0;
        holds = gives_up_half_way(s, duration * (i + 0.5) / (double)TRIALS, &latency);
        *worst = latency > *worst ? latency : *worst;
    }
    return holds && hashes_right(s);
}

int check_abandoning(size_t path, size_t lanes) {
    uint8_t *pads[CHK_LANES_MAX];
    scratchpads_make(pads, lanes);
    int failures = 0;
    double worst = 0;
    size_t last_variant = SIZE_MAX;
    for (size_t i = 0; i < chk_known_answer_count(); i++) {
        const chk_known_answer *answer = chk_known_answer_at(i);
        if (answer->variant == last_variant) {
            continue;
        }
        last_variant = answer->variant;
        uint8_t input[INPUT_BYTES_MAX];
        const uint8_t *inputs[CHK_LANES_MAX];
        size_t input_bytes[CHK_LANES_MAX];
        for (size_t k = 0; k < lanes; k++) {
            inputs[k] = input;
            input_bytes[k] = hex_decode(answer->input_hex, input, sizeof(input));
        }
        chk_program program;
        chk_program_make(&program, answer->height);
        subject s = {.path = path, .variant = answer->variant, .answer = answer};
        chk_code_origin origin;
        chk_code *code = chk_code_make(&program, &origin);
        s.batch = (chk_batch){.lanes = lanes,
                              .inputs = inputs,
                              .input_bytes = input_bytes,
                              .scratchpads = pads,
                              .program = &program,
                              .code = code};
        failures += !subject_holds(&s, &worst);
        chk_code_free(code);
    }
    free(pads[0]);
    printf("%s, %zu lanes: gave up after at most %.0f µs, %d variants failed\n", chk_path_name(path), lanes,
           worst * 1e6, failures);
    return failures != 0;
}
