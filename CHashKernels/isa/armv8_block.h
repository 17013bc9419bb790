/// The 128-bit block and its operations for AArch64 with the AES extension.
/// Included by armv8.c, and by the check of the arithmetic's edges, under the target attribute aes.
#ifndef CHK_ISA_ARMV8_BLOCK_H
#define CHK_ISA_ARMV8_BLOCK_H

#include "../random_math/random_math.h"

typedef uint64x2_t block;

CHK_ALWAYS_INLINE block block_load(const uint8_t *at) {
    return vreinterpretq_u64_u8(vld1q_u8(at));
}
CHK_ALWAYS_INLINE void block_store(uint8_t *at, block x) {
    vst1q_u8(at, vreinterpretq_u8_u64(x));
}
CHK_ALWAYS_INLINE block block_make(uint64_t lo, uint64_t hi) {
    return vcombine_u64(vcreate_u64(lo), vcreate_u64(hi));
}
CHK_ALWAYS_INLINE uint64_t block_lo(block x) {
    return vgetq_lane_u64(x, 0);
}
CHK_ALWAYS_INLINE uint64_t block_hi(block x) {
    return vgetq_lane_u64(x, 1);
}
CHK_ALWAYS_INLINE block block_xor(block x, block y) {
    return veorq_u64(x, y);
}
CHK_ALWAYS_INLINE block block_add(block x, block y) {
    return vaddq_u64(x, y);
}
CHK_ALWAYS_INLINE block block_lo_as_hi(block x) {
    return vextq_u64(vdupq_n_u64(0), x, 1);
}

/// AESE xors its key before SubBytes and ShiftRows, AESMC is MixColumns: the round's own key comes behind both. Where
/// round follows round, as in the sweeps, the compiler gives it to the next AESE in place of the zeros.
CHK_ALWAYS_INLINE block block_aes(block x, block key) {
    uint8x16_t mixed = vaesmcq_u8(vaeseq_u8(vreinterpretq_u8_u64(x), vdupq_n_u8(0)));
    return veorq_u64(vreinterpretq_u64_u8(mixed), key);
}

/// The round of chained columns: the instructions work on the block as changed so far, and one column of each result is
/// kept.
CHK_ALWAYS_INLINE block block_aes_chained(block x, block key) {
    block result = vdupq_n_u64(0);
    x = veorq_u64(x, vdupq_n_u64(UINT64_MAX));
#pragma clang loop unroll(full)
    for (unsigned i = 0; i < 4; i++) {
        uint64_t half = (uint64_t)UINT32_MAX << i % 2 * 32;
        block column = vandq_u64(block_aes(x, key), i < 2 ? block_make(half, 0) : block_make(0, half));
        x = veorq_u64(x, column);
        result = veorq_u64(result, column);
    }
    return result;
}

/// Bits 0, 4 and 5 of byte 11 become an index into a table of what is xored (chk_tweak_bits); the bytes around look up
/// what is beyond the table, which is 0.
CHK_ALWAYS_INLINE block block_tweak(block x) {
    const uint8x16_t bit_0 = vreinterpretq_u8_u64(block_make(0, UINT64_C(1) << 24));
    const uint8x16_t bits = vreinterpretq_u8_u64(block_make(0, UINT64_C(7) << 24));
    const uint8x16_t beyond = vreinterpretq_u8_u64(block_make(UINT64_MAX, ~(UINT64_C(0xFF) << 24)));
    const uint8x16_t table = vreinterpretq_u8_u64(vdupq_n_u64(UINT64_C(0x1030101000300010)));
    uint8x16_t bytes = vreinterpretq_u8_u64(x);
    uint8x16_t index = vbslq_u8(bits, vbslq_u8(bit_0, bytes, vshrq_n_u8(bytes, 3)), beyond);
    return veorq_u64(x, vreinterpretq_u64_u8(vqtbl1q_u8(table, index)));
}

CHK_ALWAYS_INLINE float32x4_t conceal_clamp(float32x4_t x) {
    uint32x4_t kept = vandq_u32(vreinterpretq_u32_f32(x), vdupq_n_u32(0x807FFFFF));
    return vreinterpretq_f32_u32(vorrq_u32(kept, vdupq_n_u32(0x40000000)));
}

/// The largest float to be cut is 4 · 536870880, below 2^31: what the instruction does with others doesn't matter.
CHK_ALWAYS_INLINE block block_conceal(block x, block *carry) {
#pragma STDC FP_CONTRACT OFF
    float32x4_t old = vreinterpretq_f32_u64(*carry);
    float32x4_t sum = vaddq_f32(vcvtq_f32_s32(vreinterpretq_s32_u64(x)), old);
    float32x4_t cube = vmulq_f32(sum, vmulq_f32(sum, sum));
    float32x4_t scaled = vmulq_f32(conceal_clamp(old), vdupq_n_f32(536870880.0F));
    *carry = vreinterpretq_u64_f32(vaddq_f32(old, conceal_clamp(cube)));
    return veorq_u64(x, vreinterpretq_u64_s32(vcvtq_s32_f32(scaled)));
}

CHK_ALWAYS_INLINE uint64_t integer_math_divide(uint64_t n, uint32_t word, uint64_t *remainder) {
    uint64_t divisor = word | UINT32_C(0x80000001);
    *remainder = n % divisor;
    return n / divisor;
}

/// chk_quotient: the instruction wraps by itself, where an overflow in C is undefined.
CHK_ALWAYS_INLINE int64_t signed_quotient(int64_t n, int64_t divisor) {
    int64_t quotient;
    __asm__("sdiv %0, %1, %2" : "=r"(quotient) : "r"(n), "r"(divisor));
    return quotient;
}

/// chk_square_root by a double. The double is 2^64 + n cut to 53 bits, in [2^64, 2^65), so the 52 bits of its root's
/// fraction are the 33 bits wanted, of which the highest is 0, and 19 more. What was cut off is worth less than half of
/// the lowest bit and rounding moves the root by half of it at most: that matters only when the 19 are all 0 or all 1.
CHK_ALWAYS_INLINE uint32_t integer_math_root(uint64_t n) {
    const uint64_t exponent_64 = UINT64_C(1087) << 52;
    float64x1_t value = vreinterpret_f64_u64(vcreate_u64(n >> 12 | exponent_64));
    uint64_t root = vget_lane_u64(vreinterpret_u64_f64(vsqrt_f64(value)), 0);
    if (__builtin_expect(((root + 1) & 0x7FFFF) < 2, false)) {
        return chk_square_root(n);
    }
    return (uint32_t)(root >> 19);
}

/// There is no machine code of cn/r's programs for this architecture.
CHK_ALWAYS_INLINE void program_run(const chk_program *program, const chk_code *code,
                                   uint32_t registers[CHK_PROGRAM_REGISTERS]) {
    (void)code;
    chk_program_interpret(program, registers);
}

/// Of four equal columns, ShiftRows makes the same four.
CHK_ALWAYS_INLINE uint32_t substituted(uint32_t word) {
    uint8x16_t columns = vreinterpretq_u8_u32(vdupq_n_u32(word));
    return vgetq_lane_u32(vreinterpretq_u32_u8(vaeseq_u8(columns, vdupq_n_u8(0))), 0);
}

#include "key_expansion.h"

#endif
