/// What bounds the kernels, measured without them: the latency of memory, the rate of random cache lines, and the cost
/// of the arithmetic that an iteration can't do without. Beside it, how much of each a variant asks for.
///
/// Re-entrant; a caller owns all the memory. The loops measure nothing themselves: the caller reads a clock around
/// them.
#ifndef MEMORY_CEILING_H
#define MEMORY_CEILING_H

#include "hash_kernels.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    CHK_LINE_BYTES = 64,       ///< bytes in a cache line
    CHK_UPDATE_DEPTH_MAX = 64, ///< most lines in flight of chk_update
    CHK_ARITHMETIC_CHAINS = 8, ///< independent chains where throughput is measured
};

/// The CPU's time-stamp counter (x86-64) or generic timer (AArch64); 0 elsewhere. It advances at a constant rate, which
/// is not that of the core's clock.
uint64_t chk_ticks(void);

/// What one hash of a variant asks of a machine.
typedef struct chk_demand {
    uint32_t walked_bytes;  ///< of its scratchpad the main loop visits so many, a power of two
    uint32_t line_accesses; ///< cache lines at random places in an iteration
    uint32_t aes_rounds;    ///< in an iteration, one after the other
    uint32_t sweep_rounds;  ///< AES rounds of explode and implode together
    bool divides;           ///< an iteration holds a signed division (the heavy variants)
    bool divides_and_roots; ///< an iteration holds a division and a square root (base 2 but cn/r)
} chk_demand;

/// The demand of the variant at this index.
chk_status chk_demand_of(size_t variant, chk_demand *demand);

/// Links all lines of `memory` into one cycle in random order. `bytes` is a multiple of CHK_LINE_BYTES, at most 256
/// GiB; `memory` is aligned to lines.
chk_status chk_chase_link(uint8_t *memory, size_t bytes, uint64_t seed, chk_watch watch);

/// Follows the links for `loads` loads, each of which needs the one before, from the line at `*place` on. `*place` is
/// the line arrived at when CHK_OK comes back: after as many loads as there are lines, the one it began with.
chk_status chk_chase_follow(const uint8_t *memory, uint64_t loads, chk_watch watch, uint64_t *place);

/// How a loop of independent updates keeps its lines in flight.
typedef enum chk_update_shape {
    CHK_UPDATE_STREAM,    ///< one stream of addresses, each prefetched `depth` updates ahead; 0: no prefetch
    CHK_UPDATE_LOCK_STEP, ///< `depth` walkers in turn: update a line, prefetch the next one, as the kernels do
    CHK_UPDATE_SHAPES,
} chk_update_shape;

/// Independent updates of random lines: read, mixed, written.
typedef struct chk_updates {
    chk_update_shape shape;
    size_t depth;         ///< up to CHK_UPDATE_DEPTH_MAX; lock step needs 1
    uint8_t *const *pads; ///< [lanes], aligned to lines, visited in turn
    size_t lanes;         ///< 1 … CHK_LANES_MAX
    size_t pad_bytes;     ///< of each pad, a power of two from CHK_LINE_BYTES on
    chk_watch watch;
} chk_updates;

/// Updates `count` lines at addresses that follow from `*seed`, which is another one afterwards. Each update adds 1 to
/// the line's first word and changes the second.
chk_status chk_update(const chk_updates *updates, uint64_t count, uint64_t *seed);

/// The sum, modulo 2^64, of the first words of all lines: what `count` updates raise by `count`.
uint64_t chk_update_sum(const chk_updates *updates);

/// Arithmetic that an iteration waits for.
typedef enum chk_arithmetic {
    CHK_ARITHMETIC_AES,       ///< an AES round by the CPU's instruction
    CHK_ARITHMETIC_AES_TABLE, ///< an AES round by table
    CHK_ARITHMETIC_DIVISION,  ///< a signed division of 64 bits by 32
    CHK_ARITHMETIC_ROOT,      ///< a division of 64 bits by 32 and a square root
    CHK_ARITHMETIC_KINDS,
} chk_arithmetic;

/// Does `count` operations on each of so many independent chains: 1 or CHK_ARITHMETIC_CHAINS. `results` has room for a
/// word a chain; chain k's is the same however many there are. CHK_NO_SUCH_PATH: this CPU lacks the instruction.
chk_status chk_arithmetic_run(chk_arithmetic kind, size_t chains, uint64_t count, uint64_t *results);

#ifdef __cplusplus
}
#endif
#endif
