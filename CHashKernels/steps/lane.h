/// One lane of the main loop, and how the lanes are walked.
/// Needs the block type; included by cryptonight.h.
#ifndef CHK_STEPS_LANE_H
#define CHK_STEPS_LANE_H

/// What a hash carries from one access to the next. Base 0 stays within the first 64 bytes.
typedef struct lane {
    uint8_t *pad;
    uint64_t address; ///< of the next access, not yet masked; equals a.lo unless heavy
    block a, b, c;
    block older_b;     ///< base 2: b of the iteration before (b1 in the specification)
    uint64_t division; ///< base 2: results of the iteration before
    uint32_t root;
    uint32_t registers[4]; ///< cn/r: the registers that live through the hash
    uint32_t *column;      ///< cn/r, tabled: the lane's column of a table of registers, in place of these
    uint64_t sums;         ///< cn/r, tabled: what the registers contribute before the program runs
    block tweak;           ///< base 1: in the high half
    block carry;           ///< cn/ccx: four floats
} lane;

/// What all lanes have in common. `mask`, `program` and `code` are run-time values, the rest constants wherever
/// `unrolled`.
typedef struct loop {
    const chk_step *step; ///< always a constant
    const chk_program *program;
    const chk_code *code;
    uint64_t mask;
    size_t lanes;
    bool unrolled; ///< always a constant: `lanes` is one too, of 1 … 5, and lane state lives in registers
    bool tabled;   ///< always a constant: cn/r's programs run on tables, eight lanes at once
} loop;

/// Does `statement` for every lane number `k`, written out when the count is a constant.
#define CHK_EACH_LANE(loop, k, statement)                                                                              \
    do {                                                                                                               \
        if ((loop)->unrolled) {                                                                                        \
            CHK_ONE_LANE(loop, k, 0, statement);                                                                       \
            CHK_ONE_LANE(loop, k, 1, statement);                                                                       \
            CHK_ONE_LANE(loop, k, 2, statement);                                                                       \
            CHK_ONE_LANE(loop, k, 3, statement);                                                                       \
            CHK_ONE_LANE(loop, k, 4, statement);                                                                       \
        } else {                                                                                                       \
            for (size_t k = 0; k < (loop)->lanes; k++) {                                                               \
                statement;                                                                                             \
            }                                                                                                          \
        }                                                                                                              \
    } while (false)

#define CHK_ONE_LANE(loop, k, number, statement)                                                                       \
    do {                                                                                                               \
        const size_t k = (number);                                                                                     \
        if (k < (loop)->lanes) {                                                                                       \
            statement;                                                                                                 \
        }                                                                                                              \
    } while (false)

/// The 64-bit word at `at`.
CHK_ALWAYS_INLINE uint64_t word_load(const uint8_t *at) {
    uint64_t word;
    memcpy(&word, at, sizeof(word));
    return word;
}

CHK_ALWAYS_INLINE void word_store(uint8_t *at, uint64_t word) {
    memcpy(at, &word, sizeof(word));
}

/// The lane's next address is known: asks for its line, unless the only lane accesses it at once.
CHK_ALWAYS_INLINE void expect_access(const loop *loop, const lane *lane, uint64_t address) {
    if (!loop->unrolled || loop->lanes > 1) {
        __builtin_prefetch(lane->pad + (address & loop->mask), 1, 3);
    }
}

#endif
