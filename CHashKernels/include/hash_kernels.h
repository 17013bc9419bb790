/// The CryptoNight family: 20 hash variants on several instruction-set paths, many lanes in lock step.
///
/// Everything here is re-entrant and free of global mutable state; a caller owns all the memory that a call uses.
/// The tables are built from variants.def, isas.def and known_answers.def; nothing else lists a variant or a path.
#ifndef HASH_KERNELS_H
#define HASH_KERNELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
    CHK_KERNEL_VERSION = 2,        ///< goes up with every change that may move the fastest lane count
    CHK_LANES_MAX = 64,            ///< most lanes that one call hashes
    CHK_DIGEST_BYTES = 32,         ///< bytes in a digest
    CHK_PROGRAM_CAPACITY = 70,     ///< most instructions in a cn/r program
    CHK_SCRATCHPAD_ALIGNMENT = 64, ///< a scratchpad's alignment, in bytes
    CHK_FLIGHT_ALIGNMENT = 64,     ///< a chk_flight's alignment, in bytes
};

/// What a call has to say.
typedef enum chk_status {
    CHK_OK = 0,
    CHK_ABANDONED,         ///< the watched word changed: no digest is written, nothing is in flight any more
    CHK_INPUT_TOO_SHORT,   ///< an input is empty, or shorter than the variant's minimum_input_bytes
    CHK_NO_PROGRAM,        ///< the variant needs a height's program and none was given
    CHK_NO_SUCH_PATH,      ///< the path is unknown, or this CPU lacks it
    CHK_BAD_ARGUMENT,      ///< unknown variant, a lane count outside 1 … CHK_LANES_MAX, a null or misaligned pointer,
                           ///< a scratchpad other than the lane's in flight
    CHK_NOTHING_IN_FLIGHT, ///< there are no hashes to go on with
} chk_status;

/// One hash variant: a row of variants.def.
typedef struct chk_variant {
    const char *name;             ///< canonical name, such as "cn-heavy/xhv"
    const char *aliases;          ///< other names, separated by blanks
    uint32_t scratchpad_bytes;    ///< size of a scratchpad, as the algorithm has it
    uint32_t memory_bytes;        ///< what one lane needs of it in memory: the part that the main loop reaches
    uint32_t iterations;          ///< passes of the main loop
    uint32_t minimum_input_bytes; ///< 1, or 43 for variants with a tweak
    bool needs_height;            ///< the hash depends on a block height (cn/r)
} chk_variant;

size_t chk_variant_count(void);
/// The row at `index` < chk_variant_count(), else NULL. Lives for ever.
const chk_variant *chk_variant_at(size_t index);

/// How many paths this build holds, the weakest first. Path 0 is "portable": plain C, any CPU, the judge of the others.
size_t chk_path_count(void);
/// The path's name, such as "aesni", for `index` < chk_path_count(), else NULL.
const char *chk_path_name(size_t index);
/// Whether this CPU and its operating system run the path.
bool chk_path_supported(size_t index);

/// A known answer for the self-test: a row of known_answers.def.
typedef struct chk_known_answer {
    size_t variant;         ///< index of the variant
    uint64_t height;        ///< block height; 0 where the variant needs none
    const char *input_hex;  ///< the input, as hex digits
    const char *digest_hex; ///< its digest, 64 hex digits
} chk_known_answer;

size_t chk_known_answer_count(void);
/// The row at `index` < chk_known_answer_count(), else NULL. Lives for ever.
const chk_known_answer *chk_known_answer_at(size_t index);

/// One instruction of a cn/r program, on registers r0 … r8.
typedef struct chk_instruction {
    uint8_t operation;   ///< MUL 0, ADD 1, SUB 2, ROR 3, ROL 4, XOR 5
    uint8_t destination; ///< 0 … 3
    uint8_t source;      ///< 0 … 8
    uint32_t constant;   ///< added by ADD
} chk_instruction;

/// A cn/r program. It depends on the block height alone: make it once a height and keep it.
typedef struct chk_program {
    uint64_t height;
    uint32_t count; ///< 60 … CHK_PROGRAM_CAPACITY instructions
    chk_instruction code[CHK_PROGRAM_CAPACITY];
} chk_program;

/// Makes the program of `height`.
void chk_program_make(chk_program *program, uint64_t height);

