/// cn/r: the program of the block height.
#ifndef CHK_STEPS_RANDOM_MATH_H
#define CHK_STEPS_RANDOM_MATH_H

#include "../random_math/random_math.h"

/// What the registers contribute to d.lo before the program runs.
CHK_ALWAYS_INLINE uint64_t random_math_operand(const lane *lane) {
    const uint32_t *r = lane->registers;
    return (uint64_t)(r[0] + r[1]) | (uint64_t)(r[2] + r[3]) << 32;
}

/// Runs the program; what is to be xored to a comes back.
CHK_ALWAYS_INLINE block random_math_advance(const loop *loop, lane *lane) {
    uint32_t r[CHK_PROGRAM_REGISTERS] = {
        lane->registers[0],
        lane->registers[1],
        lane->registers[2],
        lane->registers[3],
        (uint32_t)block_lo(lane->a),
        (uint32_t)block_hi(lane->a),
        (uint32_t)block_lo(lane->b),
        (uint32_t)block_lo(lane->older_b),
        (uint32_t)block_hi(lane->older_b),
    };
    program_run(loop->program, loop->code, r);
    memcpy(lane->registers, r, sizeof(lane->registers));
    return block_make((uint64_t)r[2] | (uint64_t)r[3] << 32, (uint64_t)r[0] | (uint64_t)r[1] << 32);
}

#endif
