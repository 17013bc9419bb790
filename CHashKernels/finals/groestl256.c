// Groestl-256 with the tweaks of the final round. A state is eight 64-bit columns, row 0 in the lowest byte.
#include "aes_sbox_tables.h"
#include "finals.h"

#include <string.h>

#define EACH(i, count) _Pragma("clang loop unroll(full)") for (unsigned i = 0; i < (count); i++)

enum { COLUMNS = 8, ROUNDS = 10, BLOCK_BYTES = 64, COUNTER_BYTES = 8 };

// Multiples of the byte s in AES's field, as constant expressions.
#define TIMES_2(s) ((uint64_t)(((s) << 1 ^ ((s) >> 7) * 0x1b) & 0xff))
#define TIMES_4(s) TIMES_2(TIMES_2(s))

// The column that MixBytes makes of s in row 0: s times (2, 7, 5, 3, 5, 4, 3, 2).
#define MIXED(s)                                                                                                       \
    (TIMES_2(s) | (TIMES_4(s) ^ TIMES_2(s) ^ (s)) << 8 | (TIMES_4(s) ^ (s)) << 16 | (TIMES_2(s) ^ (s)) << 24 |         \
     (TIMES_4(s) ^ (s)) << 32 | TIMES_4(s) << 40 | (TIMES_2(s) ^ (s)) << 48 | TIMES_2(s) << 56),

// SubBytes and MixBytes of row 0. Row r's column is this one rotated by r bytes, since MixBytes is circulant; one table
// of 2 KiB leaves more of the first-level cache to the scratchpads than eight would.
static const uint64_t mixed[256] = {CHK_AES_SBOX(MIXED)};

// How far ShiftBytes moves each row in the two permutations.
static const uint8_t shifts_p[COLUMNS] = {0, 1, 2, 3, 4, 5, 6, 7};
static const uint8_t shifts_q[COLUMNS] = {1, 3, 5, 7, 0, 2, 4, 6};

static inline uint64_t mixed_byte(uint8_t byte, unsigned row) {
    return row == 0 ? mixed[byte] : mixed[byte] << 8 * row | mixed[byte] >> (64 - 8 * row);
}

/// SubBytes, ShiftBytes and MixBytes. Bytes are fetched from memory: shifting them out of the columns takes longer.
static inline __attribute__((always_inline)) void shift_and_mix(uint64_t x[COLUMNS], const uint8_t shifts[COLUMNS]) {
    const uint8_t *bytes = (const uint8_t *)x;
    uint64_t y[COLUMNS] = {0};
    EACH(column, COLUMNS) {
        EACH(row, 8) {
            y[column] ^= mixed_byte(bytes[8 * ((column + shifts[row]) % COLUMNS) + row], row);
        }
    }
    memcpy(x, y, sizeof y);
}

static void permute_p(uint64_t x[COLUMNS]) {
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (unsigned column = 0; column < COLUMNS; column++)
            x[column] ^= column << 4 ^ round;
        shift_and_mix(x, shifts_p);
    }
}

static void permute_q(uint64_t x[COLUMNS]) {
    for (unsigned round = 0; round < ROUNDS; round++) {
        for (unsigned column = 0; column < COLUMNS; column++)
            x[column] ^= ~((uint64_t)(column << 4 ^ round) << 56);
        shift_and_mix(x, shifts_q);
    }
}

/// chain ^= P(chain ^ block) ^ Q(block).
static void compress(uint64_t chain[COLUMNS], const uint8_t block[BLOCK_BYTES]) {
    uint64_t p[COLUMNS], q[COLUMNS];
    memcpy(q, block, sizeof q);
    for (unsigned i = 0; i < COLUMNS; i++)
        p[i] = chain[i] ^ q[i];
    permute_p(p);
    permute_q(q);
    for (unsigned i = 0; i < COLUMNS; i++)
        chain[i] ^= p[i] ^ q[i];
}

/// Hashes the last `bytes` < 64, with a one bit, zeros and the big-endian number of blocks, `whole_blocks` coming
/// before.
static void compress_tail(uint64_t chain[COLUMNS], const uint8_t *tail, size_t bytes, uint64_t whole_blocks) {
    uint8_t padded[2 * BLOCK_BYTES] = {0};
    if (bytes > 0)
        memcpy(padded, tail, bytes);
    padded[bytes] = 0x80;
    const unsigned blocks = bytes < BLOCK_BYTES - COUNTER_BYTES ? 1 : 2;
    const uint64_t count = __builtin_bswap64(whole_blocks + blocks);
    memcpy(padded + blocks * BLOCK_BYTES - COUNTER_BYTES, &count, COUNTER_BYTES);
    for (unsigned i = 0; i < blocks; i++)
        compress(chain, padded + i * BLOCK_BYTES);
}

void chk_groestl256(uint8_t digest[32], const uint8_t *input, size_t bytes) {
    // The chain starts as the digest's length in bits, big-endian.
    uint64_t chain[COLUMNS] = {[COLUMNS - 1] = __builtin_bswap64(256)}, output[COLUMNS];
    const size_t whole_blocks = bytes / BLOCK_BYTES, whole = whole_blocks * BLOCK_BYTES;
    for (size_t at = 0; at < whole; at += BLOCK_BYTES)
        compress(chain, input + at);
    compress_tail(chain, whole < bytes ? input + whole : NULL, bytes - whole, whole_blocks);
    memcpy(output, chain, sizeof output);
    permute_p(output);
    for (unsigned i = 0; i < COLUMNS; i++)
        output[i] ^= chain[i];
    memcpy(digest, output + COLUMNS / 2, 32);
}
