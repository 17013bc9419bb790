// BLAKE-256 with 14 rounds: big-endian words, no salt.
#include "finals.h"

#include <string.h>

enum { ROUNDS = 14, BLOCK_BYTES = 64, LENGTH_BYTES = 8 };

// The fractional part of the square roots of the first eight primes, as SHA-256 starts.
static const uint32_t initial_chain[8] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};

// The first digits of pi's fractional part.
static const uint32_t pi_words[16] = {
    0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0, 0x082efa98, 0xec4e6c89,
    0x452821e6, 0x38d01377, 0xbe5466cf, 0x34e90c6c, 0xc0ac29b7, 0xc97c50dd, 0x3f84d5b5, 0xb5470917,
};

// The order in which a round takes the message words; round 10 starts over.
static const uint8_t orders[10][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, //
    {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3}, //
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4}, //
    {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8}, //
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13}, //
    {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9}, //
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11}, //
    {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10}, //
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5}, //
    {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0}, //
};

/// Four words, a row of BLAKE's 4 x 4 state: the four columns, or the four diagonals, of a round go side by side.
typedef uint32_t row __attribute__((vector_size(16)));

static inline row rotate_right(row words, unsigned bits) {
    return words >> bits | words << (32 - bits);
}

static inline void mix_columns(row v[4], row first, row second) {
    v[0] += v[1] + first;
    v[3] = rotate_right(v[3] ^ v[0], 16);
    v[2] += v[3];
    v[1] = rotate_right(v[1] ^ v[2], 12);
    v[0] += v[1] + second;
    v[3] = rotate_right(v[3] ^ v[0], 8);
    v[2] += v[3];
    v[1] = rotate_right(v[1] ^ v[2], 7);
}

/// Every second addend of a round, from the one at `from`: a message word and the constant that belongs to its partner.
static inline row addends(const uint32_t message[16], const uint8_t order[16], unsigned from) {
    row words;
#pragma clang loop unroll(full)
    for (unsigned i = 0; i < 4; i++)
        words[i] = message[order[from + 2 * i]] ^ pi_words[order[(from + 2 * i) ^ 1]];
    return words;
}

static inline void blake_round(row v[4], const uint32_t message[16], const uint8_t order[16]) {
    mix_columns(v, addends(message, order, 0), addends(message, order, 1));
    v[1] = __builtin_shufflevector(v[1], v[1], 1, 2, 3, 0);
    v[2] = __builtin_shufflevector(v[2], v[2], 2, 3, 0, 1);
    v[3] = __builtin_shufflevector(v[3], v[3], 3, 0, 1, 2);
    mix_columns(v, addends(message, order, 8), addends(message, order, 9));
    v[1] = __builtin_shufflevector(v[1], v[1], 3, 0, 1, 2);
    v[2] = __builtin_shufflevector(v[2], v[2], 2, 3, 0, 1);
    v[3] = __builtin_shufflevector(v[3], v[3], 1, 2, 3, 0);
}

/// `bits` counts the message bits up to and including this block's, or is 0 if the block holds only padding.
static void compress(uint32_t chain[8], const uint8_t block[BLOCK_BYTES], uint64_t bits) {
    const uint32_t low = (uint32_t)bits, high = (uint32_t)(bits >> 32);
    uint32_t message[16];
    row v[4], before[2];
    memcpy(message, block, sizeof message);
    for (unsigned i = 0; i < 16; i++)
        message[i] = __builtin_bswap32(message[i]);
    memcpy(before, chain, sizeof before);
    memcpy(v, before, sizeof before);
    memcpy(v + 2, pi_words, sizeof before);
    v[3] ^= (row){low, low, high, high};
    // Unrolled, so that the order of the message words is built into the code.
#pragma clang loop unroll(full)
    for (unsigned round = 0; round < ROUNDS; round++)
        blake_round(v, message, orders[round % 10]);
    before[0] ^= v[0] ^ v[2];
    before[1] ^= v[1] ^ v[3];
    memcpy(chain, before, sizeof before);
}

/// Hashes the last `bytes` < 64 of a message of `total_bits`, with the padding 1 0 … 0 1 and the length.
static void compress_tail(uint32_t chain[8], const uint8_t *tail, size_t bytes, uint64_t total_bits) {
    uint8_t padded[2 * BLOCK_BYTES] = {0};
    if (bytes > 0)
        memcpy(padded, tail, bytes);
    const size_t end = bytes < BLOCK_BYTES - LENGTH_BYTES ? BLOCK_BYTES : 2 * BLOCK_BYTES;
    padded[bytes] |= 0x80;
    padded[end - LENGTH_BYTES - 1] |= 0x01;
    const uint64_t length = __builtin_bswap64(total_bits);
    memcpy(padded + end - LENGTH_BYTES, &length, LENGTH_BYTES);
    compress(chain, padded, bytes > 0 ? total_bits : 0);
    if (end > BLOCK_BYTES)
        compress(chain, padded + BLOCK_BYTES, 0);
}

void chk_blake256(uint8_t digest[32], const uint8_t *input, size_t bytes) {
    uint32_t chain[8];
    memcpy(chain, initial_chain, sizeof chain);
    const size_t whole = bytes - bytes % BLOCK_BYTES;
    for (size_t at = 0; at < whole; at += BLOCK_BYTES)
        compress(chain, input + at, 8 * (uint64_t)(at + BLOCK_BYTES));
    compress_tail(chain, whole < bytes ? input + whole : NULL, bytes - whole, 8 * (uint64_t)bytes);
    for (unsigned i = 0; i < 8; i++)
        chain[i] = __builtin_bswap32(chain[i]);
    memcpy(digest, chain, sizeof chain);
}
