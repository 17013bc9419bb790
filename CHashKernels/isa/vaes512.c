// The path for x86-64 with AES on 512-bit registers: sweeps four blocks at a time, the main loop in the 32 registers of
// AVX-512.
#if defined(__x86_64__)

#include "../kernel.h"

#include "../random_math/random_math.h"
#include "../steps/square_root.h"

#include <immintrin.h>

#define CHK_PATH_RUN       chk_vaes512_run
#define CHK_UNROLLED_LANES 5
#define CHK_RUNS_CODE      1

#pragma clang attribute push(__attribute__((target("aes,avx512bw,avx512dq,avx512f,avx512vl,bmi2,prfchw,vaes"))),       \
                             apply_to = function)

#include "x86_block.h"

#define CHK_WIDE_BLOCKS 4

typedef __m512i wide;

CHK_ALWAYS_INLINE wide wide_load(const uint8_t *at) {
    return _mm512_loadu_si512(at);
}
CHK_ALWAYS_INLINE void wide_store(uint8_t *at, wide x) {
    _mm512_storeu_si512(at, x);
}
CHK_ALWAYS_INLINE wide wide_repeat(block x) {
    return _mm512_broadcast_i32x4(x);
}
CHK_ALWAYS_INLINE wide wide_xor(wide x, wide y) {
    return _mm512_xor_si512(x, y);
}
CHK_ALWAYS_INLINE wide wide_aes(wide x, wide key) {
    return _mm512_aesenc_epi128(x, key);
}
CHK_ALWAYS_INLINE wide wide_next(wide x, wide behind) {
    return _mm512_alignr_epi64(behind, x, 2);
}

#include "../cryptonight.h"

#pragma clang attribute pop

#endif
