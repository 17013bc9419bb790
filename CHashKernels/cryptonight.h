/// The algorithm, once for all paths: explode, main loop and implode. Included at the end of each isa/ file, never
/// compiled alone.
///
/// The file that includes it defines before:
///   CHK_PATH_RUN, CHK_UNROLLED_LANES   the function's name (isas.def), and up to how many lanes (0 … 5) are unrolled
///   CHK_RUNS_CODE                      whether it runs cn/r's programs as machine code where there is some
///   block                              16 bytes: lanes lo and hi of 64 bits
///   block_load block_store             from and to memory, 16-byte aligned
///   block_make block_lo block_hi       two words into a block and out of it
///   block_xor block_add                bit by bit; lane by lane
///   block_lo_as_hi                     lo moved to hi, 0 in lo
///   block_aes block_aes_chained        one AES round; the round of chained columns
///   block_tweak                        base 1's change to byte 11
///   block_conceal                      cn/ccx's change to a loaded block and to its four floats
///   integer_math_divide                base 2's division by a word with bits 0 and 31 set
///   integer_math_root                  base 2's square root (steps/square_root.h)
///   program_run                        cn/r's program on its nine registers
///   signed_quotient                    the heavy variants' division
///   expand_key                         the first 10 round keys of AES-256
/// and, only where registers of more than one block sweep the scratchpads, what sweep.h lists.
#include "steps/lane.h"

#include "steps/heavy.h"
#include "steps/integer_math.h"
#include "steps/random_math.h"
#include "steps/shuffle.h"

static const chk_step steps[] = {
#define CHK_STEP(name, minimum_bytes, needs_height, ...) [CHK_STEP_##name] = {__VA_ARGS__},
#include "steps.def"
#undef CHK_STEP
};

// The main loop. In each access the word that the next address hangs on is loaded by itself and first, so that it
// doesn't travel through a vector register.

CHK_ALWAYS_INLINE void lane_start(const chk_step *step, lane *lane, const chk_state *state, uint8_t *pad) {
    const uint8_t *bytes = (const uint8_t *)state->words;
    memset(lane, 0, sizeof(*lane));
    lane->pad = pad;
    lane->a = block_xor(block_load(bytes), block_load(bytes + 32));
    lane->b = block_xor(block_load(bytes + 16), block_load(bytes + 48));
    lane->address = block_lo(lane->a);
    if (step->tweak) {
        lane->tweak = block_make(0, state->tweak);
    }
    if (step->shuffle) {
        lane->older_b = block_xor(block_load(bytes + 64), block_load(bytes + 80));
        lane->division = state->words[12];
        lane->root = (uint32_t)state->words[13];
        memcpy(lane->registers, bytes + 96, sizeof(lane->registers));
    }
}

CHK_ALWAYS_INLINE void first_access(const loop *loop, lane *lane) {
    const chk_step *step = loop->step;
    uint64_t offset = lane->address & loop->mask;
    block x = block_load(lane->pad + offset);
    if (step->conceal) {
        x = block_conceal(x, &lane->carry);
    }
    block c = step->chained_columns ? block_aes_chained(x, lane->a) : block_aes(x, lane->a);
    if (step->shuffle) {
        neighbours n = neighbours_load(lane->pad, offset);
        neighbours_shuffle(step, lane, offset, n, lane->a);
        if (step->random_math) {
            c = block_xor(c, neighbours_sum(n));
        }
    }
    block stored = block_xor(lane->b, c);
    block_store(lane->pad + offset, step->tweak ? block_tweak(stored) : stored);
    lane->c = c;
    expect_access(loop, lane, block_lo(c));
}

/// Base 2's part of the second access: its math, which changes d and a, and the shuffle, which changes c and the
/// product.
typedef struct second_operands {
    uint64_t d_lo, a_lo; ///< also the low words of d and a
    block d, a, c;
} second_operands;

CHK_ALWAYS_INLINE void second_access_math(const loop *loop, lane *lane, second_operands *now) {
    uint64_t operand = loop->step->random_math ? random_math_operand(loop, lane) : integer_math_operand(lane);
    now->d_lo ^= operand;
    now->d = block_xor(now->d, block_make(operand, 0));
    if (loop->step->random_math) {
        block change = random_math_advance(loop, lane);
        now->a = block_xor(now->a, change);
        now->a_lo ^= block_lo(change);
    } else {
        integer_math_advance(lane, block_lo(now->c), block_hi(now->c));
    }
}

CHK_ALWAYS_INLINE void second_access(const loop *loop, lane *lane) {
    const chk_step *step = loop->step;
    uint64_t c_lo = block_lo(lane->c);
    uint64_t offset = c_lo & loop->mask;
    uint8_t *at = lane->pad + offset;
    second_operands now = {
        .d_lo = word_load(at),
        .a_lo = step->heavy ? block_lo(lane->a) : lane->address,
        .a = lane->a,
        .c = lane->c,
    };
    now.d = block_load(at);
    if (step->shuffle) {
        second_access_math(loop, lane, &now);
    }
    unsigned __int128 product = (unsigned __int128)c_lo * now.d_lo;
    uint64_t hi = (uint64_t)(product >> 64), lo = (uint64_t)product;
    block crossed = block_make(hi, lo);
    if (step->shuffle) {
        uint64_t q_lo = word_load(lane->pad + (offset ^ 0x20));
        neighbours n = neighbours_load(lane->pad, offset);
        if (step->random_math) {
            now.c = block_xor(now.c, neighbours_sum(n));
        } else {
            n.p = block_xor(n.p, crossed);
            crossed = block_xor(crossed, n.q);
            hi ^= q_lo;
        }
        neighbours_shuffle(step, lane, offset, n, lane->a);
        lane->older_b = lane->b;
    }
    block a = block_add(now.a, crossed);
    block stored = step->tweak ? block_xor(a, lane->tweak) : a;
    block_store(at, step->tweak_mixes_low ? block_xor(stored, block_lo_as_hi(a)) : stored);
    lane->a = block_xor(a, now.d);
    lane->b = now.c;
    lane->address = (now.a_lo + hi) ^ now.d_lo;
    expect_access(loop, lane, lane->address);
    if (loop->tabled) {
        random_math_prepare(lane);
    }
}

