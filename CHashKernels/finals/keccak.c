// Keccak-f[1600] with all lanes in locals, the sponge that CryptoNote builds on it, and Keccak-256.
#include "finals.h"
#include "hash_kernels.h"

#include <string.h>

// Unrolled loops keep every index constant, and so every lane in a register or a stack slot of its own.
#define EACH(i, count) _Pragma("clang loop unroll(full)") for (unsigned i = 0; i < (count); i++)

enum { ROUNDS = 24, RATE_LANES = CHK_KECCAK_RATE_BYTES / 8 };

// Iota: bit 2^j - 1 of the constant of round i is bit j + 7i of the standard's shift register.
static const uint64_t round_constants[ROUNDS] = {
    0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000, //
    0x000000000000808b, 0x0000000080000001, 0x8000000080008081, 0x8000000000008009, //
    0x000000000000008a, 0x0000000000000088, 0x0000000080008009, 0x000000008000000a, //
    0x000000008000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003, //
    0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a, //
    0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008, //
};

// Rho: how far lane x + 5y is rotated.
static const uint8_t rotations[CHK_KECCAK_LANES] = {
    0,  1,  62, 28, 27, //
    36, 44, 6,  55, 20, //
    3,  10, 43, 25, 39, //
    41, 45, 15, 21, 8,  //
    18, 2,  61, 56, 14, //
};

static inline uint64_t rotate_left(uint64_t lane, unsigned bits) {
    return lane << (bits & 63) | lane >> (-bits & 63);
}

static inline void keccak_round(uint64_t a[CHK_KECCAK_LANES], uint64_t round_constant) {
    uint64_t parity[5], moved[CHK_KECCAK_LANES];
    EACH(x, 5) {
        parity[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
    }
    EACH(x, 5) {
        const uint64_t theta = parity[(x + 4) % 5] ^ rotate_left(parity[(x + 1) % 5], 1);
        // Pi takes lane (x, y) to (y, 2x + 3y).
        EACH(y, 5) {
            moved[y + 5 * ((2 * x + 3 * y) % 5)] = rotate_left(a[x + 5 * y] ^ theta, rotations[x + 5 * y]);
        }
    }
    EACH(y, 5) {
        const uint64_t *row = moved + 5 * y;
        EACH(x, 5) {
            a[x + 5 * y] = row[x] ^ (~row[(x + 1) % 5] & row[(x + 2) % 5]);
        }
    }
    a[0] ^= round_constant;
}

void chk_keccak_f1600(uint64_t state[CHK_KECCAK_LANES]) {
    uint64_t a[CHK_KECCAK_LANES];
    memcpy(a, state, sizeof a);
    for (unsigned round = 0; round < ROUNDS; round++)
        keccak_round(a, round_constants[round]);
    memcpy(state, a, sizeof a);
}

static void absorb_block(uint64_t state[CHK_KECCAK_LANES], const uint8_t block[CHK_KECCAK_RATE_BYTES]) {
    uint64_t lanes[RATE_LANES];
    memcpy(lanes, block, sizeof lanes);
    EACH(i, RATE_LANES) {
        state[i] ^= lanes[i];
    }
    chk_keccak_f1600(state);
}

void chk_keccak_absorb(uint64_t state[CHK_KECCAK_LANES], const uint8_t *input, size_t bytes) {
    memset(state, 0, CHK_KECCAK_LANES * sizeof *state);
    for (; bytes >= CHK_KECCAK_RATE_BYTES; bytes -= CHK_KECCAK_RATE_BYTES, input += CHK_KECCAK_RATE_BYTES)
        absorb_block(state, input);
    uint8_t last[CHK_KECCAK_RATE_BYTES] = {0};
    if (bytes > 0)
        memcpy(last, input, bytes);
    last[bytes] ^= 0x01;
    last[CHK_KECCAK_RATE_BYTES - 1] ^= 0x80;
    absorb_block(state, last);
}

void chk_keccak256(uint8_t digest[CHK_DIGEST_BYTES], const uint8_t *input, size_t bytes) {
    uint64_t state[CHK_KECCAK_LANES];
    chk_keccak_absorb(state, input, bytes);
    memcpy(digest, state, CHK_DIGEST_BYTES);
}