/// Where the machine code of a cn/r program came to lie, or why there is none.
typedef enum chk_code_origin {
    CHK_CODE_IN_TURNED_PAGE = 0, ///< in a page that was writable first and became executable
    CHK_CODE_IN_FILE_PAGE,       ///< in a page of a memory file: the system lets no page become executable later
    CHK_CODE_REFUSED,            ///< nowhere: the system refuses every page
    CHK_CODE_NO_GENERATOR,       ///< nowhere: this build generates none for its architecture
} chk_code_origin;

/// A cn/r program as machine code. No page that it needs is ever writable and executable at once. Any number of
/// threads may hash with it at a time.
typedef struct chk_code chk_code;

/// Makes the machine code of a program, a matter of microseconds; `*origin` says how that went. NULL where there can be
/// none, and the program is interpreted then. Give it back to chk_code_free, which takes NULL too.
chk_code *chk_code_make(const chk_program *program, chk_code_origin *origin);
void chk_code_free(chk_code *code);

/// A word that ends calls early. A call that was given one looks at it about every half millisecond and gives up
/// with CHK_ABANDONED once it no longer holds `expected`.
typedef struct chk_watch {
    const uint32_t *word; ///< read atomically; NULL: never give up
    uint32_t expected;
} chk_watch;

/// `lanes` hashes to be computed in lock step. Inputs may differ in length; scratchpads must not overlap.
/// The arrays and inputs are read during the call only. Scratchpads, program and code stay in use while the hashes are
/// in flight.
typedef struct chk_batch {
    size_t lanes;                 ///< 1 … CHK_LANES_MAX
    const uint8_t *const *inputs; ///< [lanes]
    const size_t *input_bytes;    ///< [lanes], each at least minimum_input_bytes
    uint8_t *const *scratchpads;  ///< [lanes], each memory_bytes long and CHK_SCRATCHPAD_ALIGNMENT aligned
    const chk_program *program;   ///< for variants that need a height, else unused
    const chk_code *code;         ///< that program's; NULL: interpret it. The portable path always does
    chk_watch watch;
    uint8_t (*digests)[CHK_DIGEST_BYTES]; ///< [lanes in flight], written only with CHK_OK; chk_start doesn't use it
} chk_batch;

/// Hashes in flight: their scratchpads are filled and their main loop is still to run. Kept from one call to the next
/// in memory of the caller's, chk_flight_bytes() long and CHK_FLIGHT_ALIGNMENT aligned. Memory of zeros is a flight
/// without hashes. It holds addresses, none of itself: it may be moved, and is freed by freeing the memory.
///
/// A status other than CHK_OK and CHK_ABANDONED means that the call did nothing: what was in flight still is.
typedef struct chk_flight chk_flight;

size_t chk_flight_bytes(void);

/// Begins the batch's hashes with the variant and on the path of these indices: they are in flight afterwards, in place
/// of any that were before. The flight's memory may hold anything.
chk_status chk_start(chk_flight *flight, size_t variant, size_t path, const chk_batch *batch);

/// Completes the hashes in flight and begins the batch's, of the same variant and on the same path, in one sweep over
/// each scratchpad. batch->digests receives the digests of the hashes that were in flight, not those of batch->inputs.
/// The batch may have more lanes or fewer than are in flight; a lane that has a hash in flight keeps its scratchpad.
/// Scratchpads, program and code of the completed hashes are out of use afterwards, unless the batch names them again.
chk_status chk_next(chk_flight *flight, const chk_batch *batch);

/// Completes the hashes in flight: `digests` has room for them all. Nothing is in flight afterwards.
chk_status chk_finish(chk_flight *flight, chk_watch watch, uint8_t (*digests)[CHK_DIGEST_BYTES]);

/// chk_start and chk_finish in one: batch->digests receives the digests of batch->inputs.
chk_status chk_hash(size_t variant, size_t path, const chk_batch *batch);

/// Writes one byte in every 4096 of `memory`, so that its pages exist and lie on the caller's NUMA node.
chk_status chk_touch(uint8_t *memory, size_t bytes, chk_watch watch);

/// Keccak-256 with the original padding (0x01), as CryptoNote uses it everywhere.
void chk_keccak256(uint8_t digest[CHK_DIGEST_BYTES], const uint8_t *input, size_t bytes);

/// Stores `value` in a word that a chk_watch looks at, and loads it.
static inline void chk_watch_store(uint32_t *word, uint32_t value) {
    __atomic_store_n(word, value, __ATOMIC_RELEASE);
}
static inline uint32_t chk_watch_add(uint32_t *word) {
    return __atomic_add_fetch(word, 1, __ATOMIC_ACQ_REL);
}
static inline uint32_t chk_watch_load(const uint32_t *word) {
    return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

#ifdef __cplusplus
}
#endif
#endif
