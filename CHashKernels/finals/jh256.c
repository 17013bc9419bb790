// JH-256 with 42 rounds, bit-sliced: word 2k of the state holds bit k of the even nibbles, word 2k + 1 that of the odd
// ones. A word has 128 bits, a vector that every CPU of interest has, though nothing here depends on it.
#include "finals.h"
#include "jh256_tables.h"

#include <string.h>

enum { WORDS = 8, ROUNDS = 42, SWAPS = 7, BLOCK_BYTES = 64, LENGTH_BYTES = 8 };

typedef uint64_t word __attribute__((vector_size(16)));

// The state after a block of zeros on top of the digest's length.
static const word initial_state[WORDS] = {
    {0xebd3202c41a398eb, 0xc145b29c7bbecd92}, {0xfac7d4609151931c, 0x038a507ed6820026}, //
    {0x45b92677269e23a4, 0x77941ad4481afbe0}, {0x7a176b0226abb5cd, 0xa82fff0f4224f056}, //
    {0x754d2e7f8996a371, 0x62e27df70849141d}, {0x948f2476f7957627, 0x6c29804757b6d587}, //
    {0x6c0d8eac2d275e5c, 0x0f7a0557c6508451}, {0xea12247067d3e47b, 0x69d71cd313abe389}, //
};

/// Both S-boxes, bit 0 (a) being the highest: S1 where `choice` is set, S0 elsewhere.
static inline void substitute(word *a, word *b, word *c, word *d, word choice) {
    *d = ~*d;
    *a ^= ~*c & choice;
    const word t = choice ^ (*a & *b);
    *a ^= *c & *d;
    *d ^= ~*b & *c;
    *b ^= *a & *c;
    *c ^= *a & ~*d;
    *a ^= *b | *d;
    *d ^= *b & *c;
    *b ^= t & *a;
    *c ^= t;
}

/// The code (a, b) → (a + 2b', b' = b + 2a) over GF(16) on all pairs of an even nibble a and an odd nibble b.
static inline void diffuse(word x[WORDS]) {
    x[1] ^= x[2];
    x[3] ^= x[4];
    x[5] ^= x[6] ^ x[0];
    x[7] ^= x[0];
    x[0] ^= x[3];
    x[2] ^= x[5];
    x[4] ^= x[7] ^ x[1];
    x[6] ^= x[1];
}

/// Swaps neighbouring groups of 2^`step` bits: JH's permutation, up to a renaming that seven rounds undo.
static inline word swap_groups(word x, unsigned step) {
    const unsigned bits = 1U << step;
    if (bits == 64)
        return __builtin_shufflevector(x, x, 1, 0);
    const uint64_t low = UINT64_MAX / ((UINT64_C(1) << bits) + 1);
    return (x & low) << bits | (x >> bits & low);
}

static inline word round_constant(unsigned round, unsigned parity) {
    word constant;
    memcpy(&constant, chk_jh_round_constants[round][parity], sizeof constant);
    return constant;
}

static void permute(word x[WORDS]) {
    for (unsigned first = 0; first < ROUNDS; first += SWAPS) {
#pragma clang loop unroll(full)
        for (unsigned step = 0; step < SWAPS; step++) {
            substitute(&x[0], &x[2], &x[4], &x[6], round_constant(first + step, 0));
            substitute(&x[1], &x[3], &x[5], &x[7], round_constant(first + step, 1));
            diffuse(x);
            for (unsigned i = 1; i < WORDS; i += 2)
                x[i] = swap_groups(x[i], step);
        }
    }
}

/// The block goes into the first half of the state before the permutation, and into the second half after it.
static void compress(word state[WORDS], const uint8_t block[BLOCK_BYTES]) {
    word message[WORDS / 2], x[WORDS];
    memcpy(message, block, sizeof message);
    memcpy(x, state, sizeof x);
    for (unsigned i = 0; i < WORDS / 2; i++)
        x[i] ^= message[i];
    permute(x);
    for (unsigned i = 0; i < WORDS / 2; i++)
        x[i + WORDS / 2] ^= message[i];
    memcpy(state, x, sizeof x);
}

/// Hashes the last `bytes` < 64 of a message of `total_bits`, with a one bit, zeros and the big-endian length. At least
/// 64 bytes are added, so only a message of whole blocks gets by with one block more.
static void compress_tail(word state[WORDS], const uint8_t *tail, size_t bytes, uint64_t total_bits) {
    uint8_t padded[2 * BLOCK_BYTES] = {0};
    if (bytes > 0)
        memcpy(padded, tail, bytes);
    padded[bytes] = 0x80;
    const size_t end = bytes > 0 ? 2 * BLOCK_BYTES : BLOCK_BYTES;
    const uint64_t length = __builtin_bswap64(total_bits);
    memcpy(padded + end - LENGTH_BYTES, &length, LENGTH_BYTES);
    for (size_t at = 0; at < end; at += BLOCK_BYTES)
        compress(state, padded + at);
}

void chk_jh256(uint8_t digest[32], const uint8_t *input, size_t bytes) {
    word state[WORDS];
    memcpy(state, initial_state, sizeof state);
    const size_t whole = bytes - bytes % BLOCK_BYTES;
    for (size_t at = 0; at < whole; at += BLOCK_BYTES)
        compress(state, input + at);
    compress_tail(state, whole < bytes ? input + whole : NULL, bytes - whole, 8 * (uint64_t)bytes);
    memcpy(digest, state + WORDS - 2, 32);
}
