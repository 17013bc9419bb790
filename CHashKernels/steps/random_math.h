/// cn/r: the program of the block height. It runs lane by lane, or on tables of registers that serve eight lanes at
/// once; then it has run before the second access, and the table's other rows are filled after it.
#ifndef CHK_STEPS_RANDOM_MATH_H
#define CHK_STEPS_RANDOM_MATH_H

#include "../random_math/native.h"

CHK_ALWAYS_INLINE uint64_t random_math_sums(uint32_t r0, uint32_t r1, uint32_t r2, uint32_t r3) {
    return (uint64_t)(r0 + r1) | (uint64_t)(r2 + r3) << 32;
}

/// What the registers contribute to d.lo before the program runs.
CHK_ALWAYS_INLINE uint64_t random_math_operand(const loop *loop, const lane *lane) {
    const uint32_t *r = lane->registers;
    return loop->tabled ? lane->sums : random_math_sums(r[0], r[1], r[2], r[3]);
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
    if (loop->tabled) {
        for (int i = 0; i < CHK_PROGRAM_VARIABLES; i++) {
            r[i] = lane->column[i * CHK_WIDE_LANES];
        }
        lane->sums = random_math_sums(r[0], r[1], r[2], r[3]);
    } else {
        program_run(loop->program, loop->code, r);
        memcpy(lane->registers, r, sizeof(lane->registers));
    }
    return block_make((uint64_t)r[2] | (uint64_t)r[3] << 32, (uint64_t)r[0] | (uint64_t)r[1] << 32);
}

/// Tabled: what the next run of the program reads of the lane.
CHK_ALWAYS_INLINE void random_math_prepare(lane *lane) {
    uint32_t *r = lane->column;
    r[4 * CHK_WIDE_LANES] = (uint32_t)lane->address;
    r[5 * CHK_WIDE_LANES] = (uint32_t)block_hi(lane->a);
    r[6 * CHK_WIDE_LANES] = (uint32_t)block_lo(lane->b);
    r[7 * CHK_WIDE_LANES] = (uint32_t)block_lo(lane->older_b);
    r[8 * CHK_WIDE_LANES] = (uint32_t)block_hi(lane->older_b);
}

/// Tabled: gives the lane its column, with the registers that it starts with.
CHK_ALWAYS_INLINE void random_math_seat(chk_register_table *tables, size_t number, lane *lane) {
    const uint32_t *r = lane->registers;
    lane->column = &tables[number / CHK_WIDE_LANES].rows[0][number % CHK_WIDE_LANES];
    for (int i = 0; i < CHK_PROGRAM_VARIABLES; i++) {
        lane->column[i * CHK_WIDE_LANES] = r[i];
    }
    lane->sums = random_math_sums(r[0], r[1], r[2], r[3]);
    random_math_prepare(lane);
}

/// Tabled: runs the programs of all lanes.
CHK_ALWAYS_INLINE void random_math_run(const loop *loop, chk_register_table *tables) {
    for (size_t i = 0; i * CHK_WIDE_LANES < loop->lanes; i++) {
        loop->code->wide(&tables[i]);
    }
}

#endif
