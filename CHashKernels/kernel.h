/// What the files of this target share; not part of the interface.
#ifndef CHK_KERNEL_H
#define CHK_KERNEL_H

#include "include/hash_kernels.h"

#include <string.h>

#define CHK_ALWAYS_INLINE static inline __attribute__((always_inline))

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "words are read from memory as they lie there");

enum {
    CHK_KIB = 1024,
    CHK_MIB = 1024 * CHK_KIB,
    CHK_SECTION_BYTES = 64 * CHK_KIB, ///< what explode and implode do between two looks at the watch
    CHK_LANE_ITERATIONS = 2048,       ///< iterations times lanes between two looks at the watch in the main loop
};

/// What a hash in flight keeps besides its scratchpad, aligned for blocks of 16 bytes.
typedef struct chk_state {
    _Alignas(16) uint64_t words[25]; ///< the Keccak state after absorbing, and after implode
    uint64_t tweak;                  ///< base 1: what changes the high halves of stored blocks
    uint64_t text[16];               ///< where memory ends before the scratchpad: explode's text at that point
} chk_state;

/// The traits of a step family: a row of steps.def. Always a constant where the inner loop sees it.
typedef struct chk_step {
    bool tweak;           ///< base 1: byte 11 and the high half of stored blocks are tweaked
    bool tweak_mixes_low; ///< the high half is changed by the low half as well
    bool shuffle;         ///< base 2: the other three blocks of a line are shuffled
    bool reversed;        ///< … with two of them swapped
    bool integer_math;    ///< base 2: division and square root
    bool random_math;     ///< cn/r: a program of the block height
    bool conceal;         ///< cn/ccx: float arithmetic on the loaded block
    bool heavy;           ///< a third access with a signed division, and mixing in explode and implode
    bool inverted;        ///< … whose divisor is inverted in the next address
    bool chained_columns; ///< a round whose columns hang on one another, in place of AES's
} chk_step;

/// Names the rows of steps.def.
typedef enum chk_step_name {
#define CHK_STEP(name, ...) CHK_STEP_##name,
#include "steps.def"
#undef CHK_STEP
} chk_step_name;

/// A variant with what only the kernels need to know.
typedef struct chk_kernel {
    chk_variant variant;
    uint32_t address_mask;
    chk_step_name step;
} chk_kernel;

/// What differs between paths: takes the hashes of `landing` through main loop and implode, so that their states are
/// ready for the last permutation when CHK_OK comes back, and explodes those of `leaving`, whose states are those after
/// absorbing. Either may be NULL; a lane of both has the same scratchpad in both.
typedef chk_status chk_run(chk_flight *landing, chk_flight *leaving, chk_watch watch);

/// Hashes in flight: the definition of what the interface keeps closed.
struct chk_flight {
    const chk_kernel *kernel;
    chk_run *run;
    const chk_program *program;
    const chk_code *code;
    size_t lanes; ///< 0: none
    uint8_t *scratchpads[CHK_LANES_MAX];
    chk_state states[CHK_LANES_MAX];
};

/// The kernel at `index` < chk_variant_count(), else NULL.
const chk_kernel *chk_kernel_at(size_t index);

/// The path at `index` if this build has it and this CPU runs it, else NULL.
chk_run *chk_path_at(size_t index);

/// Whether this CPU has an instruction for an AES round.
bool chk_cpu_has_aes(void);

/// Whether the watched word says to give up.
static inline bool chk_abandoned(chk_watch watch) {
    return watch.word != NULL && chk_watch_load(watch.word) != watch.expected;
}

#endif