/// Whether the loop came to its end. `step` and `unrolled` are constants, and so is `lanes` where it is unrolled.
CHK_ALWAYS_INLINE bool main_loop(const chk_step *step, const chk_flight *flight, chk_watch watch, size_t lanes,
                                 bool unrolled, bool tabled) {
    const loop loop = {step, flight->program, flight->code, flight->kernel->address_mask, lanes, unrolled, tabled};
    const uint32_t iterations_per_look = CHK_LANE_ITERATIONS / (uint32_t)lanes;
    lane array[CHK_LANES_MAX];
    chk_register_table tables[tabled ? CHK_LANES_MAX / CHK_WIDE_LANES : 1];
    CHK_EACH_LANE(&loop, k, lane_start(step, &array[k], &flight->states[k], flight->scratchpads[k]));
    if (tabled) {
        memset(tables, 0, sizeof(tables));
        CHK_EACH_LANE(&loop, k, random_math_seat(tables, k, &array[k]));
    }
    for (uint32_t left = flight->kernel->variant.iterations; left > 0;) {
        if (chk_abandoned(watch)) {
            return false;
        }
        uint32_t now = left < iterations_per_look ? left : iterations_per_look;
        left -= now;
        for (; now > 0; now--) {
            CHK_EACH_LANE(&loop, k, first_access(&loop, &array[k]));
            if (tabled) {
                random_math_run(&loop, tables);
            }
            CHK_EACH_LANE(&loop, k, second_access(&loop, &array[k]));
            if (step->heavy) {
                CHK_EACH_LANE(&loop, k, third_access(&loop, &array[k]));
            }
        }
    }
    return true;
}

typedef bool main_loop_function(const chk_flight *flight, chk_watch watch);

/// The main loop for the flight's lanes, unrolled where they are few.
CHK_ALWAYS_INLINE bool main_loop_of_lanes(const chk_step *step, const chk_flight *flight, chk_watch watch,
                                          bool tabled) {
    switch (flight->lanes <= CHK_UNROLLED_LANES ? flight->lanes : 0) {
    case 1:
        return main_loop(step, flight, watch, 1, true, tabled);
    case 2:
        return main_loop(step, flight, watch, 2, true, tabled);
    case 3:
        return main_loop(step, flight, watch, 3, true, tabled);
    case 4:
        return main_loop(step, flight, watch, 4, true, tabled);
    case 5:
        return main_loop(step, flight, watch, 5, true, tabled);
    default:
        return main_loop(step, flight, watch, flight->lanes, false, tabled);
    }
}

/// From how many lanes on one run of wide code takes less time than a run for each lane.
enum { TABLED_LANES_MIN = 3 };

#define CHK_STEP(name, ...)                                                                                            \
    static bool main_loop_##name(const chk_flight *flight, chk_watch watch) {                                          \
        const chk_step *step = &steps[CHK_STEP_##name];                                                                \
        bool tabled = CHK_RUNS_CODE && step->random_math && flight->lanes >= TABLED_LANES_MIN &&                       \
                      flight->code != NULL && flight->code->wide != NULL;                                              \
        return tabled ? main_loop_of_lanes(step, flight, watch, true)                                                  \
                      : main_loop_of_lanes(step, flight, watch, false);                                                \
    }
#include "steps.def"
#undef CHK_STEP

static main_loop_function *const main_loops[] = {
#define CHK_STEP(name, ...) [CHK_STEP_##name] = main_loop_##name,
#include "steps.def"
#undef CHK_STEP
};

#include "sweep.h"

chk_run CHK_PATH_RUN;

chk_status CHK_PATH_RUN(chk_flight *landing, chk_flight *leaving, chk_watch watch) {
    const chk_kernel *kernel = landing != NULL ? landing->kernel : leaving->kernel;
    size_t landing_lanes = landing != NULL ? landing->lanes : 0;
    size_t leaving_lanes = leaving != NULL ? leaving->lanes : 0;
    if (landing_lanes > 0 && !main_loops[kernel->step](landing, watch)) {
        return CHK_ABANDONED;
    }
    for (size_t k = 0; k < landing_lanes || k < leaving_lanes; k++) {
        chk_state *done = k < landing_lanes ? &landing->states[k] : NULL;
        chk_state *fresh = k < leaving_lanes ? &leaving->states[k] : NULL;
        uint8_t *pad = done != NULL ? landing->scratchpads[k] : leaving->scratchpads[k];
        if (!scratchpad_sweep(kernel, done, fresh, pad, watch)) {
            return CHK_ABANDONED;
        }
    }
    return CHK_OK;
}
