// The edges of the arithmetic: exact roots around every kind of boundary, the overflowing division, the tweak's table
// and cn/ccx's floats, in plain C and, on x86-64 and AArch64, in the instructions of the faster paths.
#include "checks.h"

#include "../../../CHashKernels/steps/conceal.h"
#include "../../../CHashKernels/steps/quotient.h"
#include "../../../CHashKernels/steps/square_root.h"
#include "../../../CHashKernels/steps/tweak.h"

static int failures;

static uint64_t random_state = 20180418;

static uint64_t random_word(void) {
    random_state += UINT64_C(0x9E3779B97F4A7C15);
    uint64_t z = random_state;
    z = (z ^ (z >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94D049BB133111EB);
    return z ^ (z >> 31);
}

static void expect_equal(const char *what, uint64_t argument, uint64_t expected, uint64_t value) {
    if (value != expected) {
        fprintf(stderr, "%s of %016lx: %016lx instead of %016lx\n", what, (unsigned long)argument, (unsigned long)value,
                (unsigned long)expected);
        failures++;
    }
}

#if defined(__x86_64__) || defined(__aarch64__)
#if defined(__x86_64__)
#include <immintrin.h>
#pragma clang attribute push(__attribute__((target("aes,sse4.1,prfchw"))), apply_to = function)
#include "../../../CHashKernels/isa/x86_block.h"
#else
#include <arm_neon.h>
#pragma clang attribute push(__attribute__((target("aes"))), apply_to = function)
#include "../../../CHashKernels/isa/armv8_block.h"
#endif

static uint32_t fast_square_root(uint64_t n) {
    return integer_math_root(n);
}

static int64_t fast_quotient(int64_t n, int64_t divisor) {
    return signed_quotient(n, divisor);
}

static void check_fast_division(uint64_t n, uint32_t word) {
    uint32_t divisor = word | UINT32_C(0x80000001);
    uint64_t remainder, quotient = integer_math_divide(n, word, &remainder);
    expect_equal("quotient", n, n / divisor, quotient);
    expect_equal("remainder", n, n % divisor, remainder);
}

static void check_fast_tweak(uint64_t lo, uint64_t hi) {
    block x = block_tweak(block_make(lo, hi));
    expect_equal("tweaked low half", lo, lo, block_lo(x));
    expect_equal("tweaked high half", hi, hi ^ (uint64_t)chk_tweak_bits((hi >> 24) & 0xFF) << 24, block_hi(x));
}

static void check_fast_conceal(const uint32_t words[4], const float carries[4]) {
    block x, carry;
    memcpy(&x, words, sizeof(x));
    memcpy(&carry, carries, sizeof(carry));
    x = block_conceal(x, &carry);
    uint32_t changed[4], bits[4], expected_bits;
    memcpy(changed, &x, sizeof(changed));
    memcpy(bits, &carry, sizeof(bits));
    for (unsigned i = 0; i < 4; i++) {
        float expected = carries[i];
        expect_equal("conceal word", words[i], chk_conceal_word(words[i], &expected), changed[i]);
        memcpy(&expected_bits, &expected, sizeof(expected_bits));
        expect_equal("conceal carry", words[i], expected_bits, bits[i]);
    }
}
#pragma clang attribute pop

#else

static uint32_t fast_square_root(uint64_t n) {
    return chk_square_root(n);
}
static int64_t fast_quotient(int64_t n, int64_t divisor) {
    return chk_quotient(n, divisor);
}
static void check_fast_division(uint64_t n, uint32_t word) {
    (void)n, (void)word;
}
static void check_fast_tweak(uint64_t lo, uint64_t hi) {
    (void)lo, (void)hi;
}
static void check_fast_conceal(const uint32_t words[4], const float carries[4]) {
    (void)words, (void)carries;
}

#endif

static void check_root(uint64_t n, uint64_t root) {
    expect_equal("root", n, root, chk_square_root(n));
    expect_equal("fast root", n, root, fast_square_root(n));
}

/// The least n whose root is `root`: (root + 2^33)² ≤ 4·(2^64 + n).
static void check_root_boundary(uint64_t root) {
    unsigned __int128 quadruple = (unsigned __int128)root * root + ((unsigned __int128)root << 34);
    uint64_t least = (uint64_t)((quadruple + 3) / 4);
    check_root(least, root);
    check_root(least - 1, root - 1);
    expect_equal("fast root", least + 1, chk_square_root(least + 1), fast_square_root(least + 1));
}

static void check_roots(void) {
    const uint64_t largest = UINT64_C(3558067407);
    check_root(0, 0);
    check_root(UINT64_MAX, largest);
    for (uint64_t i = 0; i < 100000; i++) {
        check_root_boundary(1 + i);
        check_root_boundary(largest - i);
        check_root_boundary(1 + random_word() % largest);
        uint64_t n = random_word();
        expect_equal("fast root", n, chk_square_root(n), fast_square_root(n));
    }
}

static void check_divisions(void) {
    const int64_t values[] = {0, 1, -1, 5, -6, INT32_MAX, INT32_MIN, INT64_MAX, INT64_MIN, INT64_MIN + 1};
    const size_t count = sizeof(values) / sizeof(values[0]);
    for (size_t i = 0; i < count * count; i++) {
        int64_t n = values[i / count], divisor = (int32_t)values[i % count] | 5;
        uint64_t expected = (uint64_t)((__int128)n / divisor);
        expect_equal("signed quotient", (uint64_t)n, expected, (uint64_t)chk_quotient(n, divisor));
        expect_equal("fast signed quotient", (uint64_t)n, expected, (uint64_t)fast_quotient(n, divisor));
        check_fast_division((uint64_t)n, (uint32_t)values[i % count]);
    }
    for (int i = 0; i < 100000; i++) {
        int64_t n = (int64_t)random_word(), divisor = (int32_t)random_word() | 5;
        expect_equal("fast signed quotient", (uint64_t)n, (uint64_t)(n / divisor), (uint64_t)fast_quotient(n, divisor));
        check_fast_division((uint64_t)n, (uint32_t)random_word());
    }
}

static void check_tweaks(void) {
    static const uint8_t expected[8] = {0x10, 0x00, 0x30, 0x00, 0x10, 0x10, 0x30, 0x10};
    for (uint32_t t = 0; t < 256; t++) {
        expect_equal("tweak", t, expected[((t >> 4) & 3) * 2 + (t & 1)], chk_tweak_bits(t));
        check_fast_tweak(random_word(), (random_word() & ~UINT64_C(0xFF000000)) | (uint64_t)t << 24);
    }
}

static void check_conceal(void) {
    expect_equal("truncation beyond the top", 0, (uint32_t)INT32_MIN, (uint32_t)chk_conceal_truncate(0x1p31F));
    expect_equal("truncation at the bottom", 0, (uint32_t)INT32_MIN, (uint32_t)chk_conceal_truncate(-0x1p31F));
    expect_equal("truncation of no number", 0, (uint32_t)INT32_MIN, (uint32_t)chk_conceal_truncate(__builtin_nanf("")));
    expect_equal("truncation towards 0", 0, (uint32_t)-3, (uint32_t)chk_conceal_truncate(-3.75F));
    float carries[4] = {0, 0, 0, 0};
    for (int i = 0; i < 100000; i++) {
        uint32_t words[4];
        for (unsigned k = 0; k < 4; k++) {
            words[k] = (uint32_t)random_word();
        }
        check_fast_conceal(words, carries);
        for (unsigned k = 0; k < 4; k++) {
            chk_conceal_word(words[k], &carries[k]);
        }
    }
}

int check_edges(void) {
    check_roots();
    check_divisions();
    check_tweaks();
    check_conceal();
    printf("edges: %d failed\n", failures);
    return failures != 0;
}
