// Skein-512-256 version 1.3: Threefish-512 chained over 64-byte blocks (UBI), little-endian throughout.
#include "finals.h"

#include <string.h>

// Unrolled loops keep every index constant, and so the words in registers.
#define EACH(i, count) _Pragma("clang loop unroll(full)") for (unsigned i = 0; i < (count); i++)

enum { WORDS = 8, BLOCK_BYTES = 64, INJECTIONS = 18, ROUNDS_PER_INJECTION = 4 };

// The tweak's high word: what a block is for, and whether it is the first or last of its kind.
#define FIRST   (UINT64_C(1) << 62)
#define LAST    (UINT64_C(1) << 63)
#define MESSAGE (UINT64_C(48) << 56)
#define OUTPUT  (UINT64_C(63) << 56)

// The chain after the configuration block that asks for 256 bits of digest.
static const uint64_t initial_chain[WORDS] = {
    0xccd044a12fdb3e13, 0xe83590301a79a9eb, 0x55aea0614f816e6f, 0x2a2767a4ae9b94db,
    0xec06025e74dd7683, 0xe7a436cdc4746251, 0xc36fbaf9393ad185, 0x3eedba1833edfc13,
};

static const uint8_t rotations[2 * ROUNDS_PER_INJECTION][WORDS / 2] = {
    {46, 36, 19, 37}, {33, 27, 14, 42}, {17, 49, 36, 39}, {44, 9, 54, 56}, //
    {39, 30, 34, 24}, {13, 50, 10, 17}, {25, 29, 39, 43}, {8, 35, 56, 22}, //
};

typedef struct key_schedule {
    uint64_t key[WORDS + 1]; // the last word makes the exclusive or of all a constant
    uint64_t tweak[3];       // the last is the exclusive or of the others
} key_schedule;

static inline uint64_t rotate_left(uint64_t word, unsigned bits) {
    return word << bits | word >> (64 - bits);
}

static inline void inject(uint64_t x[WORDS], const key_schedule *schedule, unsigned injection) {
    EACH(i, WORDS) {
        x[i] += schedule->key[(injection + i) % (WORDS + 1)];
    }
    x[5] += schedule->tweak[injection % 3];
    x[6] += schedule->tweak[(injection + 1) % 3];
    x[7] += injection;
}

/// One round. The words stay where they are; the round's number says which pairs the permutation would have formed.
static inline void mix(uint64_t x[WORDS], unsigned round) {
    EACH(i, WORDS / 2) {
        const unsigned a = (2 * i + 2 * round) % WORDS;
        const unsigned b = (round % 2 == 0 ? 1 + 2 * i : 1 - 2 * i) % WORDS;
        x[a] += x[b];
        x[b] = rotate_left(x[b], rotations[round][i]) ^ x[a];
    }
}

/// Replaces the chain by Threefish(chain, tweak, block) ^ block.
static void chain_block(uint64_t chain[WORDS], const uint8_t block[BLOCK_BYTES], uint64_t position, uint64_t flags) {
    key_schedule schedule = {.key[WORDS] = 0x1bd11bdaa9fc1a22, .tweak = {position, flags, position ^ flags}};
    uint64_t message[WORDS], x[WORDS];
    memcpy(message, block, sizeof message);
    EACH(i, WORDS) {
        schedule.key[i] = chain[i];
        schedule.key[WORDS] ^= chain[i];
        x[i] = message[i];
    }
    EACH(injection, INJECTIONS) {
        inject(x, &schedule, injection);
        EACH(i, ROUNDS_PER_INJECTION) {
            mix(x, i + ROUNDS_PER_INJECTION * (injection % 2));
        }
    }
    inject(x, &schedule, INJECTIONS);
    EACH(i, WORDS) {
        chain[i] = x[i] ^ message[i];
    }
}

void chk_skein256(uint8_t digest[32], const uint8_t *input, size_t bytes) {
    uint64_t chain[WORDS], flags = MESSAGE | FIRST;
    memcpy(chain, initial_chain, sizeof chain);
    size_t at = 0;
    for (; bytes - at > BLOCK_BYTES; at += BLOCK_BYTES, flags = MESSAGE)
        chain_block(chain, input + at, at + BLOCK_BYTES, flags);
    uint8_t block[BLOCK_BYTES] = {0};
    if (bytes > 0)
        memcpy(block, input + at, bytes - at);
    chain_block(chain, block, bytes, flags | LAST);
    // The output block is a counter that starts, and here ends, at zero.
    memset(block, 0, sizeof block);
    chain_block(chain, block, sizeof(uint64_t), OUTPUT | FIRST | LAST);
    memcpy(digest, chain, 32);
}
