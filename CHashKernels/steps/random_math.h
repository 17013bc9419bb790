/// cn/r: the program of the block height.
#ifndef CHK_STEPS_RANDOM_MATH_H
#define CHK_STEPS_RANDOM_MATH_H

#include "../random_math/random_math.h"

/// What the registers contribute to d.lo before the program runs.
CHK_ALWAYS_INLINE uint64_t random_math_operand(const lane *lane) {
    const uint32_t *r = lane->registers;
    return (uint64_t)(r[0] + r[1]) | (uint64_t)(r[2] + r[3]) << 32;
}

/// Runs the program; what is to be xored to a comes back. One call for all families of loops, as its body is large.
static __attribute__((noinline)) block random_math_run(const chk_program *program, uint32_t kept[4], block a, block b,
                                                       block older_b) {
    uint32_t r[9] = {
        kept[0],
        kept[1],
        kept[2],
        kept[3],
        (uint32_t)block_lo(a),
        (uint32_t)block_hi(a),
        (uint32_t)block_lo(b),
        (uint32_t)block_lo(older_b),
        (uint32_t)block_hi(older_b),
    };
    chk_program_run(program, r);
    memcpy(kept, r, 4 * sizeof(r[0]));
    return block_make((uint64_t)r[2] | (uint64_t)r[3] << 32, (uint64_t)r[0] | (uint64_t)r[1] << 32);
}

CHK_ALWAYS_INLINE block random_math_advance(const chk_program *program, lane *lane) {
    uint32_t kept[4];
    memcpy(kept, lane->registers, sizeof(kept));
    block change = random_math_run(program, kept, lane->a, lane->b, lane->older_b);
    memcpy(lane->registers, kept, sizeof(kept));
    return change;
}

#endif
