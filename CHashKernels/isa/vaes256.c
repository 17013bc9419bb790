// The path for x86-64 with AES on 256-bit registers: sweeps two blocks at a time, the main loop in VEX instructions.
#if defined(__x86_64__)

#include "../kernel.h"

#include "../random_math/random_math.h"
#include "../steps/square_root.h"

#include <immintrin.h>

#define CHK_PATH_RUN       chk_vaes256_run
#define CHK_UNROLLED_LANES 5
#define CHK_RUNS_CODE      1

#pragma clang attribute push(__attribute__((target("aes,avx2,bmi2,prfchw,vaes"))), apply_to = function)

#include "x86_block.h"

#define CHK_WIDE_BLOCKS 2

typedef __m256i wide;

CHK_ALWAYS_INLINE wide wide_load(const uint8_t *at) {
    return _mm256_loadu_si256((const __m256i_u *)at);
}
CHK_ALWAYS_INLINE void wide_store(uint8_t *at, wide x) {
    _mm256_storeu_si256((__m256i_u *)at, x);
}
CHK_ALWAYS_INLINE wide wide_repeat(block x) {
    return _mm256_broadcastsi128_si256(x);
}
CHK_ALWAYS_INLINE wide wide_xor(wide x, wide y) {
    return _mm256_xor_si256(x, y);
}
CHK_ALWAYS_INLINE wide wide_aes(wide x, wide key) {
    return _mm256_aesenc_epi128(x, key);
}
CHK_ALWAYS_INLINE wide wide_next(wide x, wide behind) {
    return _mm256_permute2x128_si256(x, behind, 0x21);
}

#include "../cryptonight.h"

#pragma clang attribute pop

#endif
