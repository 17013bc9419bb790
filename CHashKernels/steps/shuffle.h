/// Base 2: the shuffles of the other three blocks of a line.
#ifndef CHK_STEPS_SHUFFLE_H
#define CHK_STEPS_SHUFFLE_H

/// The blocks at 0x10, 0x20 and 0x30 from a block, within its line.
typedef struct neighbours {
    block p, q, r;
} neighbours;

CHK_ALWAYS_INLINE neighbours neighbours_load(const uint8_t *pad, uint64_t offset) {
    return (neighbours){
        block_load(pad + (offset ^ 0x10)),
        block_load(pad + (offset ^ 0x20)),
        block_load(pad + (offset ^ 0x30)),
    };
}

CHK_ALWAYS_INLINE block neighbours_sum(neighbours n) {
    return block_xor(block_xor(n.p, n.q), n.r);
}

/// Stores the neighbours in their new places, with the registers added. `a` is a's value at the iteration's start.
CHK_ALWAYS_INLINE void neighbours_shuffle(const chk_step *step, const lane *lane, uint64_t offset, neighbours n,
                                          block a) {
    block first = step->reversed ? n.p : n.r, second = step->reversed ? n.r : n.p;
    block_store(lane->pad + (offset ^ 0x10), block_add(first, lane->older_b));
    block_store(lane->pad + (offset ^ 0x20), block_add(second, lane->b));
    block_store(lane->pad + (offset ^ 0x30), block_add(n.q, a));
}

#endif
