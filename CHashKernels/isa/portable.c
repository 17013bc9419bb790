// The portable path: plain C for any CPU. It is the judge of the other paths, so it is written to be plainly right.
#include "../kernel.h"

#include "../random_math/random_math.h"
#include "../steps/conceal.h"
#include "../steps/quotient.h"
#include "../steps/square_root.h"
#include "../steps/tweak.h"
#include "aes_table.h"

#define CHK_PATH_RUN       chk_portable_run
#define CHK_UNROLLED_LANES 0
#define CHK_RUNS_CODE      0

typedef struct block {
    uint64_t lo, hi;
} block;

static inline block block_load(const uint8_t *at) {
    block x;
    memcpy(&x, at, sizeof(x));
    return x;
}

static inline void block_store(uint8_t *at, block x) {
    memcpy(at, &x, sizeof(x));
}
static inline block block_make(uint64_t lo, uint64_t hi) {
    return (block){lo, hi};
}
static inline uint64_t block_lo(block x) {
    return x.lo;
}
static inline uint64_t block_hi(block x) {
    return x.hi;
}
static inline block block_xor(block x, block y) {
    return (block){x.lo ^ y.lo, x.hi ^ y.hi};
}
static inline block block_add(block x, block y) {
    return (block){x.lo + y.lo, x.hi + y.hi};
}
static inline block block_lo_as_hi(block x) {
    return (block){0, x.lo};
}

static inline block block_tweak(block x) {
    x.hi ^= (uint64_t)chk_tweak_bits((x.hi >> 24) & 0xFF) << 24;
    return x;
}

static inline uint32_t rotated(uint32_t x, unsigned bits) {
    return (x << bits) | (x >> (32 - bits));
}

/// One column of SubBytes, ShiftRows and MixColumns, from the words whose bytes 0, 1, 2 and 3 go into it.
static inline uint32_t aes_column(uint32_t w0, uint32_t w1, uint32_t w2, uint32_t w3) {
    return chk_aes_table[w0 & 0xFF] ^ rotated(chk_aes_table[(w1 >> 8) & 0xFF], 8) ^
           rotated(chk_aes_table[(w2 >> 16) & 0xFF], 16) ^ rotated(chk_aes_table[w3 >> 24], 24);
}

static block block_aes(block x, block key) {
    uint32_t w[4], k[4];
    memcpy(w, &x, sizeof(w));
    memcpy(k, &key, sizeof(k));
    for (unsigned i = 0; i < 4; i++) {
        k[i] ^= aes_column(w[i], w[(i + 1) % 4], w[(i + 2) % 4], w[(i + 3) % 4]);
    }
    memcpy(&x, k, sizeof(k));
    return x;
}

/// The round of chained columns: the complement of x is encrypted, and each finished column changes x for the columns
/// after it.
static block block_aes_chained(block x, block key) {
    uint32_t w[4], k[4];
    memcpy(w, &x, sizeof(w));
    memcpy(k, &key, sizeof(k));
    for (unsigned i = 0; i < 4; i++) {
        w[i] = ~w[i];
    }
    for (unsigned i = 0; i < 4; i++) {
        k[i] ^= aes_column(w[i], w[(i + 1) % 4], w[(i + 2) % 4], w[(i + 3) % 4]);
        w[i] ^= k[i];
    }
    memcpy(&x, k, sizeof(k));
    return x;
}

static block block_conceal(block x, block *carry) {
    uint32_t words[4];
    float carries[4];
    memcpy(words, &x, sizeof(words));
    memcpy(carries, carry, sizeof(carries));
    for (unsigned i = 0; i < 4; i++) {
        words[i] = chk_conceal_word(words[i], &carries[i]);
    }
    memcpy(carry, carries, sizeof(carries));
    memcpy(&x, words, sizeof(words));
    return x;
}

static inline int64_t signed_quotient(int64_t n, int64_t divisor) {
    return chk_quotient(n, divisor);
}
static inline uint32_t integer_math_root(uint64_t n) {
    return chk_square_root(n);
}

static inline uint64_t integer_math_divide(uint64_t n, uint32_t word, uint64_t *remainder) {
    uint32_t divisor = word | UINT32_C(0x80000001);
    *remainder = n % divisor;
    return n / divisor;
}

static inline void program_run(const chk_program *program, const chk_code *code,
                               uint32_t registers[CHK_PROGRAM_REGISTERS]) {
    (void)code;
    chk_program_run(program, registers);
}

static inline uint32_t substituted(uint32_t word) {
    uint32_t result = 0;
    for (unsigned shift = 0; shift < 32; shift += 8) {
        result |= ((chk_aes_table[(word >> shift) & 0xFF] >> 8) & 0xFF) << shift;
    }
    return result;
}

#include "key_expansion.h"

#include "../cryptonight.h"
