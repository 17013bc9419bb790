/// The 128-bit block and everything but the sweeps, for the x86-64 paths with AES instructions.
/// Included by such an isa/ file under its target attribute (at least aes, sse4.1, prfchw).
///
/// PREFETCHW does nothing on the few CPUs with AES that lack it, so it needs no test of its own.
#ifndef CHK_ISA_X86_BLOCK_H
#define CHK_ISA_X86_BLOCK_H

#include "../random_math/native.h"

typedef __m128i block;

CHK_ALWAYS_INLINE block block_load(const uint8_t *at) {
    return _mm_load_si128((const block *)at);
}
CHK_ALWAYS_INLINE void block_store(uint8_t *at, block x) {
    _mm_store_si128((block *)at, x);
}
CHK_ALWAYS_INLINE block block_make(uint64_t lo, uint64_t hi) {
    return _mm_set_epi64x((int64_t)hi, (int64_t)lo);
}
CHK_ALWAYS_INLINE uint64_t block_lo(block x) {
    return (uint64_t)_mm_cvtsi128_si64(x);
}
CHK_ALWAYS_INLINE uint64_t block_hi(block x) {
    return (uint64_t)_mm_extract_epi64(x, 1);
}
CHK_ALWAYS_INLINE block block_xor(block x, block y) {
    return _mm_xor_si128(x, y);
}
CHK_ALWAYS_INLINE block block_add(block x, block y) {
    return _mm_add_epi64(x, y);
}
CHK_ALWAYS_INLINE block block_lo_as_hi(block x) {
    return _mm_slli_si128(x, 8);
}
CHK_ALWAYS_INLINE block block_aes(block x, block key) {
    return _mm_aesenc_si128(x, key);
}

/// Bits 0, 4 and 5 of byte 11 become an index into a table of what is xored (chk_tweak_bits); the bytes around look up
/// 0.
CHK_ALWAYS_INLINE block block_tweak(block x) {
    const block bits = _mm_set_epi32(0, 0x31000000, 0, 0);
    const block nothing = _mm_set_epi32(-0x7F7F7F80, 0x00808080, -0x7F7F7F80, -0x7F7F7F80);
    const block table = _mm_set1_epi64x(0x1030101000300010);
    block chosen = _mm_and_si128(x, bits);
    block index = _mm_or_si128(_mm_or_si128(chosen, _mm_srli_epi16(chosen, 3)), nothing);
    return _mm_xor_si128(x, _mm_shuffle_epi8(table, index));
}

/// The round of chained columns: the instruction works on the block as changed so far, and one column of each result is
/// kept.
CHK_ALWAYS_INLINE block block_aes_chained(block x, block key) {
    const block nothing = _mm_setzero_si128();
    x = _mm_xor_si128(x, _mm_set1_epi32(-1));
    block c0 = _mm_aesenc_si128(x, key);
    x = _mm_xor_si128(x, _mm_blend_epi16(nothing, c0, 0x03));
    block c1 = _mm_aesenc_si128(x, key);
    x = _mm_xor_si128(x, _mm_blend_epi16(nothing, c1, 0x0C));
    block c2 = _mm_aesenc_si128(x, key);
    x = _mm_xor_si128(x, _mm_blend_epi16(nothing, c2, 0x30));
    block c3 = _mm_aesenc_si128(x, key);
    return _mm_blend_epi16(_mm_blend_epi16(c0, c1, 0x0C), _mm_blend_epi16(c2, c3, 0xC0), 0xF0);
}

CHK_ALWAYS_INLINE __m128 conceal_clamp(__m128 x) {
    const __m128 kept = _mm_castsi128_ps(_mm_set1_epi32(-0x7F800001));
    const __m128 exponent = _mm_castsi128_ps(_mm_set1_epi32(0x40000000));
    return _mm_or_ps(_mm_and_ps(x, kept), exponent);
}

CHK_ALWAYS_INLINE block block_conceal(block x, block *carry) {
#pragma STDC FP_CONTRACT OFF
    __m128 old = _mm_castsi128_ps(*carry);
    __m128 sum = _mm_add_ps(_mm_cvtepi32_ps(x), old);
    __m128 cube = _mm_mul_ps(sum, _mm_mul_ps(sum, sum));
    __m128 scaled = _mm_mul_ps(conceal_clamp(old), _mm_set1_ps(536870880.0F));
    *carry = _mm_castps_si128(_mm_add_ps(old, conceal_clamp(cube)));
    return _mm_xor_si128(x, _mm_cvttps_epi32(scaled));
}

/// Division by `word` with bits 0 and 31 set. Written as instructions because the compiler would first test whether a
/// shorter division does, and extend the divisor in a roundabout way.
CHK_ALWAYS_INLINE uint64_t integer_math_divide(uint64_t n, uint32_t word, uint64_t *remainder) {
    uint64_t quotient, divisor = word;
    __asm__("orl $0x80000001, %k[divisor]\n\tdivq %[divisor]"
            : "=a"(quotient), "=d"(*remainder), [divisor] "+&r"(divisor)
            : "a"(n), "d"(UINT64_C(0))
            : "cc");
    return quotient;
}

/// chk_quotient, by the instruction. The one overflow is left to a branch that is never taken in practice.
CHK_ALWAYS_INLINE int64_t signed_quotient(int64_t n, int64_t divisor) {
    if (__builtin_expect(divisor == -1, false)) {
        return (int64_t)(0 - (uint64_t)n);
    }
    int64_t quotient, remainder;
    __asm__ volatile("cqto\n\tidivq %[divisor]"
                     : "=&a"(quotient), "=&d"(remainder)
                     : "a"(n), [divisor] "r"(divisor)
                     : "cc");
    return quotient;
}

/// chk_square_root by a double: 2^64 + n cut to 53 bits lies in [2^64, 2^65), so the fraction of its root, 52 bits,
/// holds the 33 bits wanted, of which the highest is 0, and 19 more. Cutting lowers the fraction by less than half and
/// rounding moves it by half at most, which matters only when the 19 bits are all 0 or all 1.
CHK_ALWAYS_INLINE uint32_t integer_math_root(uint64_t n) {
    const block exponent_64 = _mm_set_epi64x(0, 1087LL << 52);
    block bits = _mm_or_si128(_mm_srli_epi64(block_make(n, 0), 12), exponent_64);
    __m128d value = _mm_castsi128_pd(bits);
    uint64_t root = block_lo(_mm_castpd_si128(_mm_sqrt_sd(value, value)));
    if (__builtin_expect(((root + 1) & 0x7FFFF) < 2, false)) {
        return chk_square_root(n);
    }
    return (uint32_t)(root >> 19);
}

/// A program of cn/r, natively where it has code.
CHK_ALWAYS_INLINE void program_run(const chk_program *program, const chk_code *code,
                                   uint32_t registers[CHK_PROGRAM_REGISTERS]) {
#if CHK_GENERATES_CODE
    if (__builtin_expect(code != NULL, true)) {
        chk_code_run(code, registers);
        return;
    }
#else
    (void)code;
#endif
    uint32_t copy[CHK_PROGRAM_REGISTERS];
    memcpy(copy, registers, sizeof(copy));
    chk_program_interpret(program, copy);
    memcpy(registers, copy, sizeof(copy));
}

#define CHK_KEY_STEP(older, word)                                                                                      \
    do {                                                                                                               \
        (older) = _mm_xor_si128(older, _mm_slli_si128(older, 4));                                                      \
        (older) = _mm_xor_si128(older, _mm_slli_si128(older, 8));                                                      \
        (older) = _mm_xor_si128(older, word);                                                                          \
    } while (false)

#define CHK_KEY_PAIR(number, constant)                                                                                 \
    do {                                                                                                               \
        CHK_KEY_STEP(even, _mm_shuffle_epi32(_mm_aeskeygenassist_si128(odd, constant), 0xFF));                         \
        keys[number] = even;                                                                                           \
        CHK_KEY_STEP(odd, _mm_shuffle_epi32(_mm_aeskeygenassist_si128(even, 0), 0xAA));                                \
        keys[(number) + 1] = odd;                                                                                      \
    } while (false)

static inline void expand_key(block keys[10], const uint8_t seed[32]) {
    block even = _mm_loadu_si128((const block *)seed);
    block odd = _mm_loadu_si128((const block *)(seed + 16));
    keys[0] = even;
    keys[1] = odd;
    CHK_KEY_PAIR(2, 1);
    CHK_KEY_PAIR(4, 2);
    CHK_KEY_PAIR(6, 4);
    CHK_KEY_PAIR(8, 8);
}

#endif
